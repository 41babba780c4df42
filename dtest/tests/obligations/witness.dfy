type Big = x: int | x > 10 // !
type Wrong = x: int | x > 10 witness 3 // !
newtype Other = x: int | x > 10 witness 3 // !
type Right = x: int | x > 10 witness 11
