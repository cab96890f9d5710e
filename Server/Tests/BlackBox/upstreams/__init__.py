"""The sections of `upstream.py`: each module has a `run(world)`."""
