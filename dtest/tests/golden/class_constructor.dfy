class Account {
  var balance: int
  const owner: string

  constructor (owner: string, balance: int)
    ensures this.owner == owner && this.balance == balance
  {
    this.owner, this.balance := owner, balance;
  }
}
