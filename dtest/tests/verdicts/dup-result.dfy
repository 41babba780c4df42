// refused: 2
function Same(x: int): (x: int) { 3 }
method Other(x: int) returns (y: int) { var x := 3; y := x; }
