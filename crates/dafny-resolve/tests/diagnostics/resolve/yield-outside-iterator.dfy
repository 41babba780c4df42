method Numbers() {
  yield;
}
