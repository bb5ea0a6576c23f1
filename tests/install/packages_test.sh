#!/usr/bin/env bash
# packages_test.sh FOLDER: installs the packages in FOLDER into a bare tree of the Debian they were made on and pastes there what the documentation says: shell, Python
# table, Python world, C++ consumer. Needs root, debootstrap and a Debian mirror (GONOGO_MIRROR, else the one apt uses). GONOGO_BARE names a
# bare tree that debootstrap made earlier; it is copied, not changed.
set -euo pipefail
packages=$(realpath "${1:-build/package/packages}")
mirror=${GONOGO_MIRROR:-$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -m 1 'debian$' || true)}
[ -n "$mirror" ] || { echo "apt names no Debian mirror: set GONOGO_MIRROR to one" >&2; exit 2; }
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
place=$(mktemp -d)
tree=$place/tree
log=$place/log
cleanup() {
  for mount in proc dev; do mountpoint -q "$tree/$mount" && umount "$tree/$mount"; done
  rm -rf --one-file-system "$place"
}
trap cleanup EXIT
quietly() { "$@" >"$log" 2>&1 || { echo "$*" >&2; tail -n 30 "$log" >&2; exit 1; }; }

# Errors in the eyes of lintian, except those about Debian's own archive: it wants a changelog of its own and somebody's address.
echo "lintian"
lintian --allow-root --fail-on error --display-level '>=error' --suppress-tags no-changelog,bogus-mail-host "$packages"/*.deb

echo "hardening"
mkdir "$place/unpacked"
for package in "$packages"/*.deb; do dpkg-deb -x "$package" "$place/unpacked/$(basename "$package")"; done
find "$place/unpacked" -type f \( -path '*/bin/*' -o -name '*.so' \) -print0 | xargs -0 "$(dirname "$0")/hardening_test.py" --packaged

echo "a bare $release"
if [ -n "${GONOGO_BARE:-}" ]; then cp -a "$GONOGO_BARE" "$tree"; else quietly debootstrap --variant=minbase "$release" "$tree" "$mirror"; fi
cp /etc/resolv.conf "$tree/etc/resolv.conf" 2>/dev/null || true
mount -t proc proc "$tree/proc"
mount --bind /dev "$tree/dev"
mkdir "$tree/packages"
cp "$packages"/*.deb "$tree/packages/"
inside() {
  chroot "$tree" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    ${http_proxy:+http_proxy=$http_proxy} ${https_proxy:+https_proxy=$https_proxy} "$@"
}
quietly inside apt-get -q update
# Both kinds come in one folder, and only one of them can be installed.
install_packages() { quietly inside bash -c "apt-get -q install -y --no-install-recommends $*"; }
absent() { inside bash -c "! dpkg-query -W -f='\${db:Status-Status} \${Package}\n' | grep '^installed .*$1'" || { echo "$2" >&2; exit 1; }; }

echo "shell, without robots"
install_packages /packages/gonogo_*.deb
absent openmpi "the program alone needs MPI"
inside bash -c 'cd /tmp && gonogo audit /usr/share/gonogo/examples/sorting/table.csv --learner ridge --refits 20 --out run --quiet >/dev/null && test -s run/report.html'
inside bash -c 'test -s /usr/share/man/man1/gonogo-audit.1.gz && test -s /usr/share/bash-completion/completions/gonogo'
inside bash -c '! find / -xdev -name "libmujoco*" | grep .' || { echo "the package for tables brings MuJoCo" >&2; exit 1; }
inside bash -c 'gonogo rollout /usr/share/gonogo/robots/go2 2>&1 | grep -q "not in this build"'

table_in_python() {
  inside bash -c 'cd /tmp && python3 -' <<'PYTHON'
import pandas as pd
import gonogo
df = pd.read_csv("/usr/share/gonogo/examples/sorting/table.csv")
table = gonogo.Table.from_pandas(df, cluster="cluster", query="query", action="action", cost="cost", features=["f_*"], reference="merge")
result = gonogo.audit(table, learner="ridge", refits=20, progress=False)
assert result.reading in ("GO", "NO-GO", "ABSTAIN"), result.reading
result.report("report.html")
print(result.channels.head(3))
PYTHON
}
echo "Python: a table, without robots"
install_packages /packages/python3-gonogo_*.deb python3-pandas
table_in_python

echo "shell, with robots"
install_packages '/packages/{gonogo,python3-gonogo}-sim_*.deb' '/packages/{libgonogo-dev,gonogo-mpi}_*.deb' g++ cmake make
absent 'gonogo$' "the program without robots is still there"
inside bash -c 'cd /tmp && gonogo rollout /usr/share/gonogo/robots/go2 --target 1,0 --terrain flat --out episode.h5'
inside bash -c 'grep -q MuJoCo /usr/share/doc/gonogo-sim/copyright && test -s /usr/share/doc/gonogo-sim/mujoco-third-party.md'
inside bash -c 'cd /tmp && gonogo audit /usr/share/gonogo/examples/sorting/table.csv --learner ridge --refits 20 --out run_sim --quiet >/dev/null && cmp run/result.json run_sim/result.json'
echo "Python: a table"
table_in_python
echo "Python: a world"
inside bash -c 'cd /tmp && python3 -' <<'PYTHON'
import gonogo
world = gonogo.World("/usr/share/gonogo/robots/go2", terrain="flat", seed=7)
episode = world.rollout(target=(2, 0))
branches = world.branch(episode.queries[1], ["direct", "scale-0.75"])
assert [branch.action for branch in branches] == ["direct", "scale-0.75"]
print(episode)
PYTHON
echo "C++"
quietly inside bash -c 'cd /tmp && cmake -S /usr/share/gonogo/examples/consumer -B consumer -DCMAKE_BUILD_TYPE=Release && cmake --build consumer'
inside bash -c 'cd /tmp && consumer/consumer /usr/share/gonogo/examples/sorting/table.csv report.html'
echo "two ranks"
inside bash -c 'cd /tmp && mpirun --allow-run-as-root --oversubscribe -n 2 gonogo audit /usr/share/gonogo/examples/sorting/table.csv --learner ridge --refits 20 \
                --out ranks --quiet --jobs 1 >/dev/null && cmp run/result.json ranks/result.json'
echo "the packages work in a bare $release"
