// accepted
module Bank {
  export provides Account, Owner, Money, Open, Balance, Zero, Apply, Limit, Account.Tell reveals Kind
  class Account { var sum: int constructor () { } method Tell() { } }
  datatype Owner = Owner(name: string) | Nobody
  datatype Kind = Old | New
  newtype Money = x: int | 0 <= x < 1000
  const Limit: Money := 999
  method Open(n: nat, first: Money := Limit) returns (a: Account, o: Owner, m: Money) { a := new Account(); o := Nobody; m := first; }
  function Balance(a: Account, k: Kind): Money { if k == Old then 3 else 4 }
  function Zero(): Money { 0 }
  function Apply(f: Money -> Money, ms: seq<Money>): seq<Money> { if ms == [] then [] else [f(ms[0])] + Apply(f, ms[1..]) }
}
module Client {
  import opened Bank
  class Holder { var account: Account var owner: Owner constructor (a: Account, o: Owner) { account, owner := a, o; } }
  method Use() {
    var a, o, m := Open(3);
    var h := new Holder(a, o);
    h.account.Tell();
    var ms: seq<Money> := [m, Zero(), Limit];
    var n := if |ms| > 2 then ms[0] else Balance(a, New);
    ms := Apply(x => x, ms);
    var f: Money -> Money := x => Zero();
    var pair := (a, o);
    var (b, p) := pair;
    match New case Old => case New =>
    var arr: array<Money> := new Money[3](_ => m);
    arr[0] := Zero();
    var known: map<int, Owner> := map[1 := o];
    assert m == m && a == a;
  }
}
// Whoever also imports what reveals, sees it.
module Full {
  export Names provides T, Make
  export All reveals T provides Make
  datatype T = A | B
  function Make(): T { A }
}
module Both {
  import F = Full`Names
  import G = Full`All
  function Is(): bool { F.Make() == G.A && F.Make().A? }
}
// A synonym may promise what the type behind it does not.
module Colors {
  export provides Known
  datatype Paint = Blue | Red
  type Known(==) = Paint
}
module Painter { import Colors method Compare(a: Colors.Known, b: Colors.Known) returns (r: bool) { r := a == b; } }
