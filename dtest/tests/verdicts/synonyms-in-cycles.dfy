// refused: 3, 6, 8, 11
// Synonyms belong to cycles of subset types and newtypes, which are reported at their first declaration.
type S = N
newtype N = x: M | true
type M = S
type T = U
type U = t: T | true
type V = seq<W>
newtype W = v: V | true
type Aside = U
newtype First = Second
newtype Second = First
