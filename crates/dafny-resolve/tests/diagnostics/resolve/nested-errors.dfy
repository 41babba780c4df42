function F(): int { 3 }
module Inner {
  iterator Run() { }
  method Run() { }
}
