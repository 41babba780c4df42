// refused: 5, 6, 7
method Characters() returns (c: char, s: string) {
  c := '\U{e9}';
  s := "a\\u0041 \n \"";
  c := '\u00e9';
  s := "caf\u00e9";
  s := "\\\u0041";
  s := @"\u0041";
}
