trait Shape {
  function Area(): int

  function Doubled(): int {
    2 * Area()
  }
}

class Square extends Shape {
  const side: int

  constructor (side: int)
    ensures this.side == side
  {
    this.side := side;
  }

  function Area(): int {
    side * side
  }
}
