"""Reports that a check needs programs that this machine does not have."""

from peers import postgres, unprivileged

TITLES = {"pgbouncer": "PgBouncer", "nginx": "nginx", "haproxy": "HAProxy"}


def missing(*programs):
    """Returns the missing programs, in a sentence; None if all are installed."""
    try:
        for program in programs:
            if program == "postgres":
                postgres.binaries()
            elif unprivileged.folder_with(program) is None:
                return f"{TITLES[program]} is not installed"
    except unprivileged.NotInstalled as problem:
        return str(problem)
    return None


def needing(main, *programs):
    """Returns the exit status of `main`; a check whose program is missing is skipped, by name."""
    what = missing(*programs)
    if what is None:
        return main()
    print(f"skipped: {what}")
    print("0 passed, 0 failed, 1 skipped")
    return 0
