// refused: 3, 4, 5
method M(p: (nat, ghost bool)) {
  var plain: (nat, bool) := p;
  var other: (ghost nat, bool) := (1, true);
  var third: (int, ghost int) := if p.0 == 1 then (1, ghost 2) else (1, 2);
  var fine: (int, ghost bool) := p;
  fine := (-1, ghost false);
}
