trait Shape {
  function Area(): nat
}
class Square extends Shape {}
