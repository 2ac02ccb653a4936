"""Lets the Nth malloc fail. Swift ends a program that gets no memory; the store must be the old one or the new one, complete."""

import errno

from workbench import Broken


def torture(bench, failures, first=1, step=1):
    """Returns how the runs ended: by exit code, or "trapped"."""
    endings = {}
    for number in range(first, first + failures * step, step):
        hit = bench.folder / "hit"
        hit.unlink(missing_ok=True)
        bench.begin()
        result = bench.run("new", preload="faults", FAULT_CALL="malloc", FAULT_AT=number, FAULT_ERROR=errno.ENOMEM, FAULT_HIT=hit)
        if not hit.exists():
            break
        what = f"malloc {number} fails"
        ending = result.returncode if 0 <= result.returncode < 128 else "trapped"
        if ending == "trapped":
            # The trap may come after the new store is in place, while the report is made.
            bench.expect_whole(f"{what}, {ending}")
        else:
            bench.expect_store("new" if ending == 0 else "old", f"{what}, {ending}")
        if ending not in (0, 65, 66, 73, 74, "trapped"):
            raise Broken(f"{what}: ends with {ending}: {result.stderr.decode(errors='replace')}")
        endings[str(ending)] = endings.get(str(ending), 0) + 1
    bench.expect_healed("after all failures of malloc")
    return endings
