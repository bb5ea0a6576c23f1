# gonogo_embed_text(TARGET HEADER NAMESPACE file...): for each page.css a function `std::string_view PageCss()` of NAMESPACE,
# declared in HEADER, holds the file's text, so that an installed library needs no source folder. A file that does not exist as a
# path (no Node.js) is given as its bare name and is empty.
function(gonogo_embed_text target header namespace)
  set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake)
  foreach(file IN LISTS ARGN)
    cmake_path(GET file FILENAME name)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cc)
    set(input "")
    if(IS_ABSOLUTE ${file})
      set(input ${file})
    endif()
    add_custom_command(
      OUTPUT ${source}
      DEPENDS ${script} ${input}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DNAME=${name} -DHEADER=${header} -DNAMESPACE=${namespace} -DOUTPUT=${source}
              -P ${script}
      COMMENT "Embedding ${name}" VERBATIM)
    target_sources(${target} PRIVATE ${source})
  endforeach()
endfunction()
