trait Valued {
  function Value(): int
}

class Coin extends Valued {
  constructor () {
  }

  function Value(): int {
    5
  }
}

method Total(c: Coin) returns (r: int) {
  var v: Valued := c;
  r := v.Value() + c.Value();
}
