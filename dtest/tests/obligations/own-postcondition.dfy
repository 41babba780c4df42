function F(n: int): int ensures F(n) >= F(n + 1) || true { 3 } // !
