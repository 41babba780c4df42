module Lib {
  export provides Tr
  trait {:termination false} Tr extends object { }
}
module Use {
  import Lib class C extends Lib.Tr { }
}
