class Sensor {
  const id: int

  function Read(channel: int): int
}

method {:synthesize} Fixed(n: int) returns (s: Sensor)
  ensures fresh(s)
  ensures s.id == 1
  ensures forall c :: s.Read(c) == n

method Use(n: int) returns (r: int) {
  var s := Fixed(n);
  r := s.Read(s.id);
}
