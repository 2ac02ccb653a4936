import Glibc

exit(FetchProgram.run())
