method Rename() {
  var me := this;
}
