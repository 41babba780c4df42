// refused: 9, 10, 11, 12, 13, 14, 15, 17
class Cell { var value: int method Set() { } ghost opaque function Get(): int { 3 } opaque const Fixed := 3 }
datatype D = D(d: int)

method M(p: int)
  requires P: p == 3
{
  var c := new Cell;
  reveal M();
  hide M;
  reveal p;
  reveal 0;
  reveal (P);
  reveal c.value;
  reveal D;
  reveal c.Get(), Cell.Get, c.Fixed, P; hide *;
  reveal Cell.Set;
  hide Function;
}
opaque function Function(): int { 3 }
