#!/usr/bin/env python3
"""Compares every cell of a GTFS feed with the store's views, independently of the importer, with Python's csv and zipfile.

    python3 compare_cells.py FEED STORE [--limit=N]

FEED is a zip or a folder (or has the feed in an inner zip or a single sub-folder); STORE is what import-gtfs made of it. Prints one line per
file with its rows, and the place of each difference. Exit code 1 if there is a difference. Only the standard library is used.

What counts as equal
  - rows: those of the view and those in kept_row together are all records of the file with a cell that is not blank
  - cells: numbers by value (3, 3.0 and 03 in a column of numbers), times by second (6:05 and 06:05:00), everything else
    as text without white space around it, be it within quotes or outside; a blank cell is NULL
  - headers without white space around them and in any case; of columns with the same name the first is the field, the others
    are text columns called NAME_2, NAME_3 ...
  - cells beyond the header are in extra_cell, files that are not tables in extra_file, byte for byte
  - a row in kept_row has the text of the feed's row
Rows are compared as a multiset, because a store may order them by their key.
"""
import collections
import csv
import io
import os
import re
import sqlite3
import sys
import zipfile

csv.field_size_limit(1 << 30)
SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "schema", "gtfs.tsv")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$", re.ASCII)
TIME = re.compile(r"(\d{1,3}):(\d{1,3})(?::(\d{1,3}))?$", re.ASCII)


# ---- records ---------------------------------------------------------------------------------------------------------

def records(text, delimiter=","):
    """The records of csv.reader, by one more rule of the importer: blanks may stand before a quoted field if nothing but
    blanks follows its closing quote."""
    blank = " " if delimiter == "\t" else " \t"
    if re.search(f'[{blank}]"', text):
        text = with_blanks_in_quotes(text, delimiter, blank)
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)


def with_blanks_in_quotes(text, delimiter, blank):
    """Moves the blanks before such a field into its quotes, where csv.reader keeps them: `1, "a"` becomes `1," a"`."""
    quoted = '"[^"]*(?:""[^"]*)*'
    other = f"[^{delimiter}\r\n]*"
    field = re.compile(f'([{blank}]+)({quoted}"[{blank}]*)(?=[{delimiter}\r\n]|\\Z)|{quoted}"?{other}|{other}')
    parts, position = [], 0
    while True:
        match = field.match(text, position)
        parts.append(f'"{match[1]}{match[2][1:]}' if match[1] else match[0])
        position = match.end()
        if position == len(text):
            return "".join(parts)
        parts.append(text[position])
        position += 1


# ---- values ----------------------------------------------------------------------------------------------------------

def as_text(cell):
    return cell.strip() or None


def as_number(cell):
    """By value; numbers that have no exact double (beyond 15 digits) are compared as doubles on both sides."""
    text = cell.strip()
    if NUMBER.match(text):
        value = float(text)
        return value if value == value and abs(value) != float("inf") else text
    return text or None


def as_time(cell):
    text = cell.strip()
    match = TIME.match(text)
    if match and int(match[2]) < 60 and int(match[3] or 0) < 60:
        return int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3] or 0)
    return text or None


def remembering(convert):
    known = {}

    def cached(cell):
        try:
            return known[cell]
        except KeyError:
            if len(known) > 300_000:
                known.clear()
            value = known[cell] = convert(cell)
            return value

    return cached


def field_types():
    types = {}
    with open(SCHEMA, encoding="utf-8") as lines:
        for line in lines:
            file, field, _, _, kind = line.split("\t")[:5]
            if field and file != "file":
                types[(file, field)] = kind
    return types


def converter(kind):
    if kind in ("time", "local_time"):
        return remembering(as_time)
    if kind and (kind in ("latitude", "longitude", "enum", "amount") or kind.startswith(("integer", "float"))):
        return remembering(as_number)
    return remembering(as_text)


# ---- the feed --------------------------------------------------------------------------------------------------------

