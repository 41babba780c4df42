method Greet(name: string) {
  print "Hello, ", name, "!\n";
}
