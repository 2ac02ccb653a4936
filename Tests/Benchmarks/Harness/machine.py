"""Describes the machine on which the figures were measured."""
import datetime
import os
import platform
import re
from pathlib import Path

from processes import Failure, run
from settings import PROJECT


def versions():
    """What counted figures depend on."""
    swift = re.search(r"Swift version (\S+)", run(os.environ.get("SWIFT") or "swift", "--version"))
    return {
        "Swift": swift.group(1) if swift else "unknown",
        "SQLite": run("sqlite3", "--version").split()[0],
        "glibc": platform.libc_ver()[1],
        "architecture": platform.machine(),
    }


def description():
    cpu = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    memory = int(re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text()).group(1)) * 1024
    system = re.search(r'^PRETTY_NAME="(.*)"$', Path("/etc/os-release").read_text(), re.M)
    return {
        "cores": os.cpu_count(),
        "processor": cpu.group(1) if cpu else platform.machine(),
        "memory": memory,
        "system": f"{system.group(1) if system else 'Linux'}, Linux {platform.release()}",
        "versions": versions(),
        "date": datetime.date.today().isoformat(),
        "commit": commit(),
    }


def commit():
    try:
        return run("git", "-C", PROJECT, "describe", "--always", "--dirty").strip()
    except (Failure, FileNotFoundError):
        return "no commit"


def sentence(machine):
    versions = machine["versions"]
    return (
        f"{machine['date']} at {machine['commit']}: {machine['cores']} cores ({machine['processor']}), "
        f"{machine['memory'] / 2**30:.0f} GB of memory, {machine['system']}, Swift {versions['Swift']}, "
        f"SQLite {versions['SQLite']}, glibc {versions['glibc']}"
    )
