abstract module Numbers {
  function Limit(): nat
}

abstract module Client {
  import N : Numbers

  function Twice(): nat {
    2 * N.Limit()
  }
}

module Ten refines Numbers {
  function Limit(): nat {
    10
  }
}

module Tens refines Client {
  import N = Ten
}
