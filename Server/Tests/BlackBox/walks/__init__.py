"""The sections of `walk.py`: each module has a `run(walk)`."""
