method M(n: int, a: seq<int>) {
  ghost var unbounded := map i: int | i <= n :: i;
}
