function F(n: int): int { n }
method Labels() { label L: ghost var f := F@L(1);
}
