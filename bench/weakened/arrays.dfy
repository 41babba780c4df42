// Arrays that are changed in place.

method Swap(a: array<int>, i: nat, j: nat)
  requires i < a.Length && j < a.Length
  modifies a
  ensures a[i] == old(a[j]) && a[j] == old(a[i])
  ensures forall k :: 0 <= k < a.Length && k != i && k != j ==> a[k] == old(a[k])
{
  a[i], a[j] := a[j], a[i];
}

method Reverse(a: array<int>)
  modifies a
  ensures forall k :: 0 <= k < a.Length ==> a[k] == old(a[a.Length - 1 - k])
{
  var n := a.Length / 2;
  for i := 0 to n
    invariant forall k :: 0 <= k < i || a.Length - i <= k < a.Length ==>
      a[k] == old(a[a.Length - 1 - k])
    invariant forall k :: i <= k < a.Length - i ==> a[k] == old(a[k])
  {
    a[i], a[a.Length - 1 - i] := a[a.Length - 1 - i], a[i];
  }
}

method Sort(a: array<int>)
  modifies a
  ensures forall i, j :: 0 <= i < j < a.Length ==> a[i] <= a[j]
  ensures multiset(a[..]) == multiset(old(a[..]))
{
  for n := 0 to a.Length
    invariant forall i, j :: 0 <= i < j < n ==> a[i] <= a[j]
    invariant multiset(a[..]) == multiset(old(a[..]))
  {
    var k := n;
    while k > 0 && a[k - 1] > a[k]
      invariant 0 <= k <= n
      invariant forall i, j :: 0 <= i < j <= n && j != k ==> a[i] <= a[j]
      invariant multiset(a[..]) == multiset(old(a[..]))
    {
      a[k - 1], a[k] := a[k], a[k - 1];
      k := k - 1;
    }
  }
}

method Fill(a: array<int>, from: nat, to: nat, x: int)
  requires from <= to <= a.Length
  modifies a
  ensures forall k :: from <= k < to ==> a[k] == x
  ensures forall k :: 0 <= k < a.Length && !(from <= k < to) ==> a[k] == old(a[k])
{
  for i := from to to
    invariant forall k :: from <= k < i ==> a[k] == x
    invariant forall k :: 0 <= k < a.Length && !(from <= k < i) ==> a[k] == old(a[k])
  {
    a[i] := x;
  }
}

method Copy(source: array<int>, target: array<int>)
  requires source.Length == target.Length && source != target
  modifies target
  ensures target[..] == old(source[..])
{
  forall i | 0 <= i < source.Length {
    target[i] := source[i];
  }
}

method Partition(a: array<int>, pivot: int) returns (n: nat)
  modifies a
  ensures n <= a.Length
  ensures forall k :: 0 <= k < n ==> a[k] < pivot
  ensures forall k :: n <= k < a.Length ==> a[k] >= pivot
  ensures multiset(a[..]) == multiset(old(a[..]))
{
  n := 0;
  var high := a.Length;
  while n < high
    invariant 0 <= n <= high <= a.Length
    invariant forall k :: 0 <= k < n ==> a[k] < pivot
    invariant forall k :: high <= k < a.Length ==> a[k] >= pivot
    invariant multiset(a[..]) == multiset(old(a[..]))
  {
    if a[n] < pivot {
      n := n + 1;
    } else {
      high := high - 1;
      a[n], a[high] := a[high], a[n];
    }
  }
}

method BinarySearch(a: array<int>, key: int) returns (n: nat)
  requires forall i, j :: 0 <= i < j < a.Length ==> a[i] <= a[j]
  ensures n <= a.Length
  ensures forall k :: 0 <= k < n ==> a[k] < key
  ensures forall k :: n <= k < a.Length ==> key <= a[k]
{
  n := 0;
  var high := a.Length;
  while n < high
    invariant 0 <= n <= high <= a.Length
    invariant forall k :: 0 <= k < n ==> a[k] < key
    invariant forall k :: high <= k < a.Length ==> key <= a[k]
  {
    var mid := (n + high) / 2;
    if a[mid] < key {
      n := mid + 1;
    } else {
      high := mid;
    }
  }
}
