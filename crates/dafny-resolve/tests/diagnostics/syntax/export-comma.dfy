module Stacks {
  export provides Push, reveals Size
  method Push() {}
  const Size := 10
}
