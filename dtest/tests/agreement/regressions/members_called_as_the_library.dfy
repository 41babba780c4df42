// Methods and classes of the program that are called as what the translation knows of the run-time library.
class Log {
  var lines: int
  constructor ()
    ensures lines == 0
  {
    lines := 0;
  }

  method Halt(more: int) returns (before: int)
    modifies this
    ensures before == old(lines) && lines == before + more
  {
    before := lines;
    lines := lines + more;
  }

  static method Upcast(n: int) returns (m: int)
    ensures m == n + 1
  {
    m := n + 1;
  }
}

class Seq {
  var length: int

  constructor (log: Log)
    modifies log
    ensures length == 0 && log.lines == old(log.lines) + 1
  {
    log.lines := log.lines + 1;
    length := 0;
  }
}

method Main()
{
  var log := new Log();
  var s := new Seq(log);
  s := new Seq(log);
  var before := log.Halt(3);
  var next := Log.Upcast(before);
  print s.length, " ", before, " ", next, " ", log.lines, "\n";
}
