// A club's elections: ballots that rank the candidates, several ways to count them, ties that are decided by earlier rounds and by
// seniority, and seats that are shared among lists.

datatype Option<T> = None | Some(value: T)

datatype Ballot = Ballot(ranking: seq<string>, weight: nat)

datatype Candidate = Candidate(name: string, joined: nat)

datatype Tally = Tally(name: string, votes: nat)

// A ballot without repeated names.
predicate IsStrict(ranking: seq<string>) {
  forall i, j | 0 <= i < j < |ranking| :: ranking[i] != ranking[j]
}

// A ballot as it counts: names after their first occurrence and unknown names are dropped.
function Cleaned(ranking: seq<string>, known: seq<Candidate>, seen: set<string>): seq<string>
  ensures |Cleaned(ranking, known, seen)| <= |ranking|
{
  if ranking == [] then []
  else if ranking[0] in seen || !IsKnown(ranking[0], known) then Cleaned(ranking[1..], known, seen)
  else [ranking[0]] + Cleaned(ranking[1..], known, seen + {ranking[0]})
}

predicate IsKnown(name: string, known: seq<Candidate>) {
  exists i | 0 <= i < |known| :: known[i].name == name
}

function Joined(name: string, known: seq<Candidate>): nat {
  if known == [] then 0 else if known[0].name == name then known[0].joined else Joined(name, known[1..])
}

// The first name on a ballot that still runs.
function First(ranking: seq<string>, out: set<string>): Option<string> {
  if ranking == [] then None else if ranking[0] in out then First(ranking[1..], out) else Some(ranking[0])
}

function Votes(ballots: seq<Ballot>, name: string, out: set<string>): nat {
  if ballots == [] then 0
  else (if First(ballots[0].ranking, out) == Some(name) then ballots[0].weight else 0) + Votes(ballots[1..], name, out)
}

function Tallies(ballots: seq<Ballot>, known: seq<Candidate>, out: set<string>): seq<Tally>
  ensures |Tallies(ballots, known, out)| <= |known|
{
  if known == [] then []
  else
    var rest := Tallies(ballots, known[1..], out);
    if known[0].name in out then rest else [Tally(known[0].name, Votes(ballots, known[0].name, out))] + rest
}

function Total(tallies: seq<Tally>): nat {
  if tallies == [] then 0 else tallies[0].votes + Total(tallies[1..])
}

function VotesIn(tallies: seq<Tally>, name: string): nat {
  if tallies == [] then 0 else if tallies[0].name == name then tallies[0].votes else VotesIn(tallies[1..], name)
}

// Whether a has to go before b: fewer votes, then fewer votes in the latest earlier round that tells them apart, then later joined.
function GoesBefore(a: string, b: string, rounds: seq<seq<Tally>>, known: seq<Candidate>): bool {
  if rounds == [] then Joined(a, known) > Joined(b, known)
  else
    var last := rounds[|rounds| - 1];
    var x, y := VotesIn(last, a), VotesIn(last, b);
    if x != y then x < y else GoesBefore(a, b, rounds[..|rounds| - 1], known)
}

// The instant runoff: in each round the last one goes, until someone has more than half of the votes that still count.
method Runoff(ballots: seq<Ballot>, known: seq<Candidate>) returns (winner: Option<string>, rounds: seq<seq<Tally>>)
  ensures winner.Some? ==> |rounds| > 0
{
  var out: set<string> := {};
  winner, rounds := None, [];
  var left := |known|;
  while left > 0
    invariant left >= 0
    invariant winner == None
    decreases left
  {
    var tallies := Tallies(ballots, known, out);
    if tallies == [] {
      return;
    }
    rounds := rounds + [tallies];
    var total := Total(tallies);
    var lowest := tallies[0].name;
    for i := 0 to |tallies| {
      if 2 * tallies[i].votes > total {
        winner := Some(tallies[i].name);
        return;
      }
      if GoesBefore(tallies[i].name, lowest, rounds, known) {
        lowest := tallies[i].name;
      }
    }
    if |tallies| == 1 {
      winner := Some(lowest);
      return;
    }
    out := out + {lowest};
    left := left - 1;
  }
}

