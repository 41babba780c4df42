// refused: 7, 8, 9, 10, 11, 12, 13, 14, 15
// options: --type-system-refresh=true --general-newtypes=true --general-traits=datatype
// first: 7
newtype Truth = bool
newtype Sq = seq<int>
newtype Ch = char
function A(t: Truth): bool { t }
function B(t: Sq): seq<int> { t }
function C(t: Ch): char { t }
function D(t: bool): Truth { t }
function E(a: Truth, b: Truth): bool { a && b }
function F(a: Truth, b: bool): bool { a && b }
method G(t: Truth) { var b: bool := t; if t { } assert t; }
method H(s: Sq, t: seq<int>) { var c := s + t; }
method I(s: Sq, t: seq<int>) { var d := s == t; }
