class Counter {
  var count: nat

  constructor ()
    ensures count == 0
  {
    count := 0;
  }

  method Tick()
    modifies this
    ensures count == old(count) + 1
  {
    count := count + 1;
  }

  predicate IsTwo()
    reads this
  {
    if count == 2 then true else false
  }
}
