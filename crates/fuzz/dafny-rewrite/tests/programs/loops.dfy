method Up(n: nat, m: int) returns (r: int)
  requires m >= 0
{
  r := 0;
  label outer: for i := 1 to n + 1
    invariant r >= 0
  {
    if i == 3 {
      continue;
    }
    for j: nat := 0 to m {
      if j == 5 {
        continue outer;
      }
      r := r + i * j;
    }
    if r > 100 {
      break;
    }
  }
}

method Down(a: array<int>) returns (r: int)
{
  r := 0;
  for i := a.Length downto 0
    invariant i <= a.Length
  {
    var k := i;
    if a[i] == 0 {
      continue;
    }
    r := r + a[i] * k;
  }
}

method Jumps(n: nat) returns (r: int)
  decreases *
{
  r := 0;
  var i := 0;
  while i < n
    invariant 0 <= i <= n
    decreases n - i
  {
    var j := 0;
    i := i + 1;
    while j < n
      invariant 0 <= j <= n
      invariant 0 < i <= n
    {
      j := j + 1;
      if j == 4 {
        continue;
      }
      if i + j == 9 {
        break break;
      }
      if i == j + 1 {
        break continue;
      }
      if r > 40 {
        break;
      }
      r := r + j;
    }
    if i == 7 {
      break;
    }
  }
  label again: while true
    decreases *
  {
    r := r + 1;
    if r % 2 == 1 {
      continue again;
    }
    if r > n {
      break again;
    }
  }
}

lemma Grows(n: nat)
  ensures n * n >= n
{
  var i := 0;
  while i < n
    invariant i <= n && i * i >= i
  {
    i := i + 1;
    if i == n {
      break;
    }
  }
}

newtype small = x: int | 100 <= x < 120

method Small(low: small, high: small) returns (n: int)
  requires low <= high
{
  n := 0;
  for i := low to high {
    n := n + i as int;
  }
  for i: small := high downto low {
    n := n - i as int;
  }
}
