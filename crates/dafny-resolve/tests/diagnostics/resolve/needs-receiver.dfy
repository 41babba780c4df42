trait T { method M() { }  static method S() { } }
class C extends T {
  method N() {
    T.M();
  }
}
