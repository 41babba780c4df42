// Sequences: merging, parsing, removal of duplicates, search.

predicate Sorted(s: seq<int>) {
  forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j]
}

method Merge(a: seq<int>, b: seq<int>) returns (r: seq<int>)
  requires Sorted(a) && Sorted(b)
  ensures Sorted(r)
  ensures multiset(r) == multiset(a) + multiset(b)
{
  r := [];
  var i, j := 0, 0;
  while i < |a| || j < |b|
    invariant 0 <= i <= |a| && 0 <= j <= |b|
    invariant Sorted(r)
    invariant multiset(r) == multiset(a[..i]) + multiset(b[..j])
    invariant forall n, k :: 0 <= n < |r| && i <= k < |a| ==> r[n] <= a[k]
    invariant forall n, k :: 0 <= n < |r| && j <= k < |b| ==> r[n] <= b[k]
    decreases |a| - i + |b| - j
  {
    if j == |b| || (i < |a| && a[i] <= b[j]) {
      assert a[..i + 1] == a[..i] + [a[i]];
      assert forall n :: 0 <= n < |r| ==> r[n] <= a[i];
      r := r + [a[i]];
      i := i + 1;
    } else {
      assert b[..j + 1] == b[..j] + [b[j]];
      assert forall n :: 0 <= n < |r| ==> r[n] <= b[j];
      r := r + [b[j]];
      j := j + 1;
    }
  }
  assert a[..i] == a && b[..j] == b;
}

datatype Option<T> = None | Some(value: T)

predicate IsDigit(c: char) {
  '0' <= c <= '9'
}

function Number(s: string): nat
  requires forall c :: c in s ==> IsDigit(c)
{
  if |s| == 0 then 0
  else
    var c := s[|s| - 1];
    assert IsDigit(c);
    10 * Number(s[..|s| - 1]) + (c as int - '0' as int)
}

method Parse(s: string) returns (r: Option<nat>)
  ensures r.Some? <==> |s| > 0 && forall c :: c in s ==> IsDigit(c)
  ensures r.Some? ==> r.value == Number(s)
{
  if |s| == 0 {
    return None;
  }
  var n := 0;
  for i := 0 to |s|
    invariant forall c :: c in s[..i] ==> IsDigit(c)
    invariant n == Number(s[..i])
  {
    if !IsDigit(s[i]) {
      assert s[i] in s;
      return None;
    }
    assert forall c :: c in s[..i + 1] ==> c in s[..i] || c == s[i];
    assert s[..i + 1][..i] == s[..i];
    n := 10 * n + (s[i] as int - '0' as int);
  }
  assert s[..|s|] == s;
  return Some(n);
}

method IndexOf(s: seq<char>, c: char) returns (r: Option<nat>)
  ensures r.None? <==> c !in s
  ensures r.Some? ==> r.value < |s| && s[r.value] == c && c !in s[..r.value]
{
  for i := 0 to |s|
    invariant c !in s[..i]
  {
    if s[i] == c {
      return Some(i);
    }
  }
  return None;
}

method Divide(a: nat, b: nat) returns (q: nat, r: nat)
  requires b > 0
  ensures a == q * b + r
  ensures r < b
{
  q, r := 0, a;
  while r >= b
    invariant a == q * b + r
  {
    q, r := q + 1, r - b;
  }
}

method Clamp(x: int, low: int, high: int) returns (r: int)
  requires low <= high
  ensures low <= r <= high
  ensures low <= x <= high ==> r == x
  ensures x < low ==> r == low
  ensures x > high ==> r == high
{
  r := if x < low then low else if x > high then high else x;
}

method Evens(s: seq<int>) returns (r: set<int>)
  ensures forall x :: x in r <==> x in s && x % 2 == 0
{
  r := {};
  for i := 0 to |s|
    invariant forall x :: x in r <==> x in s[..i] && x % 2 == 0
  {
    if s[i] % 2 == 0 {
      r := r + {s[i]};
    }
  }
}

predicate IsLongest(words: seq<string>, k: nat)
  requires k < |words|
{
  (forall i :: 0 <= i < |words| ==> |words[i]| <= |words[k]|) &&
  (forall i :: 0 <= i < k ==> |words[i]| < |words[k]|)
}

method Longest(words: seq<string>) returns (r: string)
  requires |words| > 0
  ensures exists k :: 0 <= k < |words| && IsLongest(words, k) && r == words[k]
{
  var best := 0;
  for i := 1 to |words|
    invariant 0 <= best < i <= |words|
    invariant forall k :: 0 <= k < i ==> |words[k]| <= |words[best]|
    invariant forall k :: 0 <= k < best ==> |words[k]| < |words[best]|
  {
    if |words[i]| > |words[best]| {
      best := i;
    }
  }
  return words[best];
}
