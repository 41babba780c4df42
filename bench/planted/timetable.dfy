// Search in a timetable: trips with stops, days on which they run, changes that take time, ways on foot; earliest arrival, latest
// departure, few changes, and the itinerary as text. Times are minutes of one day; a trip may go on after midnight.

datatype Call = Call(stop: nat, arrival: nat, departure: nat)

// `runs` says on which days the trip begins.
datatype Trip = Trip(id: nat, calls: seq<Call>, runs: nat -> bool)

// A ride of a trip, which began on day `day`, from one of its stops to the next one.
datatype Hop = Hop(trip: nat, day: nat, from: nat, to: nat, leaves: nat, arrives: nat)

datatype Walk = Walk(from: nat, to: nat, minutes: nat)

// How a stop is reached: from the beginning, on foot from another stop, or by a hop.
datatype Label = Start | Foot(from: nat) | Ride(hop: Hop)

datatype Leg = OnFoot(from: nat, to: nat, leaves: nat, arrives: nat) | ByTrip(trip: nat, from: nat, to: nat, leaves: nat, arrives: nat)

predicate Sound(t: Trip) {
  (forall c <- t.calls :: c.arrival <= c.departure)
  && forall i | 0 <= i < |t.calls| - 1 :: t.calls[i].departure <= t.calls[i + 1].arrival
}

// The hops between the stops of a trip, on a day on which it runs; `shift` is added to all times.
function HopsOf(id: nat, day: nat, calls: seq<Call>, shift: int): seq<Hop> {
  if |calls| < 2 then []
  else
    var leaves, arrives := calls[0].departure + shift, calls[1].arrival + shift;
    (if leaves >= 0 && arrives >= 0 then [Hop(id, day, calls[0].stop, calls[1].stop, leaves, arrives)] else [])
    + HopsOf(id, day, calls[1..], shift)
}

// Earlier departures first; of equal ones the earlier arrival.
predicate Before(a: Hop, b: Hop) { a.leaves < b.leaves || (a.leaves == b.leaves && a.arrives < b.arrives) }

function Insert(hops: seq<Hop>, h: Hop): seq<Hop>
  ensures |Insert(hops, h)| == |hops| + 1
{
  if hops == [] || Before(h, hops[0]) then [h] + hops else [hops[0]] + Insert(hops[1..], h)
}

function SortHops(hops: seq<Hop>): seq<Hop>
  ensures |SortHops(hops)| == |hops|
{
  if hops == [] then [] else Insert(SortHops(hops[..|hops| - 1]), hops[|hops| - 1])
}

// All hops on a day, those of trips that began on the day before among them.
function HopsOn(trips: seq<Trip>, day: nat): seq<Hop> {
  if trips == [] then []
  else
    var t := trips[0];
    (if t.runs(day) then HopsOf(t.id, day, t.calls, 0) else [])
    + (if day > 0 && t.runs(day - 1) then HopsOf(t.id, day - 1, t.calls, -1440) else [])
    + HopsOn(trips[1..], day)
}

function Weekdays(days: set<nat>): nat -> bool { (d: nat) => d % 7 in days }

function Except(f: nat -> bool, days: set<nat>): nat -> bool { (d: nat) => f(d) && d !in days }

function Also(f: nat -> bool, days: set<nat>): nat -> bool { (d: nat) => f(d) || d in days }

class Planner {
  const stops: nat
  const walks: seq<Walk>
  const change: nat
  var hops: seq<Hop>
  var best: seq<int>
  var labels: seq<Label>

  ghost predicate Valid()
    reads this
  {
    |best| == stops && |labels| == stops
    && (forall h <- hops :: h.from < stops && h.to < stops)
    && (forall w <- walks :: w.from < stops && w.to < stops)
  }

  constructor (stops: nat, walks: seq<Walk>, change: nat)
    requires forall w <- walks :: w.from < stops && w.to < stops
    ensures Valid() && this.stops == stops && hops == []
  {
    this.stops, this.walks, this.change := stops, walks, change;
    hops := [];
    best := seq(stops, _ => -1);
    labels := seq(stops, _ => Start);
  }

  // Takes the hops of a day; those with stops that do not exist are left out.
  method Load(trips: seq<Trip>, day: nat)
    requires Valid()
    modifies this
    ensures Valid()
  {
    var all := SortHops(HopsOn(trips, day));
    var kept: seq<Hop> := [];
    for i := 0 to |all|
      invariant forall h <- kept :: h.from < stops && h.to < stops
    {
      if all[i].from < stops && all[i].to < stops {
        kept := kept + [all[i]];
      }
    }
    hops := kept;
  }

  method Improve(stop: nat, time: nat, how: Label)
    requires Valid() && stop < stops
    modifies this`best, this`labels
    ensures Valid() && best[stop] >= 0 && best[stop] <= time
  {
    if best[stop] < 0 || time < best[stop] {
      best := best[stop := time];
      labels := labels[stop := how];
    }
  }

  // Walks from a stop that was reached at a time.
  method Spread(stop: nat, time: nat)
    requires Valid() && stop < stops
    modifies this`best, this`labels
    ensures Valid()
  {
    for i := 0 to |walks|
      invariant Valid()
    {
      if walks[i].from == stop {
        Improve(walks[i].to, time + walks[i].minutes, Foot(stop));
      }
    }
  }

