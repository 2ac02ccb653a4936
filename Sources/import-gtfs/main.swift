import Glibc

exit(ImportProgram.run())
