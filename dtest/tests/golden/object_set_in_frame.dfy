class Cell {
  var value: int
}

method Clear(cells: set<Cell>)
  modifies cells
  ensures forall c | c in cells :: c.value == 0
{
  forall c | c in cells {
    c.value := 0;
  }
}
