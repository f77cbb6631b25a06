# LLVM's linker for everything, where it is installed: the usual one takes several times as long, ten times where LLVM
# is linked in.
find_program(VISOR_LINKER NAMES ld.lld HINTS /usr/lib/llvm-19/bin)
if(VISOR_LINKER)
  cmake_path(GET VISOR_LINKER PARENT_PATH visor_linker_folder)
  include(CheckLinkerFlag)
  check_linker_flag(CXX "-B${visor_linker_folder};-fuse-ld=lld" VISOR_LINKER_WORKS)
  if(VISOR_LINKER_WORKS)
    add_link_options(-B${visor_linker_folder} -fuse-ld=lld)
  endif()
endif()
