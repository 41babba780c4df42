// The page allocator of a storage engine: pages in runs, a list of free runs that are merged, reference counts for
// snapshots, and a journal of what a transaction did.

datatype Run = Run(start: nat, length: nat)

datatype Policy = FirstFit | BestFit | WorstFit

datatype Outcome = Allocated(start: nat) | Full | Fragmented

predicate Ordered(free: seq<Run>) {
  && (forall i | 0 <= i < |free| :: free[i].length > 0)
  && (forall i | 0 <= i < |free| - 1 :: free[i].start + free[i].length < free[i + 1].start)
}

function FreePages(free: seq<Run>): nat {
  if free == [] then 0 else free[0].length + FreePages(free[1..])
}

// The index of the run that a policy takes; the number of runs if none is long enough.
function Choose(free: seq<Run>, n: nat, policy: Policy): nat
  ensures Choose(free, n, policy) <= |free|
  ensures Choose(free, n, policy) < |free| ==> free[Choose(free, n, policy)].length >= n
{
  if free == [] then 0
  else
    var other := Choose(free[1..], n, policy);
    if free[0].length < n then other + 1
    else if other == |free| - 1 then 0
    else
      match policy
      case FirstFit => 0
      case BestFit => if free[0].length <= free[other + 1].length then 0 else other + 1
      case WorstFit => if free[0].length >= free[other + 1].length then 0 else other + 1
}

// The index of the first run at or behind a page.
method Search(free: seq<Run>, page: nat) returns (index: nat)
  requires Ordered(free)
  ensures index <= |free|
  ensures index < |free| ==> page <= free[index].start
  ensures index > 0 ==> free[index - 1].start < page
{
  var low, high := 0, |free|;
  while low < high
    invariant 0 <= low <= high <= |free|
    invariant high < |free| ==> page <= free[high].start
    invariant low > 0 ==> free[low - 1].start < page
  {
    var middle := (low + high) / 2;
    if free[middle].start < page {
      low := middle + 1;
    } else {
      high := middle;
    }
  }
  index := low;
}

// Takes pages from the beginning of a run.
function Take(free: seq<Run>, index: nat, n: nat): seq<Run>
  requires index < |free| && free[index].length >= n
{
  var r := free[index];
  if r.length == n then free[..index] + free[index + 1..]
  else free[index := Run(r.start + n, r.length - n)]
}

// Puts a run back at its index, merged with those beside it.
function Give(free: seq<Run>, index: nat, run: Run): seq<Run>
  requires index <= |free|
{
  var before := index > 0 && free[index - 1].start + free[index - 1].length == run.start;
  var after := index < |free| && run.start + run.length == free[index].start;
  if before && after then
    free[..index - 1] + [Run(free[index - 1].start, free[index - 1].length + run.length + free[index].length)] + free[index + 1..]
  else if before then
    free[index - 1 := Run(free[index - 1].start, free[index - 1].length + run.length)]
  else if after then
    free[index := Run(run.start, run.length + free[index].length)]
  else
    free[..index] + [run] + free[index..]
}

datatype Entry = Taken(run: Run) | Released(run: Run)

class Allocator {
  const total: nat
  const policy: Policy
  var free: seq<Run>
  var counts: map<nat, nat>  // The number of users of each run, by its first page.
  var lengths: map<nat, nat>
  var journal: seq<Entry>
  var open: bool

  ghost predicate Valid()
    reads this
  {
    && counts.Keys == lengths.Keys
    && (forall p <- counts :: counts[p] > 0)
    && (!open ==> journal == [])
  }

  constructor (total: nat, policy: Policy)
    ensures Valid() && !open && counts == map[]
    ensures free == if total == 0 then [] else [Run(0, total)]
  {
    this.total, this.policy := total, policy;
    free := if total == 0 then [] else [Run(0, total)];
    counts, lengths, journal, open := map[], map[], [], false;
  }

  method Begin()
    requires Valid() && !open
    modifies this
    ensures Valid() && open && journal == [] && free == old(free)
  {
    open := true;
  }

  method Acquire(n: nat) returns (o: Outcome)
    requires Valid() && n > 0
    modifies this
    ensures Valid() && open == old(open)
    ensures !o.Allocated? ==> free == old(free) && counts == old(counts)
    ensures o.Allocated? ==> o.start in counts && counts[o.start] == 1 && lengths[o.start] == n
  {
    var i := Choose(free, n, policy);
    if i == |free| {
      o := if FreePages(free) >= n then Fragmented else Full;
    } else {
      var start := free[i].start;
      free := Take(free, i, n);
      counts, lengths := counts[start := 1], lengths[start := n];
      if open {
        journal := journal + [Taken(Run(start, n))];
      }
      o := Allocated(start);
    }
  }

  // A snapshot uses a run as well.
  method Share(start: nat) returns (known: bool)
    requires Valid()
    modifies this
    ensures Valid() && open == old(open) && free == old(free)
    ensures known <==> start in old(counts)
  {
    known := start in counts;
    if known {
      counts := counts[start := counts[start] + 1];
    }
  }

  method Release(start: nat) returns (freed: nat)
    requires Valid() && Ordered(free)
    modifies this
    ensures Valid() && open == old(open)
    ensures freed == 0 ==> free == old(free) || start in old(counts)
  {
    if start !in counts {
      freed := 0;
    } else if counts[start] > 1 {
      counts := counts[start := counts[start] - 1];
      freed := 0;
    } else {
      freed := lengths[start];
      counts, lengths := counts - {start}, lengths - {start};
      var run := Run(start, freed);
      if open {
        journal := journal + [Released(run)];  // Free when the transaction commits.
      } else {
        var i := Search(free, start);
        free := Give(free, i, run);
      }
    }
  }

  method Commit()
    requires Valid() && open
    modifies this
    ensures Valid() && !open && counts == old(counts)
  {
    for k := 0 to |journal|
      invariant Valid() && open && counts == old(counts) && journal == old(journal)
    {
      if journal[k].Released? && Ordered(free) {
        var i := Search(free, journal[k].run.start);
        free := Give(free, i, journal[k].run);
      }
    }
    journal, open := [], false;
  }

  // Undoes the transaction, the latest change first.
  method Rollback()
    requires Valid() && open
    modifies this
    ensures Valid() && !open
  {
    while journal != []
      invariant Valid() && open
      decreases |journal|
    {
      var e := journal[|journal| - 1];
      journal := journal[..|journal| - 1];
      match e {
        case Taken(r) =>
          if Ordered(free) {
            var i := Search(free, r.start);
            free := Give(free, i, r);
          }
          counts, lengths := counts - {r.start}, lengths - {r.start};
        case Released(r) =>
          counts, lengths := counts[r.start := 1], lengths[r.start := r.length];
      }
    }
    open := false;
  }

  function Largest(): nat
    reads this
  {
    LargestOf(free, 0)
  }

  static function LargestOf(free: seq<Run>, best: nat): nat {
    if free == [] then best else LargestOf(free[1..], if free[0].length > best then free[0].length else best)
  }
}
