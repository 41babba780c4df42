/** An order book: what methods make lies in sequences, maps, sets, tuples and datatypes. */
class Order {
  var id: nat
  var amount: int
  var next: Order?

  constructor (id: nat, amount: int, next: Order?)
    ensures this.id == id && this.amount == amount && this.next == next
  {
    this.id := id;
    this.amount := amount;
    this.next := next;
  }
}

datatype Answer = Rejected(reason: string) | Accepted(order: Order, fee: int)

trait Priced {
  method Price() returns (price: int)
}

class Parcel extends Priced {
  var weight: int

  constructor (weight: int)
    ensures this.weight == weight
  {
    this.weight := weight;
  }

  method Price() returns (price: int) {
    price := 3 * weight + 2;
  }
}

/** The first order is in the sequence twice. */
method Split(amount: int) returns (orders: seq<Order>) {
  var first := new Order(1, amount / 2, null);
  var second := new Order(2, amount - amount / 2, first);
  orders := [first, second, first];
}

method Accept(amount: int) returns (answer: Answer) {
  if amount <= 0 {
    answer := Rejected("nothing to pay");
  } else {
    var order := new Order(7, amount, null);
    answer := Accepted(order, amount / 10);
  }
}

method ByName(amount: int) returns (orders: map<string, Order>, least: (Order, int)) {
  var near := new Order(1, amount, null);
  var far := new Order(2, amount + 1, near);
  orders := map["near" := near, "far" := far];
  least := (near, amount);
}

method Pool(amount: int) returns (orders: set<Order>) {
  var one := new Order(1, amount, null);
  var other := new Order(2, amount + 5, null);
  orders := {one, other};
}

method Wrap(weight: int) returns (parcel: Priced) {
  parcel := new Parcel(weight);
}

method Mirror(values: array<int>) returns (copy: array<int>)
  ensures copy.Length == values.Length
{
  copy := new int[values.Length];
  for i := 0 to values.Length {
    copy[i] := values[i];
  }
}

class Book {
  var orders: seq<Order>

  constructor ()
    ensures orders == []
  {
    orders := [];
  }

  method Enter(amount: int)
    modifies this
  {
    var order := new Order(|orders|, amount, null);
    orders := orders + [order];
  }
}

datatype Span = Span(low: int, high: int)
ghost predicate Ordered(spans: seq<Span>) { forall i :: 0 <= i < |spans| ==> spans[i].low < spans[i].high }
type Spans = spans: seq<Span> | Ordered(spans) witness []

function Widen(spans: Spans): Spans {
  if |spans| == 0 then [Span(0, 1)] else spans
}

method Quiet(level: int) {
  if level > 3 {
    return;
  }
}

datatype Rule = Rule(name: string, holds: int -> bool)

method Rules(limit: int) returns (rules: seq<Rule>) {
  rules := [Rule("above", x => x > limit), Rule("never", x => false)];
}
