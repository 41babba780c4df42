method Show() {
  print 1, " ", 2.5, " ", true, " ", 'c', " ", [1, 2], " ", {3}, " ", map[1 := "x"], "\n";
}
