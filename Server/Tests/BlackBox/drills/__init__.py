"""Several nodes, their database, simulated users, and a journal of acknowledged operations."""
