method Order(nameonly a: int, b: int) { }
