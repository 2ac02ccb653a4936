"""Shared by all tortures: two generations of a feed, the programs, the preloaded libraries, and the checks that follow."""

import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SAMPLE = ROOT / "pipelines" / "sample-feed"
SQL = re.compile(r"\b(INSERT INTO|SELECT |CREATE (TABLE|INDEX|VIEW)|PRAGMA |UPDATE .* SET|DELETE FROM)")


class Broken(Exception):
    """A promise that did not hold; the message says which, and how to see it again."""


class Workbench:
    """A folder with two generations of a feed, `old` and `new`, and the store that each becomes."""

    def __init__(self, programs, preloads=("faults", "writes")):
        self.programs = Path(programs).resolve()
        self.folder = Path(tempfile.mkdtemp(prefix="torture-"))
        self.stores = self.folder / "stores"
        self.stores.mkdir()
        self.store = self.stores / "a.sqlite"
        for name in preloads:
            subprocess.run(
                ["cc", "-O1", "-shared", "-fPIC", "-o", self.folder / f"{name}.so", HERE / f"{name}.c", "-ldl", "-lpthread"],
                check=True)
        self.feeds, self.bytes = {}, {}
        for name, town in (("old", "Mohnstadt"), ("new", "Rosenstadt")):
            self.bytes[name] = self.add_feed(name, "stops.txt", lambda text: text.replace("Mohnstadt", town))
        assert self.bytes["old"] != self.bytes["new"]
        self.bytes["zip"] = self.add_zip("zip", "new")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def add_feed(self, name, file, change):
        """Makes a feed: the sample with a change of one file's text. Returns the bytes of its store."""
        # All have the same last name, which a store repeats.
        feed = self.feeds[name] = self.folder / name / "feed"
        shutil.copytree(SAMPLE, feed)
        (feed / file).write_text(change((feed / file).read_text()))
        return self.made_store(name)

    def add_zip(self, name, generation):
        """Makes a zip of a feed. Returns the bytes of its store."""
        feed = self.feeds[name] = self.folder / name / "feed.zip"
        feed.parent.mkdir()
        with zipfile.ZipFile(feed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(self.feeds[generation].iterdir()):
                archive.write(path, path.name)
        return self.made_store(name)

    def made_store(self, name):
        assert self.run(name, "--force").returncode == 0
        made = self.store.read_bytes()
        self.store.unlink()
        return made

    def command(self, generation, *options):
        return [self.programs / "import-gtfs", self.feeds[generation], self.store, *options]

    def run(self, generation, *options, preload=None, stdin=subprocess.DEVNULL, timeout=60, **variables):
        return self.call(self.command(generation, *options), preload, stdin, timeout, **variables)

    def call(self, command, preload=None, stdin=subprocess.DEVNULL, timeout=60, **variables):
        environment = dict(os.environ)
        if preload:
            environment["LD_PRELOAD"] = str(self.folder / f"{preload}.so")
        environment.update({name: str(value) for name, value in variables.items()})
        return subprocess.run(command, env=environment, stdin=stdin, capture_output=True, timeout=timeout)

    def begin(self, generation="old"):
        """Leaves nothing in the folder but the store of a generation."""
        for path in self.stores.iterdir():
            path.unlink()
        self.store.write_bytes(self.bytes[generation])

    def expect_whole(self, what):
        """The store is one of the two generations, byte for byte; so is each earlier store."""
        for path in [self.store, *self.stores.glob("a.sqlite.[0-9]")]:
            if not path.exists() or path.read_bytes() not in self.bytes.values():
                raise Broken(f"{what}: {path.name} is neither the old store nor the new one")

    def expect_store(self, generation, what):
        if not self.store.exists() or self.store.read_bytes() != self.bytes[generation]:
            raise Broken(f"{what}: the store is not the {generation} one")

    def expect_healed(self, what):
        """The next run publishes and leaves nothing else in the folder."""
        result = self.run("new", "--force")
        if result.returncode != 0:
            raise Broken(f"{what}: the next run ends with {result.returncode}: {words(result)}")
        self.expect_store("new", f"{what}, the next run")
        others = sorted(path.name for path in self.stores.iterdir() if not re.fullmatch(r"a\.sqlite(\.[0-9])?", path.name))
        if others:
            raise Broken(f"{what}: the next run leaves {', '.join(others)}")


def write_zip(archive, name, pieces):
    """Adds a file to a zip from pieces of text, which need not fit into memory together."""
    with archive.open(name, "w") as file:
        for piece in pieces:
            file.write(piece.encode())


def words(result):
    """What the program said, on one line."""
    return result.stderr.decode(errors="replace").strip().replace("\n", " / ")
