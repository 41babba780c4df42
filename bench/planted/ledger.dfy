// Double-entry bookkeeping: entries that balance, statements, reversals and the closing of a year. The rules about rounding and
// overdrawing are left to the modules that refine the ledger.

abstract module Ledger {
  datatype Kind = Asset | Liability | Equity | Income | Expense

  datatype Line = Line(account: nat, amount: int)  // Debits are positive, credits negative.

  datatype Entry = Entry(day: nat, lines: seq<Line>)

  datatype Outcome = Posted(number: nat) | Unbalanced | UnknownAccount | PeriodClosed | Overdrawn(account: nat) | AlreadyReversed

  // Rounds a fraction to a whole number.
  function Rounded(numerator: nat, denominator: nat): nat
    requires denominator > 0

  predicate Allowed(kind: Kind, balance: int)

  function Sum(lines: seq<Line>): int {
    if lines == [] then 0 else lines[0].amount + Sum(lines[1..])
  }

  function Change(lines: seq<Line>, account: nat): int {
    if lines == [] then 0
    else (if lines[0].account == account then lines[0].amount else 0) + Change(lines[1..], account)
  }

  // The balance of an account at the end of a day.
  function BalanceAt(entries: seq<Entry>, account: nat, day: nat): int {
    if entries == [] then 0
    else
      var change := if entries[0].day <= day then Change(entries[0].lines, account) else 0;
      change + BalanceAt(entries[1..], account, day)
  }

  function Negated(lines: seq<Line>): seq<Line>
    ensures Sum(Negated(lines)) == -Sum(lines)
    ensures |Negated(lines)| == |lines| && forall i | 0 <= i < |lines| :: Negated(lines)[i].account == lines[i].account
  {
    if lines == [] then [] else [Line(lines[0].account, -lines[0].amount)] + Negated(lines[1..])
  }

  // The interest on a balance for a number of days, at a rate in ten thousandths a year.
  function Interest(balance: nat, rate: nat, days: nat): nat {
    Rounded(balance * rate * days, 3650000)
  }

  // Divides an amount by shares; what rounding leaves goes to the last one.
  function Divided(amount: nat, shares: seq<nat>, total: nat): seq<int>
    requires total > 0
  {
    if shares == [] then []
    else if |shares| == 1 then [amount]
    else
      var part := Rounded(amount * shares[0], total);
      if part <= amount && shares[0] < total then [part] + Divided(amount - part, shares[1..], total - shares[0])
      else [amount] + seq(|shares| - 1, i => 0)
  }

  class Books {
    var kinds: map<nat, Kind>
    var accounts: seq<nat>
    var entries: seq<Entry>
    var balances: map<nat, int>
    var reversed: set<nat>  // The numbers of entries that have been taken back.
    var closed: nat         // The days before this one are closed.

    predicate Known(lines: seq<Line>)
      reads this
    {
      forall l <- lines :: l.account in kinds
    }

    ghost predicate Valid()
      reads this
    {
      && kinds.Keys == balances.Keys
      && (forall a <- accounts :: a in kinds)
      && (forall i, j | 0 <= i < j < |accounts| :: accounts[i] != accounts[j])
      && (forall e <- entries :: Sum(e.lines) == 0 && Known(e.lines))
      && (forall n <- reversed :: n < |entries|)
    }

    constructor ()
      ensures Valid() && entries == [] && kinds == map[] && closed == 0
    {
      kinds, accounts, entries, balances, reversed, closed := map[], [], [], map[], {}, 0;
    }

    method Open(account: nat, kind: Kind)
      requires Valid() && account !in kinds
      modifies this
      ensures Valid() && entries == old(entries) && kinds == old(kinds)[account := kind] && closed == old(closed)
    {
      kinds, balances := kinds[account := kind], balances[account := 0];
      accounts := accounts + [account];
    }

