// Accounts of a bank.

datatype Result<T> = Success(value: T) | Failure(error: string)

method Withdraw(balance: nat, amount: nat) returns (r: Result<nat>)
  ensures r.Success? <==> amount <= balance
  ensures r.Success? ==> r.value == balance - amount
  ensures r.Failure? ==> r.error == "insufficient funds"
{
  if amount <= balance {
    return Success(balance - amount);
  }
  return Failure("insufficient funds");
}

class Account {
  var balance: nat
  var frozen: bool

  method Deposit(amount: nat)
    requires !frozen
    modifies this
    ensures balance == old(balance) + amount
    ensures frozen == old(frozen)
  {
    balance := balance + amount;
  }

  method Transfer(to: Account, amount: nat) returns (done: bool)
    requires to != this
    modifies this, to
    ensures done <==> old(!frozen && !to.frozen && amount <= balance)
    ensures done ==> balance == old(balance) - amount && to.balance == old(to.balance) + amount
    ensures !done ==> balance == old(balance) && to.balance == old(to.balance)
    ensures frozen == old(frozen) && to.frozen == old(to.frozen)
  {
    if frozen || to.frozen || amount > balance {
      return false;
    }
    balance := balance - amount;
    to.balance := to.balance + amount;
    return true;
  }
}
