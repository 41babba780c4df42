method Local(b: bool) returns (r: int) { var x: int; if b { x := 3; } r := x; } // !
method Result(b: bool) returns (r: int) { if b { r := 3; } } // !
iterator NeverAssigned() yields (y: int) { var x: int; y := x; yield; } // !
iterator SometimesAssigned(b: bool) { var x: int; if b { x := 1; } var z := x; } // !
iterator AlwaysAssigned(b: bool) { var x: int; if b { x := 1; } else { x := 2; } var z := x; }
method ArbitraryOfPair<X>() returns (r: X, i: int) { r, i := *, 1; } // !
