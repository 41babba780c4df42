const K: set<bool> := (set b: bool | (forall value: Value :: (value as int) < 5 ==> true) :: b)
newtype Value = x: int | -128 <= x < 128 {
  function g(): int { this as int }
}
function F(): set<bool> { (set b: bool | (forall value: Value :: (value as int) < 5 ==> true) :: b) }
method Main() { print K, F(), all, "\n"; }
const low := -3
newtype Ranged = x: int | low <= x < high
const high := low + 8
const all := set r: Ranged | r as int % 2 == 0
