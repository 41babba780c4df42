datatype Money = Money(cents: int) {
  const whole := cents / 100

  function Plus(other: Money): Money {
    Money(cents + other.cents)
  }
}
