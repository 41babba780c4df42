// refused: 2
method M(s: imap<int>, t: seq<int, int>, u: set<int, int>) { }
module M refines Unknown { }
