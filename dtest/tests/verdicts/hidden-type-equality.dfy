// refused: 10, 11, 14
module Bank {
  export provides Owner, Small, Key, Account reveals Cents
  class Account { }
  datatype Owner = Owner(name: string) | Nobody
  type Small(==) = x: int | x > 0 witness 1
  type Key = x: int | x > 7 witness 8
  type Cents = x: int | 0 <= x < 100
}
module Client { import Bank method Ask(o: Bank.Owner, p: Bank.Owner) returns (b: bool) { b := o == p; }
  method Keys(ks: set<Bank.Key>) { }
  method Smalls(ks: set<Bank.Small>, cs: set<Bank.Cents>, s: Bank.Small) returns (b: bool) { b := s in ks; }
  method Accounts(a: Bank.Account, b: Bank.Account) returns (r: bool) { r := a == b; }
  datatype Book = Book(m: map<Bank.Owner, int>)
  ghost predicate Proof(o: Bank.Owner, p: Bank.Owner) { o == p && o in {p} }
  lemma Always(o: Bank.Owner, ks: set<Bank.Key>) { }
}
