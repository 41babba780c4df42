//! Reading of values.
//!
//! [`read`] is the counterpart of [`super::write::write`]: it replaces the numbers by references
//! into the current program ([`Referents`]). The bytes may be damaged, so any bytes must be safe to
//! read.

use serde::de::value::U32Deserializer;
use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use super::{Entity, Error, MAX_DEPTH};
use dafny_source::Span;

/// The meaning of the numbers in the bytes.
pub(super) trait Referents {
    /// Returns the declaration with this number in the current program.
    fn entity(&self, number: u32) -> Option<Entity>;
    /// Returns the place with this number in a declaration.
    fn span(&self, entity: u32, number: u32) -> Option<Span>;
}

/// Reads one value from all of the bytes.
///
/// # Errors
/// The bytes were not written by [`super::write::write`] for the same type and references. Any
/// bytes are safe to read.
pub(super) fn read<T: de::DeserializeOwned>(
    bytes: &[u8],
    referents: &dyn Referents,
) -> Result<T, Error> {
    let mut reader = Reader {
        bytes,
        referents,
        entity: None,
        depth: 0,
    };
    let value = T::deserialize(&mut reader)?;
    if reader.bytes.is_empty() {
        Ok(value)
    } else {
        Err(Error::new("trailing bytes"))
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    referents: &'a dyn Referents,
    /// The constructor of the expected kind of reference, if the next number is one.
    entity: Option<fn(u32) -> Entity>,
    depth: u32,
}

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, Error> {
        let (first, rest) = self
            .bytes
            .split_first()
            .ok_or_else(|| Error::new("unexpected end of data"))?;
        self.bytes = rest;
        Ok(*first)
    }

    fn number(&mut self) -> Result<u64, Error> {
        let mut n = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(n);
            }
        }
        Err(Error::new("a number is too long"))
    }

    fn small<N: TryFrom<u64>>(&mut self) -> Result<N, Error> {
        N::try_from(self.number()?).map_err(|_| Error::new("a number is too large"))
    }

    fn signed(&mut self) -> Result<i64, Error> {
        let n = self.number()?;
        Ok((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    fn slice(&mut self) -> Result<&[u8], Error> {
        let len: usize = self.small()?;
        let (head, rest) = self
            .bytes
            .split_at_checked(len)
            .ok_or_else(|| Error::new("unexpected end of data"))?;
        self.bytes = rest;
        Ok(head)
    }

    fn text(&mut self) -> Result<&str, Error> {
        std::str::from_utf8(self.slice()?).map_err(|_| Error::new("text that is not UTF-8"))
    }

    fn flag(&mut self) -> Result<bool, Error> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Error::new("a flag that is neither 0 nor 1")),
        }
    }

    /// Reads one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::new("a value is too deep"));
        }
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit(self.small()?)
        }
    )*};
}

macro_rules! signed_numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.visit_i64(self.signed()?)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Reader<'_> {
    type Error = Error;

    numbers! {
        deserialize_u8 visit_u8;
        deserialize_u16 visit_u16;
        deserialize_u64 visit_u64;
    }

    signed_numbers!(deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64);

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::new("the format is not self-describing"))
    }
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(self.flag()?)
    }
    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let n: u32 = self.small()?;
        let Some(kind) = self.entity.take() else {
            return visitor.visit_u32(n);
        };
        let entity = self
            .referents
            .entity(n)
            .ok_or_else(|| Error::new("unknown declaration"))?;
        if std::mem::discriminant(&entity) != std::mem::discriminant(&kind(0)) {
            return Err(Error::new("a declaration of another kind"));
        }
        visitor.visit_u32(entity.index())
    }
    fn deserialize_f32<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::new("a floating-point number"))
    }
    fn deserialize_f64<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::new("a floating-point number"))
    }
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let n: u32 = self.small()?;
        visitor.visit_char(char::from_u32(n).ok_or_else(|| Error::new("no character"))?)
    }
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.text()?)
    }
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.text()?)
    }
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bytes(self.slice()?)
    }
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bytes(self.slice()?)
    }
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.flag()? {
            self.nested(|r| visitor.visit_some(r))
        } else {
            visitor.visit_none()
        }
    }
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.entity = Entity::kind(name);
        self.nested(|r| visitor.visit_newtype_struct(r))
    }
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let left: usize = self.small()?;
        self.nested(|reader| visitor.visit_seq(Parts { reader, left }))
    }
    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        left: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.nested(|reader| visitor.visit_seq(Parts { reader, left }))
    }
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        left: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(left, visitor)
    }
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let left: usize = self.small()?;
        self.nested(|reader| visitor.visit_map(Parts { reader, left }))
    }
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name != super::SPAN {
            return self.deserialize_tuple(fields.len(), visitor);
        }
        let (entity, number): (u32, u32) = (self.small()?, self.small()?);
        let span = self
            .referents
            .span(entity, number)
            .ok_or_else(|| Error::new("unknown position"))?;
        visitor.visit_seq(de::value::SeqDeserializer::<_, Error>::new(
            [span.start, span.end].into_iter(),
        ))
    }
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.nested(|r| visitor.visit_enum(r))
    }
    fn deserialize_identifier<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::new("names are not written"))
    }
    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::new("values cannot be skipped"))
    }
    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The remaining parts of a compound value.
struct Parts<'r, 'a> {
    reader: &'r mut Reader<'a>,
    left: usize,
}

impl Parts<'_, '_> {
    /// Returns a safe size hint: the bytes may claim any length.
    fn hint(&self) -> usize {
        self.left.min(self.reader.bytes.len())
    }
}

impl<'de> de::SeqAccess<'de> for Parts<'_, '_> {
    type Error = Error;
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        seed.deserialize(&mut *self.reader).map(Some)
    }
    fn size_hint(&self) -> Option<usize> {
        Some(self.hint())
    }
}

impl<'de> de::MapAccess<'de> for Parts<'_, '_> {
    type Error = Error;
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        seed.deserialize(&mut *self.reader).map(Some)
    }
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(&mut *self.reader)
    }
    fn size_hint(&self) -> Option<usize> {
        Some(self.hint())
    }
}

impl<'de> de::EnumAccess<'de> for &mut Reader<'_> {
    type Error = Error;
    type Variant = Self;
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let index: u32 = self.small()?;
        let deserializer: U32Deserializer<Error> = index.into_deserializer();
        Ok((seed.deserialize(deserializer)?, self))
    }
}

impl<'de> de::VariantAccess<'de> for &mut Reader<'_> {
    type Error = Error;
    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        de::Deserializer::deserialize_tuple(self, len, visitor)
    }
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        de::Deserializer::deserialize_tuple(self, fields.len(), visitor)
    }
}
