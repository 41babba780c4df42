// refused: 24, 25, 26, 27, 28, 32, 33, 34, 37, 40
module Bank {
  export provides Account, Owner, Money, Rate, Small, Key, Open, Balance, Bank, Same
    reveals Cents
  class Account { var sum: int constructor () { } }
  datatype Owner = Owner(name: string) | Nobody
  newtype Money = x: int | 0 <= x < 1000
  type Rate = x: int | x > 0 witness 1
  type Small(==) = x: int | x > 0 witness 1
  type Key = x: int | x > 7 witness 8
  type Cents = x: int | 0 <= x < 100
  method Open() returns (a: Account, o: Owner, m: Money) {
    a := new Account();
    o := Nobody;
    m := 3;
  }
  function Balance(a: Account): Money { 3 }
  function Bank(o: Owner): Owner { o }
  predicate Same(o: Owner, p: Owner) { o == p }
}
module Client {
  import Bank
  method Ask(a: Bank.Account, o: Bank.Owner, m: Bank.Money, r: Bank.Rate, k: Bank.Key) {
    var x := r + 1;
    var y := m as int;
    var z: Bank.Rate := 3;
    var w := o.(name := "x");
    match o { case Nobody => case Owner(_) => }
  }
  method Find(c: Bank.Cents)
  {
    var i: int := c; var j: Bank.Key := i;
    var none: Bank.Account? := null;
    var b := new Bank.Account();
  }
  predicate Less(a: Bank.Rate, b: Bank.Rate) {
    a < b
  }
  method Go(k: Bank.Key) {
    var a := new int[k];
  }
}
