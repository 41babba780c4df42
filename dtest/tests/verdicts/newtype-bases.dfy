// refused: 2, 3, 4, 5, 15
newtype Byte = bv8
newtype Letter = c: char | 'a' <= c <= 'z'
newtype Flag = bool
newtype Words = seq<string>
newtype Small = x: int | 0 <= x < 10
newtype Smaller = x: Small | x < 5
newtype Half = r: real | r < 0.5 witness Quarter()
function Quarter(): real { 0.25 }
function One(): int { 1 }
newtype Positive = x | 0 < x witness One()
class Holder { const p: Positive := 3 }
const Fine: Small := 3
const Given: Half := 0.1
const Early: Positive := 3
