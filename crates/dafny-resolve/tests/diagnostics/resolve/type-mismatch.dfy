const Limit: int := "three"
