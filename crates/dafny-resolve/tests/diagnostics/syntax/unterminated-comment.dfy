const Limit := 3 /* the largest
