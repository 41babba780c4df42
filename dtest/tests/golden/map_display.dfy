function Names(): map<int, string> {
  map[1 := "one", 2 := "two"]
}
