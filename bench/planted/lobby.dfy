// Matchmaking: players and parties wait, the accepted difference of ratings grows with the time,
// teams are balanced, ratings change by results.
module Lobby {
  datatype Ticket = Ticket(id: nat, ratings: seq<int>, since: nat)

  datatype Game = Game(id: nat, red: seq<Ticket>, blue: seq<Ticket>)

  type Size = n: nat | n > 0 witness 1

  datatype Outcome = RedWins | BlueWins | Draw

  function Abs(n: int): nat {
    if n < 0 then -n else n
  }

  function Sum(ns: seq<int>): int {
    if |ns| == 0 then 0 else ns[0] + Sum(ns[1..])
  }

  function Players(ts: seq<Ticket>): nat {
    if |ts| == 0 then 0 else |ts[0].ratings| + Players(ts[1..])
  }

  function Strength(ts: seq<Ticket>): int {
    if |ts| == 0 then 0 else Sum(ts[0].ratings) + Strength(ts[1..])
  }

  // The rating that counts for a party: the mean of its players, and 25 more for each friend.
  function Level(t: Ticket): int {
    if |t.ratings| == 0 then 0
    else Sum(t.ratings) / |t.ratings| + 25 * (|t.ratings| - 1)
  }

  // The difference that a ticket accepts: 50 at once, 10 more each 5 seconds, at most 400.
  function Tolerance(t: Ticket, now: nat): nat {
    var waited := if now > t.since then now - t.since else 0;
    var width := 50 + waited / 5 * 10;
    if width > 400 then 400 else width
  }

  predicate Accepts(a: Ticket, b: Ticket, now: nat) {
    var difference := Abs(Level(a) - Level(b));
    difference <= Tolerance(a, now) && difference <= Tolerance(b, now)
  }

  // The tickets that have waited longer come first.
  function Insert(t: Ticket, queue: seq<Ticket>): seq<Ticket>
    ensures |Insert(t, queue)| == |queue| + 1
  {
    if |queue| == 0 || t.since < queue[0].since then [t] + queue
    else [queue[0]] + Insert(t, queue[1..])
  }

  function Without(queue: seq<Ticket>, out: seq<Ticket>): seq<Ticket>
    ensures |Without(queue, out)| <= |queue|
  {
    if |queue| == 0 then []
    else if queue[0] in out then Without(queue[1..], out)
    else [queue[0]] + Without(queue[1..], out)
  }

  // The first tickets, in their order, that fill so many places and are accepted by all others.
  function Fill(queue: seq<Ticket>, chosen: seq<Ticket>, places: nat, now: nat): seq<Ticket>
    decreases |queue|
  {
    if places == 0 || |queue| == 0 then chosen
    else
      var t := queue[0];
      if |t.ratings| <= places && forall c <- chosen :: Accepts(c, t, now) then
        Fill(queue[1..], chosen + [t], places - |t.ratings|, now)
      else
        Fill(queue[1..], chosen, places, now)
  }

  // Divides tickets into two teams: the larger parties first, each to the weaker team that has room.
  function Divide(ts: seq<Ticket>, red: seq<Ticket>, blue: seq<Ticket>, size: nat): (seq<Ticket>, seq<Ticket>)
    decreases |ts|
  {
    if |ts| == 0 then (red, blue)
    else
      var t := ts[0];
      var fitsRed := Players(red) + |t.ratings| <= size;
      var fitsBlue := Players(blue) + |t.ratings| <= size;
      if fitsRed && (!fitsBlue || Strength(red) <= Strength(blue)) then
        Divide(ts[1..], red + [t], blue, size)
      else
        Divide(ts[1..], red, blue + [t], size)
  }

  function BySize(ts: seq<Ticket>, size: nat): seq<Ticket> {
    if size == 0 then [] else WithSize(ts, size) + BySize(ts, size - 1)
  }

