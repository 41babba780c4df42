module Stacks {
  export Public provides Size
  const Size := 10
}
module User {
  import Stacks
}
