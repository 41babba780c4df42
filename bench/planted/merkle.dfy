// A log that only grows over a Merkle tree: roots, proofs that an entry is in the log, proofs that an older log is the beginning of a
// newer one, and a class that keeps the roots of full subtrees.

type Hash = nat

datatype Side = Left | Right

datatype Step = Step(side: Side, hash: Hash)

datatype Peak = Peak(size: nat, hash: Hash)

const Modulus: nat := 1000003

// A toy in place of a real hash; leaves and inner nodes begin with different numbers.
function Mix(h: Hash, x: nat): Hash { (h * 31 + x + 7) % Modulus }

function HashText(text: string, h: Hash): Hash {
  if text == "" then h else HashText(text[1..], Mix(h, text[0] as nat))
}

function LeafHash(text: string): Hash { HashText(text, 1) }

function Combine(a: Hash, b: Hash): Hash { Mix(Mix(2, a), b) }

// The greatest power of two that is less than `n`.
function Half(n: nat): nat
  requires n >= 2
  ensures 0 < Half(n) < n
{
  HalfFrom(n, 1)
}

function HalfFrom(n: nat, p: nat): nat
  requires 0 < p < n
  ensures p <= HalfFrom(n, p) < n
  decreases n - p
{
  if 2 * p >= n then p else HalfFrom(n, 2 * p)
}

function Root(entries: seq<string>): Hash
  decreases |entries|
{
  if |entries| == 0 then 0
  else if |entries| == 1 then LeafHash(entries[0])
  else
    var k := Half(|entries|);
    Combine(Root(entries[..k]), Root(entries[k..]))
}

// The steps from a leaf up to the root.
function Proof(entries: seq<string>, i: nat): seq<Step>
  requires i < |entries|
  decreases |entries|
{
  if |entries| == 1 then []
  else
    var k := Half(|entries|);
    if i < k then Proof(entries[..k], i) + [Step(Right, Root(entries[k..]))]
    else Proof(entries[k..], i - k) + [Step(Left, Root(entries[..k]))]
}

function Climb(h: Hash, steps: seq<Step>): Hash
  decreases |steps|
{
  if steps == [] then h
  else
    var s := steps[0];
    Climb(if s.side.Left? then Combine(s.hash, h) else Combine(h, s.hash), steps[1..])
}

predicate Check(root: Hash, text: string, steps: seq<Step>) { Climb(LeafHash(text), steps) == root }

lemma ClimbAppend(h: Hash, a: seq<Step>, s: Step)
  ensures Climb(h, a + [s]) == if s.side.Left? then Combine(s.hash, Climb(h, a)) else Combine(Climb(h, a), s.hash)
  decreases |a|
{
  if a == [] {
    assert [s][1..] == [];
    assert a + [s] == [s];
  } else {
    assert (a + [s])[1..] == a[1..] + [s];
    var t := a[0];
    ClimbAppend(if t.side.Left? then Combine(t.hash, h) else Combine(h, t.hash), a[1..], s);
  }
}

lemma ProofIsAccepted(entries: seq<string>, i: nat)
  requires i < |entries|
  ensures Check(Root(entries), entries[i], Proof(entries, i))
  decreases |entries|
{
  if |entries| > 1 {
    var k := Half(|entries|);
    if i < k {
      ProofIsAccepted(entries[..k], i);
      ClimbAppend(LeafHash(entries[i]), Proof(entries[..k], i), Step(Right, Root(entries[k..])));
    } else {
      ProofIsAccepted(entries[k..], i - k);
      ClimbAppend(LeafHash(entries[i]), Proof(entries[k..], i - k), Step(Left, Root(entries[..k])));
    }
  }
}

// The hashes from which the roots of the first `m` entries and of all can be computed. `whole` says that the first `m` are a subtree
// whose root the other side knows.
function Consistency(entries: seq<string>, m: nat, whole: bool): seq<Hash>
  requires 0 < m <= |entries|
  decreases |entries|
{
  var n := |entries|;
  if m == n then (if whole then [] else [Root(entries)])
  else
    var k := Half(n);
    if m <= k then Consistency(entries[..k], m, whole) + [Root(entries[k..])]
    else Consistency(entries[k..], m - k, false) + [Root(entries[..k])]
}

