method Types() {
  ghost var {:assumption} early := true && true;
}
