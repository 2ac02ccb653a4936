"""Damages a store in many ways: `check` must notice each, and the next import must heal it.

Eight pages become zeros, bytes are flipped, the file is cut, pages change places, pieces are copied elsewhere, bytes are
added at the end. The tables that `check` names are compared with the tables to which the damaged pages belong, according to SQLite's dbstat.
"""

import json
import os
import random
import sqlite3

from workbench import Broken, words

KINDS = ["zeros", "flip", "cut", "cut at a page", "swap", "copy", "longer"]


def mutate(data, kind, size, chance):
    data = bytearray(data)
    pages = int.from_bytes(data[28:32], "big")
    page = chance.randrange(pages)
    if kind == "zeros":
        page = chance.randrange(max(1, pages - 8))
        data[page * size : (page + 8) * size] = bytes(8 * size)
    elif kind == "flip":
        for _ in range(chance.choice([1, 2, 16])):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif kind == "cut":
        del data[chance.randrange(len(data)) :]
    elif kind == "cut at a page":
        del data[page * size :]
    elif kind == "swap":
        other = chance.randrange(pages)
        a, b = slice(page * size, (page + 1) * size), slice(other * size, (other + 1) * size)
        data[a], data[b] = data[b], data[a]
    elif kind == "copy":
        start, end = chance.randrange(len(data)), chance.randrange(len(data))
        length = min(chance.randrange(1, 8192), len(data) - max(start, end))
        data[end : end + length] = data[start : start + length]
    elif kind == "longer":
        data += os.urandom(chance.choice([1, 28, size]))
    return bytes(data)


def owners(path):
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        tables = dict(connection.execute("SELECT name, tbl_name FROM sqlite_schema"))
        return {page: tables.get(name, name) for name, page in connection.execute("SELECT name, pageno FROM dbstat")}
    except sqlite3.Error:
        return {}


def hurt_tables(whole, mutant, size, owner):
    """The damaged pages, and the tables that they are of."""
    pages = {
        n + 1 for n in range(len(whole) // size) if whole[n * size : (n + 1) * size] != mutant[n * size : (n + 1) * size]
    }
    return pages, {owner[page] for page in pages if page in owner}


def torture(bench, count, seed):
    chance = random.Random(seed)
    bench.begin("old")
    whole = bench.bytes["old"]
    size = int.from_bytes(whole[16:18], "big")
    owner = owners(bench.store)
    tried = named = 0
    unnoticed, not_healed = [], []
    while tried < count:
        kind = KINDS[tried % len(KINDS)]
        mutant = mutate(whole, kind, size, chance)
        if mutant == whole:
            continue
        tried += 1
        bench.store.write_bytes(mutant)
        result = bench.call([bench.programs / "fetch-gtfs", bench.store, "check", "--format", "json"])
        what = f"mutant {tried} of seed {seed}, {kind}"
        if result.returncode == 0:
            unnoticed.append(what)
        elif result.returncode != 65:
            raise Broken(f"{what}: check ends with {result.returncode}: {words(result)}")
        pages, tables = hurt_tables(whole, mutant, size, owner)
        told = {row["table"] for row in json.loads(result.stdout or "[]")}
        # The check cannot name tables of pages below a damaged page, or any table if the schema is damaged.
        if len(mutant) == len(whole) and tables and told and 1 not in pages:
            named += 1
            if tables - told and None not in told:
                raise Broken(f"{what}: pages {sorted(pages)[:9]} of {tables}, told {told}")
        result = bench.run("old")
        if result.returncode == 73 and len(mutant) != len(whole):
            # Without its header and its sums, the file is not recognised as a store, so only --force replaces it.
            result = bench.run("old", "--force")
        if result.returncode != 0:
            raise Broken(f"{what}: the next import ends with {result.returncode}: {words(result)}")
        if bench.store.read_bytes() != whole:
            not_healed.append(what)
    if unnoticed or not_healed:
        example = (unnoticed + not_healed)[0]
        raise Broken(f"{len(unnoticed)} mutants unnoticed, {len(not_healed)} not healed, such as {example}")
    return {
        "mutants": tried, "unnoticed": len(unnoticed), "not_healed": len(not_healed), "with_the_table_named": named}
