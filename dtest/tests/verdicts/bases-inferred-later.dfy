// refused: 3
// The older type system infers bases in the order of the source.
newtype A = B
newtype B = d | d < 100
newtype C = b: B | true
newtype D = E
newtype E = d: int | d < 100
newtype F = X.G
module X { newtype G = d | d < 100 }
