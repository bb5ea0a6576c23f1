# gonogo_module(audit DEPS stats nn io ROOMS protocol table . session LINK Boost::headers)
#
# One folder = one library = one namespace. Sources, tests (*_test.cc) and micro-benchmarks (*_bench.cc) are found by
# their names, in the folder and in its rooms (subfolders); testing/ holds what only tests use and never enters the library.
# APART names a room that becomes a library of its own, gonogo_audit_ROOM, because it needs what most users of the module do without
# (APART_LINK): modules that include one of its headers are linked with it, others are not.
# DEPS are other modules and are the only ones its files may include. ROOMS lists the subfolders, lowest first ("." stands for
# the files directly in the module): a room may include those named before it. tools/check_layers.py reads both.
#
# WITHOUT names rooms that this build leaves out, with their tests (GonogoComponents.cmake).
#
# A release is compiled at -O2. HOT modules, where results are computed, get -O3; COOL ones, which arrange and print what others
# computed, -O1: they compile in about 0.6 of the time. COOL_ROOMS names such rooms of a module that is otherwise hot ("." as above).
# No level changes a result: nothing here may reorder floating point.
#
# GONOGO_UNITY compiles the sources of a module, and its tests, many at a time: headers are most of a compilation. A small change
# then recompiles its neighbours too, so the dev preset leaves it off. Names in anonymous namespaces have to be unique within the
# sources of a module, and within its tests.
option(GONOGO_UNITY "Compile several sources of a module at a time: less work in all, more after a small change" OFF)
# Larger batches save little more and leave the second core idle at the end; a compiler needs up to 1.5 GB.
set(GONOGO_UNITY_SOURCES 36)
set(GONOGO_UNITY_TESTS 30)
set(gonogo_level_hot -O3)
set(gonogo_level_warm)  # that of a release, -O2
option(GONOGO_QUICK "Compile quickly: a level of optimisation less, larger batches. Results are the same, audits take longer" OFF)
if(GONOGO_QUICK)
  set(GONOGO_UNITY_SOURCES 72)
  set(gonogo_level_hot -O2)
  set(gonogo_level_warm -O1)
endif()

