// A calendar of rooms: sorted lists of bookings, free times, recurring bookings, and the best room for a meeting.

datatype Option<T> = None | Some(value: T)

datatype Booking = Booking(start: nat, length: nat, owner: string, weight: nat)

datatype Free = Free(from: nat, until: nat)

datatype Change = Added(b: Booking) | Moved(b: Booking, to: nat) | Refused(b: Booking)

function End(b: Booking): nat { b.start + b.length }

predicate Overlaps(a: Booking, b: Booking) {
  a.start < End(b) && b.start < End(a)
}

// Bookings sorted by start; of equal starts, the earlier one in the list was booked earlier.
function InsertSorted(bs: seq<Booking>, b: Booking): seq<Booking>
  ensures |InsertSorted(bs, b)| == |bs| + 1
{
  if bs == [] then [b]
  else if b.start < bs[0].start then [b] + bs
  else [bs[0]] + InsertSorted(bs[1..], b)
}

function Conflicts(bs: seq<Booking>, b: Booking): seq<Booking> {
  if bs == [] then []
  else (if Overlaps(bs[0], b) then [bs[0]] else []) + Conflicts(bs[1..], b)
}

function TotalWeight(bs: seq<Booking>): nat {
  if bs == [] then 0 else bs[0].weight + TotalWeight(bs[1..])
}

// The free times between `from` and `until`, in order.
method FreeTimes(bs: seq<Booking>, from: nat, until: nat) returns (free: seq<Free>)
  requires from <= until
{
  free := [];
  var at := from;
  for i := 0 to |bs|
    invariant from <= at
  {
    if bs[i].start > at && at < until {
      var stop := if bs[i].start < until then bs[i].start else until;
      free := free + [Free(at, stop)];
    }
    if End(bs[i]) > at {
      at := End(bs[i]);
    }
  }
  if at < until {
    free := free + [Free(at, until)];
  }
}

// The first time at or after `from` at which a meeting fits before `until`.
method FirstFit(bs: seq<Booking>, length: nat, from: nat, until: nat) returns (at: Option<nat>)
  requires from <= until
{
  var free := FreeTimes(bs, from, until);
  at := None;
  var i := 0;
  while i < |free| && at.None? {
    if free[i].until >= free[i].from && free[i].until - free[i].from >= length {
      at := Some(free[i].from);
    }
    i := i + 1;
  }
}

// The most meetings that take place at once.
method Busiest(bs: seq<Booking>) returns (most: nat)
  ensures most <= |bs|
{
  most := 0;
  for i := 0 to |bs|
    invariant most <= |bs|
  {
    var same := 0;
    for j := 0 to |bs|
      invariant same <= j
    {
      if bs[j].start <= bs[i].start && bs[i].start < End(bs[j]) {
        same := same + 1;
      }
    }
    if same > most {
      most := same;
    }
  }
}

function Repeated(b: Booking, every: nat, times: nat): seq<Booking>
  decreases times
{
  if times == 0 then []
  else [b] + Repeated(b.(start := b.start + every), every, times - 1)
}

// Hours that each owner has booked.
function Hours(bs: seq<Booking>): map<string, nat> {
  if bs == [] then map[]
  else
    var rest := Hours(bs[1..]);
    var o := bs[0].owner;
    rest[o := bs[0].length + if o in rest then rest[o] else 0]
}

class Room {
  const name: string
  const open: nat
  const close: nat
  var bookings: seq<Booking>
  var log: seq<Change>
  var moved: nat

  predicate Valid()
    reads this
  {
    open <= close
  }

  constructor (name: string, open: nat, close: nat)
    requires open <= close
    ensures Valid() && bookings == [] && log == []
  {
    this.name, this.open, this.close := name, open, close;
    bookings, log, moved := [], [], 0;
  }

  // Books if nothing is in the way; lighter bookings in the way move to the next free time, if they all can.
  method Book(b: Booking) returns (done: bool)
    requires Valid()
    modifies this
    ensures Valid()
    ensures !done ==> bookings == old(bookings)
  {
    done := false;
    if b.length == 0 || b.start < open || End(b) > close {
      log := log + [Refused(b)];
      return;
    }
    var inTheWay := Conflicts(bookings, b);
    if TotalWeight(inTheWay) >= b.weight && inTheWay != [] {
      log := log + [Refused(b)];
      return;
    }
    var kept := Without(bookings, inTheWay);
    var plan := InsertSorted(kept, b);
    var changes := [Added(b)];
    var count := 0;
    for i := 0 to |inTheWay|
      invariant bookings == old(bookings) && !done
    {
      var place := FirstFit(plan, inTheWay[i].length, open, close);
      if place.None? {
        log := log + [Refused(b)];
        return;
      }
      plan := InsertSorted(plan, inTheWay[i].(start := place.value));
      changes := changes + [Moved(inTheWay[i], place.value)];
      count := count + 1;
    }
    bookings := plan;
    log := log + changes;
    moved := moved + count;
    done := true;
  }

  // Takes back all bookings of an owner from a time on.
  method Cancel(owner: string, from: nat) returns (count: nat)
    requires Valid()
    modifies this
    ensures Valid() && |bookings| + count == old(|bookings|)
  {
    count := 0;
    var left: seq<Booking> := [];
    for i := 0 to |bookings|
      invariant bookings == old(bookings)
      invariant |left| + count == i
      invariant Valid()
    {
      if bookings[i].owner == owner && bookings[i].start >= from {
        count := count + 1;
      } else {
        left := left + [bookings[i]];
      }
    }
    bookings := left;
  }

  function Load(): nat
    requires Valid()
    reads this
  {
    TotalWeight(bookings) + moved
  }
}

// A list without those of another one, each taken out once.
function Without(bs: seq<Booking>, out: seq<Booking>): seq<Booking> {
  if bs == [] then []
  else if out != [] && bs[0] == out[0] then Without(bs[1..], out[1..])
  else [bs[0]] + Without(bs[1..], out)
}
