trait Named {
  var name: string

  method Rename(name: string)
    modifies this
    ensures this.name == name
  {
    this.name := name;
  }
}

class Person extends Named {
  constructor (name: string)
    ensures this.name == name
  {
    this.name := name;
  }
}
