// refused: 11, 17
function {:tailrecursion} Sum(n: nat): nat
{
  if n == 0 then 0 else n + Sum(n - 1)
} by method {
  print n;
  return if n == 0 then 0 else n * (n + 1) / 2;
}

function {:tailrecursion} Count(n: nat): nat { if n < 1 then n else Count(n - 1) } by method {
  var a := new nat[n + 1](i => i); a[Count(n)] := 0;
  return n;
}

function {:tailrecursion} Held(n: nat): nat { if n < 1 then n else Held(n - 1) } by method {
  var a := new nat[n + 1](i => i);
  a[0], a[1] := 2, Held(n);
  return n;
}
