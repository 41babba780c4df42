// refused: 5, 12, 16, 23, 27
// An error in a signature is the last of its module, and modules that import a broken one are left alone.
module Signatures {
  method Body() returns (r: int) { r := true; }
  method Signature(x: Unknown)
}
module Importer {
  import Signatures
  method Body() returns (r: int) { r := true; }
}
module Types {
  method Body() returns (r: int) { r := true; }
  method Ghost(ghost x: int) returns (r: int) { r := x; }
}
module Around {
  module Nested {
    import Types
  }
  method Body() returns (r: int) { r := true; }
}
module Outer {
  module Inner {
    method Ghost(ghost x: int) returns (r: int) { r := x; }
  }
}
module Host {
  module Guest { const c: int := false }
}
