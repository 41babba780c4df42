class Account {
  var balance: int
  constructor Empty() {
    balance := 0;
  }
}
method Open() {
  var a := new Account;
}
