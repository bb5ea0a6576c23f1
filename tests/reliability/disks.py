"""Small disks of their own for a test: a file system in a file, mounted through a loop device. Root."""
import contextlib
import pathlib
import signal
import subprocess
import sys
import time

SIZE = 320 << 20  # what XFS wants at least; blocks that were never written take no room
MAKE = {"ext4": ["mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0"], "xfs": ["mkfs.xfs", "-q"],
        "btrfs": ["mkfs.btrfs", "-q", "-M"]}

# As Ctrl-C does: whoever has mounted a disk unmounts it on the way out.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout.strip()


def make(image, kind):
    """An empty file system in a new file."""
    with open(image, "wb") as file:
        file.truncate(SIZE)
    run(*MAKE[kind], image)


def copy(image, to):
    run("cp", "--sparse=always", image, to)


@contextlib.contextmanager
def mounted(image, where, options=()):
    """Yields the name of its loop device."""
    where.mkdir(exist_ok=True)
    device = run("losetup", "--find", "--show", image)
    try:
        run("mount", "-o", ",".join(["noatime", *options]), device, where)
        try:
            yield pathlib.Path(device).name
        finally:
            run("umount", where)
    finally:
        run("losetup", "--detach", device)


def writes(device):
    """How many writes and flushes a device has finished, and how many requests it is busy with."""
    counts = [int(word) for word in pathlib.Path(f"/sys/block/{device}/stat").read_text().split()]
    return counts[4], counts[15], counts[8]


def copy_as_it_is(image, device, to):
    """What the disk holds at one moment, without anything that only the memory of the system holds: what a loss of power leaves."""
    for _ in range(100):
        before = writes(device)
        if before[2] == 0:
            copy(image, to)
            if writes(device) == before:
                return
        time.sleep(0.005)
    raise RuntimeError(f"{device} is written all the time: no copy of one moment could be made")
