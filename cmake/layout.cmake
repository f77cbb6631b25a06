# Where what is installed goes, below the prefix. Of a wheel the prefix is the folder of the Python package: the same
# tree as elsewhere, so that all parts find each other in the same way, and nothing outside of it is looked at.
if(VISOR_WHEEL)
  set(CMAKE_INSTALL_BINDIR bin)
  set(CMAKE_INSTALL_LIBDIR lib)
  set(CMAKE_INSTALL_LIBEXECDIR libexec)
  set(VISOR_PYTHON_FOLDER .)
else()
  set(VISOR_PYTHON_FOLDER lib/python3/dist-packages/visor)
endif()
include(GNUInstallDirs)

# visor_from_package(OUT FOLDER): the way from the installed Python package to a folder below the prefix.
function(visor_from_package out folder)
  cmake_path(SET package NORMALIZE "/${VISOR_PYTHON_FOLDER}")
  file(RELATIVE_PATH way "${package}" "/${folder}")
  set(${out} ${way} PARENT_SCOPE)
endfunction()
