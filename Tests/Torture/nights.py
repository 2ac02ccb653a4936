"""Runs random commands of an operator over one store: imports, rollbacks, kills, damage. A model predicts each exit code,
the live store, the earlier ones with their numbers, and the feeds that are refused because they were taken back."""

import json
import random
import signal
import subprocess
import time
from dataclasses import dataclass, replace

from workbench import Broken, words

FEEDS = ("old", "new", "third")
# The same feed with other options is another store.
NARROW = ("--routes", "1")
PLACES = (
    "locked created opened flush flushed keep keep-moved keep-linked rename renamed folder-flushed oldest-removed "
    "rollback-locked rollback-checked rollback-linked rollback-listed rollback-renamed rollback-moved").split()


@dataclass(frozen=True)
class Generation:
    feed: str
    narrow: bool = False
    damaged: bool = False


@dataclass(frozen=True)
class Night:
    """What the folder holds: the live store, the earlier ones by number, and the feeds that were taken back. A kill may leave
    the live store a second name, `.1`, under which it stays when the next one takes its place."""
    live: Generation | None = None
    earlier: tuple = ()
    taken: frozenset = frozenset()
    has_second_name: bool = False

    def imported(self, made, keep, force):
        """The exit code of an import, and what it leaves."""
        if not force and self.live == made:
            return 0, self
        rebuilds = self.live == replace(made, damaged=True)
        if not force and not rebuilds and self.live and made.feed in self.taken:
            return 65, self
        return 0, Night(made, self.shifted(keep), frozenset())

    def shifted(self, keep):
        earlier = dict(self.earlier)
        if self.has_second_name:
            return ((1, self.live), *self.earlier)
        if keep == 0 or self.live is None or self.live.damaged:
            return self.earlier
        free = next((number for number in range(1, keep + 1) if number not in earlier), keep)
        for number in range(free, 1, -1):
            earlier[number] = earlier[number - 1]
        earlier[1] = self.live
        return tuple(sorted(earlier.items()))

    def rolled_back(self):
        stores = [generation for _, generation in self.earlier]
        if not stores:
            return 66, self
        if stores[0].damaged:
            return 65, self
        rest = stores[1:] + ([self.live] if self.live else [])
        taken = self.taken | ({self.live.feed} if self.live else set())
        if self.live is None or stores[0].feed != self.live.feed:
            taken -= {stores[0].feed}
        return 0, Night(stores[0], tuple(enumerate(rest, 1)), frozenset(taken))

    def orders_after_kill(self):
        """The earlier stores, youngest first. The run after a kill removes `.1` if it has the same bytes as the live store."""
        stores = [generation for _, generation in self.earlier]
        return [stores, stores[1:]] if stores[:1] == [self.live] and self.earlier[0][0] == 1 else [stores]


