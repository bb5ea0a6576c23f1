// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/document.h"

#include "gonogo/report/page/html.h"

namespace gonogo::report::internal {

std::string Document(const DocumentParts& parts) {
  // Vega compiles its expressions with Function(), hence 'unsafe-eval'; nothing from outside can
  // reach it, because every source of a load is closed.
  std::string html;
  std::size_t size = 2048 + parts.body.size() + parts.script.size();
  for (const std::string_view style : parts.styles) size += style.size();
  html.reserve(size);  // the chart library alone is a megabyte
  html +=
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data: blob:; "
      "base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>";
  html += EscapeHtml(parts.title);
  html += "</title>\n";
  for (const std::string_view style : parts.styles) {
    html.append("<style>\n").append(style).append("</style>\n");
  }
  html.append("</head>\n<body>\n").append(parts.body);
  if (!parts.script.empty()) html.append("<script>").append(parts.script).append("</script>\n");
  return html.append("</body>\n</html>\n");
}

}  // namespace gonogo::report::internal
