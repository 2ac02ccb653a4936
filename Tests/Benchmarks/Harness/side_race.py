"""Small feeds with one long side table: ours against plain sqlite3, and with a notice on each row against without."""
import feeds
import side_feeds
from import_race import OURS, PLAIN, contenders, place_for_result
from processes import measured
from settings import say

ROWS = 500_000


def race(rounds, rows=ROWS):
    """Seconds of ours for every table and fault, and of plain sqlite3 for the tables without one."""
    commands, _ = contenders()
    runs = {
        (table, fault, name): {"table": table, "fault": fault, "contender": name, "rows": rows, "seconds": [], "cpu_seconds": []}
        for table, fault in [(table, fault) for table in side_feeds.TABLES for fault in (None, *side_feeds.FAULTS)]
        + [(form, None) for form in side_feeds.FORMS]
        for name in ((OURS, PLAIN) if fault is None and PLAIN in commands else (OURS,))
    }
    for turn in range(rounds):
        say(f"side tables: round {turn + 1} of {rounds}")
        for (table, fault, name), run in runs.items() if turn % 2 == 0 else reversed(runs.items()):
            out = place_for_result()
            result = measured(*commands[name], feeds.side_feed(table, rows, fault), out)
            for figure in ("seconds", "cpu_seconds"):
                run[figure].append(result[figure])
    return {"rounds": rounds, "runs": list(runs.values())}