  // The earliest arrival at all stops: the hops are looked at in the order of their departures. Who is in a trip stays in it; who
  // changes needs time for it, but not at the first stop and not after a walk.
  method Earliest(from: nat, to: nat, time: nat) returns (arrival: int)
    requires Valid() && from < stops && to < stops
    modifies this`best, this`labels
    ensures Valid() && arrival >= -1
  {
    best := seq(stops, _ => -1);
    labels := seq(stops, _ => Start);
    Improve(from, time, Start);
    Spread(from, time);
    var boarded: set<(nat, nat)> := {};
    for i := 0 to |hops|
      invariant Valid()
    {
      var h := hops[i];
      var needed := if labels[h.from].Ride? then change else 0;
      if (h.trip, h.day) in boarded || (best[h.from] >= 0 && best[h.from] + needed <= h.leaves) {
        boarded := boarded + {(h.trip, h.day)};
        if best[h.to] < 0 || h.arrives < best[h.to] {
          Improve(h.to, h.arrives, Ride(h));
          Spread(h.to, h.arrives);
        }
      }
    }
    arrival := if best[to] < 0 then -1 else best[to];
  }

  // The legs to a stop after a search; hops of one trip that follow each other are one leg.
  method Itinerary(to: nat) returns (legs: seq<Leg>)
    requires Valid() && to < stops
    ensures best[to] < 0 ==> legs == []
  {
    legs := [];
    if best[to] < 0 { return; }
    var at: nat, fuel := to, stops;
    while fuel > 0 && labels[at] != Start
      invariant at < stops
    {
      fuel := fuel - 1;
      match labels[at] {
        case Start =>
        case Foot(f) =>
          if f >= stops || best[f] < 0 || best[at] < 0 { return; }
          legs := [OnFoot(f, at, best[f], best[at])] + legs;
          at := f;
        case Ride(h) =>
          if h.from >= stops { return; }
          if legs != [] && legs[0].ByTrip? && legs[0].trip == h.trip {
            legs := [legs[0].(from := h.from, leaves := h.leaves)] + legs[1..];
          } else {
            legs := [ByTrip(h.trip, h.from, at, h.leaves, h.arrives)] + legs;
          }
          at := h.from;
      }
    }
  }

  // The latest departure with which one is there in time: the first time in steps of a minute, from the end, that arrives.
  method Latest(from: nat, to: nat, arrival: nat) returns (departure: int)
    requires Valid() && from < stops && to < stops
    modifies this`best, this`labels
    ensures Valid() && -1 <= departure <= arrival
  {
    departure := -1;
    var low, high := 0, arrival;
    while low <= high
      invariant Valid() && -1 <= departure <= arrival && 0 <= low && high <= arrival
      decreases high - low
    {
      var mid := (low + high) / 2;
      var a := Earliest(from, to, mid);
      if 0 <= a <= arrival {
        departure, low := mid, mid + 1;
      } else {
        high := mid - 1;
      }
    }
  }

  // The earliest arrival with at most `rides` trips: in each round the trips that one can board with what the round before reached.
  method WithRides(from: nat, to: nat, time: nat, rides: nat) returns (arrivals: seq<int>)
    requires Valid() && from < stops && to < stops
    ensures |arrivals| == rides + 1
  {
    var now := seq(stops, _ => -1);
    now := now[from := time as int];
    now := OnFootFrom(now, now);
    arrivals := [now[to]];
    for k := 0 to rides
      invariant |now| == stops && |arrivals| == k + 1
    {
      var next := now;
      var boarded: set<(nat, nat)> := {};
      for i := 0 to |hops|
        invariant |next| == stops && |now| == stops
      {
        var h := hops[i];
        var needed := if k == 0 then 0 else change;
        if (h.trip, h.day) in boarded || (now[h.from] >= 0 && now[h.from] + needed <= h.leaves) {
          boarded := boarded + {(h.trip, h.day)};
          if next[h.to] < 0 || h.arrives < next[h.to] {
            next := next[h.to := h.arrives];
          }
        }
      }
      now := OnFootFrom(next, next);
      arrivals := arrivals + [now[to]];
    }
  }

  // Times after walks of one step from the times of a round.
  method OnFootFrom(times: seq<int>, reached: seq<int>) returns (result: seq<int>)
    requires Valid() && |times| == stops && |reached| == stops
    ensures |result| == stops
    ensures forall s | 0 <= s < stops && times[s] >= 0 :: result[s] <= times[s]
  {
    result := times;
    for i := 0 to |walks|
      invariant |result| == stops
      invariant forall s | 0 <= s < stops && times[s] >= 0 :: 0 <= result[s] <= times[s]
    {
      var w := walks[i];
      if reached[w.from] >= 0 {
        var t := reached[w.from] + w.minutes;
        if result[w.to] < 0 || t < result[w.to] {
          result := result[w.to := t];
        }
      }
    }
  }
}

function Two(n: nat): string { ["0123456789"[n / 10 % 10], "0123456789"[n % 10]] }

// A time of the day; times after midnight begin at 0 again and get a plus.
function Clock(t: nat): string { Two(t / 60 % 24) + ":" + Two(t % 60) + (if t >= 1440 then "+" else "") }

function Duration(legs: seq<Leg>): nat {
  if legs == [] || legs[|legs| - 1].arrives < legs[0].leaves then 0 else legs[|legs| - 1].arrives - legs[0].leaves
}

function Changes(legs: seq<Leg>): nat {
  var n := |set i | 0 <= i < |legs| && legs[i].ByTrip? :: i|;
  if n == 0 then 0 else n - 1
}
