method Half(n: int) returns (r: int := 0) {}
