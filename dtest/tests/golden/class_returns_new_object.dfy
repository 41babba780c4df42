class Token {
  const id: int

  constructor (id: int)
    ensures this.id == id
  {
    this.id := id;
  }
}

method Issue(id: int) returns (t: Token)
  ensures fresh(t) && t.id == id
{
  t := new Token(id);
}