class Operator:
    """Types commands into one folder, and holds what they leave against the model."""

    def __init__(self, bench, seed, links=True):
        self.bench, self.links = bench, links
        self.random = random.Random(seed)
        self.night = Night()
        self.story = [f"seed {seed}" + ("" if links else ", no hard links")]
        for path in bench.stores.iterdir():
            path.unlink()

    def run(self, *options, place=None, after=None):
        """Runs the program, killed at a failpoint or after some seconds."""
        command = [self.bench.programs / "import-gtfs", *options, "--quiet"]
        variables = {"IMPORT_GTFS_FAILPOINT": place} if place else {}
        preload = None
        if not self.links:
            preload, variables = "faults", {**variables, "FAULT_CALL": "link", "FAULT_TIMES": 0, "FAULT_ERROR": 1}
        try:
            return self.bench.call(command, preload, timeout=after or 60, **variables)
        except subprocess.TimeoutExpired:
            if after is None:
                raise
            return None

    def step(self):
        """One command of the operator; returns what it was."""
        kind = self.random.choices(("import", "rollback", "damage", "refused", "killed"), (10, 4, 1, 2, 6))[0]
        if kind == "damage":
            return self.damage()
        if kind == "refused":
            return self.expect("a missing feed", self.run(self.bench.folder / "missing.zip", self.bench.store), (66, self.night))
        if kind == "killed":
            return self.killed()
        options, outcome = self.command(kind)
        self.expect(" ".join(map(str, options[2:] if kind == "import" else ["rollback"])), self.run(*options), outcome)
        return kind

    def command(self, kind):
        """The options of an import or a rollback, and what the model says about it."""
        if kind == "rollback":
            return ("--rollback", self.bench.store), self.night.rolled_back()
        made = Generation(self.random.choice(FEEDS), narrow=self.random.random() < 0.2)
        keep, force = self.random.randrange(4), self.random.random() < 0.2
        options = ["--keep", keep, *(NARROW if made.narrow else ()), *(("--force",) if force else ())]
        feed = self.bench.feeds[made.feed]
        return (feed, self.bench.store, *map(str, options)), self.night.imported(made, keep, force)

    def expect(self, what, result, outcome):
        code, night = outcome
        self.story.append(what)
        if result.returncode != code:
            self.fail(f"ended with {result.returncode} in place of {code}: {words(result)}")
        found = self.observed()
        if found != night:
            self.fail(f"left {found} in place of {night}")
        self.night = night
        return what

    def damage(self):
        if self.night.live is None or self.night.live.damaged:
            return "nothing to damage"
        content = self.bench.damaged[self.night.live]
        # A copy first: the live store may be an earlier one as well.
        other = self.bench.folder / "damaged"
        other.write_bytes(content)
        other.rename(self.bench.store)
        earlier = self.night.shifted(1) if self.night.has_second_name else self.night.earlier
        self.night = Night(replace(self.night.live, damaged=True), earlier, self.night.taken)
        self.story.append("damage")
        return "damage"

    def killed(self):
        """Kills a command. The next one, which changes nothing, must find the store from before or from after it."""
        options, (code, after) = self.command(self.random.choice(("import", "import", "rollback")))
        place = f"{self.random.choice(PLACES)}:{self.random.choice((1, 1, 1, 2))}" if self.bench.has_failpoints else None
        seconds = None if place else self.random.random() * self.bench.duration
        self.story.append(f"{' '.join(map(str, options))} killed at {place or f'{seconds:.3f} s'}")
        self.run(*options, place=place, after=seconds)
        live = self.generation(self.bench.store) if self.bench.store.exists() else None
        if live not in (self.night.live, after.live):
            self.fail(f"left {live} live")
        self.run(self.bench.folder / "missing.zip", self.bench.store)
        found = self.observed()
        order = [generation for _, generation in found.earlier]
        if not any(order in night.orders_after_kill() for night in (self.night, after) if night.live == found.live):
            self.fail(f"left {found} in place of {self.night} or {after}")
        # A kill may come between the exchange and the change of the list. What a killed rollback put on the list goes off again.
        own = {self.night.live.feed} if self.night.live else set()
        allowed = [self.night.taken, after.taken, self.night.taken | after.taken, self.night.taken - own]
        if found.taken not in allowed:
            self.fail(f"lists {set(found.taken)} in place of one of {[set(taken) for taken in allowed]}")
        self.night = found
        return "killed"

    def observed(self):
        names = {path.name for path in self.bench.stores.iterdir()}
        store = self.bench.store.name
        live = self.generation(self.bench.store) if store in names else None
        earlier, seconds = {}, []
        for name in names - {store, f"{store}.rolled-back"}:
            number = name.removeprefix(f"{store}.")
            if not number.isdigit():
                self.fail(f"left {name}")
            path = self.bench.stores / name
            if live and path.samefile(self.bench.store):
                seconds.append(number)
            else:
                earlier[int(number)] = self.generation(path)
        if seconds not in ([], ["1"]):
            self.fail(f"left the live store as {seconds}")
        return Night(live, tuple(sorted(earlier.items())), self.taken(names), bool(seconds))

    def taken(self, names):
        name = f"{self.bench.store.name}.rolled-back"
        lines = (self.bench.stores / name).read_text().split() if name in names else []
        return frozenset(self.bench.hashes[line] for line in lines)

    def generation(self, path):
        content = path.read_bytes()
        for generation, whole in self.bench.wholes.items():
            if content == whole:
                return generation
            if content == self.bench.damaged[generation]:
                return replace(generation, damaged=True)
        self.fail(f"left {path.name}, which is no store that was made")

    def fail(self, what):
        raise Broken("; ".join(self.story) + f": {what}")


def prepare(bench):
    """Makes every store that the commands may make, whole and damaged, and notes the hashes of the feeds."""
    bench.add_feed("third", "stops.txt", lambda text: text.replace("Mohnstadt", "Nelkenstadt"))
    bench.wholes, bench.damaged, bench.hashes = {}, {}, {}
    for feed in FEEDS:
        for narrow in (False, True):
            began = time.monotonic()
            result = bench.run(feed, "--force", "--json", *(NARROW if narrow else ()))
            bench.duration = 1.2 * (time.monotonic() - began)
            bench.hashes[json.loads(result.stdout)["content_hash"]] = feed
            content = bench.wholes[Generation(feed, narrow)] = bench.store.read_bytes()
            spoiled = bytearray(content)
            spoiled[len(content) // 2] ^= 1
            bench.damaged[Generation(feed, narrow)] = bytes(spoiled)
    bench.begin()
    bench.has_failpoints = b"failpoint" in bench.run("new", IMPORT_GTFS_FAILPOINT="?").stderr


def torture(bench, nights, commands, seed):
    """Returns how often each kind of command ran."""
    prepare(bench)
    seen = {}
    for number in range(nights):
        operator = Operator(bench, seed + number, links=number % 3 != 2)
        for _ in range(commands):
            kind = operator.step()
            seen[kind] = seen.get(kind, 0) + 1
    return seen
