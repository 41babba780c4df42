// refused: 2, 3, 4, 5, 6, 7, 10
method Rest(r: real) returns (x: real) { x := r % 2.0; }
function Mixed(n: int, r: real): real { n + r }
function Truth(b: bool): bool { b + b }
function Sequences(s: seq<int>): seq<int> { s - s }
function Sets(s: set<int>): set<int> { s / s }
function Maps(m: map<int, int>): map<int, int> { m * m }
function Far(n: int, b: bool): int {
  n
    + b
}
function Fine(m: map<int, bool>, s: set<int>, c: char, r: real, q: seq<int>, b: multiset<int>): int
  requires m - s == m + m && s * s == s - s && c + c == c - c && r / 2.0 == r * r && q + q == q && b - b == b * b
{ 3 }
