class Account {
  constructor () returns (n: int) {}
}
