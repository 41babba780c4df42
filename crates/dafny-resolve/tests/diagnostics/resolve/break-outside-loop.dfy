method Use() {
  break;
}
