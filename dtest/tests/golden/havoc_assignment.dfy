method Arbitrary() returns (r: bool)
  ensures r || !r
{
  r := *;
}