// Borda's count: with n candidates, the first on a ballot gets n points, the next n - 1; those who are not ranked share nothing.
function Points(ranking: seq<string>, name: string, n: nat): nat {
  if ranking == [] || n == 0 then 0 else if ranking[0] == name then n else Points(ranking[1..], name, n - 1)
}

method Borda(ballots: seq<Ballot>, known: seq<Candidate>) returns (points: map<string, nat>)
  ensures points.Keys == set c | c in known :: c.name
{
  points := map[];
  for i := 0 to |known|
    invariant points.Keys == set c | c in known[..i] :: c.name
  {
    var sum: nat := 0;
    for j := 0 to |ballots| {
      sum := sum + ballots[j].weight * Points(ballots[j].ranking, known[i].name, |known|);
    }
    points := points[known[i].name := sum];
  }
}

// How many voters prefer a to b. Those who rank only one of them prefer this one.
function Preferred(ballots: seq<Ballot>, a: string, b: string): nat {
  if ballots == [] then 0
  else
    var rest := Preferred(ballots[1..], a, b);
    match First(ballots[0].ranking, {})
    case None => rest
    case Some(_) => (if Beats(ballots[0].ranking, a, b) then ballots[0].weight else 0) + rest
}

predicate Beats(ranking: seq<string>, a: string, b: string) {
  if ranking == [] then false else if ranking[0] == a then true else if ranking[0] == b then false else Beats(ranking[1..], a, b)
}

// The candidate who beats every other one, if there is one.
method Condorcet(ballots: seq<Ballot>, known: seq<Candidate>) returns (winner: Option<string>)
{
  winner := None;
  for i := 0 to |known| {
    var wins := true;
    for j := 0 to |known| {
      if i != j && Preferred(ballots, known[i].name, known[j].name) <= Preferred(ballots, known[j].name, known[i].name) {
        wins := false;
      }
    }
    if wins {
      return Some(known[i].name);
    }
  }
}

// Shares seats among lists by the largest quotients (D'Hondt): votes / (seats + 1). A tie goes to the list with more votes, then to
// the one that is named first. Lists below the threshold, in percent of all votes, get none.
method Share(lists: seq<Tally>, seats: nat, threshold: nat) returns (result: seq<nat>)
  ensures |result| == |lists|
{
  var total := Total(lists);
  result := seq(|lists|, _ => 0);
  for s := 0 to seats
    invariant |result| == |lists|
  {
    var best: nat := |lists|;
    for i := 0 to |lists|
      invariant best <= |lists| == |result|
    {
      if lists[i].votes > 0 && 100 * lists[i].votes >= threshold * total {
        if best == |lists| {
          best := i;
        } else {
          var x, y := lists[i].votes * (result[best] + 1), lists[best].votes * (result[i] + 1);
          if x > y || (x == y && lists[i].votes > lists[best].votes) {
            best := i;
          }
        }
      }
    }
    if best < |lists| {
      result := result[best := result[best] + 1];
    }
  }
}

// Elects a committee: the first seat by runoff, each further one by runoff among those who are left.
method Committee(ballots: seq<Ballot>, known: seq<Candidate>, size: nat) returns (members: seq<string>)
  ensures |members| <= size
{
  members := [];
  var left := known;
  for i := 0 to size
    invariant |members| <= i
  {
    var clean := seq(|ballots|, k requires 0 <= k < |ballots| => ballots[k].(ranking := Cleaned(ballots[k].ranking, left, {})));
    var winner, _ := Runoff(clean, left);
    match winner {
      case None => return;
      case Some(name) =>
        members := members + [name];
        left := Without(left, name);
    }
  }
}

function Without(known: seq<Candidate>, name: string): seq<Candidate> {
  if known == [] then [] else (if known[0].name == name then [] else [known[0]]) + Without(known[1..], name)
}
