method Over(c: char) returns (d: char) { d := c + 'a'; } // !
method Under(c: char) returns (d: char) { d := c - 'a'; } // !
method Fits(c: char) returns (d: char) requires 'a' <= c <= 'z' { d := c - 'a'; }
method Contract(c: char, d: char) ensures c + d == 'a' // !