class Feed:
    """A feed's files by their path below its root."""

    def __init__(self, path):
        self.names = {}
        if os.path.isdir(path):
            for folder, _, files in os.walk(path):
                for name in files:
                    full = os.path.join(folder, name)
                    self.names[os.path.relpath(full, path)] = lambda full=full: open(full, "rb")
        else:
            self.add(zipfile.ZipFile(path))
        self.names = {name: opener for name, opener in self.names.items() if not is_junk(name)}
        inner = [name for name in self.names if name.lower().endswith(".zip")]
        if len(inner) == 1 and not any(is_table(name) for name in self.names):
            archive = zipfile.ZipFile(io.BytesIO(self.open(inner[0]).read()))
            self.names = {}
            self.add(archive)
            self.names = {name: opener for name, opener in self.names.items() if not is_junk(name)}
        root = self.root()
        self.names = {name[len(root):]: opener for name, opener in self.names.items() if name.startswith(root)}

    def add(self, archive):
        for info in archive.infolist():
            if not info.filename.endswith("/"):
                self.names[info.filename] = lambda info=info: archive.open(info)

    def root(self):
        folders = {name[: name.rfind("/") + 1] for name in self.names if name.lower().endswith("stops.txt")}
        return min(folders, key=lambda folder: (folder.count("/"), folder)) if folders else ""

    def open(self, name):
        return self.names[name]()


def is_junk(name):
    base = name.rsplit("/", 1)[-1]
    return "__MACOSX" in name.split("/") or base.startswith("._") or base in (".DS_Store", "Thumbs.db")


def is_table(name):
    return name.lower().endswith(".txt")


def opened_text(raw):
    """The bytes as text: by byte order mark UTF-16, else UTF-8 with what is not UTF-8 as lone surrogates."""
    buffered = io.BufferedReader(raw) if not hasattr(raw, "peek") else raw
    start = buffered.peek(2)[:2]
    if start in (b"\xff\xfe", b"\xfe\xff"):
        return io.TextIOWrapper(buffered, encoding="utf-16", newline="")
    return io.TextIOWrapper(buffered, encoding="utf-8-sig", errors="surrogateescape", newline="")


def first_record(reader):
    """The header: blank lines above it are no record."""
    return next((row for row in reader if any(cell.strip() for cell in row)), [])


def legacy(cell, charset):
    """A cell with bytes that are not UTF-8, in the encoding that the store says it took them for."""
    if cell.isascii() or not any("\udc80" <= c <= "\udcff" for c in cell):
        return cell
    data = cell.encode("utf-8", "surrogateescape")
    if charset == "windows-1252":
        # The five bytes that windows-1252 leaves undefined are control characters, as in WHATWG's encoding standard.
        return "".join(bytes([b]).decode("latin-1" if b in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else "cp1252") for b in data)
    return data.decode(charset or "utf-8", "replace")


# ---- one file --------------------------------------------------------------------------------------------------------

