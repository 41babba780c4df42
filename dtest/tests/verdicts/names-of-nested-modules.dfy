// refused: 4, 7, 10, 14
// first: 10
// Names are bound in nested modules first, and those of modules before those of imports.
import A
module A { }
module Outer {
  import A
  module Inner {
    import A
    import A
  }
  module A { }
}
module Outer { }
