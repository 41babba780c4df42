class Log {
  var lines: seq<string>

  constructor ()
    ensures lines == ["open"]
  {
    lines := [];
    new;
    Append("open");
  }

  method Append(line: string)
    modifies this
    ensures lines == old(lines) + [line]
  {
    lines := lines + [line];
  }
}
