method Main() {
  label async: {
    label async_: for i := 0 to 3 {
      label loop: while true decreases 3 {
        if i == 1 { continue async_; }
        if i == 2 { break async; }
        break loop;
      }
      print i, "\n";
    }
  }
  print "end\n";
}
