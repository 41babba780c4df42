// A log-structured store: a table in memory, sorted runs in levels that are merged, marks of deletion, snapshots, ranges.

datatype Option<T> = None | Some(value: T)

// A version of a key; a deleted key has a version without a value.
datatype Entry = Entry(key: int, version: nat, value: Option<int>)

// The order within a run: by key, the newest version first.
predicate Before(a: Entry, b: Entry) {
  a.key < b.key || (a.key == b.key && a.version > b.version)
}

predicate Sorted(run: seq<Entry>) {
  forall i :: 0 < i < |run| ==> Before(run[i - 1], run[i])
}

function InsertEntry(run: seq<Entry>, e: Entry): seq<Entry>
  ensures |InsertEntry(run, e)| == |run| + 1
{
  if run == [] || Before(e, run[0]) then [e] + run
  else [run[0]] + InsertEntry(run[1..], e)
}

function Merge(a: seq<Entry>, b: seq<Entry>): seq<Entry>
  ensures |Merge(a, b)| == |a| + |b|
  decreases |a| + |b|
{
  if a == [] then b
  else if b == [] then a
  else if Before(b[0], a[0]) then [b[0]] + Merge(a, b[1..])
  else [a[0]] + Merge(a[1..], b)
}

function MergeAll(runs: seq<seq<Entry>>): seq<Entry> {
  if runs == [] then [] else Merge(runs[0], MergeAll(runs[1..]))
}

// Drops versions that no reader can see: what is older than the newest version up to `oldest`, and, in the last level,
// marks of deletion. The key of the last version of that kind is `shadow`.
function Compact(run: seq<Entry>, oldest: nat, last: bool, shadow: Option<int>): seq<Entry>
  ensures |Compact(run, oldest, last, shadow)| <= |run|
{
  if run == [] then []
  else
    var e := run[0];
    if shadow == Some(e.key) then Compact(run[1..], oldest, last, shadow)
    else if e.version > oldest then [e] + Compact(run[1..], oldest, last, shadow)
    else if last && e.value == None then Compact(run[1..], oldest, last, Some(e.key))
    else [e] + Compact(run[1..], oldest, last, Some(e.key))
}

// The first place of a run with a key that is not smaller.
method LowerBound(run: seq<Entry>, key: int) returns (at: nat)
  ensures at <= |run|
{
  var low, high := 0, |run|;
  while low < high
    invariant 0 <= low <= high <= |run|
  {
    var middle := (low + high) / 2;
    if run[middle].key < key {
      low := middle + 1;
    } else {
      high := middle;
    }
  }
  return low;
}

// The newest version of a key in a run that a reader of that time sees.
method Find(run: seq<Entry>, key: int, time: nat) returns (found: Option<Entry>)
  ensures found.Some? ==> found.value in run && found.value.key == key && found.value.version <= time
{
  var i := LowerBound(run, key);
  while i < |run| && run[i].key == key && run[i].version > time
    invariant i <= |run|
  {
    i := i + 1;
  }
  if i < |run| && run[i].key == key {
    return Some(run[i]);
  }
  return None;
}

// The pairs that a reader of that time sees in a sorted run.
function Visible(run: seq<Entry>, time: nat): seq<(int, int)>
  decreases |run|
{
  if run == [] then []
  else if run[0].version > time then Visible(run[1..], time)
  else
    var rest := Visible(SkipKey(run[1..], run[0].key), time);
    if run[0].value.Some? then [(run[0].key, run[0].value.value)] + rest else rest
}

function SkipKey(run: seq<Entry>, key: int): seq<Entry>
  ensures |SkipKey(run, key)| <= |run|
{
  if run != [] && run[0].key == key then SkipKey(run[1..], key) else run
}

class Store {
  const limit: nat   // The table in memory is written when it has so many entries.
  const fanout: nat  // A level with so many runs is merged into the next.
  var memory: seq<Entry>
  var levels: seq<seq<seq<Entry>>>  // In each level the newest run comes first.
  var version: nat
  var snapshots: seq<nat>

  constructor (limit: nat, fanout: nat)
    requires limit > 0 && fanout > 1
    ensures this.limit == limit && this.fanout == fanout
    ensures memory == [] && levels == [] && version == 0 && snapshots == []
  {
    this.limit := limit;
    this.fanout := fanout;
    memory, levels, version, snapshots := [], [], 0, [];
  }

  method Put(key: int, value: int)
    modifies this
    ensures version == old(version) + 1
  {
    Write(key, Some(value));
  }

  method Delete(key: int)
    modifies this
    ensures version == old(version) + 1
  {
    Write(key, None);
  }

  method Write(key: int, value: Option<int>)
    modifies this
    ensures version == old(version) + 1
  {
    version := version + 1;
    memory := InsertEntry(memory, Entry(key, version, value));
    if |memory| >= limit {
      Flush();
    }
  }

  // Writes the table in memory as a run, and merges levels that are full.
  method Flush()
    modifies this
    ensures memory == [] && version == old(version) && snapshots == old(snapshots)
  {
    if memory == [] {
      return;
    }
    var carry := memory;
    memory := [];
    var oldest := Oldest();
    var i := 0;
    while i < |levels|
      invariant memory == [] && version == old(version) && snapshots == old(snapshots)
    {
      levels := levels[i := [carry] + levels[i]];
      if |levels[i]| < fanout {
        return;
      }
      carry := Compact(MergeAll(levels[i]), oldest, i + 1 == |levels|, None);
      levels := levels[i := []];
      i := i + 1;
    }
    levels := levels + [[carry]];
  }

  // The time of the oldest reader.
  function Oldest(): nat
    reads this
  {
    if snapshots == [] then version else snapshots[0]
  }

  method Read(key: int, time: nat) returns (value: Option<int>)
  {
    var found := Find(memory, key, time);
    var i := 0;
    while found.None? && i < |levels| {
      var k := 0;
      while found.None? && k < |levels[i]|
        invariant i < |levels|
      {
        found := Find(levels[i][k], key, time);
        k := k + 1;
      }
      i := i + 1;
    }
    return if found.Some? then found.value.value else None;
  }

  // The pairs with keys from `low` up to but not including `high`, in order.
  method Scan(low: int, high: int, time: nat) returns (pairs: seq<(int, int)>)
  {
    var all := memory;
    for i := 0 to |levels| {
      all := Merge(all, MergeAll(levels[i]));
    }
    var from := LowerBound(all, low);
    var to := LowerBound(all, high);
    return if from < to then Visible(all[from..to], time) else [];
  }

  method Snapshot() returns (time: nat)
    modifies this
    ensures time == version && snapshots == old(snapshots) + [time]
  {
    time := version;
    snapshots := snapshots + [time];
  }

  // Ends one reader of that time.
  method Release(time: nat)
    modifies this
    ensures version == old(version)
  {
    for i := 0 to |snapshots|
      invariant version == old(version)
    {
      if snapshots[i] == time {
        snapshots := snapshots[..i] + snapshots[i + 1..];
        return;
      }
    }
  }
}
