type F(==) = int -> int
