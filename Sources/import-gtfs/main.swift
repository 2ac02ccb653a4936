import GTFSImport
import Glibc

exit(ImportProgram.run())
