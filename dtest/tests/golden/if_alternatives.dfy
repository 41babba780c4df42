method Sign(n: int) returns (s: int)
  ensures n == 0 ==> s == 0
{
  if
  case n < 0 => s := -1;
  case n == 0 => s := 0;
  case n > 0 => s := 1;
}
