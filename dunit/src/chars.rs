//! Dafny's `char`: Unicode scalar values, or UTF-16 code units with `--unicode-char:false`.

use std::fmt;
use std::ops::{Add, Sub};

use crate::int::Int;

/// A Unicode scalar value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Char(pub char);

/// A UTF-16 code unit: `char` with `--unicode-char:false`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Char16(pub u16);

/// A character literal: `ch('a')`.
pub const fn ch(character: char) -> Char {
    Char(character)
}

/// A literal of `--unicode-char:false`: `ch16('a')`. Panics if the character needs two code units.
pub const fn ch16(character: char) -> Char16 {
    let scalar = character as u32;
    assert!(
        scalar <= 0xFFFF,
        "the character needs two UTF-16 code units"
    );
    Char16(scalar as u16)
}

impl Char {
    /// The scalar value as an integer.
    pub fn to_int(self) -> Int {
        Int::from(u32::from(self.0))
    }

    /// Whether an integer is a scalar value.
    pub fn holds(value: &Int) -> bool {
        value.try_to::<u32>().and_then(char::from_u32).is_some()
    }

    /// The character of a scalar value; panics if there is none.
    pub fn of_int(value: &Int) -> Char {
        match value.try_to::<u32>().and_then(char::from_u32) {
            Some(character) => Char(character),
            None => panic!("{value} is not a Unicode scalar value"),
        }
    }
}

impl Char16 {
    /// The code unit as an integer.
    pub fn to_int(self) -> Int {
        Int::from(self.0)
    }

    /// Whether an integer is a code unit.
    pub fn holds(value: &Int) -> bool {
        value.try_to::<u16>().is_some()
    }

    /// The character of a code unit; panics if it does not fit in 16 bits.
    pub fn of_int(value: &Int) -> Char16 {
        match value.try_to::<u16>() {
            Some(unit) => Char16(unit),
            None => panic!("{value} is not a UTF-16 code unit"),
        }
    }
}

macro_rules! arithmetic {
    ($($Type:ident)*) => {$(
        /// Dafny's `c + d`: the sum of the code points; panics if it is not a character.
        impl Add for $Type {
            type Output = $Type;
            fn add(self, right: $Type) -> $Type {
                $Type::of_int(&(self.to_int() + right.to_int()))
            }
        }
        /// Dafny's `c - d`: the difference of the code points; panics if it is not a character.
        impl Sub for $Type {
            type Output = $Type;
            fn sub(self, right: $Type) -> $Type {
                $Type::of_int(&(self.to_int() - right.to_int()))
            }
        }
        impl From<$Type> for Int {
            fn from(character: $Type) -> Int {
                character.to_int()
            }
        }
        /// Dafny's default character.
        impl Default for $Type {
            fn default() -> $Type {
                $Type(b'D'.into())
            }
        }
        impl fmt::Debug for $Type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&crate::to_dafny_string(self))
            }
        }
    )*};
}

arithmetic!(Char Char16);

impl From<char> for Char {
    fn from(character: char) -> Char {
        Char(character)
    }
}

impl From<u16> for Char16 {
    fn from(unit: u16) -> Char16 {
        Char16(unit)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Char, ch, ch16, int};

    #[test]
    fn characters_add_and_subtract_their_code_points() {
        assert_eq!(ch('C') - ch('A') + ch('a'), ch('c'));
        assert_eq!(ch16('C') - ch16('A') + ch16('a'), ch16('c'));
    }

    #[test]
    #[should_panic(expected = "55296 is not a Unicode scalar value")]
    fn a_surrogate_is_no_character() {
        Char::of_int(&int(0xD800));
    }
}
