class Dice {
  function Roll(n: nat): int
    reads this
}

method Wins(d: Dice) returns (won: bool) {
  won := d.Roll(0) > d.Roll(1);
}
