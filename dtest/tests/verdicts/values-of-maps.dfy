// refused: 2, 4
method Values<T>(m: map<int, T>) returns (n: int) { n := |m.Values|; }
method Fine<T(==)>(m: map<int, T>) returns (n: int) { n := |m.Values|; }
method Items<T>(m: map<int, T>) returns (n: bool) { n := |m.Items| == 3; }
