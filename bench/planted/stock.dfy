// A stock exchange: limit orders in two books, matching by price and time, cancellation, depth, and a text form of orders.

datatype Side = Buy | Sell

datatype Order = Order(id: nat, side: Side, price: nat, amount: nat)

datatype Trade = Trade(buyer: nat, seller: nat, price: nat, amount: nat)

datatype Level = Level(price: nat, amount: nat)

datatype Parsed = Done(order: Order, rest: string) | Bad(at: nat)

// Whether order `a` comes before order `b` in the book of a side: the better price first, the earlier of equal prices first.
predicate Better(side: Side, a: nat, b: nat) {
  if side.Buy? then a > b else a < b
}

function Enter(book: seq<Order>, o: Order): seq<Order>
  ensures |Enter(book, o)| == |book| + 1
{
  if book == [] then [o]
  else if Better(o.side, o.price, book[0].price) then [o] + book
  else [book[0]] + Enter(book[1..], o)
}

function Depth(book: seq<Order>): seq<Level> {
  if book == [] then []
  else
    var rest := Depth(book[1..]);
    if rest != [] && rest[0].price == book[0].price
    then [Level(rest[0].price, rest[0].amount + book[0].amount)] + rest[1..]
    else [Level(book[0].price, book[0].amount)] + rest
}

function Volume(trades: seq<Trade>): nat {
  if trades == [] then 0 else trades[0].price * trades[0].amount + Volume(trades[1..])
}

function Digits(n: nat): string {
  if n < 10 then ["0123456789"[n]] else Digits(n / 10) + ["0123456789"[n % 10]]
}

function Show(o: Order): string {
  (if o.side.Buy? then "B" else "S") + Digits(o.price) + "x" + Digits(o.amount) + ";"
}

function ShowAll(orders: seq<Order>): string {
  if orders == [] then "" else Show(orders[0]) + ShowAll(orders[1..])
}

predicate IsDigit(c: char) { '0' <= c <= '9' }

// The number at the beginning of a text and the place behind it.
method Number(text: string, from: nat) returns (value: nat, next: nat)
  requires from <= |text|
  ensures from <= next <= |text|
{
  value, next := 0, from;
  while next < |text| && IsDigit(text[next])
    invariant from <= next <= |text|
  {
    value := 10 * value + (text[next] as int - '0' as int);
    next := next + 1;
  }
}

method Read(text: string, id: nat) returns (p: Parsed)
{
  if text == "" || (text[0] != 'B' && text[0] != 'S') {
    return Bad(0);
  }
  var price, at := Number(text, 1);
  if at == 1 || at == |text| || text[at] != 'x' {
    return Bad(at);
  }
  var amount, end := Number(text, at + 1);
  if end == at + 1 || end == |text| || text[end] != ';' {
    return Bad(end);
  }
  p := Done(Order(id, if text[0] == 'B' then Buy else Sell, price, amount), text[end + 1..]);
}

method ReadAll(text: string) returns (orders: seq<Order>, ok: bool)
{
  orders, ok := [], true;
  var rest := text;
  var fuel := |text|;
  while ok && rest != "" && fuel > 0
    decreases fuel
  {
    var p := Read(rest, |orders|);
    match p {
      case Done(o, r) => orders, rest := orders + [o], r;
      case Bad(_) => ok := false;
    }
    fuel := fuel - 1;
  }
}

class Exchange {
  var bids: seq<Order>
  var asks: seq<Order>
  var trades: seq<Trade>
  var next: nat

  constructor ()
    ensures bids == [] && asks == [] && trades == [] && next == 0
  {
    bids, asks, trades, next := [], [], [], 0;
  }

  // Trades what can be traded, and enters the rest into the book.
  method Submit(side: Side, price: nat, amount: nat) returns (id: nat, filled: nat)
    modifies this
    ensures filled <= amount
    ensures next == old(next) + 1 && id == old(next)
  {
    id, next := next, next + 1;
    filled := 0;
    var against := if side.Buy? then asks else bids;
    var i := 0;
    var done: seq<Trade> := [];
    while i < |against| && filled < amount && (if side.Buy? then against[i].price <= price else against[i].price >= price)
      invariant filled <= amount && i <= |against|
      invariant next == old(next) + 1 && id == old(next)
      decreases |against| - i, amount - filled
    {
      var o := against[i];
      var left := amount - filled;
      var n := if o.amount <= left then o.amount else left;
      done := done + [if side.Buy? then Trade(id, o.id, o.price, n) else Trade(o.id, id, o.price, n)];
      filled := filled + n;
      if n == o.amount {
        i := i + 1;
      } else {
        against := against[i := o.(amount := o.amount - n)];
      }
    }
    against := against[i..];
    if side.Buy? {
      asks := against;
    } else {
      bids := against;
    }
    trades := trades + done;
    if filled < amount {
      var o := Order(id, side, price, amount - filled);
      if side.Buy? {
        bids := Enter(bids, o);
      } else {
        asks := Enter(asks, o);
      }
    }
  }

  method Cancel(id: nat) returns (found: bool)
    modifies this
    ensures trades == old(trades)
  {
    found := false;
    var b := Position(bids, id);
    if b < |bids| {
      bids, found := bids[..b] + bids[b + 1..], true;
      return;
    }
    var a := Position(asks, id);
    if a < |asks| {
      asks, found := asks[..a] + asks[a + 1..], true;
    }
  }

  function Spread(): int
    reads this
  {
    if bids == [] || asks == [] then -1 else asks[0].price - bids[0].price
  }
}

function Position(book: seq<Order>, id: nat): nat
  ensures Position(book, id) <= |book|
{
  if book == [] || book[0].id == id then 0 else 1 + Position(book[1..], id)
}
