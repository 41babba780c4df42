// refused: 8, 15
class Cell { ghost var n: int }
method Reset(cells: set<Cell>)
  modifies cells
{
  assert true
  by {
    forall c <- cells
    { c.n := 0; }
  }
  calc {
    1;
    {
      ghost var k := 0;
      forall c <- cells
      { c.n := 0; }
    }
    1;
  }
}
