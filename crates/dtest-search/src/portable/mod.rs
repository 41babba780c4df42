//! Cached results of the search: a key that identifies the code of a result, and the bytes of the
//! result.
//!
//! A result depends only on the IR of its unit and everything that the unit reaches, on options,
//! and on the versions of this program and of Z3. [`Closures`] traverses what a unit reaches, and
//! numbers each declaration at its first occurrence. The key is a hash of that traversal. Stored
//! results refer to declarations by these numbers, and to places by their position among those that
//! a declaration mentions. So neither depends on ids or offsets in files: an edit elsewhere in the
//! program changes nothing, and equal keys give equal meanings to the numbers.
//!
//! The format is not self-describing. The key ensures that it is only read by the version that
//! wrote it.

mod closure;
mod read;
#[cfg(test)]
mod tests;
mod write;

use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

pub use closure::{Closure, Closures};
use dafny_resolve::typed::{CallableId, TypeId};
use dafny_source::Span;

/// The limit of nested values in stored results. Deeper ones are not stored.
const MAX_DEPTH: u32 = 20_000;

/// The name of [`Span`] in its derived implementations.
const SPAN: &str = "Span";

/// The key of a cached result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub [u8; 32]);

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl Key {
    /// Returns the hash of texts, each with its length.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t [u8]>) -> Self {
        let mut hasher = Sha256::new();
        for text in texts {
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text);
        }
        Self(hasher.finalize().into())
    }
}

/// A declaration of the program, or a lambda inside one.
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
    /// Returns the kind of entity that a newtype with this name is an index of.
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

/// The reason why a value cannot be written or read. Users never see it: a result that cannot be
/// stored is computed again.
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

/// Returns the bytes of a value about what a unit reaches, with a checksum in front.
///
/// # Errors
/// The value refers to something that the unit does not reach, or is nested too deeply.
pub fn to_bytes(value: &impl Serialize, closure: &Closure<'_>) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; CHECKSUM];
    write::write(value, &mut closure.numbers(), &mut bytes)?;
    let (sum, payload) = bytes.split_at_mut(CHECKSUM);
    sum.copy_from_slice(&Key::of([&*payload]).0);
    Ok(bytes)
}

/// Reads a value that [`to_bytes`] wrote, with the ids and places of the current program.
///
/// # Errors
/// The bytes are damaged, or were written for another type or closure. Any bytes are safe to read.
pub fn from_bytes<T: DeserializeOwned>(bytes: &[u8], closure: &Closure<'_>) -> Result<T, Error> {
    let (sum, payload) = bytes
        .split_at_checked(CHECKSUM)
        .ok_or_else(|| Error::new("unexpected end of data"))?;
    if sum != Key::of([payload]).0 {
        return Err(Error::new("checksum mismatch"));
    }
    read::read(payload, closure)
}

/// The number of bytes of the checksum.
const CHECKSUM: usize = 32;

/// The written form of the place that belongs to no text. Places are pairs of the declaration's
/// number, starting from 1, and the number of the place in it.
const NOWHERE: (u32, Span) = (0, Span { start: 0, end: 0 });
