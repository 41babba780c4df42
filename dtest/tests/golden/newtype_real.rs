use dunit::prelude::*;

/// From src/newtype_real.dfy:1.
pub type Celsius = Real;

/// From src/newtype_real.dfy:3.
pub fn fahrenheit(c: &Celsius) -> Celsius {
    c * real("1.8") + real("32.0")
}