  function WithSize(ts: seq<Ticket>, size: nat): seq<Ticket> {
    if |ts| == 0 then []
    else if |ts[0].ratings| == size then [ts[0]] + WithSize(ts[1..], size)
    else WithSize(ts[1..], size)
  }

  // The points that the winner gains: 16 among equals, at least 1, at most 31.
  function Stake(winner: int, loser: int): int {
    var points := 16 + (loser - winner) / 25;
    if points < 1 then 1 else if points > 31 then 31 else points
  }

  function Changed(t: Ticket, change: int): Ticket {
    t.(ratings := seq(|t.ratings|, i requires 0 <= i < |t.ratings| =>
      if t.ratings[i] + change < 0 then 0 else t.ratings[i] + change))
  }

  class Matchmaker {
    const size: Size
    var queue: seq<Ticket>
    var games: map<nat, Game>
    var nextGame: nat
    // Until when those who left early may not join.
    var barred: map<nat, nat>
    var leaves: map<nat, nat>

    constructor (size: Size)
      ensures this.size == size && queue == [] && games == map[]
    {
      this.size := size;
      queue := [];
      games := map[];
      nextGame := 1;
      barred := map[];
      leaves := map[];
    }

    method Join(id: nat, ratings: seq<int>, now: nat) returns (ok: bool)
      modifies this
    {
      ok := 0 < |ratings| <= size && (id !in barred || barred[id] <= now);
      for i := 0 to |queue| {
        if queue[i].id == id {
          ok := false;
        }
      }
      if ok {
        queue := Insert(Ticket(id, ratings, now), queue);
      }
    }

    method Cancel(id: nat) returns (ok: bool)
      modifies this
    {
      ok := false;
      for i := 0 to |queue| {
        if i < |queue| && queue[i].id == id {
          queue := queue[..i] + queue[i + 1..];
          return true;
        }
      }
    }

    // Starts all games that are possible; those who wait longest choose first.
    method Match(now: nat) returns (started: seq<nat>)
      modifies this
    {
      started := [];
      var i := 0;
      while i < |queue|
        decreases |queue| - i
      {
        var first := queue[i];
        var rest := queue[i + 1..];
        var chosen := if |first.ratings| <= 2 * size
          then Fill(rest, [first], 2 * size - |first.ratings|, now) else [];
        var (red, blue) := Divide(BySize(chosen, size), [], [], size);
        if Players(red) == size && Players(blue) == size && |Without(queue, chosen)| < |queue| {
          games := games[nextGame := Game(nextGame, red, blue)];
          started := started + [nextGame];
          nextGame := nextGame + 1;
          queue := Without(queue, chosen);
        } else {
          i := i + 1;
        }
      }
    }

    // A party leaves a game; the ban doubles each time.
    method Leave(game: nat, id: nat, now: nat) returns (ok: bool)
      modifies this
    {
      ok := game in games && exists t <- games[game].red + games[game].blue :: t.id == id;
      if ok {
        var times := if id in leaves then leaves[id] else 0;
        var ban := 30;
        for i := 0 to times {
          ban := if ban < 1000 then 2 * ban else ban;
        }
        leaves := leaves[id := times + 1];
        if ban >= 0 {
          barred := barred[id := now + ban];
        }
      }
    }

    // Ends a game: returns the tickets of both teams with their new ratings.
    method Report(game: nat, outcome: Outcome) returns (after: seq<Ticket>)
      modifies this
    {
      after := [];
      if game !in games {
        return;
      }
      var g := games[game];
      var red, blue := Strength(g.red) / size, Strength(g.blue) / size;
      var change := match outcome
        case RedWins => Stake(red, blue)
        case BlueWins => -Stake(blue, red)
        case Draw => (blue - red) / 50;
      for i := 0 to |g.red| {
        after := after + [Changed(g.red[i], change)];
      }
      for i := 0 to |g.blue| {
        after := after + [Changed(g.blue[i], -change)];
      }
      games := games - {game};
    }
  }
}
