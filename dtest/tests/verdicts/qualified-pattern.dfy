// refused: 4
datatype Coin = Head | Tail
function F(c: Coin): int {
  match c case Coin.Head => 1 case Tail => 2
}
