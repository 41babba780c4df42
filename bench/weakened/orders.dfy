// Orders of a shop: records in sequences.

datatype Order = Order(id: nat, price: nat, amount: nat)

function Sum(orders: seq<Order>): nat {
  if |orders| == 0 then 0
  else Sum(orders[..|orders| - 1]) + orders[|orders| - 1].price * orders[|orders| - 1].amount
}

method Total(orders: seq<Order>) returns (sum: nat)
  ensures sum == Sum(orders)
{
  sum := 0;
  for i := 0 to |orders|
    invariant sum == Sum(orders[..i])
  {
    assert orders[..i + 1][..i] == orders[..i];
    sum := sum + orders[i].price * orders[i].amount;
  }
  assert orders[..|orders|] == orders;
}

method Cheapest(orders: seq<Order>) returns (best: nat)
  requires |orders| > 0
  ensures best < |orders|
  ensures forall k :: 0 <= k < |orders| ==> orders[best].price <= orders[k].price
  ensures forall k :: 0 <= k < best ==> orders[best].price < orders[k].price
{
  best := 0;
  for i := 1 to |orders|
    invariant best < i <= |orders|
    invariant forall k :: 0 <= k < i ==> orders[best].price <= orders[k].price
    invariant forall k :: 0 <= k < best ==> orders[best].price < orders[k].price
  {
    if orders[i].price < orders[best].price {
      best := i;
    }
  }
}

predicate Distinct(orders: seq<Order>) {
  forall i, j :: 0 <= i < j < |orders| ==> orders[i].id != orders[j].id
}

method PriceOf(orders: seq<Order>, id: nat) returns (found: bool, price: nat)
  requires Distinct(orders)
  ensures found <==> exists o :: o in orders && o.id == id
  ensures forall o :: o in orders && o.id == id ==> price == o.price
  ensures !found ==> price == 0
{
  found, price := false, 0;
  for i := 0 to |orders|
    invariant found <==> exists k :: 0 <= k < i && orders[k].id == id
    invariant forall k :: 0 <= k < i && orders[k].id == id ==> price == orders[k].price
    invariant !found ==> price == 0
  {
    if orders[i].id == id {
      found, price := true, orders[i].price;
    }
  }
}

method Raise(orders: seq<Order>, limit: nat, rise: nat) returns (r: seq<Order>)
  ensures |r| == |orders|
  ensures forall k :: 0 <= k < |orders| && orders[k].price < limit ==>
    r[k] == orders[k].(price := orders[k].price + rise)
  ensures forall k :: 0 <= k < |orders| && orders[k].price >= limit ==> r[k] == orders[k]
{
  r := [];
  for i := 0 to |orders|
    invariant |r| == i
    invariant forall k :: 0 <= k < i && orders[k].price < limit ==>
      r[k] == orders[k].(price := orders[k].price + rise)
    invariant forall k :: 0 <= k < i && orders[k].price >= limit ==> r[k] == orders[k]
  {
    var o := orders[i];
    r := r + [if o.price < limit then o.(price := o.price + rise) else o];
  }
}
