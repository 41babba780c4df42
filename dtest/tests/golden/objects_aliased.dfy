class Cell {
  var value: int
}

method Move(from: Cell, to: Cell)
  requires from.value > 0
  modifies from, to
{
  from.value := from.value - 1;
  to.value := to.value + 1;
  if from == to {
    print "same\n";
  }
}
