const Limit := 3 ≤ 4
