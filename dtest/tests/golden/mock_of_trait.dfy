trait Clock {
  function Now(): int
    reads this
}

method Late(clock: Clock, deadline: int) returns (late: bool)
  ensures late <==> clock.Now() > deadline
{
  late := clock.Now() > deadline;
}
