iterator Repeat(x: int, times: nat) yields (y: int)
  requires times > 0
  yield ensures y == x
{
  for i := 0 to times {
    yield x;
  }
}
