opaque function Secret(n: int): int {
  n + 42
}

method Revealed() returns (r: int)
  ensures r == 43
{
  reveal Secret();
  r := Secret(1);
}
