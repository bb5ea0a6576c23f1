"""Two hosts that exist only here: network namespaces joined by a veth pair, each with a name of its own."""
import os
import pathlib
import shutil
import subprocess
import tempfile

# Runs a command of mpirun on the other host, as ssh would: NAME, then the words of the command.
AGENT = """#!/bin/bash
name=$1
shift
exec ip netns exec "{prefix}$name" unshare --uts bash -c 'hostname "$0" && exec bash -c "$*"' "$name" "$@"
"""


class OwnHosts:
    """Makes `left` (10.231.0.1) and `right` (10.231.0.2) on entry and removes them on exit."""

    ADDRESS = {"left": "10.231.0.1", "right": "10.231.0.2"}

    def __enter__(self):
        self.prefix = f"gonogo{os.getpid()}-"
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gonogo-hosts-"))
        self.agent = self.folder / "agent"
        self.agent.write_text(AGENT.format(prefix=self.prefix))
        self.agent.chmod(0o755)
        hosts = pathlib.Path("/etc/netns")
        try:
            for name in self.ADDRESS:
                self.ip("netns", "add", self.prefix + name)
                # ip netns exec shows this file as /etc/hosts to whoever runs there.
                (hosts / (self.prefix + name)).mkdir(parents=True)
                (hosts / (self.prefix + name) / "hosts").write_text(
                    "127.0.0.1 localhost\n" + "".join(f"{address} {host}\n" for host, address in self.ADDRESS.items()))
            self.on("left", "ip", "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", self.prefix + "right")
            for name, address in self.ADDRESS.items():
                self.on(name, "ip", "address", "add", f"{address}/24", "dev", "cable")
                for device in ["lo", "cable"]:
                    self.on(name, "ip", "link", "set", device, "up")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in self.ADDRESS:
            pids = subprocess.run(["ip", "netns", "pids", self.prefix + name], capture_output=True, text=True, check=False).stdout.split()
            for pid in pids:  # all of them were started by the test, in its own namespace
                try:
                    os.kill(int(pid), 9)
                except ProcessLookupError:
                    pass
            subprocess.run(["ip", "netns", "del", self.prefix + name], check=False, capture_output=True)
            shutil.rmtree(pathlib.Path("/etc/netns") / (self.prefix + name), ignore_errors=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def ip(*words):
        subprocess.run(["ip", *words], check=True, capture_output=True, text=True)

    def command(self, host, *words):
        """That command on that host."""
        return ["ip", "netns", "exec", self.prefix + host, "unshare", "--uts", "bash", "-c", 'hostname "$0" && exec "$@"', host,
                *map(str, words)]

    def on(self, host, *words):
        subprocess.run(self.command(host, *words), check=True, capture_output=True, text=True)

    def mpirun(self, *words):
        """A rank on each of the two, started from the left one, over the cable."""
        return self.command("left", "mpirun", "--allow-run-as-root", "--host", "left:1,right:1", "-n", "2", "--map-by", "node",
                            "--bind-to", "none", "--mca", "plm", "rsh", "--mca", "plm_rsh_agent", self.agent, "--mca", "btl", "self,tcp",
                            # Sockets of an mpirun that is killed stay where they were: in a folder that is removed.
                            "--mca", "orte_tmpdir_base", self.folder, "--mca", "btl_tcp_if_include", "cable", "--mca", "oob_tcp_if_include", "cable",
                            # mpirun itself notices a silent host only when TCP does, by default after many minutes.
                            "--mca", "oob_tcp_keepalive_time", "3", "--mca", "oob_tcp_keepalive_intvl", "3",
                            "--mca", "oob_tcp_keepalive_probes", "3", "-x", "GONOGO_TEAM_SILENCE_S", *words)

    def cut(self):
        """Pulls the cable out: nothing arrives any more, and nobody is told."""
        self.on("right", "ip", "link", "set", "cable", "down")

