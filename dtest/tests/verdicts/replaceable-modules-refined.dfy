// refused: 3
replaceable module R { const x: int }
module S refines R { }
