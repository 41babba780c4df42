function Naturals(): iset<int> {
  iset{1, 2}
}

predicate IsIn(n: int) {
  n in Naturals()
}
