// refused: 14, 16, 18, 20, 25, 30, 36, 41, 48, 53, 57, 64, 69, 78, 83, 92
function {:tailrecursion} Sum(n: nat): nat { if n == 0 then 0 else n + Sum(n - 1) }
function {:tailrecursion} Down(n: nat, total: nat): nat { if n == 0 then total else var m := n - 1; Down(m, total + n) }
function {:tailrecursion} Digits(n: nat): string { if n < 10 then "x" else Digits(n / 10) + "x" }
function {:tailrecursion} Less(n: nat): int { if n == 0 then 0 else Less(n - 1) - n }
function {:tailrecursion} Elements(n: nat): set<nat> { match n case 0 => {} case _ => Elements(n - 1) + {n} }
function {:tailrecursion false} Twice(n: nat): nat { if n == 0 then 0 else 2 * Twice(n - 1) + Twice(n - 1) }
ghost function {:tailrecursion false} Ghostly(n: nat): nat { if n == 0 then 0 else Ghostly(n - 1) }
function {:tailrecursion} Proof(n: nat, ghost m: nat): nat
  requires n == 0 || Proof(n - 1, 3) >= 0
{ if n == 0 then 0 else ghost var k := Proof(n - 1, 2); assert Proof(n - 1, m) >= 0; Proof(n - 1, Proof(n - 1, m)) }
function {:tailrecursion} None(n: nat): nat { n }

ghost function {:tailrecursion} G(n: nat): nat { if n == 0 then 0 else G(n - 1) }

lemma {:tailrecursion} L(n: nat) { }

function {:tailrecursion} Even(n: nat): bool { if n == 0 then true else Odd(n - 1) }

function {:tailrecursion} Odd(n: nat): bool { if n == 0 then false else Even(n - 1) }

function {:tailrecursion} Fib(n: nat): nat {
  if n < 2 then n
  else
    Fib(n - 1) + Fib(n - 2)
}

function {:tailrecursion} Inner(n: nat): nat {
  if n == 0 then 0 else
    Inner(Inner(n - 1))
}

function {:tailrecursion} Minus(n: nat): int {
  if n == 0 then 0
  else
    n - Minus(n - 1)
}

function {:tailrecursion} All(n: nat): bool {
  n == 0 ||
  All(n - 1)
}

function {:tailrecursion} Mixed(n: nat): int {
  if n == 0 then
    0
  else
    if n % 2 == 0 then n + Mixed(n - 1) else n * Mixed(n - 1)
}

function {:tailrecursion} Condition(n: nat): int {
  if
    n > 0 && Condition(n - 1) > 3 then 2 else 3
}

function {:tailrecursion} Bits(b: bv8): bv8
{ if b == 0 then 0 else b + Bits(b - 1) }

method {:tailrecursion} Loop(n: nat) returns (r: nat) {
  if n == 0 { return 0; }
  while n > 100
    decreases 100 - n
  {
    r := Loop(n - 1);
  }
}

method {:tailrecursion} After(n: nat) returns (r: nat) {
  if n == 0 { return 0; } else { r := After(n - 1); }
  r := r + 1;
}

method {:tailrecursion} Into(n: nat) returns (r: nat) {
  r := 0;
  if n > 0 {
    ghost var m := n;
    var s: nat;
    s := Into(n - 1);
  }
}

method {:tailrecursion} Other<T>(n: nat, t: T) returns (r: nat) {
  if n > 0 { r := Other(n - 1, (t, t)); } else { r := 0; }
}

method {:tailrecursion} Right<T>(n: nat, t: T) returns (r: nat) {
  if n > 0 { r := Right(n - 1, t); assert n > 0; return; } else { r := 0; }
}

method {:tailrecursion} Nothing(n: nat) {
  print "a";
  if n > 0 { Nothing(n - 1); print "b"; }
}