class Comparison:
    def __init__(self, store, feed, limit):
        self.store = store
        self.feed = feed
        self.limit = limit
        self.types = field_types()
        self.differences = 0
        self.views = {}
        for file, view, encoding in store.execute("SELECT name, view, encoding FROM feed_file"):
            self.views[file] = (view, encoding)

    def differ(self, where, what):
        self.differences += 1
        if self.differences <= self.limit:
            print(f"{where}: {what}")

    def run(self):
        for name in sorted(self.feed.names):
            if name not in self.views:
                self.differ(name, "is not in feed_file")
                continue
            view, encoding = self.views[name]
            if name.lower().endswith(".geojson"):
                continue
            if view is None:
                self.compare_bytes(name)
            else:
                self.compare_table(name, view, encoding)
        for name in sorted(set(self.views) - set(self.feed.names)):
            self.differ(name, "is in feed_file and not in the feed")

    def compare_bytes(self, name):
        parts = self.store.execute("SELECT bytes FROM extra_file WHERE name = ? ORDER BY part", (name,))
        with self.feed.open(name) as raw:
            expected = raw.read()
        found = b"".join(part[0] for part in parts)
        print(f"{name}: {len(expected)} bytes")
        if expected != found:
            self.differ(name, f"{len(expected)} bytes in the feed, {len(found)} in extra_file")

    def compare_table(self, name, view, charset):
        kept = dict(self.store.execute("SELECT row_number, text FROM kept_row WHERE file = ?", (name,)))
        extra = {
            (row, position): value
            for row, position, value in self.store.execute(
                "SELECT row_number, position, value FROM extra_cell WHERE file = ?", (name,))
        }
        columns = [row[1] for row in self.store.execute(f'PRAGMA table_info("{view}")')]
        with self.feed.open(name) as raw:
            reader = records(opened_text(raw).read())
            header = first_record(reader)
            plan = self.plan(name, header, columns)
            expected = collections.Counter()
            examples = {}
            count = 0
            for number, row in enumerate(reader, 2):
                if not any(cell.strip() for cell in row):
                    continue
                count += 1
                row = [legacy(cell, charset) for cell in row]
                for position in range(len(header), len(row)):
                    value = row[position].strip()
                    if value and (extra.pop((number, position + 1), "").strip() != value):
                        self.differ(f"{name}, row {number}, cell {position + 1}", f"{value!r} is not in extra_cell")
                if kept and number in kept:
                    self.compare_kept(name, number, row, kept.pop(number))
                    continue
                cells = tuple(
                    convert(row[source]) if source < len(row) else None for source, _, convert in plan)
                key = hash(cells)
                expected[key] += 1
                if len(examples) < 1000:
                    examples[key] = (number, cells)
        self.compare_rows(name, view, plan, expected, examples)
        total = self.store.execute(f'SELECT count(*) FROM "{view}"').fetchone()[0]
        rows_kept = self.store.execute("SELECT count(*) FROM kept_row WHERE file = ?", (name,)).fetchone()[0]
        print(f"{name}: {count} rows = {total} in {view} + {rows_kept} kept")
        if total + rows_kept != count:
            self.differ(name, f"{count} rows in the feed, {total} in {view} and {rows_kept} in kept_row")
        for number in sorted(kept)[:5]:
            self.differ(f"{name}, row {number}", "is in kept_row and not a row of the feed")
        for (row, position), value in sorted(extra.items())[:5]:
            self.differ(f"{name}, row {row}, cell {position}", f"{value!r} is in extra_cell and not in the feed")

    def plan(self, name, header, columns):
        """Which cell of a row belongs to which column of the view, and how both are read."""
        shown = {column.casefold(): column for column in columns}
        plan = []
        seen = collections.Counter()
        for source, title in enumerate(header):
            title = legacy(title, "utf-8").strip().lstrip("\ufeff").strip().replace("\0", "")
            folded = (title or f"column_{source + 1}").casefold()
            seen[folded] += 1
            if seen[folded] > 1:
                folded += f"_{seen[folded]}"
            if folded not in shown:
                self.differ(f"{name}, column {title!r}", f"is not in the view, which has {', '.join(columns)}")
                continue
            kind = self.types.get((name.lower(), folded))
            plan.append((source, shown[folded], converter(kind)))
        return plan

    def compare_kept(self, name, number, row, text):
        found = next(records(text), [])
        if [cell.strip() for cell in found] != [cell.strip() for cell in row]:
            self.differ(f"{name}, row {number}", f"kept_row has {found}, the feed {row}")

    def rows_of_view(self, view, plan):
        titles = ", ".join('"' + column.replace('"', '""') + '"' for _, column, _ in plan) or "1"
        for row in self.store.execute(f'SELECT {titles} FROM "{view}"'):
            yield tuple(
                None if value is None else convert(value if type(value) is str else str(value))
                for value, (_, _, convert) in zip(row, plan))

    def compare_rows(self, name, view, plan, expected, examples):
        surplus = []
        for cells in self.rows_of_view(view, plan):
            key = hash(cells)
            if expected[key] > 0:
                expected[key] -= 1
            else:
                surplus.append(cells) if len(surplus) < 1000 else None
        missing = {key for key, count in expected.items() if count > 0}
        if not missing and not surplus:
            return
        self.differ(name, f"{len(missing)} rows of the feed are not in {view}, {len(surplus)} of {view} not in the feed")
        pool = list(surplus)
        for number, cells in self.find(name, missing, plan)[: self.limit]:
            best = max(pool, key=lambda other: sum(a == b for a, b in zip(cells, other)), default=None)
            if best is None:
                self.differ(f"{name}, row {number}", f"is missing: {cells}")
                continue
            for (_, column, _), a, b in zip(plan, cells, best):
                if a != b:
                    self.differ(f"{name}, row {number}, {column}", f"{a!r} in the feed, {b!r} in {view}")

    def find(self, name, missing, plan):
        """The rows again that were not found."""
        found = []
        charset = self.views[name][1]
        with self.feed.open(name) as raw:
            reader = records(opened_text(raw).read())
            first_record(reader)
            for number, row in enumerate(reader, 2):
                row = [legacy(cell, charset) for cell in row]
                cells = tuple(convert(row[source]) if source < len(row) else None for source, _, convert in plan)
                if hash(cells) in missing:
                    found.append((number, cells))
                    if len(found) >= self.limit:
                        break
        return found


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(arguments) != 2:
        sys.exit(__doc__)
    limit = next((int(a.split("=")[1]) for a in sys.argv if a.startswith("--limit=")), 20)
    store = sqlite3.connect(f"file:{arguments[1]}?mode=ro", uri=True)
    comparison = Comparison(store, Feed(arguments[0]), limit)
    comparison.run()
    if comparison.differences:
        print(f"{comparison.differences} differences")
    sys.exit(1 if comparison.differences else 0)


if __name__ == "__main__":
    main()
