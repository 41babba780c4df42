// options: --type-system-refresh --general-newtypes
newtype Byte = x: int | 0 <= x < 256
newtype Bits = x: bv7 | 2 <= x < 5 witness 2
newtype Three = s: seq<int> | |s| == 3 witness [1, 2, 3]
newtype Few = s: set<int> | |s| < 2
newtype Bag = s: multiset<int> | |s| < 2
newtype Pairs = s: map<int, int> | |s| < 2
newtype Yes = b: bool | b witness true
method Sum(a: Byte, b: Byte) returns (r: Byte) { r := a + b; } // !
method Minus(a: Byte) returns (r: Byte) { r := -a; } // !
method Literal() returns (r: Byte) { r := 256; } // !
method Parentheses() returns (r: Byte) { r := -(256); } // !
method Shift(a: Bits) returns (r: Bits) { r := a << 1; } // !
method Complement(a: Bits) returns (r: Bits) { r := !a; } // !
method Or(a: Bits, b: Bits) returns (r: Bits) { r := a | b; } // !
method And(a: Bits, b: Bits) returns (r: Bits) { r := a & b; } // !
method Xor(a: Bits, b: Bits) returns (r: Bits) { r := a ^ b; } // !
method Slice(a: Three) returns (s: Three) { s := a[..2]; } // !
method Concatenation(a: Three) returns (s: Three) { s := a + a; } // !
method Display() returns (s: Three) { s := [1]; } // !
method Union(a: Few, b: Few) returns (s: Few) { s := a + b; } // !
method SetDisplay() returns (s: Few) { s := {1, 2}; } // !
method BagSum(a: Bag, b: Bag) returns (s: Bag) { s := a + b; } // !
method BagDisplay() returns (s: Bag) { s := multiset{1, 1}; } // !
method Merge(a: Pairs, b: Pairs) returns (s: Pairs) { s := a + b; } // !
method MapDisplay() returns (s: Pairs) { s := map[1 := 2, 2 := 2]; } // !
method Not(a: Yes) returns (s: Yes) { s := !a; } // !
method Comparison(x: int) returns (s: Yes) { s := x == 3; } // !
method Fits(a: Few, b: Few) returns (s: Few) { s := a * b; }
// Results of collection operations, wherever they stand.
newtype Short = s: seq<int> | |s| <= 3
newtype Even = s: Short | |s| != 1
newtype Generic<T> = s: seq<T> | |s| <= 2
newtype Word = s: string | |s| <= 2
newtype Lower = c: char | 'a' <= c <= 'z' witness 'a'
newtype Unit = r: real | 0.0 <= r <= 1.0
type Shorter = s: Short | |s| < 3
datatype Holder = Holder(s: Short)
method AppendOne(s: Short) returns (r: Short) { r := s + [1]; } // !
method PrependOne(s: Short) returns (r: Short) { r := [1] + s; } // !
method OfLength(s: Short) returns (r: int) { r := |s + [1]|; } // !
method OfElement(s: Short) returns (r: int) { r := (s + [1])[0]; } // !
method OfEquality(s: Short) returns (r: bool) { r := s + [1] == s; } // !
method OfPrefix(s: Short) returns (r: bool) { r := s <= s + [1]; } // !
method OfMembership(s: Short) returns (r: bool) { r := 1 in s + [1]; } // !
method OfSlices(s: Short, i: nat) returns (r: Short) requires i <= |s| { r := s[..i] + [1] + s[i..]; } // !
method OfAll(s: Three) returns (r: Three) { r := s[..]; }
method OfUpdate(s: Three) returns (r: Three) { r := s[0 := 4]; }
method OfNewtype(s: Even) returns (r: Even) { r := s + [1]; } // !
method OfSubset(s: Shorter) returns (r: Shorter) { r := s + [1]; } // !
method OfGeneric<T>(s: Generic<T>, t: T) returns (r: Generic<T>) { r := s + [t]; } // !
method OfString(s: Word) returns (r: Word) { r := s + "a"; } // !
method OfText() returns (r: Word) { r := "abc"; } // !
method OfBranch(s: Short) returns (r: Short) { r := if |s| == 3 then s else s + [1]; }
method OfLet(s: Short) returns (r: Short) { r := var t := s + [1]; t[1..]; } // !
method OfHolder(d: Holder) returns (r: Holder) { r := d.(s := d.s + [1]); } // !
method OfLoop(s: Short) returns (r: Short) { r := s; for i := 0 to 3 { r := r + [i]; } } // !
method OfArgument(s: Short) { var x := Given(s + [1]); } // !
function Given(s: Short): Short { s }
method OfSetPart(s: Few) returns (r: bool) { r := s + {1} == {1}; } // !
method OfDifference(s: Few) returns (r: Few) { r := s - {1}; }
method OfBagUpdate(s: Bag) returns (r: nat) { r := s[1]; }
method OfMapUnion(s: Pairs) returns (r: Pairs) { r := s + map[1 := 2]; } // !
method OfMapDifference(s: Pairs) returns (r: Pairs) { r := s - {1}; }
method OfConjunction(a: Yes, b: Yes) returns (r: Yes) { r := a && b; }
method OfImplication(a: Yes, b: Yes) returns (r: Yes) { r := a && !b; } // !
method OfQuantifier(s: seq<int>) returns (r: Yes) { r := forall x | x in s :: x > 3; } // !
method OfChar(c: Lower) returns (r: Lower) { r := 'A'; } // !
method OfReal(c: Unit) returns (r: Unit) { r := c + 0.5; } // !
method OfHalf(c: Unit) returns (r: Unit) { r := c * 0.5; }
method OfPrecondition(s: Short) requires |s + [1]| > 0 { } // !
method OfPostcondition(s: Short) ensures |s + [1]| > 0 { } // !
