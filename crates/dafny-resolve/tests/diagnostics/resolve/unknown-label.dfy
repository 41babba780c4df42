method Jumps(a: array<int>) decreases *
{
  {
    break Loop;
  }
}
