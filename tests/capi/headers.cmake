# The public headers' text, as `header`: of the folder HEADERS.
file(GLOB headers ${HEADERS}/*.h)
set(header "")
foreach(one IN LISTS headers)
  file(READ ${one} text)
  string(APPEND header "${text}")
endforeach()
