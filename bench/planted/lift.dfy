// Simulation of a lift by events: a queue ordered by time and sequence number, calls, passengers, doors, statistics.

datatype Option<T> = None | Some(value: T)

datatype Direction = Up | Down | Idle

datatype Kind =
  | Call(passenger: nat, from: nat, to: nat)
  | Arrive(floor: nat)
  | DoorsClose
  | GiveUp(passenger: nat)

datatype Event = Event(time: nat, number: nat, kind: Kind)

datatype Passenger = Passenger(name: nat, since: nat, from: nat, to: nat)

datatype Stats = Stats(delivered: nat, lost: nat, waited: nat, longest: nat, moves: nat)

predicate Earlier(a: Event, b: Event) {
  a.time < b.time || (a.time == b.time && a.number < b.number)
}

function Enqueue(q: seq<Event>, e: Event): seq<Event>
  ensures |Enqueue(q, e)| == |q| + 1
{
  if q == [] then [e]
  else if Earlier(e, q[0]) then [e] + q
  else [q[0]] + Enqueue(q[1..], e)
}

// A queue without the event in which a passenger gives up.
function WithoutGiveUp(q: seq<Event>, passenger: nat): seq<Event>
  ensures |WithoutGiveUp(q, passenger)| <= |q|
{
  if q == [] then []
  else if q[0].kind == GiveUp(passenger) then q[1..]
  else [q[0]] + WithoutGiveUp(q[1..], passenger)
}

function Leaving(ps: seq<Passenger>, floor: nat): seq<Passenger> {
  if ps == [] then []
  else (if ps[0].to == floor then [ps[0]] else []) + Leaving(ps[1..], floor)
}

function Staying(ps: seq<Passenger>, floor: nat): seq<Passenger>
  ensures |Staying(ps, floor)| <= |ps|
{
  if ps == [] then []
  else (if ps[0].to != floor then [ps[0]] else []) + Staying(ps[1..], floor)
}

// The waiting passengers that enter: those of the floor, in the order of their calls, while there is room.
function Entering(ps: seq<Passenger>, floor: nat, room: nat): seq<Passenger>
  ensures |Entering(ps, floor, room)| <= room
{
  if ps == [] || room == 0 then []
  else if ps[0].from == floor then [ps[0]] + Entering(ps[1..], floor, room - 1)
  else Entering(ps[1..], floor, room)
}

function Without(ps: seq<Passenger>, out: seq<Passenger>): seq<Passenger> {
  if ps == [] then []
  else if ps[0] in out then Without(ps[1..], out)
  else [ps[0]] + Without(ps[1..], out)
}

function Distance(a: nat, b: nat): nat { if a < b then b - a else a - b }

// The floors at which the lift has to stop: those of its passengers, and those of waiting ones.
function Stops(inside: seq<Passenger>, waiting: seq<Passenger>): seq<nat> {
  if inside != [] then [inside[0].to] + Stops(inside[1..], waiting)
  else if waiting != [] then [waiting[0].from] + Stops([], waiting[1..])
  else []
}

predicate Ahead(floor: nat, stop: nat, d: Direction) {
  match d
  case Up => stop > floor
  case Down => stop < floor
  case Idle => true
}

// The nearest stop in a direction; of equally near ones, the first.
function Nearest(stops: seq<nat>, floor: nat, d: Direction): Option<nat> {
  if stops == [] then None
  else
    var rest := Nearest(stops[1..], floor, d);
    if !Ahead(floor, stops[0], d) then rest
    else if rest.None? || Distance(floor, stops[0]) <= Distance(floor, rest.value) then Some(stops[0])
    else rest
}

// The next stop: ahead, if there is one; otherwise the lift turns.
function Next(stops: seq<nat>, floor: nat, d: Direction): Option<nat> {
  var ahead := Nearest(stops, floor, d);
  if ahead.Some? then ahead else Nearest(stops, floor, Idle)
}

