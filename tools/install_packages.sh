#!/usr/bin/env bash
# Installs the packages gonogo needs, when they are missing. Says what it installs; uses sudo when not root.
#   tools/install_packages.sh GROUP...     groups, names and systems stand in tools/packages.txt
# GONOGO_SYSTEM=debian-13 takes the names of that system on one that has no column.
set -euo pipefail

list=$(dirname "$0")/packages.txt
system=${GONOGO_SYSTEM:-$(. /etc/os-release && echo "${ID:-unknown}-${VERSION_ID:-unknown}")}
read -ra columns < <(grep -m 1 '^group ' "$list")
column=
for i in "${!columns[@]}"; do [ "$i" -gt 0 ] && [ "${columns[i]}" = "$system" ] && column=$i; done
if [ -z "$column" ]; then
  echo "no package names are known for $system, only for ${columns[*]:1}: set GONOGO_SYSTEM to the one most like it" >&2
  exit 2
fi

wanted=()
for group in "$@"; do
  mapfile -t names < <(awk -v group="$group" -v column=$((column + 1)) \
    '$1 == group && $0 !~ /^group / { name = $column == "=" ? $2 : $column; print name }' "$list")
  if [ ${#names[@]} -eq 0 ]; then
    echo "unknown package group '$group': expected $(awk '!/^(#|group |$)/ { print $1 }' "$list" | uniq | paste -s -d ' ')" >&2
    exit 2
  fi
  # A Node.js that came from elsewhere than the system's packages is as good.
  if [ "$group" = web ] && command -v node >/dev/null && command -v npm >/dev/null; then continue; fi
  for name in "${names[@]}"; do [ "$name" = - ] || wanted+=("$name"); done
done

missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
done
# Two are no packages of Debian's: the engine, and what binds the library to Python.
from_pypi() {
  case " $* " in *" build "*) "$(dirname "$0")/install_mujoco.sh" ;; esac
  case " $* " in *" python "*) "$(dirname "$0")/install_nanobind.sh" ;; esac
}
if [ ${#missing[@]} -eq 0 ]; then from_pypi "$@"; exit; fi

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
echo "installing packages of $system: ${missing[*]}"
apt_get update
apt_get install -y --no-install-recommends "${missing[@]}"
from_pypi "$@"
