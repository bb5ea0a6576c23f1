// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "bindings.h"
#include "raise.h"

#include "gonogo/base/check.h"

namespace py = nanobind;

namespace gonogo::python {
namespace {

const char* ClassOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "UsageError";
    case ErrorKind::kInput:
      return "InputError";
    case ErrorKind::kIo:
      return "IoError";
    case ErrorKind::kInterrupted:
      break;
  }
  return "Interrupted";
}

void SetPythonError(const char* class_name, std::string message) {
  // Overrides are spelled as the command line does; here they are arguments.
  if (message.rfind("--set ", 0) == 0) message = message.substr(6);
  const py::object error = py::module_::import_("gonogo._errors").attr(class_name);
  PyErr_SetString(error.ptr(), message.c_str());
}

}  // namespace

void BindErrors(py::module_& module) {
  // The interpreter is not ours to end.
  SetCheckHandler(&ThrowCheckFailure);
  py::register_exception_translator([](const std::exception_ptr& pointer, void* /*payload*/) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const RaisedError& error) {
      SetPythonError(ClassOf(error.kind()), error.what());
    } catch (const CheckFailure& failure) {
      SetPythonError("InternalError", failure.what());
    }
  });
  module.def(
      "fail_check", [] { GONOGO_CHECK(false && "asked for"); },
      "Fails a check, so that a test can see what happens then.");
}

}  // namespace gonogo::python
