method Update(m: multiset<int>, n: int) returns (r: multiset<int>) { r := m[3 := n]; } // !
