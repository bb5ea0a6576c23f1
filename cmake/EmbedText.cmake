# cmake -DINPUT=page.css -DNAME=page.css -DHEADER=gonogo/report/page/assets.h -DNAMESPACE=gonogo::report -DOUTPUT=page.css.cc
#       -P EmbedText.cmake
set(text "")
if(INPUT)
  file(READ ${INPUT} text)
endif()
# page.css -> PageCss
string(REGEX MATCHALL "[a-z0-9]+" words ${NAME})
set(function "")
foreach(word IN LISTS words)
  string(SUBSTRING ${word} 0 1 first)
  string(SUBSTRING ${word} 1 -1 rest)
  string(TOUPPER ${first} first)
  string(APPEND function ${first}${rest})
endforeach()
file(WRITE ${OUTPUT} "// Generated from ${NAME}.
#include \"${HEADER}\"
std::string_view ${NAMESPACE}::${function}() { return R\"gonogo_text(${text})gonogo_text\"; }
")
