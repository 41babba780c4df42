method Halved(n: nat, ghost bound: nat) returns (r: nat)
  requires n <= bound
  ensures r <= bound
{
  r := n / 2;
}
