"""Loses a different write in each import: no published store may lack a write."""

from workbench import Broken, words


def torture(bench, step=1):
    """Each import loses its Nth write to a file, for N = 1, 1 + step, … until a run has fewer.

    It must end with 74 and leave the old store, or publish the same store, byte for byte, as an undisturbed import. Some
    lost writes harm nothing: one to the lock file, and those of bytes that the file already had.
    """
    log = bench.folder / "lost"
    refused = harmless = 0
    lost = 1
    while True:
        bench.begin("old")
        result = bench.run(
            "new", preload="faults", FAULT_CALL="writes", FAULT_LOST=1, FAULT_AT=lost, FAULT_PATH=bench.stores,
            FAULT_HIT=log)
        if not log.exists():
            return {"tries": refused + harmless, "refused": refused, "harmless": harmless}
        log.unlink()
        what = f"write {lost} is lost, exit {result.returncode}, {words(result)}"
        if result.returncode == 0:
            bench.expect_store("new", what)
            harmless += 1
        elif result.returncode == 74:
            bench.expect_store("old", what)
            refused += 1
        else:
            raise Broken(what)
        lost += step
