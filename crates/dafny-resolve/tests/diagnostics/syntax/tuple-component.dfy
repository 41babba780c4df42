const Pair := (0 := 3, 0 := 4)
