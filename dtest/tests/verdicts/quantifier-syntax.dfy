// accepted
// options: --function-syntax=3
// The function syntax does not change how quantifiers are read; `{:options}` does.
method Pairs(s: set<int>, t: set<int>) returns (u: set<(int, int)>) { u := set x <- s | x > 0, y <- t | y > x :: (x, y); }
module {:options "--quantifier-syntax:3"} Old {
  method Pairs(s: set<int>, t: set<int>) returns (u: set<(int, int)>) { u := set x <- s, y <- t | y > x :: (x, y); }
}
