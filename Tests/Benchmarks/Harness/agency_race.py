"""Races our import against plain sqlite3, in turns, over every feed of a folder."""
import sqlite3
import zipfile

import feeds
from import_race import OURS, PLAIN, contenders, place_for_result
from processes import Failure, measured
from settings import AGENCY_FEEDS, say

# Bytes of the unpacked tables, because the rows make the work. A zip may be a hundred times smaller.
LEAST_BYTES = 1_000_000
ROUNDS = 3


def zips():
    """The zips of GTFS_FEEDS, or of its folder `real`; none without the variable."""
    if AGENCY_FEEDS is None:
        return []
    folder = AGENCY_FEEDS / "real" if (AGENCY_FEEDS / "real").is_dir() else AGENCY_FEEDS
    return sorted(folder.glob("*.zip"))


def bytes_of_tables(path):
    with zipfile.ZipFile(path) as feed:
        return sum(entry.file_size for entry in feed.infolist() if entry.filename.lower().endswith(".txt"))


def race(paths):
    """Seconds of both for each feed that both can import; the names of the others."""
    commands, _ = contenders()
    runs, refused = [], []
    for path in paths if PLAIN in commands else []:
        say(f"feed {path.stem}")
        run = {"feed": path.stem, OURS: [], PLAIN: []}
        try:
            run["bytes"] = bytes_of_tables(path)
            for turn in range(ROUNDS):
                for name in (OURS, PLAIN) if turn % 2 == 0 else (PLAIN, OURS):
                    out = place_for_result()
                    run[name].append(measured(*commands[name], path, out)["seconds"])
                    if name == OURS:
                        run["rows"] = feeds.row_count(out)
        except (Failure, sqlite3.Error, zipfile.BadZipFile) as failure:  # A feed that one of them refuses is named, and the race goes on.
            say(f"left out: {path.stem}: {' '.join(str(failure).split())[:200]}")
            refused.append(path.stem)
            continue
        runs.append(run)
    return {"rounds": ROUNDS, "runs": runs, "refused": refused}
