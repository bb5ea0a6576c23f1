"""A Slurm of one node on loopback: munged, slurmctld and slurmd of Debian with files, ports and keys of their own."""
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

CONF = """
ClusterName=gonogo
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ctld_port}
SlurmdPort={node_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
ReturnToService=2
MinJobAge=300
KillWait=5
InactiveLimit=0
SlurmdParameters=config_overrides
NodeName=node1 NodeHostname={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=node1 Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
"""


def free_ports(count):
    held = [socket.socket() for _ in range(count)]
    for one in held:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


class OwnSlurm:
    """Starts on entry; on exit nothing of it is left."""

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gonogo-slurm-"))
        self.folder.chmod(0o755)  # munged wants a folder that others may enter
        self.daemons = []
        ctld_port, node_port = free_ports(2)
        for name in ["state", "spool"]:
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        conf = self.folder / "slurm.conf"
        conf.write_text(CONF.format(host=socket.gethostname(), folder=self.folder, ctld_port=ctld_port, node_port=node_port))
        self.env = {**os.environ, "SLURM_CONF": str(conf), "TMPDIR": "/tmp"}
        try:
            self.start("munged", "/usr/sbin/munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                       f"--pid-file={self.folder}/munged.pid", f"--log-file={self.folder}/munged.log",
                       f"--seed-file={self.folder}/munged.seed")
            self.wait_for(lambda: (self.folder / "munge.socket").exists(), "munged")
            self.start("slurmctld", "/usr/sbin/slurmctld", "-D", "-c", "-f", conf)
            self.start("slurmd", "/usr/sbin/slurmd", "-D", "-c", "-N", "node1", "-f", conf)
            self.wait_for(lambda: "idle" in self.call("sinfo", "-h", "-o", "%T", check=False), "an idle node")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name, process in reversed(self.daemons):
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, name, *command):
        with open(self.folder / f"{name}.out", "w", encoding="utf-8") as output:
            self.daemons.append((name, subprocess.Popen([str(word) for word in command], env=self.env, stdout=output, stderr=output)))

    def wait_for(self, is_there, what, longest=60):
        begin = time.time()
        while not is_there():
            for name, process in self.daemons:
                if process.poll() is not None:
                    raise RuntimeError(f"{name} ended: " + self.said(name))
            if time.time() - begin > longest:
                raise RuntimeError(f"waited {longest} s for {what}\n" + "\n".join(self.said(name) for name, _ in self.daemons))
            time.sleep(0.1)

    def said(self, name):
        files = [self.folder / f"{name}.out", self.folder / f"{name}.log"]
        return "\n".join(file.read_text()[-2000:] for file in files if file.exists())

    def call(self, *command, check=True):
        result = subprocess.run([str(word) for word in command], env=self.env, capture_output=True, text=True, check=False, timeout=60)
        if check and result.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: {result.stderr}")
        return result.stdout

    def submit(self, folder, *words):
        """The number of the job."""
        return self.call("sbatch", "--parsable", f"--output={folder}/job-%j-%a.out", f"--chdir={folder}", *words).strip()

    def states(self, job):
        """Of the job or of every task of an array."""
        shown = self.call("scontrol", "-o", "show", "job", job, check=False)
        return [line.split("JobState=")[1].split()[0] for line in shown.splitlines() if "JobState=" in line]

    def finish(self, job, longest=600):
        """Waits; the states in which the job or the tasks ended."""
        going = {"PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "SUSPENDED", "REQUEUED"}
        begin = time.time()
        while set(self.states(job)) & going:
            if time.time() - begin > longest:
                raise RuntimeError(f"job {job} did not end within {longest} s\n" + self.said("slurmctld"))
            time.sleep(0.2)
        return self.states(job)
