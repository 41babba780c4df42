trait Shape {
  function Area(): nat
}
class Square extends Shape {
  function Area(): int { 4 }
}
