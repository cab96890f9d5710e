"""Says that a check needs what this machine does not have."""

from peers import postgres, unprivileged

TITLES = {"pgbouncer": "PgBouncer", "nginx": "nginx", "haproxy": "HAProxy"}


def missing(*programs):
    """What is not installed, in a sentence; None if all is."""
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
    """The exit status of `main`; where a program is missing, it is skipped, by name."""
    what = missing(*programs)
    if what is None:
        return main()
    print(f"skipped: {what}")
    print("0 passed, 0 failed, 1 skipped")
    return 0
