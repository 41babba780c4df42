// A reliable stream over a network that loses and reorders: a receiver with a ring of bytes, and a sender with timers and a window
// that grows and shrinks.

datatype Option<T> = None | Some(value: T)

type Byte = b: nat | b < 256

datatype Segment = Segment(from: nat, data: seq<Byte>, last: bool)

// Bytes from a position to before another one.
datatype Range = Range(from: nat, to: nat)

// All bytes before `next` have arrived, and those of the ranges behind it.
datatype Ack = Ack(next: nat, window: nat, ranges: seq<Range>)

class Receiver {
  const ring: array<Option<Byte>>
  var next: nat          // The position of the first byte that is missing.
  var start: nat         // Its place in the ring.
  var unread: seq<Byte>
  var end: Option<nat>   // The position behind the last byte, once it is known.
  var owed: nat          // Segments that wait for an acknowledgement.
  ghost var history: seq<Byte>
  ghost var first: nat
  ghost var Repr: set<object>

  ghost predicate Valid()
    reads this, Repr
  {
    && Repr == {this, ring} && ring.Length > 0 && start < ring.Length
    && next == first + |history|
    && |unread| <= |history| && unread == history[|history| - |unread|..]
    && (end.Some? ==> next <= end.value)
    && owed < 2
  }

  constructor (first: nat, size: nat)
    requires size > 0
    ensures Valid() && fresh(Repr) && next == first && unread == [] && end == None && ring.Length == size
  {
    var r := new Option<Byte>[size](i => None);
    ring := r;
    next, start, unread, end, owed := first, 0, [], None, 0;
    history, this.first, Repr := [], first, {this, r};
  }

  function Window(): nat
    reads this
  {
    if |unread| < ring.Length then ring.Length - |unread| else 0
  }

  // Stores what is new of a segment and fits in the window; a byte that is there already stays.
  method Store(s: Segment)
    requires Valid()
    modifies ring
    ensures Valid()
  {
    for k := 0 to |s.data|
      invariant Valid()
    {
      var position := s.from + k;
      if next <= position < next + Window() {
        var i := (start + (position - next)) % ring.Length;
        if ring[i].None? {
          ring[i] := Some(s.data[k]);
        }
      }
    }
  }

  // Moves bytes without gaps from the ring to the reader.
  method Advance()
    requires Valid()
    modifies Repr
    ensures Valid() && next >= old(next) && end == old(end) && owed == old(owed)
    ensures old(unread) <= unread
  {
    var steps := 0;
    while steps < ring.Length && ring[start].Some? && (end.None? || next < end.value)
      invariant Valid() && next >= old(next) && end == old(end) && owed == old(owed) && old(unread) <= unread
      decreases ring.Length - steps
    {
      var b := ring[start].value;
      ring[start] := None;
      unread, history := unread + [b], history + [b];
      next, start := next + 1, (start + 1) % ring.Length;
      steps := steps + 1;
    }
  }

  // The runs of bytes behind the first gap.
  method Ranges() returns (ranges: seq<Range>)
    requires Valid()
    ensures forall r <- ranges :: r.from < r.to && next <= r.from
  {
    ranges := [];
    var length := 0;
    for k := 0 to ring.Length
      invariant length <= k
      invariant forall r <- ranges :: r.from < r.to && next <= r.from
    {
      if ring[(start + k) % ring.Length].Some? {
        length := length + 1;
      } else {
        if length > 0 {
          ranges := ranges + [Range(next + k - length, next + k)];
        }
        length := 0;
      }
    }
    if length > 0 {
      ranges := ranges + [Range(next + ring.Length - length, next + ring.Length)];
    }
  }

  // Every second segment is acknowledged, and each that is a repetition, leaves a gap or is the last.
  method Arrive(s: Segment) returns (reply: Option<Ack>)
    requires Valid()
    modifies Repr
    ensures Valid() && next >= old(next)
    ensures reply.Some? ==> reply.value.next == next
  {
    var stop := s.from + |s.data|;
    var urgent := s.from != next;
    if s.last && end.None? && stop >= next {
      end, urgent := Some(stop), true;
    }
    if stop > next {
      Store(s);
      Advance();
    }
    if urgent || owed == 1 {
      var ranges := Ranges();
      reply, owed := Some(Ack(next, Window(), ranges)), 0;
    } else {
      reply, owed := None, owed + 1;
    }
  }

