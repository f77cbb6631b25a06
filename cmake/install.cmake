# What is installed beside the programs: the library for C, C++, pkg-config and CMake, manual pages and shell
# completion made by `visor` itself, and the Debian package of it all.
include(CMakePackageConfigHelpers)
# The component `wheel` is what a wheel holds (pyproject.toml); all else is installed with and without it.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY TRUE) # tests are not installed and need not be built

# ---- the library ----

install(
  TARGETS visor_shared
  EXPORT visorTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          COMPONENT wheel
          NAMELINK_COMPONENT Unspecified)
install(DIRECTORY include/visor DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH VISOR_PC_TO_PREFIX /${pc_folder} /)
string(REGEX REPLACE "/$" "" VISOR_PC_TO_PREFIX "${VISOR_PC_TO_PREFIX}")
configure_file(cmake/install/visor.pc.in ${CMAKE_CURRENT_BINARY_DIR}/install/visor.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/install/visor.pc DESTINATION ${pc_folder})

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/visor)
configure_package_config_file(cmake/install/visorConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/install/visorConfig.cmake
                              INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/install/visorConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/install/visorConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/install/visorConfigVersion.cmake DESTINATION ${config_folder})
install(EXPORT visorTargets NAMESPACE visor:: DESTINATION ${config_folder})

# ---- manual pages and completion ----

set(pages ${CMAKE_CURRENT_BINARY_DIR}/install/man/visor.1)
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/install/man/visor.1
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/install/man
  COMMAND $<TARGET_FILE:visor> help man > ${CMAKE_CURRENT_BINARY_DIR}/install/man/visor.1
  DEPENDS visor
  VERBATIM)
foreach(verb run cc as dis check isa info)
  set(page ${CMAKE_CURRENT_BINARY_DIR}/install/man/visor-${verb}.1)
  add_custom_command(
    OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/install/man
    COMMAND $<TARGET_FILE:visor> help man ${verb} > ${page}
    DEPENDS visor
    VERBATIM)
  list(APPEND pages ${page})
endforeach()
set(completion ${CMAKE_CURRENT_BINARY_DIR}/install/completion/visor)
add_custom_command(
  OUTPUT ${completion}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/install/completion
  COMMAND $<TARGET_FILE:visor> help completion bash > ${completion}
  DEPENDS visor
  VERBATIM)
add_custom_target(visor_manual ALL DEPENDS ${pages} ${completion})
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${CMAKE_CURRENT_BINARY_DIR}/install_manifest.txt -P
                                    ${CMAKE_CURRENT_SOURCE_DIR}/cmake/install/uninstall.cmake)

# ---- the Debian package ----

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME visor)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Visor developers <visor@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Virtual machine for vISA, the virtual instruction set of Intel GPUs")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # from the binaries themselves
# The compiler, and what the Python module is for: nothing else of Visor needs them.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "intel-opencl-icd, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
include(CPack)
