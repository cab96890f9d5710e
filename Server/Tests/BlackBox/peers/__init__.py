"""Identity providers for the tests, on loopback and free ports: software that nobody here wrote, as far as there is
any, and each able to fail in every way that one fails in."""
