// Log files merged by iterators: records that are parsed, sorted runs that are merged, duplicates left out, sessions by gaps in time,
// and a report per source.

datatype Option<T> = None | Some(value: T)

datatype Level = Debug | Info | Warning | Error

datatype Record = Record(time: nat, source: string, level: Level, text: string)

function Severity(l: Level): nat {
  match l
  case Debug => 0
  case Info => 1
  case Warning => 2
  case Error => 3
}

function LevelOf(s: string): Option<Level> {
  if s == "D" then Some(Debug)
  else if s == "I" then Some(Info)
  else if s == "W" then Some(Warning)
  else if s == "E" then Some(Error)
  else None
}

// The first place of a character; the length if there is none.
function IndexOf(s: string, c: char, from: nat): nat
  requires from <= |s|
  ensures from <= IndexOf(s, c, from) <= |s|
  ensures IndexOf(s, c, from) < |s| ==> s[IndexOf(s, c, from)] == c
  decreases |s| - from
{
  if from == |s| || s[from] == c then from else IndexOf(s, c, from + 1)
}

function ParseNat(s: string): Option<nat> {
  if s == "" then None
  else
    var last := s[|s| - 1];
    if !('0' <= last <= '9') then None
    else
      var digit := last as nat - '0' as nat;
      if |s| == 1 then Some(digit)
      else
        var front := ParseNat(s[..|s| - 1]);
        if front.None? then None else Some(10 * front.value + digit)
}

// "time:source:level:text"; a text may contain colons.
function ParseRecord(line: string): Option<Record> {
  var a := IndexOf(line, ':', 0);
  if a == |line| then None
  else
    var b := IndexOf(line, ':', a + 1);
    if b == |line| then None
    else
      var c := IndexOf(line, ':', b + 1);
      if c == |line| then None
      else
        var time, level := ParseNat(line[..a]), LevelOf(line[b + 1..c]);
        if time.None? || level.None? || a + 1 == b then None
        else Some(Record(time.value, line[a + 1..b], level.value, line[c + 1..]))
}

predicate Earlier(a: Record, b: Record) {
  a.time < b.time || (a.time == b.time && Severity(a.level) >= Severity(b.level))
}

// Yields the records of lines; a line that starts with a blank continues the text of the one before it.
iterator Parsed(lines: seq<string>) yields (record: Record)
  yield ensures |records| <= |lines|
{
  var i := 0;
  while i < |lines|
    invariant 0 <= i <= |lines|
    invariant |records| <= i
  {
    var r := ParseRecord(lines[i]);
    i := i + 1;
    if r.Some? {
      var whole := r.value;
      while i < |lines| && lines[i] != "" && lines[i][0] == ' '
        invariant 0 <= i <= |lines|
        invariant |records| < i
      {
        whole := whole.(text := whole.text + lines[i]);
        i := i + 1;
      }
      yield whole;
    }
  }
}

// Yields two runs as one; of records that neither is earlier than the other, the left one first.
iterator Merged(left: seq<Record>, right: seq<Record>) yields (next: Record)
  yield ensures |nexts| <= |left| + |right|
{
  var i, j := 0, 0;
  while i < |left| || j < |right|
    invariant 0 <= i <= |left| && 0 <= j <= |right|
    invariant |nexts| == i + j
    decreases |left| - i + |right| - j
  {
    if j == |right| || (i < |left| && Earlier(left[i], right[j])) {
      i := i + 1;
      yield left[i - 1];
    } else {
      j := j + 1;
      yield right[j - 1];
    }
  }
}

method Collect(lines: seq<string>) returns (records: seq<Record>)
  ensures |records| <= |lines|
  decreases *
{
  records := [];
  var it := new Parsed(lines);
  var more := it.MoveNext();
  while more
    invariant more ==> it.Valid() && fresh(it._new)
    invariant more ==> |it.records| <= |lines|
    invariant |records| + (if more then 1 else 0) <= |it.records|
    invariant |records| <= |lines|
    decreases *
  {
    records := records + [it.record];
    if |records| == |lines| { return; }
    more := it.MoveNext();
  }
}

method Merge(left: seq<Record>, right: seq<Record>) returns (all: seq<Record>)
  decreases *
{
  all := [];
  var it := new Merged(left, right);
  var more := it.MoveNext();
  while more
    invariant more ==> it.Valid() && fresh(it._new)
    decreases *
  {
    all := all + [it.next];
    more := it.MoveNext();
  }
}

// Runs merged two and two until one is left.
method MergeAll(runs: seq<seq<Record>>) returns (all: seq<Record>)
  decreases *
{
  if runs == [] {
    return [];
  }
  var rest := runs;
  while |rest| > 1
    invariant |rest| > 0
    decreases *
  {
    var next: seq<seq<Record>> := [];
    var i := 0;
    while i + 1 < |rest|
      invariant 0 <= i <= |rest|
      invariant 2 * |next| == i
    {
      var m := Merge(rest[i], rest[i + 1]);
      next := next + [m];
      i := i + 2;
    }
    if i < |rest| {
      next := next + [rest[i]];
    }
    rest := next;
  }
  all := rest[0];
}

// Without records that repeat one of the same source within `window`; each repetition restarts the window.
method Deduplicate(rs: seq<Record>, window: nat) returns (kept: seq<Record>)
  ensures |kept| <= |rs|
{
  kept := [];
  var last: map<(string, string), nat> := map[];
  for i := 0 to |rs|
    invariant |kept| <= i
  {
    var key := (rs[i].source, rs[i].text);
    if key !in last || last[key] + window < rs[i].time {
      kept := kept + [rs[i]];
    }
    last := last[key := rs[i].time];
  }
}

// The times at which periods of activity begin and end, which gaps of more than `gap` separate.
method Sessions(rs: seq<Record>, gap: nat) returns (sessions: seq<(nat, nat)>)
  ensures |sessions| <= |rs|
  ensures rs != [] ==> sessions != []
{
  sessions := [];
  for i := 0 to |rs|
    invariant |sessions| <= i && (i > 0 ==> sessions != [])
  {
    var n := |sessions|;
    if n > 0 && rs[i].time <= sessions[n - 1].1 + gap {
      var end := if rs[i].time > sessions[n - 1].1 then rs[i].time else sessions[n - 1].1;
      sessions := sessions[n - 1 := (sessions[n - 1].0, end)];
    } else {
      sessions := sessions + [(rs[i].time, rs[i].time)];
    }
  }
}

// For each source the number of its records and its worst level.
method Report(rs: seq<Record>) returns (report: map<string, (nat, Level)>)
  ensures forall r <- rs :: r.source in report
{
  report := map[];
  for i := 0 to |rs|
    invariant forall k | 0 <= k < i :: rs[k].source in report
  {
    var r := rs[i];
    if r.source in report {
      var (count, worst) := report[r.source];
      report := report[r.source := (count + 1, if Severity(r.level) > Severity(worst) then r.level else worst)];
    } else {
      report := report[r.source := (1, r.level)];
    }
  }
}
