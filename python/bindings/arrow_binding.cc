// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "arrays.h"
#include "bindings.h"

/// Columns as an Arrow stream of one piece. The structs are those of the Arrow C data interface,
/// which is an ABI and never changes; what they point to is freed by plain functions, so that a
/// frame may outlive the interpreter.
namespace gonogo::python {
namespace {

namespace py = nanobind;

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

constexpr std::int64_t kMayBeMissing = 2;  // ARROW_FLAG_NULLABLE
constexpr const char* kCapsuleName = "arrow_array_stream";

struct Column {
  std::string name;
  const char* format = "";
  std::int64_t length = 0;
  std::int64_t missing = 0;
  std::vector<std::uint8_t> there = {};  ///< bits; empty: all are
  std::vector<char> ends = {};           ///< of texts: 64-bit offsets
  std::vector<char> values = {};
};

using Columns = std::vector<Column>;

/// What a released struct leaves to be freed.
struct SchemaMemory {
  std::shared_ptr<const Columns> columns;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};
struct ArrayMemory {
  std::shared_ptr<const Columns> columns;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
};

template <typename Struct, typename Memory>
void Release(Struct* released) {
  // A consumer may have moved children out: those release themselves.
  for (std::int64_t i = 0; i < released->n_children; ++i) {
    Struct* child = released->children[i];
    if (child->release != nullptr) child->release(child);
  }
  delete static_cast<Memory*>(released->private_data);
  released->release = nullptr;
}

ArrowSchema SchemaOf(const std::shared_ptr<const Columns>& columns, const Column& column) {
  auto* memory = new SchemaMemory{columns, {}, {}};
  return {column.format,
          column.name.c_str(),
          nullptr,
          kMayBeMissing,
          0,
          nullptr,
          nullptr,
          Release<ArrowSchema, SchemaMemory>,
          memory};
}

ArrowArray ArrayOf(const std::shared_ptr<const Columns>& columns, const Column& column) {
  auto* memory = new ArrayMemory{columns, {}, {}, {}};
  memory->buffers.push_back(column.there.empty() ? nullptr : column.there.data());
  if (*column.format == 'U') memory->buffers.push_back(column.ends.data());
  memory->buffers.push_back(column.values.data());
  return {column.length,
          column.missing,
          0,
          static_cast<std::int64_t>(memory->buffers.size()),
          0,
          memory->buffers.data(),
          nullptr,
          nullptr,
          Release<ArrowArray, ArrayMemory>,
          memory};
}

struct StreamState {
  std::shared_ptr<const Columns> columns;
  bool given = false;
};

StreamState& StateOf(ArrowArrayStream* stream) {
  return *static_cast<StreamState*>(stream->private_data);
}

int GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  const auto& columns = StateOf(stream).columns;
  auto* memory = new SchemaMemory{columns, {}, {}};
  for (const Column& column : *columns) memory->children.push_back(SchemaOf(columns, column));
  for (ArrowSchema& child : memory->children) memory->pointers.push_back(&child);
  *out = {"+s",
          "",
          nullptr,
          0,
          static_cast<std::int64_t>(columns->size()),
          memory->pointers.data(),
          nullptr,
          Release<ArrowSchema, SchemaMemory>,
          memory};
  return 0;
}

int GetNext(ArrowArrayStream* stream, ArrowArray* out) {
  StreamState& state = StateOf(stream);
  *out = {};
  if (state.given) return 0;  // released from the start: the end
  state.given = true;
  auto* memory = new ArrayMemory{state.columns, {nullptr}, {}, {}};
  for (const Column& column : *state.columns)
    memory->children.push_back(ArrayOf(state.columns, column));
  for (ArrowArray& child : memory->children) memory->pointers.push_back(&child);
  *out = {state.columns->empty() ? 0 : state.columns->front().length,
          0,
          0,
          1,
          static_cast<std::int64_t>(state.columns->size()),
          memory->buffers.data(),
          memory->pointers.data(),
          nullptr,
          Release<ArrowArray, ArrayMemory>,
          memory};
  return 0;
}

const char* GetLastError(ArrowArrayStream*) { return nullptr; }

void ReleaseStream(ArrowArrayStream* stream) {
  delete static_cast<StreamState*>(stream->private_data);
  stream->release = nullptr;
}

void DeleteCapsule(PyObject* capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, kCapsuleName));
  if (stream->release != nullptr) stream->release(stream);
  delete stream;
}

using AnyNumbers = py::ndarray<py::ro, py::c_contig, py::device::cpu>;

const char* FormatOf(const AnyNumbers& values) {
  if (values.dtype() == py::dtype<double>()) return "g";
  if (values.dtype() == py::dtype<float>()) return "f";
  if (values.dtype() == py::dtype<std::int64_t>()) return "l";
  if (values.dtype() == py::dtype<std::uint8_t>()) return "C";
  throw py::type_error("arrow_stream takes columns of float64, float32, int64, uint8 or text");
}

Column NumbersOf(std::string name, const AnyNumbers& values) {
  Column column{.name = std::move(name),
                .format = FormatOf(values),
                .length = static_cast<std::int64_t>(values.size())};
  const auto* bytes = static_cast<const char*>(values.data());
  column.values.assign(bytes, bytes + values.nbytes());
  return column;
}

Column TextsOf(std::string name, const py::list& texts) {
  Column column{
      .name = std::move(name), .format = "U", .length = static_cast<std::int64_t>(texts.size())};
  std::vector<std::int64_t> ends = {0};
  for (const py::handle& item : texts) {
    const auto text = py::cast<std::string>(item);
    column.values.insert(column.values.end(), text.begin(), text.end());
    ends.push_back(static_cast<std::int64_t>(column.values.size()));
  }
  column.ends.resize(ends.size() * sizeof(std::int64_t));
  std::memcpy(column.ends.data(), ends.data(), column.ends.size());
  return column;
}

py::object ArrowStream(const std::vector<std::string>& names, const py::list& columns,
                       const py::list& masks) {
  Columns made;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const py::object values = columns[i];
    made.push_back(py::isinstance<py::list>(values)
                       ? TextsOf(names[i], py::list(values))
                       : NumbersOf(names[i], py::cast<AnyNumbers>(values)));
    if (masks[i].is_none()) continue;
    Column& column = made.back();
    const auto there = py::cast<Dense<std::uint8_t>>(masks[i]);
    column.there.resize((there.size() + 7) / 8);
    for (std::size_t row = 0; row < there.size(); ++row) {
      if (there.data()[row] == 0) {
        ++column.missing;
      } else {
        column.there[row / 8] |= static_cast<std::uint8_t>(1U << (row % 8));
      }
    }
  }
  auto state =
      std::make_unique<StreamState>(StreamState{std::make_shared<const Columns>(std::move(made))});
  auto stream = std::make_unique<ArrowArrayStream>(
      ArrowArrayStream{GetSchema, GetNext, GetLastError, ReleaseStream, state.get()});
  PyObject* capsule = PyCapsule_New(stream.get(), kCapsuleName, DeleteCapsule);
  if (capsule == nullptr) throw py::python_error();
  state.release();   // the stream's
  stream.release();  // the capsule's
  return py::steal(capsule);
}

}  // namespace

void BindArrow(py::module_& module) {
  module.def("arrow_stream", &ArrowStream, py::arg("names"), py::arg("columns"), py::arg("masks"),
             "Columns as the capsule that __arrow_c_stream__ returns.");
}

}  // namespace gonogo::python
