method Zeros(n: nat) returns (s: seq<int>)
  ensures |s| == n
  ensures forall x | x in s :: x == 0
{
  s := seq(n, _ => 0);
}
