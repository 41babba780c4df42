// refused: 4
module Inner { const c := 1; }
module Outer {
  import Inner;
}
const last: int := 3;
