class Cell {
  var value: int

  twostate predicate Grown() reads this {
    old(value) < value
  }

  method Grow() modifies this ensures Grown() {
    value := value + 1;
  }
}
