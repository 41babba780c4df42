datatype List = Nil | Cons(head: int, tail: List)

function SumTo(n: nat, acc: int): int
{
  if n == 0 then acc else SumTo(n - 1, acc + n)
}

function Total(n: nat): int
{
  if n == 0 then 0 else n + Total(n - 1)
}

function Digits(n: nat): seq<nat>
{
  if n < 10 then [n] else Digits(n / 10) + [n % 10]
}

function Down(n: nat): seq<nat>
{
  if n == 0 then [] else [n] + Down(n - 1)
}

function Minus(n: nat): int
{
  if n == 0 then 100 else Minus(n - 1) - n
}

function Fact(n: nat): nat { if n == 0 then 1 else n * Fact(n - 1) }

function Gcd(a: nat, b: nat): nat
{
  if b == 0 then a else Gcd(b, a % b)
}

function Length<T>(xs: seq<T>, k: nat): nat
  decreases |xs|
{
  if xs == [] then k else var rest := xs[1..]; Length(rest, k + 1)
}

function Last(l: List, d: int): int
{
  match l
  case Nil => d
  case Cons(x, Cons(y, t)) => Last(Cons(y, t), x)
  case Cons(x, t) => Last(t, x)
}

function Sum(l: List): int
{
  match l
  case Nil => 0
  case Cons(x, t) => x + Sum(t)
}

method Count(n: nat, limit: nat) returns (r: nat)
  decreases n
{
  if n == 0 {
    return limit;
  }
  for i := 0 to 3 {
    if i == 2 && n % 7 == 0 {
      r := Count(n - 1, limit + 1);
      return;
    }
  }
  if n % 2 == 0 {
    r := Count(n - 1, limit);
  } else {
    r := Count(n - 1, limit + 2);
  }
}

method Noise(n: nat, c: Cell)
  modifies c
{
  c.data := c.data + 1;
  if n > 0 { Noise(n - 1, c); }
}

class Cell {
  var data: int
  var next: Cell?
  constructor() { data := 0; next := null; }
  method Walk(n: nat) returns (x: int) modifies this decreases n
  {
    data := data + 1;
    if n == 0 || next == null { x := data; }
    else { x := next.Walk(n - 1); }
  }
  function Far(n: nat): int reads * decreases n { if n == 0 || next == null then data else next.Far(n - 1) }
}

function {:tailrecursion false} Rec(n: nat): nat { if n == 0 then 0 else Rec(n - 1) }

datatype Tree = Leaf | Node(left: Tree, value: int, right: Tree) {
  function Least(d: int): int
  {
    match this
    case Leaf => d
    case Node(l, v, _) => l.Least(v)
  }
  function Size(): nat { match this case Leaf => 0 case Node(l, _, r) => l.Size() + r.Size() + 1 }
}

function Find(t: Tree, x: int): bool
{
  match t
  case Leaf => false
  case Node(l, v, r) => if v == x then true else if x < v then Find(l, x) else Find(r, x)
}

function Hidden(a: nat, c: string): string
{
  if a == 0 then c
  else
    var b := a;
    var a := if a % 2 == 0 then "1" else "0";
    Hidden(b - 1, c + a)
}
