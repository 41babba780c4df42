method Countdown(n: nat) returns (s: seq<nat>) {
  s := [];
  for i := n downto 0 {
    s := s + [i];
  }
}
