#!/usr/bin/env bash
# Installs the Debian 12 packages gonogo needs, when they are missing. Says what it installs; uses sudo when not root.
#   tools/install_packages.sh build   compiler and libraries
#   tools/install_packages.sh web     Node.js for the report and viewer pages
#   tools/install_packages.sh test    formatter, linter, browser and Python readers used by the tests
#   tools/install_packages.sh python  what the Python package is built and tested with
#   tools/install_packages.sh package what makes and tries out Debian packages
#   tools/install_packages.sh docs    what makes the documentation a site
#   tools/install_packages.sh reliability libfiu, libfaketime and file systems, for make test-reliability
#   tools/install_packages.sh cluster Slurm and network namespaces, for make test-cluster
#   tools/install_packages.sh bench   libraries the benchmarks compare with
set -euo pipefail

build=(g++ cmake ninja-build make git pkg-config ccache mold
       libmujoco-dev libeigen3-dev libtbb-dev libhdf5-dev libonnx-dev libprotobuf-dev protobuf-compiler
       libxgboost-dev librandom123-dev libssl-dev libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libfmt-dev
       libboost-math-dev libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev)
web=(nodejs npm)
tests=(clang-14 clang-format-14 clang-tidy-14 libclang-rt-14-dev python3 python3-numpy python3-h5py python3-onnx chromium
       libopenmpi-dev openmpi-bin)
reliability=(fiu-utils faketime util-linux binutils e2fsprogs xfsprogs btrfs-progs)
cluster=(slurmctld slurmd slurm-client munge iproute2)
python=(pybind11-dev python3-dev python3-numpy python3-pandas python3-pytest python3-hypothesis python3-nbformat python3-nbclient
        python3-ipykernel python3-setuptools python3-wheel python3-pip python3-venv mypy)
docs=(mkdocs mkdocs-material doxygen)
package=(dpkg-dev file debootstrap lintian libopenmpi-dev)
bench=(libopenblas-dev libdnnl-dev libxsmm-dev libtorch-dev python3-torch)

wanted=()
for group in "$@"; do
  case "$group" in
    build) wanted+=("${build[@]}") ;;
    # A Node.js that came from elsewhere than Debian's packages is as good.
    web) if ! command -v node >/dev/null || ! command -v npm >/dev/null; then wanted+=("${web[@]}"); fi ;;
    test) wanted+=("${tests[@]}") ;;
    cluster) wanted+=("${cluster[@]}") ;;
    reliability) wanted+=("${reliability[@]}") ;;
    python) wanted+=("${python[@]}") ;;
    docs) wanted+=("${docs[@]}") ;;
    package) wanted+=("${package[@]}") ;;
    bench) wanted+=("${bench[@]}") ;;
    *) echo "unknown package group '$group': expected build, web, test, cluster, reliability, python, package, docs or bench" >&2; exit 2 ;;
  esac
done

missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "these packages are missing and there is no sudo: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi

# A new cloud machine updates itself for its first minutes: another apt then holds the lock, and ours has to wait. apt-get waits by
# itself only for dpkg's lock, not for those of the package lists and of the downloads.
patience=${GONOGO_APT_WAIT:-900}
said=$(mktemp)
trap 'rm -f "$said"' EXIT
apt_get() {
  local deadline=$((SECONDS + patience))
  until "${as_root[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -q -o "DPkg::Lock::Timeout=$patience" "$@" 2>&1 | tee "$said"; do
    grep -Eq 'Could not get lock|Unable to lock|Unable to acquire' "$said" || return 1
    if [ "$SECONDS" -ge "$deadline" ]; then
      echo "another apt still holds the lock after $patience s: try again when it is done, or set GONOGO_APT_WAIT to more seconds" >&2
      return 1
    fi
    echo "another apt holds the lock: waiting for it"
    sleep "${GONOGO_APT_PAUSE:-5}"
  done
}
echo "installing Debian packages: ${missing[*]}"
apt_get update
apt_get install -y --no-install-recommends "${missing[@]}"
