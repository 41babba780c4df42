// refused: 2, 3
predicate In<T>(x: T, s: seq<T>) { x in s }
predicate Prefix<T>(s: seq<T>, t: seq<T>) { s <= t }
method Values<T>(m: map<int, T>) returns (n: int) { n := |m.Values|; }
predicate Fine<T(==)>(x: T, s: seq<T>, m: map<T, T>) { x in s && s < s && x in m.Values }
ghost predicate Proof<T>(x: T, s: seq<T>, m: map<int, T>) { x in s && s <= s && x in m.Values }
method Keys<T>(m: map<int, T>) returns (n: int) { n := |m.Keys|; assert forall k <- m :: k in m; }
