// Limits on the rate of requests: a token bucket, a sliding window, and a combination; a front that keeps one for each client.

datatype Decision = Allowed(remaining: nat) | Denied(retryAfter: nat)

trait Limiter extends object {
  ghost var Repr: set<object>
  ghost const height: nat
  var now: nat

  ghost predicate Valid()
    reads this, Repr
    ensures Valid() ==> this in Repr

  // A request of some cost at a time; times do not go back.
  method Request(time: nat, cost: nat) returns (d: Decision)
    requires Valid() && now <= time
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures now == time
    decreases height

  // What a request could cost now.
  function Available(): nat
    requires Valid()
    reads Repr
}

class TokenBucket extends Limiter {
  const capacity: nat
  const interval: nat  // The time in which one token comes in.
  var tokens: nat
  var lastRefill: nat

  ghost predicate Valid()
    reads this, Repr
    ensures Valid() ==> this in Repr
  {
    && Repr == {this}
    && interval > 0
    && tokens <= capacity
    && lastRefill <= now
  }

  constructor (capacity: nat, interval: nat)
    requires interval > 0
    ensures Valid() && fresh(Repr) && now == 0
    ensures Available() == capacity
  {
    this.capacity, this.interval := capacity, interval;
    tokens, lastRefill, now := capacity, 0, 0;
    Repr := {this};
  }

  function Available(): nat
    requires Valid()
    reads Repr
  {
    tokens
  }

  method Refill(time: nat)
    requires Valid() && now <= time
    modifies this
    ensures Valid() && now == time && Repr == old(Repr)
    ensures tokens >= old(tokens)
  {
    now := time;
    var added := (time - lastRefill) / interval;
    if tokens + added >= capacity {
      tokens, lastRefill := capacity, time;
    } else {
      tokens := tokens + added;
      lastRefill := lastRefill + added * interval;
    }
  }

  method Request(time: nat, cost: nat) returns (d: Decision)
    requires Valid() && now <= time
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures now == time
    decreases height
    ensures d.Allowed? ==> d.remaining == tokens
  {
    Refill(time);
    if cost <= tokens {
      tokens := tokens - cost;
      d := Allowed(tokens);
    } else {
      var missing := cost - tokens;
      var passed := time - lastRefill;
      var wait := missing * interval;
      d := Denied(if wait > passed then wait - passed else 0);
    }
  }
}

class SlidingWindow extends Limiter {
  const limit: nat
  const width: nat
  var events: seq<(nat, nat)>  // Times and costs, the oldest first.

  ghost predicate Valid()
    reads this, Repr
    ensures Valid() ==> this in Repr
  {
    && Repr == {this}
    && (forall i | 0 <= i < |events| :: events[i].0 <= now)
    && (forall i, j | 0 <= i < j < |events| :: events[i].0 <= events[j].0)
  }

  constructor (limit: nat, width: nat)
    ensures Valid() && fresh(Repr) && now == 0
  {
    this.limit, this.width := limit, width;
    events, now := [], 0;
    Repr := {this};
  }

  static function Total(es: seq<(nat, nat)>): nat {
    if es == [] then 0 else es[0].1 + Total(es[1..])
  }

  function Available(): nat
    requires Valid()
    reads Repr
  {
    var used := Total(events);
    if used < limit then limit - used else 0
  }

  // The time at which enough of the oldest events have left the window.
  static function FreeAt(es: seq<(nat, nat)>, needed: nat, width: nat): nat {
    if es == [] then width
    else if es[0].1 >= needed then es[0].0 + width
    else FreeAt(es[1..], needed - es[0].1, width)
  }

  method Request(time: nat, cost: nat) returns (d: Decision)
    requires Valid() && now <= time
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures now == time
    decreases height
  {
    now := time;
    var first := 0;
    while first < |events| && events[first].0 + width <= time
      invariant 0 <= first <= |events|
    {
      first := first + 1;
    }
    events := events[first..];
    var used := Total(events);
    if used + cost <= limit {
      if cost > 0 {
        events := events + [(time, cost)];
      }
      d := Allowed(limit - used - cost);
    } else {
      var free := FreeAt(events, used + cost - limit, width);
      d := Denied(if free > time then free - time else 0);
    }
  }
}

// Both must allow a request.
class Combined extends Limiter {
  const left: Limiter
  const right: Limiter
  var denials: nat

  ghost predicate Valid()
    reads this, Repr
    ensures Valid() ==> this in Repr
  {
    && this in Repr && left in Repr && right in Repr
    && left.Repr <= Repr && right.Repr <= Repr
    && this !in left.Repr && this !in right.Repr && left.Repr !! right.Repr
    && left.height < height && right.height < height
    && left.Valid() && right.Valid() && left.now <= now && right.now <= now
  }

  constructor (left: Limiter, right: Limiter)
    requires left.Valid() && right.Valid() && left.Repr !! right.Repr
    ensures Valid() && fresh(Repr - left.Repr - right.Repr)
    ensures now == if left.now < right.now then right.now else left.now
  {
    this.left, this.right := left, right;
    now := if left.now < right.now then right.now else left.now;
    denials := 0;
    height := 1 + left.height + right.height;
    Repr := {this} + left.Repr + right.Repr;
  }

  function Available(): nat
    requires Valid()
    reads Repr
  {
    if left.Available() < right.Available() then left.Available() else right.Available()
  }

  method Request(time: nat, cost: nat) returns (d: Decision)
    requires Valid() && now <= time
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures now == time
    decreases height
  {
    // Both see the time before one of them is asked for more than it has.
    var _ := left.Request(time, 0);
    var _ := right.Request(time, 0);
    Repr := Repr + left.Repr + right.Repr;
    now := time;
    var enough := cost <= left.Available() && cost <= right.Available();
    if enough {
      var a := left.Request(time, cost);
      var b := right.Request(time, cost);
      d := if a.Denied? || (b.Allowed? && b.remaining < a.remaining) then b else a;
    } else {
      denials := denials + 1;
      var wait := 1;
      if cost > left.Available() {
        var a := left.Request(time, cost);
        if a.Denied? && a.retryAfter > wait { wait := a.retryAfter; }
      }
      if cost > right.Available() {
        var b := right.Request(time, cost);
        if b.Denied? && b.retryAfter > wait { wait := b.retryAfter; }
      }
      d := Denied(wait);
    }
    Repr := Repr + left.Repr + right.Repr;
  }
}
