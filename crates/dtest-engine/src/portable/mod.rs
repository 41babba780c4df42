//! Results of the search, kept for later runs: a key that says of which code they are, and bytes that hold them.
//!
//! A result depends on the IR of its unit and of all that the unit reaches, on options, and on the versions of this program
//! and of Z3; nothing else. [`Closures`] walks over what a unit reaches and numbers each declaration where it is first met. The key is
//! a hash of that walk, and what is kept refers to declarations by these numbers and to places by their position among those that a
//! declaration mentions. So neither depends on ids or on offsets in files: an edit elsewhere in the program changes nothing,
//! and where the key is the same, the numbers mean the same.
//!
//! The format is not self-describing, and it is read by the version that wrote it only: the key sees to that.

mod closure;
mod read;
#[cfg(test)]
mod tests;
mod write;

use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

pub use closure::{Closure, Closures};
use dafny_resolve::typed::{CallableId, TypeId};
use dafny_syntax::source::Span;

/// How deep a value may be nested: deeper ones are not kept.
const MAX_DEPTH: u32 = 20_000;

/// The name of [`Span`] as its derived implementations say it.
const SPAN: &str = "Span";

/// What a result is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub [u8; 32]);

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl Key {
    /// The hash of some texts, each with its length.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t [u8]>) -> Self {
        let mut hasher = Sha256::new();
        for text in texts {
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text);
        }
        Self(hasher.finalize().into())
    }
}

/// A declaration of the program, or a lambda in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Entity {
    Module(u32),
    Type(u32),
    TypeParam(u32),
    Ctor(u32),
    Field(u32),
    Callable(u32),
    Local(u32),
    Lambda(u32),
}

impl Entity {
    /// The kind of entity that a newtype of that name is an index of.
    fn kind(name: &str) -> Option<fn(u32) -> Self> {
        Some(match name {
            "ModuleId" => Self::Module,
            "TypeId" => Self::Type,
            "TypeParamId" => Self::TypeParam,
            "CtorId" => Self::Ctor,
            "FieldId" => Self::Field,
            "CallableId" => Self::Callable,
            "LocalId" => Self::Local,
            "LambdaIndex" => Self::Lambda,
            _ => return None,
        })
    }

    fn callable(&self) -> Option<CallableId> {
        if let Self::Callable(i) = self {
            Some(CallableId(*i))
        } else {
            None
        }
    }

    fn ty(&self) -> Option<TypeId> {
        if let Self::Type(i) = self {
            Some(TypeId(*i))
        } else {
            None
        }
    }

    fn index(self) -> u32 {
        match self {
            Self::Module(i)
            | Self::Type(i)
            | Self::TypeParam(i)
            | Self::Ctor(i)
            | Self::Field(i)
            | Self::Callable(i)
            | Self::Local(i)
            | Self::Lambda(i) => i,
        }
    }
}

/// Why a value cannot be written or read. Nobody is shown it: what cannot be kept is computed again.
#[derive(Debug)]
pub struct Error(String);

impl Error {
    fn new(message: &str) -> Self {
        Self(message.to_owned())
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl serde::ser::Error for Error {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

impl serde::de::Error for Error {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// The bytes of a value that speaks of what a unit reaches, with a checksum before them.
///
/// # Errors
/// The value refers to something that the unit does not reach, or is too deep.
pub fn to_bytes(value: &impl Serialize, closure: &Closure<'_>) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; CHECKSUM];
    write::write(value, &mut closure.numbers(), &mut bytes)?;
    let (sum, payload) = bytes.split_at_mut(CHECKSUM);
    sum.copy_from_slice(&Key::of([&*payload]).0);
    Ok(bytes)
}

/// The value that [`to_bytes`] was given, with the ids and places of the program at hand.
///
/// # Errors
/// The bytes are not what was written, or for another type or closure. Any bytes are safe to read.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8], closure: &Closure<'_>) -> Result<T, Error> {
    let (sum, payload) = bytes
        .split_at_checked(CHECKSUM)
        .ok_or_else(|| Error::new("unexpected end of data"))?;
    if sum != Key::of([payload]).0 {
        return Err(Error::new("checksum mismatch"));
    }
    read::read(payload, closure)
}

/// Bytes of the checksum.
const CHECKSUM: usize = 32;

/// A place among those that a closure mentions: the declaration's number from 1, and the place's in it; 0 is the
/// place that belongs to no text.
const NOWHERE: (u32, Span) = (0, Span { start: 0, end: 0 });
