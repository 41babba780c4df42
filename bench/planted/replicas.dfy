// Replicated data without conflicts: vector clocks, a counter, a register where the last writer wins, a set where additions win,
// a replicated list of notes built of them, and a log that delivers operations in causal order.

module Replicas {
  type Id = nat
  type Clock = map<Id, nat>

  datatype Option<T> = None | Some(value: T)

  function At(c: Clock, i: Id): nat {
    if i in c then c[i] else 0
  }

  function Max(a: nat, b: nat): nat {
    if a >= b then a else b
  }

  function Join(a: Clock, b: Clock): Clock
    ensures forall i :: At(Join(a, b), i) == Max(At(a, i), At(b, i))
  {
    map i | i in a.Keys + b.Keys :: Max(At(a, i), At(b, i))
  }

  predicate AtMost(a: Clock, b: Clock) {
    forall i <- a :: a[i] <= At(b, i)
  }

  datatype Comparison = Same | Earlier | Later | Concurrent

  function Compare(a: Clock, b: Clock): Comparison {
    if AtMost(a, b) then (if AtMost(b, a) then Same else Earlier)
    else if AtMost(b, a) then Later
    else Concurrent
  }

  function Tick(c: Clock, i: Id): Clock
    ensures At(Tick(c, i), i) == At(c, i) + 1
  {
    c[i := At(c, i) + 1]
  }

  // A counter that goes both ways.
  datatype Counter = Counter(up: Clock, down: Clock)

  function SumOf(c: Clock, ids: seq<Id>): nat {
    if ids == [] then 0 else At(c, ids[0]) + SumOf(c, ids[1..])
  }

  function ValueOf(c: Counter, ids: seq<Id>): int {
    SumOf(c.up, ids) - SumOf(c.down, ids)
  }

  function Count(c: Counter, replica: Id, change: int): Counter {
    if change >= 0 then c.(up := c.up[replica := At(c.up, replica) + change])
    else c.(down := c.down[replica := At(c.down, replica) - change])
  }

  function MergeCounters(a: Counter, b: Counter): Counter {
    Counter(Join(a.up, b.up), Join(a.down, b.down))
  }

  // The last writer wins; of writes at one time, that of the higher replica.
  datatype Register<T> = Register(value: T, time: nat, writer: Id)

  function Newer<T>(a: Register<T>, b: Register<T>): Register<T>
    ensures Newer(a, b) in {a, b}
  {
    if a.time > b.time || (a.time == b.time && a.writer >= b.writer) then a else b
  }

  function Write<T>(r: Register<T>, value: T, time: nat, writer: Id): Register<T> {
    Register(value, if time > r.time then time else r.time + 1, writer)
  }

  // A set in which every addition has a dot; what was seen and has no dot any more was removed.
  type Dot = (Id, nat)

  datatype Bag<!T(==)> = Bag(elements: map<T, set<Dot>>, seen: Clock)

  predicate HasSeen(c: Clock, d: Dot) {
    d.1 <= At(c, d.0)
  }

  predicate Contains<T(==)>(b: Bag<T>, x: T) {
    x in b.elements && b.elements[x] != {}
  }

  function AddTo<T(==)>(b: Bag<T>, x: T, replica: Id): Bag<T>
    ensures Contains(AddTo(b, x, replica), x)
  {
    var seen := Tick(b.seen, replica);
    assert (replica, seen[replica]) in {(replica, seen[replica])};
    Bag(b.elements[x := {(replica, seen[replica])}], seen)
  }

  function RemoveFrom<T(==)>(b: Bag<T>, x: T): Bag<T>
    ensures !Contains(RemoveFrom(b, x), x)
  {
    b.(elements := b.elements - {x})
  }

  function Dots<T(==)>(b: Bag<T>, x: T): set<Dot> {
    if x in b.elements then b.elements[x] else {}
  }

  // The dots that both have, and those of one that the other has not seen.
  function Survivors<T(==)>(a: Bag<T>, b: Bag<T>, x: T): set<Dot> {
    (Dots(a, x) * Dots(b, x))
    + (set d <- Dots(a, x) | !HasSeen(b.seen, d))
    + (set d <- Dots(b, x) | !HasSeen(a.seen, d))
  }

  function MergeBags<T(==)>(a: Bag<T>, b: Bag<T>): Bag<T> {
    var elements := map x | x in a.elements.Keys + b.elements.Keys && Survivors(a, b, x) != {} :: Survivors(a, b, x);
    Bag(elements, Join(a.seen, b.seen))
  }

  // Notes: which there are, and what is written on each.
  datatype Notes = Notes(present: Bag<nat>, texts: map<nat, Register<string>>)

  const NoNotes: Notes := Notes(Bag(map[], map[]), map[])

  function Edit(n: Notes, note: nat, text: string, time: nat, replica: Id): Notes {
    var old_ := if note in n.texts then n.texts[note] else Register("", 0, 0);
    Notes(AddTo(n.present, note, replica), n.texts[note := Write(old_, text, time, replica)])
  }

  function Delete(n: Notes, note: nat): Notes {
    n.(present := RemoveFrom(n.present, note))
  }

  function MergeNotes(a: Notes, b: Notes): Notes {
    var texts := map i | i in a.texts.Keys + b.texts.Keys ::
      if i !in a.texts then b.texts[i] else if i !in b.texts then a.texts[i] else Newer(a.texts[i], b.texts[i]);
    Notes(MergeBags(a.present, b.present), texts)
  }

  function Read(n: Notes, note: nat): Option<string> {
    if Contains(n.present, note) && note in n.texts then Some(n.texts[note].value) else None
  }
}

// Operations of other replicas, delivered when all that they depend on have been.
datatype Operation = Operation(origin: Replicas.Id, clock: Replicas.Clock, payload: string)

class CausalLog {
  var delivered: Replicas.Clock
  var log: seq<string>
  var waiting: seq<Operation>

  constructor ()
    ensures delivered == map[] && log == [] && waiting == []
  {
    delivered, log, waiting := map[], [], [];
  }

  // Whether it is the next operation of its origin, and nothing that it depends on is missing.
  predicate IsReady(o: Operation)
    reads this
  {
    && Replicas.At(o.clock, o.origin) == Replicas.At(delivered, o.origin) + 1
    && forall i <- o.clock :: i != o.origin ==> o.clock[i] <= Replicas.At(delivered, i)
  }

  method Receive(o: Operation) returns (count: nat)
    modifies this
    ensures |log| == old(|log|) + count
  {
    count := 0;
    if Replicas.At(o.clock, o.origin) <= Replicas.At(delivered, o.origin) {
      return;  // Known.
    }
    waiting := waiting + [o];
    var progress := true;
    while progress
      invariant |log| == old(|log|) + count
      decreases |waiting|, progress
    {
      progress := false;
      var i := 0;
      while i < |waiting| && !IsReady(waiting[i])
        invariant 0 <= i <= |waiting|
      {
        i := i + 1;
      }
      if i < |waiting| {
        var next := waiting[i];
        delivered := Replicas.Tick(delivered, next.origin);
        log := log + [next.payload];
        waiting := waiting[..i] + waiting[i + 1..];
        count, progress := count + 1, true;
      }
    }
  }
}
