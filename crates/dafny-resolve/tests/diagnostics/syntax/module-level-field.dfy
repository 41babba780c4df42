var count: int
