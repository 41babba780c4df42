// A function that is called only co-recursively may call the others of its cycle, whatever their measures.
codatatype S = C(head: int, tail: S)
function Default(x: int): S { Given(x, 5) }
function Given(x: int, n: nat): S decreases n { if n == 0 then C(x, Default(x)) else Given(x, n - 1) }
function BothGiven(x: int): S decreases x { Other(x, 5) }
function Other(x: int, n: nat): S decreases n { if n == 0 then C(x, BothGiven(x)) else Other(x, n - 1) }
