function {:extern} Rate(day: nat): int
  ensures Rate(day) > 0

method Price(day: nat) returns (r: int)
  ensures r > 0
{
  r := 2 * Rate(day);
}
