// refused: 6, 11, 14, 16, 18, 22, 23, 24, 32, 36, 42
class Account {
  const limit: int := 10
  const owner: int
  var balance: int
  constructor Limits() { limit := 3; owner := 4; new; }

  constructor Late(b: bool) {
    owner := 3;
    new;
    owner := 4;
  }
  constructor Asks()
    requires balance == 0 { }
  constructor Measured()
    decreases balance { }
  constructor Leaves(b: bool)
  { if b { return; } new; return; }
  method Give() returns (amount: int) { amount := 1; }
  function Zero(): int { 0 }
  method Calls(other: Account) {
    other.Leaves(true);
    var a := new Account.Zero();
    var b := new Account.Give();
    var c := new Account.Leaves(true);
  }
  constructor Fine() ensures balance == 0 { balance := 0; }
}

class Plain { var x: int method Init() modifies this { x := 1; } }

method Makes() { var p := new Plain(); }

class Settled { const k: int constructor () { k := 1; } method Set() modifies this { } }

method Sets(s: Settled) { s.k := 2; }

method Allowed() returns (p: Plain) { p := new Plain; p := new Plain.Init(); var s := new Settled(); return new Plain; }

iterator Numbers(n: nat) yields (x: int)
{
  xs := [];
  yield 1;
}
