// A lock manager: shared and exclusive locks, fair queues, upgrades, deadlocks found by cycles of waiting, victims.

datatype Mode = Shared | Exclusive

datatype Reply = Granted | Waiting | Deadlock(cycle: seq<nat>)

datatype Request = Request(owner: nat, mode: Mode)

// Who holds a resource, and who waits for it in which order.
datatype Lock = Lock(holders: map<nat, Mode>, queue: seq<Request>)

const FREE: Lock := Lock(map[], [])

predicate Compatible(a: Mode, b: Mode) {
  a == Shared && b == Shared
}

// Whether an owner can have a lock next to the other holders.
predicate Fits(l: Lock, owner: nat, mode: Mode) {
  forall h <- l.holders.Keys :: h == owner || Compatible(l.holders[h], mode)
}

predicate Covers(l: Lock, owner: nat, mode: Mode) {
  owner in l.holders && (l.holders[owner] == Exclusive || mode == Shared)
}

function Owners(queue: seq<Request>): set<nat> {
  set r <- queue :: r.owner
}

// Grants waiting requests from the front, until one does not fit.
function Promote(l: Lock): (Lock, seq<nat>)
  decreases |l.queue|
{
  if l.queue == [] || !Fits(l, l.queue[0].owner, l.queue[0].mode) then (l, [])
  else
    var r := l.queue[0];
    var rest := Promote(Lock(l.holders[r.owner := r.mode], l.queue[1..]));
    (rest.0, [r.owner] + rest.1)
}

function Without(queue: seq<Request>, owner: nat): seq<Request> {
  if queue == [] then []
  else if queue[0].owner == owner then Without(queue[1..], owner)
  else [queue[0]] + Without(queue[1..], owner)
}

class Manager {
  var locks: map<string, Lock>
  var waits: map<nat, string>  // The resource that an owner waits for.
  var log: seq<(nat, string)>  // What was granted after waiting.

  ghost predicate Valid()
    reads this
  {
    forall o <- waits.Keys :: waits[o] in locks
  }

  constructor ()
    ensures Valid() && locks == map[] && waits == map[] && log == []
  {
    locks, waits, log := map[], map[], [];
  }

  function Of(name: string): Lock
    reads this
  {
    if name in locks then locks[name] else FREE
  }

  // The owners that an owner waits for: holders that are in the way, and those before it in the queue.
  function Blockers(owner: nat): set<nat>
    requires Valid()
    reads this
  {
    if owner !in waits then {}
    else
      var l := locks[waits[owner]];
      var mode := ModeOf(l.queue, owner);
      (set h <- l.holders.Keys | h != owner && !Compatible(l.holders[h], mode))
      + Ahead(l.queue, owner)
  }

  static function ModeOf(queue: seq<Request>, owner: nat): Mode {
    if queue == [] then Shared
    else if queue[0].owner == owner then queue[0].mode
    else ModeOf(queue[1..], owner)
  }

  static function Ahead(queue: seq<Request>, owner: nat): set<nat> {
    if queue == [] || queue[0].owner == owner then {} else {queue[0].owner} + Ahead(queue[1..], owner)
  }

  // A way of waiting that leads from an owner back to it.
  function Cycle(from: nat, path: seq<nat>, fuel: nat): seq<nat>
    requires Valid() && path != []
    reads this
    decreases fuel, 1
  {
    if fuel == 0 then []
    else TryAll(from, path, Sorted(Blockers(path[|path| - 1])), fuel)
  }

  function TryAll(from: nat, path: seq<nat>, next: seq<nat>, fuel: nat): seq<nat>
    requires Valid() && path != [] && fuel > 0
    reads this
    decreases fuel, 0, |next|
  {
    if next == [] then []
    else if next[0] == from then path
    else
      var found := if next[0] in path then [] else Cycle(from, path + [next[0]], fuel - 1);
      if found != [] then found else TryAll(from, path, next[1..], fuel)
  }

  // Asks for a lock. A request of a holder for more is an upgrade, which goes in front of the others.
  method Acquire(owner: nat, name: string, mode: Mode) returns (reply: Reply)
    requires Valid() && owner !in waits
    modifies this
    ensures Valid()
    ensures reply.Waiting? <==> owner in waits
  {
    var l := Of(name);
    if Covers(l, owner, mode) {
      return Granted;
    }
    var upgrade := owner in l.holders;
    if Fits(l, owner, mode) && (upgrade || l.queue == []) {
      locks := locks[name := l.(holders := l.holders[owner := mode])];
      return Granted;
    }
    var r := Request(owner, mode);
    locks := locks[name := l.(queue := if upgrade then [r] + l.queue else l.queue + [r])];
    waits := waits[owner := name];
    var cycle := Cycle(owner, [owner], |waits| + 1);
    if cycle != [] {
      locks := locks[name := l];
      waits := waits - {owner};
      return Deadlock(cycle);
    }
    reply := Waiting;
  }

  method Grant(name: string)
    requires Valid() && name in locks
    modifies this
    ensures Valid() && locks.Keys == old(locks.Keys)
  {
    var (l, owners) := Promote(locks[name]);
    locks := locks[name := l];
    waits := map o | o in waits && o !in owners :: waits[o];
    for i := 0 to |owners|
      invariant Valid() && locks.Keys == old(locks.Keys)
    {
      log := log + [(owners[i], name)];
    }
  }

  method Release(owner: nat, name: string)
    requires Valid()
    modifies this
    ensures Valid()
  {
    if name in locks && owner in locks[name].holders {
      var l := locks[name];
      locks := locks[name := l.(holders := l.holders - {owner})];
      Grant(name);
      if locks[name] == FREE && forall o <- waits.Keys :: waits[o] != name {
        locks := locks - {name};
      }
    }
  }

  // Ends an owner: its request is withdrawn, and all its locks are released.
  method End(owner: nat)
    requires Valid()
    modifies this
    ensures Valid()
    ensures owner !in waits
  {
    if owner in waits {
      var name := waits[owner];
      var l := locks[name];
      waits := waits - {owner};
      locks := locks[name := l.(queue := Without(l.queue, owner))];
      Grant(name);
    }
    var names := set n <- locks.Keys | owner in locks[n].holders;
    while names != {}
      invariant Valid()
      decreases |names|
    {
      var name :| name in names;
      names := names - {name};
      Release(owner, name);
    }
    waits := waits - {owner};
  }
}

// The numbers of a set in ascending order.
function Sorted(s: set<nat>): seq<nat>
  decreases |s|
{
  if s == {} then []
  else
    ThereIsALeast(s);
    var least :| least in s && forall x <- s :: least <= x;
    [least] + Sorted(s - {least})
}

lemma ThereIsALeast(s: set<nat>)
  requires s != {}
  ensures exists least :: least in s && forall x <- s :: least <= x
{
  var x :| x in s;
  if s - {x} != {} {
    ThereIsALeast(s - {x});
    var y :| y in s - {x} && forall z <- s - {x} :: y <= z;
    var least := if x <= y then x else y;
    assert forall z <- s :: z == x || z in s - {x};
    assert least in s && forall z <- s :: least <= z;
  } else {
    assert forall z <- s :: z == x || z in s - {x};
  }
}
