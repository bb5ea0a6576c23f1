# gonogo_module(audit DEPS stats nn io LINK Boost::headers)
#
# One folder = one library = one namespace. Sources, tests (*_test.cc) and micro-benchmarks (*_bench.cc) are found by
# their names; DEPS are other modules and are the only ones its files may include (tools/check_layers.py reads this line).
function(gonogo_module name)
  cmake_parse_arguments(ARG "" "" "DEPS;LINK;PRIVATE_LINK;TEST_LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc ${CMAKE_CURRENT_SOURCE_DIR}/internal/*.cc)
  file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cc ${CMAKE_CURRENT_SOURCE_DIR}/internal/*_test.cc)
  file(GLOB benches CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_bench.cc)
  if(tests)
    list(REMOVE_ITEM sources ${tests})
  endif()
  if(benches)
    list(REMOVE_ITEM sources ${benches})
  endif()
  list(TRANSFORM ARG_DEPS PREPEND gonogo::)

  add_library(gonogo_${name} STATIC ${sources})
  add_library(gonogo::${name} ALIAS gonogo_${name})
  target_include_directories(gonogo_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_link_libraries(gonogo_${name} PUBLIC gonogo::flags ${ARG_DEPS} ${ARG_LINK}
                        PRIVATE $<BUILD_INTERFACE:gonogo_warnings> ${ARG_PRIVATE_LINK})

  if(GONOGO_TESTS AND tests)
    add_executable(${name}_tests ${tests})
    target_link_libraries(${name}_tests PRIVATE gonogo::${name} gonogo_warnings GTest::gtest_main GTest::gmock
                          ${ARG_TEST_LINK} ${ARG_PRIVATE_LINK})
    target_compile_definitions(${name}_tests PRIVATE GONOGO_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    # What tests spend their time in is the library; their own code compiles a quarter faster this way.
    target_compile_options(${name}_tests PRIVATE $<$<CONFIG:Release>:-O1>)
    set_target_properties(${name}_tests PROPERTIES CROSSCOMPILING_EMULATOR ${PROJECT_SOURCE_DIR}/tools/fresh_tmp.sh)
    gtest_discover_tests(${name}_tests TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
                         PROPERTIES LABELS "${name}" TIMEOUT 600)
  endif()
  if(GONOGO_BENCH AND benches)
    add_executable(${name}_bench ${benches})
    target_link_libraries(${name}_bench PRIVATE gonogo::${name} gonogo_warnings benchmark::benchmark_main
                          ${ARG_PRIVATE_LINK})
    target_compile_definitions(${name}_bench PRIVATE GONOGO_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  endif()
endfunction()