// The roots of the first `m` and of all `n` entries by a proof, or none if the proof has the wrong length.
method Rebuild(m: nat, n: nat, whole: bool, root: Hash, proof: seq<Hash>) returns (older: Hash, newer: Hash, ok: bool)
  requires 0 < m <= n
  decreases n
{
  if m == n {
    if whole {
      return root, root, proof == [];
    }
    if |proof| == 1 {
      return proof[0], proof[0], true;
    }
    return 0, 0, false;
  }
  if proof == [] {
    return 0, 0, false;
  }
  var k := Half(n);
  var last, rest := proof[|proof| - 1], proof[..|proof| - 1];
  if m <= k {
    older, newer, ok := Rebuild(m, k, whole, root, rest);
    newer := Combine(newer, last);
  } else {
    older, newer, ok := Rebuild(m - k, n - k, false, root, rest);
    older, newer := Combine(last, older), Combine(last, newer);
  }
}

method Extends(m: nat, older: Hash, n: nat, newer: Hash, proof: seq<Hash>) returns (ok: bool)
{
  if m == 0 {
    return proof == [];
  }
  if m > n {
    return false;
  }
  var a, b, fits := Rebuild(m, n, true, older, proof);
  ok := fits && a == older && b == newer;
}

// The first place at which two logs differ, by halves whose roots are equal or not; the length of the shorter one if it is the
// beginning of the other one.
method FirstDifference(a: seq<string>, b: seq<string>) returns (i: nat)
  ensures i <= |a| && i <= |b|
{
  var n := if |a| < |b| then |a| else |b|;
  var low, high := 0, n;
  if Root(a[..n]) == Root(b[..n]) {
    return n;
  }
  while high - low > 1
    invariant 0 <= low <= high <= n
  {
    var mid := low + Half(high - low);
    if Root(a[low..mid]) == Root(b[low..mid]) {
      low := mid;
    } else {
      high := mid;
    }
  }
  i := low;
}

// A log that keeps only the roots of its full subtrees, the largest first.
class Log {
  var peaks: seq<Peak>
  var count: nat
  var heads: seq<(nat, Hash)>

  ghost predicate Valid()
    reads this
  {
    (forall p <- peaks :: p.size > 0) && (count > 0 ==> peaks != [])
  }

  constructor ()
    ensures Valid() && count == 0 && peaks == [] && heads == []
  {
    peaks, count, heads := [], 0, [];
  }

  // Adds an entry: subtrees of equal size at the end are combined to one.
  method Append(text: string) returns (index: nat)
    requires Valid()
    modifies this
    ensures Valid() && index == old(count) && count == index + 1 && heads == old(heads)
  {
    index := count;
    var p := Peak(1, LeafHash(text));
    while peaks != [] && peaks[|peaks| - 1].size == p.size
      invariant p.size > 0 && forall q <- peaks :: q.size > 0
      invariant heads == old(heads)
      decreases |peaks|
    {
      var q := peaks[|peaks| - 1];
      p := Peak(q.size + p.size, Combine(q.hash, p.hash));
      peaks := peaks[..|peaks| - 1];
    }
    peaks := peaks + [p];
    count := index + 1;
  }

  // The root of all entries: the subtrees are combined from the smallest on.
  method Current() returns (h: Hash)
    requires Valid()
    ensures count > 0 && |peaks| == 1 ==> h == peaks[0].hash
  {
    if peaks == [] {
      return 0;
    }
    var i := |peaks| - 1;
    h := peaks[i].hash;
    while i > 0
      invariant 0 <= i < |peaks|
      invariant i == |peaks| - 1 ==> h == peaks[i].hash
    {
      i := i - 1;
      h := Combine(peaks[i].hash, h);
    }
  }

  // Notes the root for the size that the log has now, once for each size.
  method Sign() returns (h: Hash)
    requires Valid()
    modifies this`heads
    ensures Valid() && |heads| >= |old(heads)|
  {
    h := Current();
    if heads == [] || heads[|heads| - 1].0 != count {
      heads := heads + [(count, h)];
    }
  }

  // The root that was noted for the greatest size up to `n`.
  function HeadAt(n: nat): (nat, Hash)
    reads this
  {
    Last(heads, n)
  }
}

function Last(heads: seq<(nat, Hash)>, n: nat): (nat, Hash) {
  if heads == [] then (0, 0)
  else
    var h := heads[|heads| - 1];
    if h.0 <= n then h else Last(heads[..|heads| - 1], n)
}