function(gonogo_unity target batch)
  if(GONOGO_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  endif()
endfunction()

# A library of ours: compiled with our flags and warnings, installed for others.
function(gonogo_library name)
  cmake_parse_arguments(ARG "" "LEVEL" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  add_library(gonogo_${name} STATIC ${ARG_SOURCES})
  add_library(gonogo::${name} ALIAS gonogo_${name})
  target_include_directories(gonogo_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # Users of the installed library compile our headers as C++20, too.
  target_compile_features(gonogo_${name} PUBLIC cxx_std_20)
  target_link_libraries(gonogo_${name} PUBLIC gonogo::flags ${ARG_LINK}
                        PRIVATE $<BUILD_INTERFACE:gonogo_warnings> ${ARG_PRIVATE_LINK})
  if(ARG_LEVEL)
    target_compile_options(gonogo_${name} PRIVATE $<$<CONFIG:Release>:${ARG_LEVEL}>)
  endif()
  gonogo_unity(gonogo_${name} ${GONOGO_UNITY_SOURCES})
  gonogo_install_library(${name})
endfunction()

# Takes the sources of the named rooms out of the list `from` and puts them into the list `to`.
function(gonogo_take_rooms from to folder)
  foreach(room IN LISTS ARGN)
    if(room STREQUAL ".")
      set(pattern "^${folder}/[^/]*$")
    else()
      set(pattern "^${folder}/${room}/")
    endif()
    set(found ${${from}})
    list(FILTER found INCLUDE REGEX "${pattern}")
    list(FILTER ${from} EXCLUDE REGEX "${pattern}")
    list(APPEND taken ${found})
  endforeach()
  set(${from} ${${from}} PARENT_SCOPE)
  set(${to} ${taken} PARENT_SCOPE)
endfunction()

# The libraries of rooms apart whose headers these files include.
function(gonogo_rooms_included result)
  get_property(rooms GLOBAL PROPERTY gonogo_rooms_apart)
  set(found)
  foreach(room IN LISTS rooms)
    string(REPLACE "/" "_" library ${room})
    foreach(file IN LISTS ARGN)
      file(STRINGS ${file} hit LIMIT_COUNT 1 REGEX "^#include \"gonogo/${room}/")
      if(hit)
        list(APPEND found gonogo::${library})
        break()
      endif()
    endforeach()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# One CTest test for every suite of the module's test program, in a temporary folder of its own; before it is built, one that fails.
function(gonogo_suites name)
  set(suites ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake)
  add_custom_command(TARGET ${name}_tests POST_BUILD VERBATIM BYPRODUCTS ${suites}
                     COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${name}_tests> -D MODULE=${name} -D OUT=${suites}
                             -D RUNNER=${PROJECT_SOURCE_DIR}/tools/fresh_tmp.sh -P ${PROJECT_SOURCE_DIR}/cmake/WriteSuites.cmake)
  set(include ${CMAKE_CURRENT_BINARY_DIR}/${name}_tests.cmake)
  file(WRITE ${include} "if(EXISTS \"${suites}\")\n  include(\"${suites}\")\nelse()\n  add_test(${name}_tests_NOT_BUILT ${name}_tests_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()

# The libraries of the named modules; those of components that this build leaves out do without.
function(gonogo_built result)
  foreach(module IN LISTS ARGN)
    if(TARGET gonogo_${module})
      list(APPEND libraries gonogo::${module})
    elseif(NOT module IN_LIST gonogo_optional_modules)
      message(FATAL_ERROR "gonogo: there is no module ${module}, or it is added later")
    endif()
  endforeach()
  set(${result} ${libraries} PARENT_SCOPE)
endfunction()

function(gonogo_module name)
  cmake_parse_arguments(ARG "HOT;COOL" "APART" "DEPS;ROOMS;WITHOUT;COOL_ROOMS;LINK;PRIVATE_LINK;TEST_LINK;APART_LINK" ${ARGN})
  set(here ${CMAKE_CURRENT_SOURCE_DIR})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${here}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/(main|plugin)/[^/]*$")
  gonogo_take_rooms(sources left_out ${here} ${ARG_WITHOUT})
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$|/testing/[^/]*\\.cc$")
  set(benches ${sources})
  list(FILTER benches INCLUDE REGEX "_bench\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$|_bench\\.cc$|/testing/[^/]*$")
  gonogo_built(ARG_DEPS ${ARG_DEPS})

  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${here}/*.h)
  list(FILTER headers EXCLUDE REGEX "/testing/[^/]*$")
  if(ARG_APART)
    gonogo_take_rooms(sources apart ${here} ${ARG_APART})
    set(apart_headers ${headers})
    list(FILTER apart_headers INCLUDE REGEX "^${here}/${ARG_APART}/")
    list(FILTER headers EXCLUDE REGEX "^${here}/${ARG_APART}/")
    gonogo_rooms_included(apart_rooms ${apart} ${apart_headers})
    set_property(GLOBAL APPEND PROPERTY gonogo_rooms_apart ${name}/${ARG_APART})
  endif()
  gonogo_rooms_included(rooms ${sources} ${headers})
  list(APPEND ARG_LINK ${rooms})
  set(level)
  if(gonogo_level_warm)
    set(level LEVEL ${gonogo_level_warm})
  endif()
  if(ARG_HOT)
    set(level LEVEL ${gonogo_level_hot})
  elseif(ARG_COOL)
    set(level LEVEL -O1)
  endif()
  gonogo_take_rooms(sources cool ${here} ${ARG_COOL_ROOMS})
  gonogo_library(${name} ${level} SOURCES ${sources} LINK ${ARG_DEPS} ${ARG_LINK} PRIVATE_LINK ${ARG_PRIVATE_LINK})
  if(cool)
    # Part of the same library, so that nobody who links it has to know.
    add_library(gonogo_${name}_cool OBJECT ${cool})
    target_link_libraries(gonogo_${name}_cool PRIVATE gonogo::flags gonogo_warnings ${ARG_DEPS} ${ARG_LINK} ${ARG_PRIVATE_LINK})
    target_include_directories(gonogo_${name}_cool PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_options(gonogo_${name}_cool PRIVATE $<$<CONFIG:Release>:-O1>)
    gonogo_unity(gonogo_${name}_cool ${GONOGO_UNITY_SOURCES})
    target_sources(gonogo_${name} PRIVATE $<TARGET_OBJECTS:gonogo_${name}_cool>)
  endif()
  if(ARG_APART)
    set(apart_level ${level})
    if(ARG_APART IN_LIST ARG_COOL_ROOMS)
      set(apart_level LEVEL -O1)
    endif()
    gonogo_library(${name}_${ARG_APART} ${apart_level} SOURCES ${apart} LINK gonogo::${name} ${apart_rooms}
                   PRIVATE_LINK ${ARG_APART_LINK})
    list(APPEND ARG_PRIVATE_LINK gonogo::${name}_${ARG_APART} ${ARG_APART_LINK})  # from here on: of tests and benchmarks
  endif()

  if(GONOGO_TESTS AND tests)
    add_executable(${name}_tests ${tests})
    if(NOT TARGET gonogo_module_tests)
      add_custom_target(gonogo_module_tests)
    endif()
    add_dependencies(gonogo_module_tests ${name}_tests)
    gonogo_rooms_included(test_rooms ${tests})
    gonogo_unity(${name}_tests ${GONOGO_UNITY_TESTS})
    target_link_libraries(${name}_tests PRIVATE gonogo::${name} gonogo_warnings GTest::gtest_main GTest::gmock
                          ${test_rooms} ${ARG_TEST_LINK} ${ARG_PRIVATE_LINK})
    target_compile_definitions(${name}_tests PRIVATE GONOGO_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    # What tests spend their time in is the library; their own code compiles a quarter faster this way.
    target_compile_options(${name}_tests PRIVATE $<$<CONFIG:Release>:-O1>)
    gonogo_suites(${name})
  endif()
  if(GONOGO_BENCH AND benches)
    add_executable(${name}_bench ${benches})
    target_link_libraries(${name}_bench PRIVATE gonogo::${name} gonogo_warnings benchmark::benchmark_main
                          ${ARG_PRIVATE_LINK})
    target_compile_definitions(${name}_bench PRIVATE GONOGO_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    gonogo_run_once(${name}_bench)
  endif()
endfunction()

# A benchmark is a test, too: that it still runs, at sizes at which that takes no time (gonogo/base/testing/bench_size.h).
function(gonogo_run_once benchmark)
  if(GONOGO_TESTS)
    set(arguments ${ARGN})
    if(NOT arguments)
      set(arguments --benchmark_min_time=0)
    endif()
    add_test(NAME bench.${benchmark} COMMAND ${PROJECT_SOURCE_DIR}/tools/fresh_tmp.sh $<TARGET_FILE:${benchmark}> ${arguments})
    set_tests_properties(bench.${benchmark} PROPERTIES LABELS bench TIMEOUT 120 ENVIRONMENT GONOGO_TINY_BENCHMARKS=1)
  endif()
endfunction()
