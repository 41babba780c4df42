method Partial(f: int --> int) { var g: int -> int := f; } // !
method Arguments(f: nat -> int) { var g: int -> int := f; } // !
method Results(f: int -> int) { var g: int -> nat := f; } // !
method InSequence(s: seq<nat -> int>) { var g: seq<int -> int> := s; } // !
method InTuple(s: (nat -> int, int)) { var g: (int -> int, int) := s; } // !
method Curried(f: int -> nat -> int) { var g: int -> int -> int := f; } // !
method Fits(f: int -> nat) { var g: nat --> int := f; }
