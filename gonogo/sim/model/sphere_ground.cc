// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/sphere_ground.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <mujoco/mujoco.h>

namespace gonogo::sim {
namespace {

using robot::Vec3;

thread_local bool fast_ground = false;
mjfCollision engine_collider = nullptr;

Vec3 Minus(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double Dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec3 Along(const Vec3& a, const Vec3& direction, double t) {
  return {a[0] + t * direction[0], a[1] + t * direction[1], a[2] + t * direction[2]};
}

/// Ericson, Real-Time Collision Detection, 5.1.5: by the region of the triangle p projects to.
Vec3 NearestOfTriangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = Minus(b, a);
  const Vec3 ac = Minus(c, a);
  const Vec3 ap = Minus(p, a);
  const double d1 = Dot(ab, ap);
  const double d2 = Dot(ac, ap);
  if (d1 <= 0.0 && d2 <= 0.0) return a;
  const Vec3 bp = Minus(p, b);
  const double d3 = Dot(ab, bp);
  const double d4 = Dot(ac, bp);
  if (d3 >= 0.0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return Along(a, ab, d1 / (d1 - d3));
  const Vec3 cp = Minus(p, c);
  const double d5 = Dot(ab, cp);
  const double d6 = Dot(ac, cp);
  if (d6 >= 0.0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return Along(a, ac, d2 / (d2 - d6));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    return Along(b, Minus(c, b), (d4 - d3) / ((d4 - d3) + (d5 - d6)));
  }
  const double scale = 1.0 / (va + vb + vc);
  return Along(Along(a, ab, vb * scale), ac, vc * scale);
}

/// Side of p from the line through a and b, seen from above; positive to the left.
double Side(const Vec3& p, const Vec3& a, const Vec3& b) {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

/// Height field in the units of its grid.
class GroundGrid {
 public:
  GroundGrid(const mjModel& model, int geom) {
    const int id = model.geom_dataid[geom];
    const mjtNum* size = model.hfield_size + 4 * static_cast<std::ptrdiff_t>(id);
    rows_ = model.hfield_nrow[id];
    columns_ = model.hfield_ncol[id];
    half_x_ = size[0];
    half_y_ = size[1];
    top_ = size[2];
    dx_ = 2.0 * half_x_ / (columns_ - 1);
    dy_ = 2.0 * half_y_ / (rows_ - 1);
    data_ = model.hfield_data + model.hfield_adr[id];
  }

  [[nodiscard]] double top() const { return top_; }
  [[nodiscard]] Vec3 Vertex(int row, int column) const {
    const float share = data_[static_cast<std::ptrdiff_t>(row) * columns_ + column];
    return {column * dx_ - half_x_, row * dy_ - half_y_, share * top_};
  }
  /// Cells [first, last) that the interval may touch.
  [[nodiscard]] std::array<int, 2> Columns(double low, double high) const {
    return Range((low + half_x_) / dx_, (high + half_x_) / dx_, columns_ - 1);
  }
  [[nodiscard]] std::array<int, 2> Rows(double low, double high) const {
    return Range((low + half_y_) / dy_, (high + half_y_) / dy_, rows_ - 1);
  }

 private:
  static std::array<int, 2> Range(double low, double high, int cells) {
    return {static_cast<int>(std::clamp(std::floor(low), 0.0, 1.0 * cells)),
            static_cast<int>(std::clamp(std::ceil(high), 0.0, 1.0 * cells))};
  }

  int rows_;
  int columns_;
  double half_x_, half_y_, top_, dx_, dy_;
  const float* data_;
};

/// Two contacts with normals nearer to each other than this are one: neighbouring triangles of
/// smooth ground all report the same touch, and every further contact makes the solver work.
constexpr double kSameNormal = 0.95;  // cosine: 18 degrees

/// Puts the deepest contact first and drops those that repeat a deeper one.
int KeepDistinct(mjPreContact* contacts, int count) {
  std::sort(contacts, contacts + count,
            [](const mjPreContact& a, const mjPreContact& b) { return a.dist < b.dist; });
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    const bool repeats = std::any_of(contacts, contacts + kept, [&](const mjPreContact& other) {
      return mju_dot3(other.normal, contacts[i].normal) > kSameNormal;
    });
    if (!repeats) contacts[kept++] = contacts[i];
  }
  return kept;
}

/// Contact of the sphere with one column, if there is one.
bool Touch(const Vec3& centre, double radius, double margin, const Vec3& a, const Vec3& b,
           const Vec3& c, mjPreContact& contact) {
  const double low = centre[2] - radius - margin;
  if (a[2] < low && b[2] < low && c[2] < low) return false;
  const internal::Nearest nearest = internal::NearestOfColumn(centre, a, b, c);
  Vec3 normal{};
  double distance = 0.0;  // of the centre, negative below the ground
  if (nearest.inside) {
    const Vec3 ab = Minus(b, a);
    const Vec3 ac = Minus(c, a);
    mju_cross(normal.data(), ab.data(), ac.data());
    mju_normalize3(normal.data());
    distance = Dot(normal, Minus(centre, a));
  } else {
    normal = Minus(centre, nearest.point);
    distance = mju_normalize3(normal.data());
    if (distance - radius > margin || distance < mjMINVAL) return false;
  }
  contact.dist = distance - radius;
  const Vec3 middle = Along(centre, normal, -0.5 * (distance + radius));
  std::copy(middle.begin(), middle.end(), contact.pos);
  std::copy(normal.begin(), normal.end(), contact.normal);
  std::fill_n(contact.tangent, 3, 0.0);  // the engine chooses one
  return true;
}

int Dispatch(const mjModel* model, mjData* data, mjPreContact* contacts, int ground, int sphere,
             mjtNum margin) {
  return fast_ground ? internal::CollideSphereGround(model, data, contacts, ground, sphere, margin)
                     : engine_collider(model, data, contacts, ground, sphere, margin);
}

}  // namespace

FastGroundScope::FastGroundScope(bool fast) : before_(fast_ground) { fast_ground = fast; }
FastGroundScope::~FastGroundScope() { fast_ground = before_; }

void InstallFastGround() {
  static const bool installed = [] {
    mjfCollision& entry = mjCOLLISIONFUNC[mjGEOM_HFIELD][mjGEOM_SPHERE];
    engine_collider = entry;
    entry = Dispatch;
    return true;
  }();
  static_cast<void>(installed);
}

namespace internal {

Nearest NearestOfColumn(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  // Counter-clockwise from above, so that the column is to the left of every edge.
  const std::array<const Vec3*, 3> corner =
      Side(c, a, b) > 0.0 ? std::array{&a, &b, &c} : std::array{&a, &c, &b};
  Nearest nearest;
  nearest.point = NearestOfTriangle(p, a, b, c);
  const Vec3 up = Minus(p, nearest.point);
  double best = Dot(up, up);
  bool within = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3& from = *corner[i];
    const Vec3& to = *corner[(i + 1) % 3];
    if (Side(p, from, to) >= 0.0) continue;
    within = false;
    const double ex = to[0] - from[0];
    const double ey = to[1] - from[1];
    const double t =
        std::clamp(((p[0] - from[0]) * ex + (p[1] - from[1]) * ey) / (ex * ex + ey * ey), 0.0, 1.0);
    const Vec3 edge = Along(from, Minus(to, from), t);
    if (p[2] > edge[2]) continue;  // above the wall: the triangle's own edge is nearer
    const double square = (p[0] - edge[0]) * (p[0] - edge[0]) + (p[1] - edge[1]) * (p[1] - edge[1]);
    if (square >= best) continue;
    best = square;
    nearest.point = {edge[0], edge[1], p[2]};
  }
  nearest.inside = within && p[2] < nearest.point[2] + 1e-12;
  return nearest;
}

int CollideSphereGround(const mjModel* model, const mjData* data, mjPreContact* contacts,
                        int ground, int sphere, double margin) {
  const GroundGrid grid(*model, ground);
  const mjtNum* origin = data->geom_xpos + 3 * static_cast<std::ptrdiff_t>(ground);
  const mjtNum* place = data->geom_xpos + 3 * static_cast<std::ptrdiff_t>(sphere);
  const Vec3 centre{place[0] - origin[0], place[1] - origin[1], place[2] - origin[2]};
  const double radius = model->geom_size[3 * static_cast<std::ptrdiff_t>(sphere)];
  const double reach = radius + margin;
  if (centre[2] - reach > grid.top()) return 0;
  const std::array<int, 2> rows = grid.Rows(centre[1] - reach, centre[1] + reach);
  const std::array<int, 2> columns = grid.Columns(centre[0] - reach, centre[0] + reach);
  int count = 0;
  for (int row = rows[0]; row < rows[1]; ++row) {
    for (int column = columns[0]; column < columns[1]; ++column) {
      const Vec3 here = grid.Vertex(row, column);
      const Vec3 right = grid.Vertex(row, column + 1);
      const Vec3 above = grid.Vertex(row + 1, column);
      const Vec3 across = grid.Vertex(row + 1, column + 1);
      // The engine's diagonal, and its limit of contacts per pair.
      for (const auto& [b, c] : {std::pair{&across, &above}, std::pair{&right, &across}}) {
        if (count < mjMAXCONPAIR && Touch(centre, radius, margin, here, *b, *c, contacts[count])) {
          ++count;
        }
      }
    }
  }
  count = KeepDistinct(contacts, count);
  for (int i = 0; i < count; ++i) mju_addTo3(contacts[i].pos, origin);
  return count;
}

}  // namespace internal
}  // namespace gonogo::sim
