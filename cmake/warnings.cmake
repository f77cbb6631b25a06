# The warnings of every target of ours, errors where a preset asks for that: whoever builds Visor to use it shall not fail
# on what another compiler finds. And the sanitizers that a preset asks for.
add_library(visor_build_options INTERFACE)
target_compile_options(
  visor_build_options
  INTERFACE $<$<BOOL:${VISOR_WARNINGS_ARE_ERRORS}>:-Werror>
            -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
            -Wno-missing-field-initializers
            # GCC 12 warns of its own std::string at -O3 (its bug 105651).
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(VISOR_SANITIZE)
  target_compile_options(
    visor_build_options INTERFACE -fsanitize=${VISOR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(visor_build_options INTERFACE -fsanitize=${VISOR_SANITIZE})
endif()
