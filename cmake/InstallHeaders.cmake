# Run while installing, with SOURCE, WANTED (the file of public headers) and DESTINATION: installs the headers that are named there and
# those of ours that they include.
cmake_policy(VERSION 3.25)  # a script that is run while installing has none
file(STRINGS ${WANTED} todo REGEX "^gonogo/")
set(done)
while(todo)
  list(POP_FRONT todo header)
  if(header IN_LIST done)
    continue()
  endif()
  list(APPEND done ${header})
  file(STRINGS ${SOURCE}/${header} includes REGEX "^#include \"gonogo/")
  list(TRANSFORM includes REPLACE "^#include \"([^\"]+)\".*$" "\\1")
  list(APPEND todo ${includes})
endwhile()
foreach(header IN LISTS done)
  cmake_path(GET header PARENT_PATH folder)
  file(INSTALL ${SOURCE}/${header} DESTINATION ${DESTINATION}/${folder})
endforeach()
