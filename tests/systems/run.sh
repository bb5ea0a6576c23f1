#!/usr/bin/env bash
# The two commands of the README in bare trees of other systems, made by debootstrap from the mirror that apt uses here:
#   tests/systems/run.sh                       needs root, debootstrap, and what this machine knows about mirrors of Debian, PyPI and npm
#   SYSTEMS="bookworm trixie"                  which, by Debian's code names
#   TARGETS="demo test"                        which targets of the Makefile
#   TREES=FOLDER                               keeps the trees there, with what was installed into them, and uses those it finds
#   CACHE=FOLDER                               shares that compiler cache (~/.ccache is this machine's); without it each tree compiles everything
#   LOGS=FOLDER                                keeps what was printed inside there instead of in build/systems
#   GONOGO_MIRROR=URL                          another mirror
# Runs what is committed, in a fresh clone. Prints versions and times as a table. Mounts and processes are in namespaces of their own and end
# with this program, however it ends; the folders go unless it is killed outright.
set -euo pipefail
repository=$(realpath "$(dirname "$0")/../..")
systems=${SYSTEMS:-bookworm trixie}
targets=${TARGETS:-demo test}
logs=${LOGS:-$repository/build/systems}

# In the namespaces: mounts what a tree needs and runs a command there.
if [ "${1:-}" = --inside ]; then
  tree=$2
  shift 2
  mount -t proc proc "$tree/proc"
  mount --rbind /dev "$tree/dev"
  mount --rbind /sys "$tree/sys"
  if [ -n "${CACHE:-}" ]; then
    mkdir -p "$CACHE" "$tree/cache"
    mount --bind "$CACHE" "$tree/cache"
    # Paths relative to the clone, so that a cache of other clones' serves, too.
    export CCACHE_DIR=/cache CCACHE_BASEDIR=/gonogo CCACHE_NOHASHDIR=true
  fi
  # Wheels that this machine keeps for pip.
  if [ -d "${PIP_FIND_LINKS:-}" ]; then
    mkdir -p "$tree$PIP_FIND_LINKS"
    mount --bind "$PIP_FIND_LINKS" "$tree$PIP_FIND_LINKS"
  fi
  # Where things come from may be said in the environment; nothing else of it is carried in.
  mapfile -t carried < <(env | grep -iE '^(https?_proxy|no_proxy|pip_[a-z_]+|npm_config_[a-z_]+|node_extra_ca_certs|ssl_cert_(file|dir)|ccache_(dir|basedir|nohashdir))=' || true)
  exec chroot "$tree" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "${carried[@]}" "$@"
fi

[ "$(id -u)" -eq 0 ] || { echo "bare trees need root" >&2; exit 2; }
mirror=${GONOGO_MIRROR:-$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -m 1 'debian$' || true)}
[ -n "$mirror" ] || { echo "apt names no Debian mirror: set GONOGO_MIRROR to one" >&2; exit 2; }
[ -z "$(git -C "$repository" status --porcelain)" ] || echo "what is not committed is not run" >&2

place=$(mktemp -d)
running=
cleanup() {
  # The first process of a namespace takes all others, and the mounts, with it.
  [ -z "$running" ] || { kill -KILL "$running" 2>/dev/null && wait "$running" 2>/dev/null; } || true
  rm -rf --one-file-system "$place"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

# contained LOG COMMAND...
contained() {
  local log=$1 status=0
  unshare --mount --pid --fork --mount-proc --kill-child=KILL "${@:2}" >>"$log" 2>&1 </dev/null &
  running=$!
  wait "$running" || status=$?
  running=
  return $status
}
# inside TREE LOG COMMAND...
inside() { contained "$2" "$0" --inside "$1" "${@:3}"; }

# How this machine finds packages of PyPI and npm, and whom it trusts.
carry() {
  local file
  for file in /etc/pip.conf "$HOME/.config/pip/pip.conf" "$HOME/.pip/pip.conf" "$HOME/.npmrc" /etc/resolv.conf; do
    if [ -f "$file" ]; then install -D -m 644 "$file" "$1${file/#"$HOME"\//\/root\/}"; fi
  done
  if [ -d /usr/local/share/ca-certificates ]; then cp -rT /usr/local/share/ca-certificates "$1/usr/local/share/ca-certificates"; fi
}

mkdir -p "$logs"
table="| system | gcc | cmake | python | target | minutes | CPU minutes | |\n|---|---|---|---|---|---:|---:|---|\n"
failed=0
for system in $systems; do
  tree=${TREES:-$place}/$system
  log=$logs/$system.log
  : >"$log"
  if [ ! -e "$tree/etc/debian_version" ]; then
    echo "$system: a bare tree"
    mkdir -p "$(dirname "$tree")"
    contained "$log" debootstrap --variant=minbase "$system" "$tree" "$mirror" || { tail -n 5 "$log" >&2; failed=1; continue; }
  fi
  carry "$tree"
  # What somebody needs who has nothing: the two commands install the rest.
  inside "$tree" "$log" sh -c 'dpkg --configure -a && apt-get -q update && apt-get -q install -y --no-install-recommends git make ca-certificates && update-ca-certificates' ||
    { tail -n 5 "$log" >&2; failed=1; continue; }
  rm -rf "$tree/gonogo"
  git clone -q --no-hardlinks "$repository" "$tree/gonogo"
  for target in $targets; do
    echo "$system: make $target"
    log=$logs/$system-$target.log
    : >"$log"
    said='ends well'
    inside "$tree" "$log" bash -c "cd /gonogo && TIMEFORMAT='seconds %R %U %S' && time make $target" || { said=fails; failed=1; tail -n 15 "$log" >&2; }
    versions=$(inside "$tree" /dev/stdout sh -c 'gcc -dumpfullversion; cmake --version | sed -n "s/cmake version //p"; python3 --version | sed "s/Python //"' | paste -s -d '|')
    read -r wall cpu < <(awk '/^seconds / { printf "%.1f %.1f\n", $2 / 60, ($3 + $4) / 60 }' "$log" | tail -n 1) || true
    table+="| $system | ${versions//|/ | } | $target | ${wall:-} | ${cpu:-} | $said |\n"
  done
  rm -rf "$tree/gonogo"
done
printf '%b' "$table"
exit $failed
