method Endless() {
  while true decreases * { }
}
