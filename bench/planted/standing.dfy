// Standing orders of a bank: schedules behind a trait, accounts with overdrafts, runs day by day with retries, and lists of what is
// to come. Days are counted from the first of January of year 0; there are no leap years.

datatype Amount = Fixed(cents: nat) | AllAbove(cents: nat)

datatype Status = Active | Suspended | Ended

datatype Entry = Entry(day: nat, order: nat, cents: nat, ok: bool)

datatype Standing = Standing(
  id: nat, from: nat, to: nat, amount: Amount, schedule: Schedule, due: nat, tries: nat, left: nat, status: Status)

const Lengths: seq<nat> := [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function MonthLength(month: nat): nat
  ensures 28 <= MonthLength(month) <= 31
{
  Lengths[month % 12]
}

// The day at which a month begins; months are counted through all years.
function MonthStart(month: nat): nat {
  if month == 0 then 0
  else if month % 12 == 0 then 365 * (month / 12)
  else MonthStart(month - 1) + MonthLength(month - 1)
}

// The month of a day and the day within it, which counts from zero.
method MonthOf(day: nat) returns (month: nat, rest: nat)
  ensures rest <= day
{
  month, rest := day / 365 * 12, day % 365;
  while rest >= MonthLength(month)
    invariant rest <= day
    decreases rest
  {
    rest := rest - MonthLength(month);
    month := month + 1;
  }
}

trait Schedule {
  // The first day after `day` on which the order is due.
  method Next(day: nat) returns (next: nat)
    ensures next > day
}

// Every so many weeks on a day of the week; day 0 is day 0 of a week.
class Weekly extends Schedule {
  const weekday: nat
  const every: nat

  constructor (weekday: nat, every: nat)
    ensures this.weekday == weekday && this.every == every
  {
    this.weekday, this.every := weekday, every;
  }

  method Next(day: nat) returns (next: nat)
    ensures next > day
  {
    var w := weekday % 7;
    var steps := if every == 0 then 1 else every;
    if day % 7 == w {
      next := day + 7 * steps;
    } else {
      next := day + (w + 7 - day % 7) % 7;
      if next <= day { next := day + 7; }
    }
  }
}

// On a day of the month, which counts from one, or on the last day of a month that is shorter.
class Monthly extends Schedule {
  const dayOfMonth: nat
  const every: nat

  constructor (dayOfMonth: nat, every: nat)
    ensures this.dayOfMonth == dayOfMonth && this.every == every
  {
    this.dayOfMonth, this.every := dayOfMonth, every;
  }

  function In(month: nat): nat {
    MonthStart(month) + (if dayOfMonth == 0 then 1 else if dayOfMonth > MonthLength(month) then MonthLength(month) else dayOfMonth) - 1
  }

  method Next(day: nat) returns (next: nat)
    ensures next > day
  {
    var month, rest := MonthOf(day);
    next := In(month);
    if next == day {
      next := In(month + (if every == 0 then 1 else every));
    } else if next < day {
      next := In(month + 1);
    }
    if next <= day { next := day + 1; }
  }
}

class Account {
  const number: nat
  const overdraft: nat
  var balance: int
  var moved: nat

  ghost predicate Valid()
    reads this
  {
    balance >= -(overdraft as int)
  }

  constructor (number: nat, overdraft: nat, balance: nat)
    ensures Valid() && this.number == number && this.balance == balance && this.overdraft == overdraft && moved == 0
  {
    this.number, this.overdraft, this.balance, moved := number, overdraft, balance, 0;
  }

  function Available(): nat
    requires Valid()
    reads this
  {
    balance + overdraft
  }
}

class Bank {
  var accounts: seq<Account>
  var orders: seq<Standing>
  var log: seq<Entry>
  var today: nat
  const retries: nat
  const fee: nat
  ghost var Repr: set<object>

  ghost predicate Valid()
    reads this, Repr
  {
    this in Repr
    && (forall a <- accounts :: a in Repr && a.Valid())
    && (forall i, j | 0 <= i < j < |accounts| :: accounts[i] != accounts[j])
    && (forall o <- orders :: o.from < |accounts| && o.to < |accounts| && o.from != o.to)
  }

  constructor (retries: nat, fee: nat)
    ensures Valid() && fresh(Repr) && accounts == [] && orders == [] && log == [] && today == 0
    ensures this.retries == retries && this.fee == fee
  {
    this.retries, this.fee := retries, fee;
    accounts, orders, log, today := [], [], [], 0;
    Repr := {this};
  }

  method Open(overdraft: nat, balance: nat) returns (number: nat)
    requires Valid()
    modifies this
    ensures Valid() && fresh(Repr - old(Repr)) && number == |old(accounts)| && |accounts| == number + 1
    ensures orders == old(orders) && log == old(log)
  {
    number := |accounts|;
    var a := new Account(number, overdraft, balance);
    accounts := accounts + [a];
    Repr := Repr + {a};
  }

  // A new order, `times` times or without end if that is 0.
  method Order(from: nat, to: nat, amount: Amount, schedule: Schedule, times: nat) returns (id: nat)
    requires Valid() && from < |accounts| && to < |accounts| && from != to
    modifies this
    ensures Valid() && Repr == old(Repr) && id == |old(orders)| && |orders| == id + 1 && accounts == old(accounts)
  {
    id := |orders|;
    var due := schedule.Next(today);
    orders := orders + [Standing(id, from, to, amount, schedule, due, 0, times, Active)];
  }

  // What an order would move now.
  function Wanted(o: Standing): nat
    requires Valid() && o.from < |accounts|
    reads this, Repr
  {
    match o.amount
    case Fixed(c) => c
    case AllAbove(c) => if accounts[o.from].balance > c then accounts[o.from].balance - c else 0
  }

  method Transfer(from: Account, to: Account, cents: nat)
    requires Valid() && from in accounts && to in accounts && from != to && cents <= from.Available()
    modifies from, to
    ensures Valid() && from.balance == old(from.balance) - cents && to.balance == old(to.balance) + cents
  {
    from.balance, from.moved := from.balance - cents, from.moved + cents;
    to.balance, to.moved := to.balance + cents, to.moved + cents;
  }

  // Executes an order that is due: if there is not enough money, it is tried again on the next day, and after too many tries the
  // bank takes a fee as far as there is money, and suspends the order.
  method Execute(i: nat)
    requires Valid() && i < |orders|
    modifies Repr
    ensures Valid() && Repr == old(Repr) && |orders| == |old(orders)| && accounts == old(accounts)
    ensures |log| == |old(log)| + 1 && today == old(today)
  {
    var o := orders[i];
    var source, target := accounts[o.from], accounts[o.to];
    var cents := Wanted(o);
    if cents <= source.Available() {
      Transfer(source, target, cents);
      log := log + [Entry(today, o.id, cents, true)];
      var left := if o.left == 0 then 0 else o.left - 1;
      var planned := o.due - (if o.tries <= o.due then o.tries else o.due);
      var due := o.schedule.Next(planned);
      if due <= today { due := today + 1; }
      var last := o.left == 1;
      orders := orders[i := o.(due := due, tries := 0, left := left, status := if last then Ended else Active)];
    } else if o.tries < retries {
      log := log + [Entry(today, o.id, cents, false)];
      orders := orders[i := o.(due := today + 1, tries := o.tries + 1)];
    } else {
      log := log + [Entry(today, o.id, cents, false)];
      var f := if fee <= source.Available() then fee else source.Available();
      source.balance := source.balance - f;
      orders := orders[i := o.(tries := 0, status := Suspended)];
    }
  }

  // Goes on to a day; the orders of a day run in the order of their numbers.
  method Advance(day: nat)
    requires Valid()
    modifies Repr
    ensures Valid() && Repr == old(Repr) && accounts == old(accounts)
  {
    while today < day
      invariant Valid() && Repr == old(Repr) && accounts == old(accounts)
      decreases day - today
    {
      var now := today + 1;
      today := now;
      var count := |orders|;
      for i := 0 to count
        invariant Valid() && Repr == old(Repr) && accounts == old(accounts) && today == now
        invariant |orders| == count
      {
        if orders[i].status == Active && orders[i].due <= today {
          Execute(i);
        }
      }
    }
  }

  method Resume(id: nat) returns (ok: bool)
    requires Valid()
    modifies this
    ensures Valid() && Repr == old(Repr) && accounts == old(accounts) && log == old(log)
  {
    ok := id < |orders| && orders[id].status == Suspended;
    if ok {
      var due := orders[id].schedule.Next(today);
      orders := orders[id := orders[id].(due := due, status := Active)];
    }
  }

  // The days after today on which an order will run, up to a day.
  method Preview(id: nat, until: nat) returns (days: seq<nat>)
    requires Valid() && id < |orders|
    ensures forall d <- days :: d <= until
  {
    days := [];
    var o := orders[id];
    if o.status != Active { return; }
    var day := o.due;
    while day <= until && (o.left == 0 || |days| < o.left)
      invariant forall d <- days :: d <= until
      decreases until - day
    {
      days := days + [day];
      day := o.schedule.Next(day);
    }
  }
}
