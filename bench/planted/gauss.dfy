// Matrices over a prime field: elimination with pivots, rank, determinant, inverse, systems of equations, null space.

datatype Option<T> = None | Some(value: T)

type Row = seq<int>
type Matrix = seq<Row>

ghost predicate Rect(m: Matrix, columns: nat) {
  forall r <- m :: |r| == columns
}

// The value between zero and the modulus.
function Norm(a: int, p: int): int
  requires p > 1
  ensures 0 <= Norm(a, p) < p
{
  a % p
}

// Power by squaring.
function Power(a: int, e: nat, p: int): int
  requires p > 1
  decreases e
{
  if e == 0 then 1
  else
    var half := Power(a * a % p, e / 2, p);
    if e % 2 == 1 then half * a % p else half
}

// The inverse in a field of prime order, by Fermat.
function Inverse(a: int, p: int): int
  requires p > 1
{
  Power(Norm(a, p), p - 2, p)
}

function Scale(r: Row, c: int, p: int): Row
  requires p > 1
  ensures |Scale(r, c, p)| == |r|
{
  seq(|r|, i requires 0 <= i < |r| => Norm(r[i] * c, p))
}

// r - c * s
function Minus(r: Row, s: Row, c: int, p: int): Row
  requires p > 1 && |r| == |s|
  ensures |Minus(r, s, c, p)| == |r|
{
  seq(|r|, i requires 0 <= i < |r| => Norm(r[i] - c * s[i], p))
}

function Identity(n: nat): Matrix
  ensures |Identity(n)| == n && Rect(Identity(n), n)
{
  seq(n, i => seq(n, j => if i == j then 1 else 0))
}

function Dot(a: Row, b: Row, p: int): int
  requires p > 1 && |a| == |b|
{
  if a == [] then 0 else Norm(a[0] * b[0] + Dot(a[1..], b[1..], p), p)
}

function Column(m: Matrix, j: nat): Row
  requires forall r <- m :: j < |r|
  ensures |Column(m, j)| == |m|
{
  seq(|m|, i requires 0 <= i < |m| => m[i][j])
}

method Multiply(a: Matrix, b: Matrix, n: nat, p: int) returns (c: Matrix)
  requires p > 1 && Rect(a, |b|) && Rect(b, n)
  ensures |c| == |a| && Rect(c, n)
{
  c := [];
  for i := 0 to |a|
    invariant |c| == i && Rect(c, n)
  {
    var row: Row := [];
    for j := 0 to n
      invariant |row| == j
    {
      row := row + [Dot(a[i], Column(b, j), p)];
    }
    c := c + [row];
  }
}

// The result of an elimination: reduced rows, the columns of the pivots, and the factor of the determinant.
datatype Reduced = Reduced(rows: Matrix, pivots: seq<nat>, factor: int)

// Reduces the first `width` columns; the others follow.
method Eliminate(m: Matrix, columns: nat, width: nat, p: int) returns (e: Reduced)
  requires p > 1 && width <= columns && Rect(m, columns)
  ensures |e.rows| == |m| && Rect(e.rows, columns)
  ensures |e.pivots| <= |m|
  ensures |e.pivots| <= width && forall c <- e.pivots :: c < width
{
  var rows: Matrix := seq(|m|, i requires 0 <= i < |m| => Scale(m[i], 1, p));
  var pivots: seq<nat> := [];
  var factor := 1 % p;
  for column := 0 to width
    invariant |rows| == |m| && Rect(rows, columns)
    invariant |pivots| <= |m|
    invariant |pivots| <= column && forall c <- pivots :: c < column
  {
    var top := |pivots|;
    var at := FindPivot(rows, columns, top, column);
    if at < |rows| {
      if at != top {
        rows := rows[top := rows[at]][at := rows[top]];
        factor := Norm(-factor, p);
      }
      factor := Norm(factor * rows[top][column], p);
      rows := rows[top := Scale(rows[top], Inverse(rows[top][column], p), p)];
      for i := 0 to |rows|
        invariant |rows| == |m| && Rect(rows, columns)
      {
        if i != top && rows[i][column] != 0 {
          rows := rows[i := Minus(rows[i], rows[top], rows[i][column], p)];
        }
      }
      pivots := pivots + [column];
    } else {
      factor := 0;
    }
  }
  return Reduced(rows, pivots, factor);
}

// The first row from `top` on with something in a column; the number of rows if there is none.
method FindPivot(rows: Matrix, columns: nat, top: nat, column: nat) returns (at: nat)
  requires Rect(rows, columns) && column < columns && top <= |rows|
  ensures top <= at <= |rows|
  ensures at < |rows| ==> rows[at][column] != 0
{
  at := top;
  while at < |rows| && rows[at][column] == 0
    invariant top <= at <= |rows|
  {
    at := at + 1;
  }
}

method Rank(m: Matrix, columns: nat, p: int) returns (rank: nat)
  requires p > 1 && Rect(m, columns)
  ensures rank <= |m|
{
  var e := Eliminate(m, columns, columns, p);
  return |e.pivots|;
}

method Determinant(m: Matrix, p: int) returns (d: int)
  requires p > 1 && Rect(m, |m|)
{
  var e := Eliminate(m, |m|, |m|, p);
  return e.factor;
}

method Invert(m: Matrix, p: int) returns (inverse: Option<Matrix>)
  requires p > 1 && Rect(m, |m|)
  ensures inverse.Some? ==> |inverse.value| == |m| && Rect(inverse.value, |m|)
{
  var n := |m|;
  var unit := Identity(n);
  var wide: Matrix := seq(n, i requires 0 <= i < n => m[i] + unit[i]);
  var e := Eliminate(wide, 2 * n, n, p);
  if |e.pivots| < n {
    return None;
  }
  return Some(seq(n, i requires 0 <= i < n => e.rows[i][n..]));
}

datatype Solution = Impossible | Unique(x: Row) | Many(some: Row, free: nat)

// Solves m * x == b.
method Solve(m: Matrix, columns: nat, b: Row, p: int) returns (s: Solution)
  requires p > 1 && Rect(m, columns) && |b| == |m|
{
  var wide: Matrix := seq(|m|, i requires 0 <= i < |m| => m[i] + [b[i]]);
  var e := Eliminate(wide, columns + 1, columns, p);
  var rank := |e.pivots|;
  for i := rank to |e.rows| {
    if e.rows[i][columns] != 0 {
      return Impossible;
    }
  }
  var x: Row := seq(columns, i => 0);
  for i := 0 to rank
    invariant |x| == columns
  {
    var c := e.pivots[i];
    assert c in e.pivots;
    x := x[c := e.rows[i][columns]];
  }
  return if rank == columns then Unique(x) else Many(x, columns - rank);
}

// A basis of the vectors that the matrix maps to zero, one for each column without pivot.
method NullSpace(m: Matrix, columns: nat, p: int) returns (basis: Matrix)
  requires p > 1 && Rect(m, columns)
  ensures Rect(basis, columns)
{
  var e := Eliminate(m, columns, columns, p);
  basis := [];
  for free := 0 to columns
    invariant Rect(basis, columns)
  {
    if free !in e.pivots {
      var v: Row := seq(columns, i => if i == free then 1 % p else 0);
      for i := 0 to |e.pivots|
        invariant |v| == columns
      {
        var c := e.pivots[i];
        assert c in e.pivots;
        v := v[c := Norm(-e.rows[i][free], p)];
      }
      basis := basis + [v];
    }
  }
}
