method Nothing(n: int) {
  var m := n + 1;
}
