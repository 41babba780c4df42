// refused: 9, 12, 20, 24, 35, 39, 40, 43, 44
class Cell {
  var data: int
  ghost var model: int
  ghost const fixed: int

  ghost method Ghostly()
    modifies `model
    modifies `data
  {
    modify `model;
    modify `data;
  }

  method Compiled(n: nat)
    modifies this
  {
    modify `data;
    if model < 10 {
      modify `data;
    }
    ghost var i := 0;
    while i < n
      modifies `data
    {
      i := i + 1;
    }
    var j := 0;
    while j < n modifies `data { j := j + 1; }
  }

  method SuchThat() {
    ghost var b: bool, k: int, l: int;
    var m: int;
    k, m :| 0 <= k < m;
    k, l :| 0 <= k < l;
    m :| m == 3;
    if b {
      m :| m < 10;
      k, m :| 0 <= k < m;
    }
    while b
      invariant model == 3 { m :| m == 1; }
    for x := 0 to model { m :| m == 2; }
  }
}
