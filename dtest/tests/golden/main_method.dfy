method Main() {
  print "started\n";
}
