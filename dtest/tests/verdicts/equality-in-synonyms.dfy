// refused: 3, 6, 7, 8, 9, 10, 11, 12, 14, 15
type X
type S = set<X>
type S2<T> = map<T, int>
datatype D<T(==)> = D(t: T)
type B = D<X>
type B2 = D<int -> int>
type B3 = iset<X>
type B4 = multiset<X>
type B5 = imap<X, X>
type B6 = seq<set<X>>
type B7 = X -> set<X>
type B8<T> = D<T>
type B9 = x: set<X> | true
type B10 = x: D<X> | true witness *
