"""Makes feeds, and stores from them, and keeps them in the folder of the benchmarks."""
import hashlib
import sqlite3

import growth_feeds
import make_feed
import reorder
import side_feeds
from processes import Failure, run
from settings import FOLDER, IMPORT_PROGRAM, say


def feed(stop_times, stops=make_feed.BERLIN_STOPS):
    """The path of a feed of this size, made if it is not there yet."""
    generator = hashlib.sha256(open(make_feed.__file__, "rb").read()).hexdigest()[:8]
    path = FOLDER / "feeds" / f"{stop_times}-stop-times-{stops}-stops-{generator}.zip"
    if not path.exists():
        say(f"making {path}")
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        run("python3", make_feed.__file__, unfinished, "--stop-times", stop_times, "--stops", stops)
        unfinished.rename(path)
    return path


def reordered_feed(stop_times, order):
    """The same feed with its stop times in another order."""
    original = feed(stop_times)
    generator = hashlib.sha256(open(reorder.__file__, "rb").read()).hexdigest()[:8]
    path = original.with_name(f"{original.stem}-{order}-{generator}.zip")
    if not path.exists():
        say(f"making {path}")
        unfinished = path.with_suffix(".unfinished")
        run("python3", reorder.__file__, original, unfinished, order)
        unfinished.rename(path)
    return path


def side_feed(table, rows, fault=None):
    """A small feed with a side table of so many rows, with a fault in each of them or with none."""
    generator = hashlib.sha256(open(side_feeds.__file__, "rb").read()).hexdigest()[:8]
    path = FOLDER / "feeds" / f"{table.replace(' ', '-')}-{rows}-{fault or 'sound'}-{generator}.zip"
    if not path.exists():
        say(f"making {path}")
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        side_feeds.write(unfinished, table, rows, fault)
        unfinished.rename(path)
    return path


def growth_feed(shape=None, size=0):
    """A small feed with so much of one thing, or with little of everything."""
    generator = hashlib.sha256(open(growth_feeds.__file__, "rb").read()).hexdigest()[:8]
    path = FOLDER / "feeds" / f"growth-{(shape or 'none').replace(' ', '-')}-{size}-{generator}.zip"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        growth_feeds.write(unfinished, growth_feeds.SHAPES[shape][1](size) if shape else {})
        unfinished.rename(path)
    return path


def small_feed():
    """A feed of 50 kB: what a village has."""
    return feed(4_400, 300)


def store(stop_times, stops=make_feed.BERLIN_STOPS):
    """The path of the store that the program makes of such a feed now."""
    path = FOLDER / f"{stop_times}-{stops}.sqlite"
    path.unlink(missing_ok=True)
    run(IMPORT_PROGRAM, feed(stop_times, stops), path, "--quiet")
    check_rows(path, "stop_time", stop_times)
    return path


def row_count(store):
    """All rows of the feed that a store was made of."""
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    (count,) = connection.execute("SELECT sum(row_count) FROM feed_file").fetchone()
    connection.close()
    return count


def check_rows(path, table, expected):
    """Fails unless the table has every row: a contender that leaves rows out is not faster."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    connection.close()
    if count != expected:
        raise Failure(f"{path}: {table} has {count} rows, not {expected}")
