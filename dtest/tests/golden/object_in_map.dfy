class Cell {
  var value: int
}

method Lookup(m: map<int, Cell>) returns (r: int)
  requires 1 in m
{
  r := m[1].value;
}
