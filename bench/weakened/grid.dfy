// Grids: two-dimensional arrays that are changed in place, and rows as sequences.

method Fill(g: array2<int>, row: nat, x: int)
  requires row < g.Length0
  modifies g
  ensures forall j :: 0 <= j < g.Length1 ==> g[row, j] == x
  ensures forall i, j :: 0 <= i < g.Length0 && 0 <= j < g.Length1 && i != row ==> g[i, j] == old(g[i, j])
{
  for k := 0 to g.Length1
    invariant forall j :: 0 <= j < k ==> g[row, j] == x
    invariant forall i, j :: 0 <= i < g.Length0 && 0 <= j < g.Length1 && (i != row || j >= k) ==> g[i, j] == old(g[i, j])
  {
    g[row, k] := x;
  }
}

method SwapCells(g: array2<int>, i: nat, j: nat)
  requires i < g.Length0 && j < g.Length1 && g.Length0 == g.Length1
  modifies g
  ensures i < g.Length1 && j < g.Length0
  ensures g[i, j] == old(g[j, i])
  ensures g[j, i] == old(g[i, j])
  ensures forall a, b :: 0 <= a < g.Length0 && 0 <= b < g.Length1 && (a, b) != (i, j) && (a, b) != (j, i) ==> g[a, b] == old(g[a, b])
{
  g[i, j], g[j, i] := g[j, i], g[i, j];
}

method RowMax(g: array2<int>, row: nat) returns (m: int)
  requires row < g.Length0 && g.Length1 > 0
  ensures forall j :: 0 <= j < g.Length1 ==> g[row, j] <= m
  ensures exists j :: 0 <= j < g.Length1 && g[row, j] == m
{
  m := g[row, 0];
  for k := 1 to g.Length1
    invariant forall j :: 0 <= j < k ==> g[row, j] <= m
    invariant exists j :: 0 <= j < k && g[row, j] == m
  {
    if g[row, k] > m { m := g[row, k]; }
  }
}

method Column(rows: seq<seq<int>>, k: nat) returns (c: seq<int>)
  requires forall row :: row in rows ==> k < |row|
  ensures |c| == |rows|
  ensures forall i :: 0 <= i < |rows| ==> c[i] == rows[i][k]
{
  c := seq(|rows|, i requires 0 <= i < |rows| => rows[i][k]);
}
