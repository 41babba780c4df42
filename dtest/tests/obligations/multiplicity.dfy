method Update(m: multiset<int>, n: int) returns (r: multiset<int>) { r := m[3 := n]; } // !
method Contract(m: multiset<int>, i: int) ensures m[3 := i] == m // !
