// Differences between texts of lines: the longest common subsequence by a table, an edit script, hunks with context, and a patch that
// is applied with an offset, and reversed.

type Line = string

datatype Change = Keep(line: Line) | Delete(line: Line) | Insert(line: Line)

datatype Hunk = Hunk(oldStart: nat, newStart: nat, changes: seq<Change>)

datatype Outcome = Applied(lines: seq<Line>, offset: int) | Rejected(hunk: nat)

// table[i, j] is the length of the longest common subsequence of a[i..] and b[j..].
method Table(a: seq<Line>, b: seq<Line>) returns (table: array2<nat>)
  ensures fresh(table)
  ensures table.Length0 == |a| + 1 && table.Length1 == |b| + 1
  ensures forall j | 0 <= j <= |b| :: table[|a|, j] == 0
{
  table := new nat[|a| + 1, |b| + 1]((i, j) => 0);
  var i := |a|;
  while i > 0
    invariant 0 <= i <= |a|
    invariant forall j | 0 <= j <= |b| :: table[|a|, j] == 0
  {
    i := i - 1;
    var j := |b|;
    while j > 0
      invariant 0 <= j <= |b|
      invariant forall j | 0 <= j <= |b| :: table[|a|, j] == 0
    {
      j := j - 1;
      if a[i] == b[j] {
        table[i, j] := table[i + 1, j + 1] + 1;
      } else if table[i + 1, j] >= table[i, j + 1] {
        table[i, j] := table[i + 1, j];
      } else {
        table[i, j] := table[i, j + 1];
      }
    }
  }
}

function Old(cs: seq<Change>): seq<Line> {
  if cs == [] then []
  else (if cs[0].Insert? then [] else [cs[0].line]) + Old(cs[1..])
}

function New(cs: seq<Change>): seq<Line> {
  if cs == [] then []
  else (if cs[0].Delete? then [] else [cs[0].line]) + New(cs[1..])
}

// An edit script from one text to the other; deletions come before insertions.
method Diff(a: seq<Line>, b: seq<Line>) returns (script: seq<Change>)
  ensures |script| <= |a| + |b|
{
  var table := Table(a, b);
  script := [];
  var i, j := 0, 0;
  while i < |a| || j < |b|
    invariant 0 <= i <= |a| && 0 <= j <= |b|
    invariant |script| <= i + j
    decreases |a| - i + |b| - j
  {
    if i < |a| && j < |b| && a[i] == b[j] {
      script := script + [Keep(a[i])];
      i, j := i + 1, j + 1;
    } else if j == |b| || (i < |a| && table[i + 1, j] >= table[i, j + 1]) {
      script := script + [Delete(a[i])];
      i := i + 1;
    } else {
      script := script + [Insert(b[j])];
      j := j + 1;
    }
  }
}

// The number of kept lines from a place on, at most `most`.
function KeptFrom(cs: seq<Change>, at: nat, most: nat): nat
  requires at <= |cs|
  ensures KeptFrom(cs, at, most) <= most && at + KeptFrom(cs, at, most) <= |cs|
  decreases most
{
  if most == 0 || at == |cs| || !cs[at].Keep? then 0 else 1 + KeptFrom(cs, at + 1, most - 1)
}

// Cuts a script into hunks with up to `context` kept lines around changes; changes with at most twice as many between them share one.
method Hunks(cs: seq<Change>, context: nat) returns (hunks: seq<Hunk>)
  ensures (forall c <- cs :: c.Keep?) ==> hunks == []
{
  hunks := [];
  var i, oldLine, newLine := 0, 0, 0;
  var kept: seq<Change> := [];  // The kept lines just before `i`, at most `context`.
  while i < |cs|
    invariant 0 <= i <= |cs|
    invariant |kept| <= oldLine && |kept| <= newLine
    invariant (forall c <- cs :: c.Keep?) ==> hunks == []
    decreases |cs| - i
  {
    if cs[i].Keep? {
      kept := kept + [cs[i]];
      if |kept| > context {
        kept := kept[1..];
      }
      i, oldLine, newLine := i + 1, oldLine + 1, newLine + 1;
    } else {
      var hunk := Hunk(oldLine - |kept|, newLine - |kept|, kept);
      kept := [];
      var inside := true;
      ghost var start := i;
      while i < |cs| && inside
        invariant 0 <= i <= |cs|
        invariant kept == [] && oldLine >= 0 && newLine >= 0
        invariant start < i || (start == i && inside && !cs[i].Keep?)
        decreases |cs| - i, inside
      {
        if cs[i].Keep? {
          var n := KeptFrom(cs, i, 2 * context + 1);
          if n > 2 * context || i + n == |cs| {
            // The hunk ends with its context.
            var tail := if n < context then n else context;
            hunk := hunk.(changes := hunk.changes + cs[i..i + tail]);
            i, oldLine, newLine := i + tail, oldLine + tail, newLine + tail;
            inside := false;
          } else {
            hunk := hunk.(changes := hunk.changes + cs[i..i + n]);
            i, oldLine, newLine := i + n, oldLine + n, newLine + n;
          }
        } else {
          hunk := hunk.(changes := hunk.changes + [cs[i]]);
          if cs[i].Delete? { oldLine := oldLine + 1; } else { newLine := newLine + 1; }
          i := i + 1;
        }
      }
      hunks := hunks + [hunk];
    }
  }
}

predicate StandsAt(lines: seq<Line>, at: int, wanted: seq<Line>) {
  0 <= at && at + |wanted| <= |lines| && lines[at..at + |wanted|] == wanted
}

// The place nearest to the expected one where lines stand: behind it before in front of it; -1 if there is none.
method Locate(lines: seq<Line>, expected: int, wanted: seq<Line>, fuzz: nat) returns (at: int)
  ensures at == -1 || StandsAt(lines, at, wanted)
{
  for d := 0 to fuzz + 1 {
    if StandsAt(lines, expected + d, wanted) {
      return expected + d;
    }
    if StandsAt(lines, expected - d, wanted) {
      return expected - d;
    }
  }
  at := -1;
}

// Applies hunks one after the other; each is looked for near where the ones before it have moved it.
method Apply(lines: seq<Line>, hunks: seq<Hunk>, fuzz: nat) returns (o: Outcome)
  ensures o.Rejected? ==> o.hunk < |hunks|
  ensures hunks == [] ==> o == Applied(lines, 0)
{
  var result := lines;
  var drift, offset := 0, 0;
  for i := 0 to |hunks|
    invariant i == 0 ==> result == lines && offset == 0
  {
    var before, after := Old(hunks[i].changes), New(hunks[i].changes);
    var expected := hunks[i].oldStart + drift + offset;
    var at := Locate(result, expected, before, fuzz);
    if at < 0 {
      return Rejected(i);
    }
    result := result[..at] + after + result[at + |before|..];
    offset := offset + at - expected;
    drift := drift + |after| - |before|;
  }
  o := Applied(result, offset);
}

function Reverse(h: Hunk): Hunk {
  var flip := (c: Change) =>
    match c
    case Keep(l) => Keep(l)
    case Delete(l) => Insert(l)
    case Insert(l) => Delete(l);
  Hunk(h.newStart, h.oldStart, seq(|h.changes|, i requires 0 <= i < |h.changes| => flip(h.changes[i])))
}

function Statistics(cs: seq<Change>): (nat, nat) {
  if cs == [] then (0, 0)
  else
    var (deleted, inserted) := Statistics(cs[1..]);
    match cs[0]
    case Keep(_) => (deleted, inserted)
    case Delete(_) => (deleted + 1, inserted)
    case Insert(_) => (deleted, inserted + 1)
}
