module Shapes {
  datatype Shape = Dot | Line(length: int)
}

module Client {
  import opened Shapes

  function Length(s: Shape): int {
    if s.Line? then s.length else 0
  }
}
