trait Door {
  method Open(code: int) returns (ok: bool)
    modifies this
}

method Enter(door: Door) returns (tries: int)
  modifies door
{
  var ok := door.Open(1);
  if ok {
    return 1;
  }
  return 0;
}
