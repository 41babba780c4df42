method Use(f: (ghost int, int) -> int) {}
