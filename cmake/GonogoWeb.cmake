# The front end of the pages (web/), compiled into the library as text.
option(GONOGO_WEB "Bundle charts and 3-D viewer with Node.js; without it pages carry tables only" ON)
find_program(GONOGO_NODE node)
find_program(GONOGO_NPM npm)
mark_as_advanced(GONOGO_NODE GONOGO_NPM)

# gonogo_web_bundles(OUT charts viewer): sets OUT to the paths of the bundled scripts, or to nothing without Node.js.
function(gonogo_web_bundles out)
  set(${out} "" PARENT_SCOPE)
  if(GONOGO_FUZZ)
    # Nothing of an input stands in the scripts, and copying a megabyte of them would be a third of the time of a page.
    foreach(name IN LISTS ARGN)
      file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/web/${name}.js CONTENT "// stands for the script of a page\n")
      list(APPEND stand_ins ${PROJECT_BINARY_DIR}/web/${name}.js)
    endforeach()
    set(${out} ${stand_ins} PARENT_SCOPE)
    return()
  endif()
  if(NOT (GONOGO_WEB AND GONOGO_NODE AND GONOGO_NPM))
    message(STATUS "Node.js and npm not in use: pages will carry tables instead of charts")
    return()
  endif()
  set(web ${PROJECT_SOURCE_DIR}/web)
  list(TRANSFORM ARGN REPLACE "(.+)" "${PROJECT_BINARY_DIR}/web/\\1.js" OUTPUT_VARIABLE bundles)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${web}/src/*.js)
  add_custom_command(
    OUTPUT ${bundles}
    DEPENDS ${sources} ${web}/build.sh ${web}/package.json ${web}/package-lock.json ${web}/.npmrc
    COMMAND ${web}/build.sh ${PROJECT_BINARY_DIR}/web
    COMMENT "Bundling web/src" VERBATIM)
  set(${out} ${bundles} PARENT_SCOPE)
endfunction()
