function Shared(a: multiset<int>, b: multiset<int>): multiset<int> {
  a * b - multiset{1}
}
