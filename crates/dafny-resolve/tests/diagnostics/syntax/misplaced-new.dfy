method Use() {
  new;
}
