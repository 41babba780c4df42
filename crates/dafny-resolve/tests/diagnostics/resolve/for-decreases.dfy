method For() {
  for i := 0 to 3 decreases i { }
}
