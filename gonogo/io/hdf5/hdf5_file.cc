// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/hdf5/hdf5_file.h"

#include <algorithm>
#include <utility>

#include "gonogo/io/file.h"
#include "gonogo/io/hdf5/internal/hdf5_session.h"

namespace gonogo::io {

using internal::Count;
using internal::Handle;
using internal::Hdf5Session;
using internal::MemoryProblem;
using internal::ShapeOf;
using internal::StorageProblem;
using internal::Texts;
using internal::TextType;

namespace {

template <typename T>
hid_t NativeType();
template <>
hid_t NativeType<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
hid_t NativeType<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t NativeType<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
hid_t NativeType<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
hid_t NativeType<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}

std::vector<hsize_t> Dims(std::span<const std::size_t> shape) {
  return {shape.begin(), shape.end()};
}

/// How to transfer values; when `strict`, one that does not fit its new type stops the transfer and
/// clears `fits`. The library would put the nearest number that does in its place.
hid_t Checked(bool strict, bool& fits) {
  const hid_t list = H5Pcreate(H5P_DATASET_XFER);
  const auto refuse = [](H5T_conv_except_t, hid_t, hid_t, void*, void*, void* flag) {
    *static_cast<bool*>(flag) = false;
    return H5T_CONV_ABORT;
  };
  if (strict) H5Pset_type_conv_cb(list, refuse, &fits);
  return list;
}

/// Access to a file whose bytes are in memory; what is changed there stays there.
hid_t InMemory() {
  constexpr std::size_t kGrowth = 1U << 20U;
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(list, kGrowth, /*backing_store=*/0);
  return list;
}

/// The bytes of an open file; none if they cannot be had.
std::string Image(hid_t id) {
  const ssize_t size = H5Fget_file_image(id, nullptr, 0);
  std::string bytes(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
  if (H5Fget_file_image(id, bytes.data(), bytes.size()) != size) bytes.clear();
  return bytes;
}

/// How a data set is stored: without the times that would make equal runs differ in their bytes.
hid_t Plain() {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(list, false);
  return list;
}

/// Creates a data set, and the groups on the way to it.
hid_t CreateDataset(hid_t file, const std::string& dataset, hid_t type, const Handle& space,
                    const Handle& creation) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(links.get(), 1);
  return H5Dcreate2(file, dataset.c_str(), type, space.get(), links.get(), creation.get(),
                    H5P_DEFAULT);
}

/// The same with all its values; whether that could be done.
bool PutDataset(hid_t file, const std::string& dataset, hid_t type, const Handle& space,
                const Handle& creation, const void* values) {
  Handle created(CreateDataset(file, dataset, type, space, creation));
  return created.ok() &&
         H5Dwrite(created.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
         created.Close();
}

}  // namespace

Result<Hdf5File> Hdf5File::Open(const std::filesystem::path& path) {
  const Hdf5Session session;
  std::error_code code;
  if (!std::filesystem::exists(path, code)) {
    return IoError("{}: cannot open: No such file or directory", path.string());
  }
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  if (const auto problem = MemoryProblem(code ? 0 : size, 1)) {
    return InputError("{}: {}", path.string(), *problem);
  }
  const Handle access(InMemory());
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get());
  if (id < 0)
    return InputError("{}: not a complete HDF5 file (truncated or another format)", path.string());
  return Hdf5File(id, path.string());
}

Result<Hdf5File> Hdf5File::OpenForUpdate(const std::filesystem::path& path) {
  const Hdf5Session session;
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  if (id < 0) return InputError("{}: cannot be opened for writing as an HDF5 file", path.string());
  return Hdf5File(id, path.string());
}

Result<Hdf5File> Hdf5File::Create(const std::filesystem::path& path) {
  const Hdf5Session session;
  const Handle access(InMemory());
  const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get());
  if (id < 0) return IoError("{}: cannot create the file", path.string());
  return Hdf5File(id, path.string(), /*created=*/true);
}

Hdf5File::Hdf5File(Hdf5File&& other) noexcept
    : id_(std::exchange(other.id_, -1)), name_(std::move(other.name_)), created_(other.created_) {}

Hdf5File& Hdf5File::operator=(Hdf5File&& other) noexcept {
  if (this != &other) {
    std::swap(id_, other.id_);
    std::swap(name_, other.name_);
    std::swap(created_, other.created_);
  }
  return *this;
}

Hdf5File::~Hdf5File() {
  if (id_ < 0) return;
  const Hdf5Session session;
  H5Fclose(id_);
}

