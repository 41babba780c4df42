function {:tailrecursion} Count(n: nat): nat { if n < 1 then n else Count(n - 1) } by method {
  var a := new nat[n + 1](i => i); a[Count(n)] := 0;
}
