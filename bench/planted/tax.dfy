// Income tax: brackets, deductions, gains and losses that are carried over, credits that shrink
// with the income, instalments.
module Tax {
  datatype Status = Single | Married

  datatype Bracket = Bracket(floor: nat, percent: nat)

  datatype Item =
    | Wage(amount: nat, withheld: nat)
    | Business(profit: int)
    | Gain(profit: int, years: nat)
    | Expense(amount: nat, medical: bool)
    | Child(age: nat)

  datatype Sums = Sums(income: int, withheld: nat, short: int, long: int, medical: nat, other: nat, young: nat, children: nat)

  datatype Bill = Bill(taxable: nat, tax: nat, refund: int, carried: nat)

  predicate Ascending(bs: seq<Bracket>) {
    forall i, j :: 0 <= i < j < |bs| ==> bs[i].floor < bs[j].floor
  }

  function Max(a: int, b: int): int {
    if a < b then b else a
  }

  function Min(a: int, b: int): int {
    if a < b then a else b
  }

  // The tax in hundredths of the currency: each part of the income at the rate of its bracket.
  function InBrackets(bs: seq<Bracket>, income: nat): nat
    requires Ascending(bs)
  {
    if |bs| == 0 then 0
    else
      var b := bs[|bs| - 1];
      var above := if income > b.floor then income - b.floor else 0;
      above * b.percent + InBrackets(bs[..|bs| - 1], income - above)
  }

  // The rate at which the next unit is taxed.
  function Marginal(bs: seq<Bracket>, income: nat): nat {
    if |bs| == 0 then 0
    else if income >= bs[|bs| - 1].floor then bs[|bs| - 1].percent
    else Marginal(bs[..|bs| - 1], income)
  }

  function Empty(): Sums {
    Sums(0, 0, 0, 0, 0, 0, 0, 0)
  }

  function Add(s: Sums, i: Item): Sums {
    match i
    case Wage(a, w) => s.(income := s.income + a, withheld := s.withheld + w)
    case Business(p) => s.(income := s.income + p)
    case Gain(p, y) => if y >= 1 then s.(long := s.long + p) else s.(short := s.short + p)
    case Expense(a, m) => if m then s.(medical := s.medical + a) else s.(other := s.other + a)
    case Child(a) =>
      var t := s.(children := s.children + 1);
      if a < 6 then t.(young := t.young + 1) else t
  }

  function Sum(items: seq<Item>): Sums {
    if |items| == 0 then Empty()
    else Add(Sum(items[..|items| - 1]), items[|items| - 1])
  }

  // The gains that are taxed as income, those that have a rate of their own, and the loss.
  function Net(short: int, long: int): (nat, nat, nat) {
    if short >= 0 && long >= 0 then (short, long, 0)
    else if short + long < 0 then (0, 0, -(short + long))
    else if short < 0 then (0, short + long, 0)
    else (short + long, 0, 0)
  }

  // The credit for children, less 5 for each 100 or part of it above the threshold.
  function Credit(s: Status, children: nat, young: nat, income: int): nat {
    var full := children * 200 + young * 160;
    var threshold := if s == Married then 15000 else 7500;
    var excess := if income > threshold then income - threshold else 0;
    var steps := (excess + 99) / 100;
    if full > 5 * steps then full - 5 * steps else 0
  }

  class Taxpayer {
    const brackets: seq<Bracket>
    var status: Status
    // Losses of earlier years.
    var carried: nat
    // Payments in advance for the current year, and the tax of the last one.
    var paid: seq<nat>
    var lastTax: nat

    constructor (brackets: seq<Bracket>, status: Status)
      requires Ascending(brackets)
      ensures this.brackets == brackets && this.status == status
      ensures Valid()
    {
      this.brackets := brackets;
      this.status := status;
      carried := 0;
      paid := [];
      lastTax := 0;
    }

    predicate Valid()
      reads this
    {
      Ascending(brackets) && |paid| <= 4
    }

    method Marry()
      requires Valid()
      modifies this
      ensures Valid() && status == Married
    {
      status := Married;
    }

    // What is due in advance for this quarter: a quarter of the last tax, and what earlier
    // quarters lack.
    method Due() returns (n: nat)
      requires Valid()
      ensures Valid()
    {
      var due := (|paid| + 1) * lastTax / 4;
      var already := 0;
      for i := 0 to |paid|
        invariant already >= 0
      {
        already := already + paid[i];
      }
      n := if due > already then due - already else 0;
    }

    method Pay(n: nat) returns (ok: bool)
      requires Valid()
      modifies this
      ensures Valid()
    {
      ok := |paid| < 4;
      if ok {
        paid := paid + [n];
      }
    }

    function Total(ns: seq<nat>): nat {
      if |ns| == 0 then 0 else ns[0] + Total(ns[1..])
    }

    // Ends the year.
    method File(items: seq<Item>) returns (b: Bill)
      requires Valid()
      modifies this
      ensures Valid()
    {
      var s := Sum(items);
      var (short, long, loss) := Net(s.short - carried, s.long);
      // At most 300 of a loss reduce other income.
      var used := Min(loss, 300);
      var income := s.income + short - used;
      var medical := Max(s.medical - Max(income, 0) * 7 / 100, 0);
      var standard := if status == Married then 2400 else 1200;
      var deduction := Max(standard, medical + Min(s.other, 1000));
      var taxable := Max(income - deduction, 0);
      // Long gains have a flat rate, but for the part that the deduction leaves over.
      var spare := Max(deduction - Max(income, 0), 0);
      var flat := Max(long - spare, 0) * 15;
      var gross := InBrackets(brackets, if status == Married then taxable / 2 else taxable);
      if status == Married {
        gross := 2 * gross;
      }
      var tax := (gross + flat + 50) / 100;
      var credit := Credit(status, s.children, s.young, income + long);
      var net := Max(tax - credit, 0);
      // A part of the credit is paid out.
      var extra := Min(credit - Min(credit, tax), 140 * s.children);
      var prepaid := s.withheld + Total(paid);
      b := Bill(taxable, net, prepaid + extra - net, loss - used);
      carried := loss - used;
      lastTax := net;
      paid := [];
    }
  }
}
