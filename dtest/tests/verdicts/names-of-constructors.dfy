// refused: 2, 3
datatype Way = Left? | Right
datatype Pair = Of(Of?: int, second: int)
datatype Fine = Make(Made?: int)
