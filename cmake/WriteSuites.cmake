# Writes one CTest test for every suite of a test program: cmake -D PROGRAM=... -D MODULE=... -D RUNNER=... -D OUT=... -P WriteSuites.cmake
# GoogleTest's own discovery makes a process of every single test; starting 1,500 of them took longer than most of them run.
execute_process(COMMAND ${RUNNER} ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" lines "${listed}")
set(text "")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^([A-Za-z0-9_/]+)\\.")
    continue()
  endif()
  set(suite ${CMAKE_MATCH_1})
  string(APPEND text "add_test([=[${MODULE}.${suite}]=] ${RUNNER} ${PROGRAM} --gtest_filter=${suite}.* --gtest_brief=1)\n"
                     "set_tests_properties([=[${MODULE}.${suite}]=] PROPERTIES LABELS ${MODULE} TIMEOUT 600)\n")
endforeach()
file(WRITE ${OUT} "${text}")
