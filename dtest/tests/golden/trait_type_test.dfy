trait Part {
}

class Wheel extends Part {
  const size: int

  constructor (size: int)
    ensures this.size == size
  {
    this.size := size;
  }
}

method Size(p: Part) returns (r: int) {
  if p is Wheel {
    return (p as Wheel).size;
  }
  return 0;
}
