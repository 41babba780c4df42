datatype Item = Item(name: string, count: int)

method Show(i: Item) {
  print i, "\n";
}
