program: str  # paths, relative to the package or absolute
opencl: str  # "": there is none
