#!/usr/bin/env bash
# packages_test.sh FOLDER: installs the packages in FOLDER into a bare Debian 12 and pastes there what the documentation says: shell, Python
# table, Python world, C++ consumer. Needs root, debootstrap and a Debian mirror (GONOGO_MIRROR, else the one apt uses).
set -euo pipefail
packages=$(realpath "${1:-build/package/packages}")
mirror=${GONOGO_MIRROR:-$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -m 1 debian || true)}
tree=$(mktemp -d)
cleanup() {
  umount -q "$tree/proc" "$tree/dev" 2>/dev/null || true
  rm -rf --one-file-system "$tree"
}
trap cleanup EXIT
debootstrap --variant=minbase bookworm "$tree" "$mirror" >"$tree.log" 2>&1 || { tail -n 20 "$tree.log" >&2; exit 1; }
cp /etc/resolv.conf "$tree/etc/resolv.conf" 2>/dev/null || true
mount -t proc proc "$tree/proc"
mount --bind /dev "$tree/dev"
mkdir "$tree/packages"
cp "$packages"/*.deb "$tree/packages/"
inside() { chroot "$tree" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy=$http_proxy} ${https_proxy:+https_proxy=$https_proxy} "$@"; }
inside apt-get -q update >/dev/null
inside bash -c 'apt-get -q install -y --no-install-recommends /packages/*.deb g++ cmake make python3-pandas' >"$tree.log" 2>&1 || { tail -n 30 "$tree.log" >&2; exit 1; }

echo "shell"
inside bash -c 'cd /tmp && gonogo audit /usr/share/gonogo/examples/sorting/table.csv --learner ridge --refits 20 --out run --quiet && test -s run/report.html'
inside bash -c 'cd /tmp && gonogo rollout /usr/share/gonogo/robots/go2 --target 1,0 --terrain flat --out episode.h5'
inside bash -c 'test -s /usr/share/man/man1/gonogo-audit.1.gz && test -s /usr/share/bash-completion/completions/gonogo'
echo "Python"
inside bash -c 'cd /tmp && python3 -' <<'PYTHON'
import pandas as pd
import gonogo
df = pd.read_csv("/usr/share/gonogo/examples/sorting/table.csv")
table = gonogo.Table.from_pandas(df, cluster="cluster", query="query", action="action", cost="cost", features=["f_*"], reference="merge")
print(gonogo.audit(table, learner="ridge", refits=20, progress=False).channels.head(3))
world = gonogo.World("/usr/share/gonogo/robots/go2", terrain="flat", seed=7)
episode = world.rollout(target=(2, 0))
print(episode, world.branch(episode.queries[1], ["direct", "scale-0.75"]))
PYTHON
echo "C++"
inside bash -c 'cmake -S /usr/share/gonogo/examples/consumer -B /tmp/consumer -DCMAKE_BUILD_TYPE=Release >/dev/null && cmake --build /tmp/consumer >/dev/null &&
                /tmp/consumer/consumer /usr/share/gonogo/examples/sorting/table.csv /tmp/report.html'
echo "the packages work in a bare Debian 12"