Status Hdf5File::Close() {
  if (id_ < 0) return {};
  const Hdf5Session session;
  const hid_t id = std::exchange(id_, -1);
  const bool flushed = H5Fflush(id, H5F_SCOPE_LOCAL) >= 0;
  const std::string bytes = created_ && flushed ? Image(id) : "";
  if (H5Fclose(id) < 0 || !flushed || (created_ && bytes.empty())) {
    return IoError("{}: cannot write the file", name_);
  }
  return created_ ? WriteFile(name_, bytes) : Status();
}

bool Hdf5File::Has(const std::string& object) const {
  const Hdf5Session session;
  if (object == "/") return true;
  // H5Lexists fails when a parent is missing, so walk the path.
  for (std::size_t end = object.find('/', 1);; end = object.find('/', end + 1)) {
    const std::string prefix = object.substr(0, end);
    if (H5Lexists(id_, prefix.c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

Result<std::vector<std::string>> Hdf5File::Children(const std::string& group) const {
  const Hdf5Session session;
  std::vector<std::string> names;
  if (!Has(group)) return names;
  const Handle opened(H5Gopen2(id_, group.c_str(), H5P_DEFAULT));
  if (!opened.ok()) return InputError("{}: {} is not a group of this file", name_, group);
  const auto visit = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  H5Literate(opened.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, visit, &names);
  return names;
}

Error Hdf5File::NotADataset(const std::string& dataset) const {
  return Has(dataset) ? InputError("{}: {} is not a data set of this file", name_, dataset)
                      : InputError("{}: data set {} is missing", name_, dataset);
}

Result<std::vector<std::size_t>> Hdf5File::Shape(const std::string& dataset) const {
  const Hdf5Session session;
  const Handle opened(Has(dataset) ? H5Dopen2(id_, dataset.c_str(), H5P_DEFAULT) : -1);
  if (!opened.ok()) return NotADataset(dataset);
  const Handle space(H5Dget_space(opened.get()));
  return ShapeOf(space.get());
}

Result<Hdf5Type> Hdf5File::Type(const std::string& dataset) const {
  const Hdf5Session session;
  const Handle opened(Has(dataset) ? H5Dopen2(id_, dataset.c_str(), H5P_DEFAULT) : -1);
  if (!opened.ok()) return NotADataset(dataset);
  const Handle type(H5Dget_type(opened.get()));
  switch (H5Tget_class(type.get())) {
    case H5T_INTEGER:
    case H5T_ENUM:
      return Hdf5Type::kInteger;
    case H5T_FLOAT:
      return Hdf5Type::kFloat;
    case H5T_STRING:
      return Hdf5Type::kString;
    default:
      return Hdf5Type::kOther;
  }
}

template <typename T>
Result<Array<T>> Hdf5File::Read(const std::string& dataset) const {
  const Hdf5Session session;
  const Hdf5Type type = GONOGO_TRY(Type(dataset));
  if (type != Hdf5Type::kInteger && type != Hdf5Type::kFloat) {
    return InputError("{}: data set {} does not hold numbers", name_, dataset);
  }
  Array<T> array;
  array.shape = Shape(dataset).value();
  const Handle opened(H5Dopen2(id_, dataset.c_str(), H5P_DEFAULT));
  if (const auto problem = StorageProblem(opened.get(), sizeof(T))) {
    return InputError("{}: data set {} {}", name_, dataset, *problem);
  }
  array.values.resize(Count(array.shape));
  // h5py stores booleans as an enumeration over int8; reading through its base type keeps them 0
  // and 1.
  const Handle stored(H5Dget_type(opened.get()));
  std::vector<std::int8_t> flags;
  if (H5Tget_class(stored.get()) == H5T_ENUM) {
    flags.resize(array.values.size());
    const Handle base(H5Tget_super(stored.get()));
    if (H5Tget_size(base.get()) != 1 ||
        H5Dread(opened.get(), stored.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, flags.data()) < 0) {
      return InputError("{}: data set {} is an enumeration we cannot read", name_, dataset);
    }
    std::copy(flags.begin(), flags.end(), array.values.begin());
    return array;
  }
  bool fits = true;
  const Handle transfer(Checked(std::is_integral_v<T>, fits));
  if (H5Dread(opened.get(), NativeType<T>(), H5S_ALL, H5S_ALL, transfer.get(),
              array.values.data()) < 0) {
    return InputError("{}: data set {} {}", name_, dataset,
                      fits ? "cannot be read; the file may be truncated"
                           : "holds a number that is no whole one or too large");
  }
  return array;
}

Result<std::vector<std::string>> Hdf5File::ReadStrings(const std::string& dataset) const {
  const Hdf5Session session;
  const Hdf5Type type = GONOGO_TRY(Type(dataset));
  if (type != Hdf5Type::kString) {
    return InputError("{}: data set {} does not hold strings", name_, dataset);
  }
  const std::size_t count = Count(Shape(dataset).value());
  const Handle opened(H5Dopen2(id_, dataset.c_str(), H5P_DEFAULT));
  const Handle stored(H5Dget_type(opened.get()));
  if (const auto problem = StorageProblem(opened.get(), H5Tget_size(stored.get()))) {
    return InputError("{}: data set {} {}", name_, dataset, *problem);
  }
  bool ok = false;
  const auto read = [&](hid_t memory, void* buffer) {
    return H5Dread(opened.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer) >= 0;
  };
  std::vector<std::string> texts = Texts(stored.get(), count, read, ok);
  if (!ok)
    return InputError("{}: data set {} cannot be read; the file may be truncated", name_, dataset);
  return texts;
}

template <typename T>
Status Hdf5File::Write(const std::string& dataset, std::span<const std::size_t> shape,
                       std::span<const T> values, int deflate) {
  GONOGO_CHECK(Count(shape) == values.size());
  const Hdf5Session session;
  const std::vector<hsize_t> dims = Dims(shape);
  const Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr));
  const Handle creation(Plain());
  if (deflate > 0 && !values.empty()) {
    std::vector<hsize_t> chunk = dims;
    chunk[0] = std::clamp<hsize_t>((1U << 18U) * dims[0] / values.size(), 1, dims[0]);
    H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
    H5Pset_deflate(creation.get(), static_cast<unsigned>(deflate));
  }
  if (PutDataset(id_, dataset, NativeType<T>(), space, creation, values.data())) return {};
  return IoError("{}: cannot write data set {}", name_, dataset);
}

Status Hdf5File::WriteStrings(const std::string& dataset, std::span<const std::string> values) {
  const Hdf5Session session;
  std::vector<const char*> raw;
  raw.reserve(values.size());
  for (const std::string& value : values) raw.push_back(value.c_str());
  const hsize_t count = values.size();
  const Handle space(H5Screate_simple(1, &count, nullptr));
  const Handle type(TextType());
  if (PutDataset(id_, dataset, type.get(), space, Handle(Plain()), raw.data())) return {};
  return IoError("{}: cannot write data set {}", name_, dataset);
}

template <typename T>
Status Hdf5File::Append(const std::string& dataset, std::span<const std::size_t> row_shape,
                        std::span<const T> values) {
  const Hdf5Session session;
  const std::size_t row = Count(row_shape);
  GONOGO_CHECK(row > 0 && values.size() % row == 0);
  std::vector<hsize_t> dims = Dims(row_shape);
  dims.insert(dims.begin(), 0);
  if (!Has(dataset)) {
    std::vector<hsize_t> limit = dims;
    limit[0] = H5S_UNLIMITED;
    std::vector<hsize_t> chunk = dims;
    chunk[0] = std::max<hsize_t>(1, (1U << 16U) / row);
    const Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), limit.data()));
    const Handle creation(Plain());
    H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
    const Handle created(CreateDataset(id_, dataset, NativeType<T>(), space, creation));
    if (!created.ok()) return IoError("{}: cannot create data set {}", name_, dataset);
  }
  const std::vector<std::size_t> before = Shape(dataset).value();
  if (before.size() != dims.size() ||
      !std::equal(before.begin() + 1, before.end(), row_shape.begin())) {
    return InputError("{}: data set {} has rows of another shape", name_, dataset);
  }
  Handle opened(H5Dopen2(id_, dataset.c_str(), H5P_DEFAULT));
  std::vector<hsize_t> start(dims.size(), 0);
  start[0] = before[0];
  dims[0] = values.size() / row;
  std::vector<hsize_t> grown = dims;
  grown[0] += start[0];
  H5Dset_extent(opened.get(), grown.data());
  const Handle file_space(H5Dget_space(opened.get()));
  H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr, dims.data(),
                      nullptr);
  const Handle memory(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr));
  if (H5Dwrite(opened.get(), NativeType<T>(), memory.get(), file_space.get(), H5P_DEFAULT,
               values.data()) < 0 ||
      !opened.Close()) {
    return IoError("{}: cannot append to data set {}", name_, dataset);
  }
  return {};
}

#define GONOGO_HDF5_ELEMENT(T)                                                          \
  template Result<Array<T>> Hdf5File::Read<T>(const std::string&) const;                \
  template Status Hdf5File::Write<T>(const std::string&, std::span<const std::size_t>,  \
                                     std::span<const T>, int);                          \
  template Status Hdf5File::Append<T>(const std::string&, std::span<const std::size_t>, \
                                      std::span<const T>);
GONOGO_HDF5_ELEMENT(float)
GONOGO_HDF5_ELEMENT(double)
GONOGO_HDF5_ELEMENT(std::int32_t)
GONOGO_HDF5_ELEMENT(std::int64_t)
GONOGO_HDF5_ELEMENT(std::uint8_t)
#undef GONOGO_HDF5_ELEMENT

}  // namespace gonogo::io
