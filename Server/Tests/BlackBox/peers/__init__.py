"""Identity providers for the tests, on loopback and free ports: external implementations where they exist, each with every kind
of failure on demand."""
