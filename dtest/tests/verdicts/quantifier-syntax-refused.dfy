// refused: 4
// options: --function-syntax=3
module {:options "--quantifier-syntax:3"} Old {
  method Pairs(s: set<int>, t: set<int>) returns (u: set<(int, int)>) { u := set x <- s | x > 0, y <- t | y > x :: (x, y); }
}
