class Gauge {
  var level: int
  const limit: int

  ghost predicate Valid()
    reads this
  {
    0 <= level <= limit
  }

  method Fill()
    requires Valid()
    modifies this
    ensures Valid() && level == limit
  {
    level := limit;
  }
}
