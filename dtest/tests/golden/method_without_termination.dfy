method Loop(n: nat) returns (r: nat)
  decreases *
{
  if n == 0 {
    return 0;
  }
  r := Loop(n - 1);
}
