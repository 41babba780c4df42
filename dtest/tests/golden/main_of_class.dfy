class Program {
  static method Main() {
    print "in a class\n";
  }
}
