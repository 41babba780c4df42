module Hidden {
  type Node(==) = object
}
module Nullable {
  import H = Hidden
  method M(n: H.Node?) {}
}
