function Count(n: nat, acc: nat): nat
  decreases n
{
  if n == 0 then acc else Count(n - 1, acc + 2)
}
