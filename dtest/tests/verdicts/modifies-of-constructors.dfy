// refused: 4, 5, 6, 8, 10
class C {
  var x: int
  constructor E() requires this != null modifies this { x := 1; }
  constructor F() ensures true decreases x modifies this.d { x := 1; }
  constructor G() reads this { x := 1; }
  ghost constructor H() modifies this { x := 1; }
  constructor I() modifies (this) { x := 1; }
  constructor J() modifies `x { x := 1; }
  constructor K() modifies [this] { x := 1; }
  var d: C?
}
