// gen --strength coverage --general-traits datatype
trait Shape {
  function Area(): int
}

datatype Square extends Shape = Square(side: int) {
  function Area(): int {
    side * side
  }
}
