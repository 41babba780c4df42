iterator Count(n: nat) yields (i: nat)
{
  for k := 0 to n {
    return 3;
  }
}
