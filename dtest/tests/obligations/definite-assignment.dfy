method Local(b: bool) returns (r: int) { var x: int; if b { x := 3; } r := x; } // !
method Result(b: bool) returns (r: int) { if b { r := 3; } } // !
