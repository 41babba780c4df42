newtype Celsius = real

function Fahrenheit(c: Celsius): Celsius {
  c * 1.8 + 32.0
}
