"""Records what an import asks of the disk, then cuts the power at every moment of the record. Unflushed writes may be
lost, kept or kept in part. The store must be the old one or the new one each time."""

import random

from workbench import Broken


def recorded(bench, *options):
    """The operations of one import that replaces the old store by the new one."""
    log = bench.folder / "log"
    log.unlink(missing_ok=True)
    bench.begin()
    result = bench.run("new", *options, preload="writes", RECORD=log, RECORD_FOLDER=bench.stores)
    assert result.returncode == 0, result.stderr
    bench.expect_store("new", "recording")
    return list(parsed(log.read_bytes()))


def parsed(log):
    place = 0
    while place < len(log):
        end = log.index(b"\n", place)
        words = log[place:end].split(b" ")
        place = end + 1
        data = None
        if words[0] == b"write":
            count = int(words[3])
            data = log[place:place + count]
            place += count + 1
        yield (words[0].decode(), *[word.decode() for word in words[1:]], data)


class Disk:
    """What a disk may hold after a power cut: file contents by inode, and names."""

    def __init__(self, bench):
        status = bench.store.stat()
        self.old = "old"
        self.files = {self.old: bytearray(bench.bytes["old"])}
        self.names = {"a.sqlite": self.old}
        self.folder = str(bench.stores.stat().st_ino)
        self.unflushed = {}  # inode: writes and truncations since it was flushed
        self.moves = []  # changes of names since the folder was flushed

    def apply(self, operation):
        """One more operation has been asked for."""
        kind = operation[0]
        if kind in ("write", "truncate"):
            self.unflushed.setdefault(operation[1], []).append(operation)
        elif kind == "flush" and operation[1] == self.folder:
            for move in self.moves:
                self.names = moved(self.names, move)
            self.moves = []
        elif kind == "flush":
            for change in self.unflushed.pop(operation[1], []):
                change_file(self.files, change)
        else:
            self.moves.append(operation)

    def after_power_cut(self, choose, keep_order):
        """The store's bytes after a cut: `choose` says of each operation whether it reached the disk."""
        names = dict(self.names)
        for move in self.moves:
            if choose():
                names = moved(names, move)
            elif keep_order:
                break
        inode = names.get("a.sqlite")
        content = {inode: bytearray(self.files.get(inode, b""))}
        for change in self.unflushed.get(inode, []):
            if choose():
                change_file(content, change)
        return bytes(content[inode]) if inode else None


def moved(names, move):
    names = dict(names)
    if move[0] == "create":
        names[move[2]] = move[1]
    elif move[0] == "unlink":
        names.pop(move[1], None)
    elif move[1] in names:
        names[move[2]] = names[move[1]]
        if move[0] == "rename":
            del names[move[1]]
    return names


def change_file(files, change):
    content = files.setdefault(change[1], bytearray())
    if change[0] == "truncate":
        size = int(change[2])
        del content[size:]
        content.extend(bytes(size - len(content)))
        return
    offset, data = int(change[2]), change[4]
    content.extend(bytes(max(0, offset + len(data) - len(content))))
    content[offset:offset + len(data)] = data


def torture(bench, variants, seed, forget=()):
    """Cuts the power after each operation, in so many variants; returns how many operations and cuts there were.

    `forget` leaves out operations of these kinds, to see that the test sees it.
    """
    cuts = 0
    generator = random.Random(seed)
    operations = 0
    for options in ((), ("--keep", "2")):
        log = [operation for operation in recorded(bench, *options) if operation[0] not in forget]
        disk = Disk(bench)
        for number, operation in enumerate(log):
            disk.apply(operation)
            operations += 1
            for variant in range(variants):
                chance = [0.0, 1.0][variant] if variant < 2 else generator.random()
                keep_order = variant % 2 == 0
                found = disk.after_power_cut(lambda: generator.random() < chance, keep_order)
                cuts += 1
                if found not in bench.bytes.values():
                    raise Broken(f"power cut after operation {number} ({' '.join(map(str, operation[:-1]))}), variant {variant}, "
                                 f"seed {seed}: the store is neither the old one nor the new one")
    return operations, cuts