    method Post(e: Entry) returns (o: Outcome)
      requires Valid()
      modifies this
      ensures Valid() && kinds == old(kinds) && closed == old(closed)
      ensures o.Posted? ==> o.number == |old(entries)| && entries == old(entries) + [e]
      ensures !o.Posted? ==> entries == old(entries) && balances == old(balances)
    {
      if e.day < closed {
        return PeriodClosed;
      }
      if Sum(e.lines) != 0 {
        return Unbalanced;
      }
      if !Known(e.lines) {
        return UnknownAccount;
      }
      for i := 0 to |e.lines| {
        var account := e.lines[i].account;
        if !Allowed(kinds[account], balances[account] + Change(e.lines, account)) {
          return Overdrawn(account);
        }
      }
      for i := 0 to |e.lines|
        invariant Valid() && kinds == old(kinds) && closed == old(closed) && entries == old(entries)
      {
        var l := e.lines[i];
        balances := balances[l.account := balances[l.account] + l.amount];
      }
      o := Posted(|entries|);
      entries := entries + [e];
    }

    // Takes an entry back by another one, once. The other one may be taken back in turn.
    method Reverse(number: nat, day: nat) returns (o: Outcome)
      requires Valid() && number < |entries|
      modifies this
      ensures Valid() && kinds == old(kinds)
      ensures o.Posted? ==> |entries| == |old(entries)| + 1
    {
      if number in reversed {
        return AlreadyReversed;
      }
      o := Post(Entry(day, Negated(entries[number].lines)));
      if o.Posted? {
        reversed := reversed + {number};
      }
    }

    // Closes the days up to this one: what income and expenses have come to is carried to an account of equity.
    method Close(day: nat, equity: nat) returns (o: Outcome)
      requires Valid() && equity in kinds && kinds[equity].Equity? && day >= closed
      modifies this
      ensures Valid() && kinds == old(kinds)
      ensures o.Posted? ==> closed == day + 1
    {
      var lines, total := [], 0;
      for i := 0 to |accounts|
        invariant Sum(lines) == -total && Known(lines)
      {
        var a := accounts[i];
        if kinds[a].Income? || kinds[a].Expense? {
          var balance := BalanceAt(entries, a, day);
          if balance != 0 {
            lines, total := [Line(a, -balance)] + lines, total + balance;
          }
        }
      }
      o := Post(Entry(day, [Line(equity, total)] + lines));
      if o.Posted? {
        closed := day + 1;
      }
    }

    // The balance before the first day, and each change from then to the last day with the balance after it.
    method Statement(account: nat, first: nat, last: nat) returns (opening: int, rows: seq<(nat, int, int)>)
      requires Valid() && first <= last
      ensures |rows| <= |entries|
    {
      opening := if first == 0 then 0 else BalanceAt(entries, account, first - 1);
      rows := [];
      var balance := opening;
      for i := 0 to |entries|
        invariant |rows| <= i
      {
        var change := Change(entries[i].lines, account);
        if first <= entries[i].day <= last && change != 0 {
          balance := balance + change;
          rows := rows + [(entries[i].day, change, balance)];
        }
      }
    }
  }
}

// A household rounds halves up and has no debts.
module Household refines Ledger {
  function Rounded(numerator: nat, denominator: nat): nat {
    (2 * numerator + denominator) / (2 * denominator)
  }

  predicate Allowed(kind: Kind, balance: int) {
    kind.Asset? ==> balance >= 0
  }
}

// A bank rounds halves to even numbers; what it owes to a customer may become a claim within a limit.
module Bank refines Ledger {
  const limit := 500

  function Rounded(numerator: nat, denominator: nat): nat {
    var whole, rest := numerator / denominator, numerator % denominator;
    if 2 * rest < denominator then whole
    else if 2 * rest > denominator then whole + 1
    else whole + whole % 2
  }

  predicate Allowed(kind: Kind, balance: int) {
    match kind
    case Asset => balance >= 0
    case Liability => balance <= limit
    case Equity | Income | Expense => true
  }
}
