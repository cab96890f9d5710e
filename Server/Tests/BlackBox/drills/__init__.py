"""Several nodes, their database, people who use them all the while, and a journal of what was acknowledged."""
