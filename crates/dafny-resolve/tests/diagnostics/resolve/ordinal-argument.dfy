lemma Ranks(o: ORDINAL) {
  var ranks := {o};
}