  method Read(count: nat) returns (data: seq<Byte>, ended: bool)
    requires Valid()
    modifies this
    ensures Valid() && old(unread) == data + unread && next == old(next)
  {
    var n := if count <= |unread| then count else |unread|;
    data, unread := unread[..n], unread[n..];
    ended := unread == [] && end == Some(next);
  }
}

// A segment on its way: when it was sent last and how often.
datatype Flight = Flight(segment: Segment, sent: nat, times: nat)

class Sender {
  const size: nat  // Of the largest segment.
  const timeout: nat
  var queue: seq<Byte>
  var next: nat
  var flights: seq<Flight>
  var acked: nat
  var repeats: nat    // Acknowledgements in a row that acknowledged nothing new.
  var window: nat     // What may be on its way, in segments.
  var threshold: nat  // The window grows slowly from here on.

  ghost predicate Valid()
    reads this
  {
    && size > 0 && window > 0
    && (forall f <- flights :: |f.segment.data| > 0 && f.segment.from + |f.segment.data| <= next && f.times > 0)
    && (forall i, j | 0 <= i < j < |flights| :: flights[i].segment.from + |flights[i].segment.data| <= flights[j].segment.from)
  }

  constructor (first: nat, size: nat, timeout: nat)
    requires size > 0
    ensures Valid() && next == first && flights == [] && queue == [] && window == 1 && acked == first
  {
    this.size, this.timeout := size, timeout;
    queue, next, flights, acked, repeats, window, threshold := [], first, [], first, 0, 1, 8;
  }

  // Sends as much as the window allows.
  method Send(data: seq<Byte>, now: nat) returns (segments: seq<Segment>)
    requires Valid()
    modifies this
    ensures Valid() && acked == old(acked) && window == old(window)
  {
    queue, segments := queue + data, [];
    while queue != [] && |flights| < window
      invariant Valid() && acked == old(acked) && window == old(window)
      decreases |queue|
    {
      var n := if |queue| < size then |queue| else size;
      var s := Segment(next, queue[..n], false);
      segments, flights := segments + [s], flights + [Flight(s, now, 1)];
      queue, next := queue[n..], next + n;
    }
  }

  // The third repetition tells that the first segment is lost.
  method Acknowledged(a: Ack, now: nat) returns (again: seq<Segment>)
    requires Valid()
    modifies this
    ensures Valid() && acked >= old(acked) && |again| <= 1
  {
    again := [];
    if a.next > acked {
      while flights != [] && flights[0].segment.from + |flights[0].segment.data| <= a.next
        invariant Valid() && acked == old(acked)
        decreases |flights|
      {
        flights := flights[1..];
        window := if window < threshold then window + 1 else window;
      }
      acked, repeats := a.next, 0;
    } else if a.next == acked && flights != [] {
      repeats := repeats + 1;
      if repeats == 3 {
        var f := flights[0];
        threshold := if window < 4 then 2 else window / 2;
        window := threshold;
        flights := flights[0 := f.(sent := now, times := f.times + 1)];
        again := [f.segment];
      }
    }
  }

  // Sends again what has waited too long; each time the wait is twice as long.
  method Tick(now: nat) returns (again: seq<Segment>)
    requires Valid()
    modifies this
    ensures Valid() && acked == old(acked)
  {
    again := [];
    for i := 0 to |flights|
      invariant Valid() && |flights| == |old(flights)| && acked == old(acked)
    {
      var f := flights[i];
      if f.sent + timeout * Power(f.times - 1) <= now {
        again, flights := again + [f.segment], flights[i := f.(sent := now, times := f.times + 1)];
      }
    }
    if again != [] {
      threshold, window := if window < 4 then 2 else window / 2, 1;
    }
  }
}

function Power(n: nat): nat {
  if n == 0 then 1 else 2 * Power(n - 1)
}
