function Sum(n: nat): nat
  decreases Sum(n)
{
  n
}
