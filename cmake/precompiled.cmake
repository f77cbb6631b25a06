# Headers that most files include, compiled once for the libraries, once for the JIT and once for the tests. Nothing
# else knows of it, and the builds without it are what proves that every file includes what it uses. What brings
# <iomanip> stays out, as <filesystem> does: std::quoted would be found where the text's own `quoted` is meant.
set(VISOR_PRECOMPILED_LIBRARIES
    <algorithm> <array> <bit> <charconv> <cmath> <cstdint> <cstdlib> <cstring> <expected> <fstream>
    <functional> <map> <memory> <numeric> <optional> <set> <span> <sstream> <string> <string_view> <unordered_map>
    <utility> <vector> <fmt/format.h>)
set(VISOR_PRECOMPILED_TESTS ${VISOR_PRECOMPILED_LIBRARIES} <gtest/gtest.h>)
set(VISOR_PRECOMPILED_JIT
    ${VISOR_PRECOMPILED_LIBRARIES} <llvm/Analysis/LoopInfo.h> <llvm/Analysis/VectorUtils.h> <llvm/IR/Constants.h>
    <llvm/IR/Dominators.h> <llvm/IR/Function.h> <llvm/IR/IRBuilder.h> <llvm/IR/InstIterator.h>
    <llvm/IR/Instructions.h> <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h> <llvm/IR/PatternMatch.h>)

# visor_targets_below(OUT FOLDER TYPE): the targets of this type, made of C++ alone, of a folder and of all below it.
function(visor_targets_below out folder wanted)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  set(found)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(sources ${target} SOURCES)
    if(type STREQUAL wanted AND NOT sources MATCHES "\\.c(;|$)")
      list(APPEND found ${target})
    endif()
  endforeach()
  foreach(below IN LISTS folders)
    visor_targets_below(more ${below} ${wanted})
    list(APPEND found ${more})
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# visor_precompile(NAME HEADERS ... LIBRARIES ... OPTIONS ... TARGETS ...): HEADERS, with what LIBRARIES and OPTIONS give
# them, for all of TARGETS, which are all libraries or all executables: clang asks that the flags be the same.
function(visor_precompile name)
  cmake_parse_arguments(ARG "" "" "HEADERS;LIBRARIES;OPTIONS;TARGETS" ${ARGN})
  set(owner visor_precompiled_${name})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled/${name}.cpp CONTENT "int main() {}\n")
  list(GET ARG_TARGETS 0 first)
  get_target_property(type ${first} TYPE)
  if(type STREQUAL EXECUTABLE)
    add_executable(${owner} ${CMAKE_BINARY_DIR}/precompiled/${name}.cpp)
  else()
    add_library(${owner} STATIC ${CMAKE_BINARY_DIR}/precompiled/${name}.cpp)
  endif()
  target_link_libraries(${owner} PRIVATE visor_build_options fmt::fmt ${ARG_LIBRARIES})
  target_precompile_headers(${owner} PRIVATE ${ARG_HEADERS})
  # Else ccache takes every build of the headers for another.
  target_compile_options(${owner} PRIVATE ${ARG_OPTIONS} "SHELL:-Xclang -fno-pch-timestamp")
  foreach(target IN LISTS ARG_TARGETS)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endforeach()
endfunction()

visor_targets_below(libraries ${PROJECT_SOURCE_DIR}/src STATIC_LIBRARY)
list(REMOVE_ITEM libraries visor_jit)
visor_precompile(libraries HEADERS ${VISOR_PRECOMPILED_LIBRARIES} TARGETS ${libraries})
# Arithmetic that rounds as it is told is compiled with a flag of its own.
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/number/round.cpp TARGET_DIRECTORY visor_number
             PROPERTY SKIP_PRECOMPILE_HEADERS ON)
if(VISOR_JIT)
  visor_precompile(jit HEADERS ${VISOR_PRECOMPILED_JIT} LIBRARIES visor_llvm TARGETS visor_jit)
endif()
if(VISOR_TESTS)
  find_package(GTest REQUIRED)
  visor_targets_below(tests ${PROJECT_SOURCE_DIR}/tests EXECUTABLE)
  get_property(options DIRECTORY ${PROJECT_SOURCE_DIR}/tests PROPERTY COMPILE_OPTIONS)
  visor_precompile(tests HEADERS ${VISOR_PRECOMPILED_TESTS} LIBRARIES GTest::gtest OPTIONS ${options} TARGETS ${tests})
endif()
