method Fail(code: int) {
  expect false, "not supported";
}
