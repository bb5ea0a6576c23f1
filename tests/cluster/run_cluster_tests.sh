#!/usr/bin/env bash
# What needs a scheduler or several hosts: both are made here, on loopback and in network namespaces, and removed afterwards.
#   tests/cluster/run_cluster_tests.sh build/release/bin/gonogo
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
gonogo=$(realpath "$1")
if [ "$(id -u)" -ne 0 ]; then
  echo "make test-cluster starts a scheduler and network namespaces of its own and needs root for both" >&2
  exit 2
fi
# The scheduler lives in a network namespace of its own: it cannot meet another one, nor be met. All it says goes over the loopback; the veth
# pair, both ends of which lie in there, only makes the resolver believe in IPv4.
echo "== Slurm on loopback"
unshare --net bash -c 'ip link set lo up && ip link add here type veth peer name there && ip address add 10.231.1.1/24 dev here &&
  ip link set here up && ip link set there up && exec "$@"' -- /usr/bin/python3 "$here/slurm_test.py" "$gonogo" "$here/../.."
echo "== two hosts in network namespaces"
/usr/bin/python3 "$here/hosts_test.py" "$gonogo" "$here/../.."