function Towards(floor: nat, stop: nat): Direction {
  if stop > floor then Up else if stop < floor then Down else Idle
}

class Lift {
  const capacity: nat
  const patience: nat
  var now: nat
  var floor: nat
  var direction: Direction
  var moving: bool
  var inside: seq<Passenger>
  var waiting: seq<Passenger>
  var queue: seq<Event>
  var numbers: nat
  var stats: Stats

  predicate Valid()
    reads this
  {
    |inside| <= capacity && capacity > 0
  }

  constructor (capacity: nat, patience: nat)
    requires capacity > 0
    ensures Valid() && inside == [] && waiting == [] && queue == [] && now == 0 && floor == 0
  {
    this.capacity, this.patience := capacity, patience;
    now, floor, direction, moving := 0, 0, Idle, false;
    inside, waiting, queue, numbers := [], [], [], 0;
    stats := Stats(0, 0, 0, 0, 0);
  }

  method Schedule(time: nat, kind: Kind)
    requires Valid()
    modifies this`queue, this`numbers
    ensures Valid() && |queue| == old(|queue|) + 1 && numbers == old(numbers) + 1
  {
    queue := Enqueue(queue, Event(time, numbers, kind));
    numbers := numbers + 1;
  }

  // Starts towards the next stop, or rests.
  method Depart()
    requires Valid()
    modifies this`queue, this`numbers, this`direction, this`moving
    ensures Valid()
  {
    var next := Next(Stops(inside, waiting), floor, direction);
    if next.None? {
      direction, moving := Idle, false;
      return;
    }
    direction := Towards(floor, next.value);
    moving := true;
    Schedule(now + Distance(floor, next.value), Arrive(next.value));
  }

  // Lets passengers out and in.
  method Open(at: nat)
    requires Valid()
    modifies this
    ensures Valid() && floor == at
  {
    stats := stats.(moves := stats.moves + Distance(floor, at));
    floor := at;
    var out := Leaving(inside, at);
    for i := 0 to |out|
      invariant Valid() && floor == at
    {
      var waited := if now >= out[i].since then now - out[i].since else 0;
      stats := stats.(delivered := stats.delivered + 1, waited := stats.waited + waited,
        longest := if waited > stats.longest then waited else stats.longest);
    }
    inside := Staying(inside, at);
    var enter := Entering(waiting, at, capacity - |inside|);
    inside := inside + enter;
    waiting := Without(waiting, enter);
    for i := 0 to |enter|
      invariant Valid() && floor == at
    {
      queue := WithoutGiveUp(queue, enter[i].name);
    }
    Schedule(now + 1 + |out| + |enter|, DoorsClose);
  }

  // Handles the next event. Returns whether there was one.
  method Step() returns (done: bool)
    requires Valid()
    modifies this
    ensures Valid() && done == (old(queue) != [])
  {
    done := false;
    if queue == [] {
      return;
    }
    var e := queue[0];
    queue := queue[1..];
    now := if e.time > now then e.time else now;
    match e.kind {
      case Call(p, from, to) =>
        waiting := waiting + [Passenger(p, now, from, to)];
        Schedule(now + patience, GiveUp(p));
        if !moving {
          Depart();
        }
      case Arrive(at) =>
        Open(at);
      case DoorsClose =>
        Depart();
      case GiveUp(p) =>
        var gone: seq<Passenger> := [];
        for i := 0 to |waiting|
          invariant Valid()
        {
          if waiting[i].name == p {
            gone := gone + [waiting[i]];
          }
        }
        waiting := Without(waiting, gone);
        stats := stats.(lost := stats.lost + |gone|);
    }
    done := true;
  }

  // Handles events until a time.
  method Run(until: nat) returns (count: nat)
    requires Valid()
    modifies this
    ensures Valid()
  {
    count := 0;
    for i := 0 to 50
      invariant Valid()
    {
      if queue == [] || queue[0].time > until {
        break;
      }
      var more := Step();
      count := count + 1;
    }
    now := if until > now then until else now;
  }
}
