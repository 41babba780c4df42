iterator Numbers() returns (n: int) {}
