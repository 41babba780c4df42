//! Writing of values: bytes in which every reference into the program is replaced by a number from
//! [`References`].

use serde::ser::{self, Serialize};

use super::{Entity, Error, MAX_DEPTH};
use dafny_source::Span;

/// The numbers of the entities that a value refers to.
pub(super) trait References {
    /// Returns the number of a declaration; `None` if it has none, so that the value cannot be
    /// written.
    fn entity(&mut self, entity: Entity) -> Option<u32>;
    /// Appends the written form of a place.
    fn span(&mut self, span: Span, out: &mut Vec<u8>) -> Option<()>;
}

/// Writes a value.
///
/// # Errors
/// A reference without a number, a value that is nested too deeply, or a form that the format does
/// not support.
pub(super) fn write(
    value: &impl Serialize,
    references: &mut dyn References,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    value.serialize(&mut Writer {
        out,
        references,
        number: None,
        depth: 0,
    })
}

/// Appends an unsigned number with seven bits per byte, the least significant first.
pub(super) fn number(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

struct Writer<'a> {
    out: &'a mut Vec<u8>,
    references: &'a mut dyn References,
    /// The receiver of the next number, if that is an id or a position.
    number: Option<u32>,
    depth: u32,
}

/// The marker that the next number is to be captured.
const CATCH: Option<u32> = Some(0);

impl Writer<'_> {
    fn put(&mut self, n: u64) {
        number(n, self.out);
    }

    fn catch<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<u32, Error> {
        self.number = CATCH;
        value.serialize(&mut *self)?;
        self.number
            .take()
            .ok_or_else(|| Error::new("an id that is not a number"))
    }

    fn nested<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::new("a value is too deep"));
        }
        value.serialize(&mut *self)?;
        self.depth -= 1;
        Ok(())
    }

    fn length(&mut self, len: Option<usize>) -> Result<(), Error> {
        self.put(len.ok_or_else(|| Error::new("a collection without a length"))? as u64);
        Ok(())
    }
}

/// The remaining parts of a compound value.
pub(super) struct Parts<'w, 'a> {
    writer: &'w mut Writer<'a>,
    /// The ends of a [`Span`], which are written together.
    span: Option<Vec<u32>>,
}

impl<'w, 'a> Parts<'w, 'a> {
    fn plain(writer: &'w mut Writer<'a>) -> Self {
        Self { writer, span: None }
    }

    fn part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        match &mut self.span {
            Some(ends) => {
                ends.push(self.writer.catch(value)?);
                Ok(())
            }
            None => self.writer.nested(value),
        }
    }

    fn done(self) -> Result<(), Error> {
        match self.span.as_deref() {
            Some([start, end]) => {
                let written = self
                    .writer
                    .references
                    .span(Span::new(*start, *end), self.writer.out);
                written.ok_or_else(|| Error::new("a place that the program does not mention"))
            }
            Some(_) => Err(Error::new("a span without two ends")),
            None => Ok(()),
        }
    }
}

impl<'w, 'a> ser::Serializer for &'w mut Writer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Parts<'w, 'a>;
    type SerializeTuple = Parts<'w, 'a>;
    type SerializeTupleStruct = Parts<'w, 'a>;
    type SerializeTupleVariant = Parts<'w, 'a>;
    type SerializeMap = Parts<'w, 'a>;
    type SerializeStruct = Parts<'w, 'a>;
    type SerializeStructVariant = Parts<'w, 'a>;

    fn serialize_bool(self, v: bool) -> Result<(), Error> {
        self.out.push(u8::from(v));
        Ok(())
    }
    fn serialize_i8(self, v: i8) -> Result<(), Error> {
        self.serialize_i64(v.into())
    }
    fn serialize_i16(self, v: i16) -> Result<(), Error> {
        self.serialize_i64(v.into())
    }
    fn serialize_i32(self, v: i32) -> Result<(), Error> {
        self.serialize_i64(v.into())
    }
    fn serialize_i64(self, v: i64) -> Result<(), Error> {
        // The sign is the last bit, so that small numbers of either sign are short.
        self.put(((v << 1) ^ (v >> 63)) as u64);
        Ok(())
    }
    fn serialize_u8(self, v: u8) -> Result<(), Error> {
        self.serialize_u64(v.into())
    }
    fn serialize_u16(self, v: u16) -> Result<(), Error> {
        self.serialize_u64(v.into())
    }
    fn serialize_u32(self, v: u32) -> Result<(), Error> {
        match &mut self.number {
            Some(caught) => *caught = v,
            None => self.put(v.into()),
        }
        Ok(())
    }
    fn serialize_u64(self, v: u64) -> Result<(), Error> {
        self.put(v);
        Ok(())
    }
    fn serialize_f32(self, _: f32) -> Result<(), Error> {
        Err(Error::new("a floating-point number"))
    }
    fn serialize_f64(self, _: f64) -> Result<(), Error> {
        Err(Error::new("a floating-point number"))
    }
    fn serialize_char(self, v: char) -> Result<(), Error> {
        self.put(u32::from(v).into());
        Ok(())
    }
    fn serialize_str(self, v: &str) -> Result<(), Error> {
        self.serialize_bytes(v.as_bytes())
    }
    fn serialize_bytes(self, v: &[u8]) -> Result<(), Error> {
        self.put(v.len() as u64);
        self.out.extend_from_slice(v);
        Ok(())
    }
    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_bool(false)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        self.out.push(1);
        self.nested(value)
    }
    fn serialize_unit(self) -> Result<(), Error> {
        Ok(())
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        Ok(())
    }
    fn serialize_unit_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
    ) -> Result<(), Error> {
        self.put(index.into());
        Ok(())
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let Some(kind) = Entity::kind(name) else {
            return self.nested(value);
        };
        let entity = kind(self.catch(value)?);
        let n = self
            .references
            .entity(entity)
            .ok_or_else(|| Error::new("a declaration that the unit does not reach"))?;
        self.put(n.into());
        Ok(())
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.put(index.into());
        self.nested(value)
    }
    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        self.length(len)?;
        Ok(Parts::plain(self))
    }
    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        Ok(Parts::plain(self))
    }
    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Error> {
        Ok(Parts::plain(self))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        self.put(index.into());
        Ok(Parts::plain(self))
    }
    fn serialize_map(self, len: Option<usize>) -> Result<Self::SerializeMap, Error> {
        self.length(len)?;
        Ok(Parts::plain(self))
    }
    fn serialize_struct(
        self,
        name: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStruct, Error> {
        Ok(Parts {
            writer: self,
            span: (name == super::SPAN).then(Vec::new),
        })
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        self.put(index.into());
        Ok(Parts::plain(self))
    }
    fn is_human_readable(&self) -> bool {
        false
    }
}

impl ser::SerializeSeq for Parts<'_, '_> {
    type Ok = ();
    type Error = Error;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.part(value)
    }
    fn end(self) -> Result<(), Error> {
        self.done()
    }
}

impl ser::SerializeTuple for Parts<'_, '_> {
    type Ok = ();
    type Error = Error;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.part(value)
    }
    fn end(self) -> Result<(), Error> {
        self.done()
    }
}

impl ser::SerializeTupleStruct for Parts<'_, '_> {
    type Ok = ();
    type Error = Error;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.part(value)
    }
    fn end(self) -> Result<(), Error> {
        self.done()
    }
}

impl ser::SerializeTupleVariant for Parts<'_, '_> {
    type Ok = ();
    type Error = Error;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.part(value)
    }
    fn end(self) -> Result<(), Error> {
        self.done()
    }
}

impl ser::SerializeMap for Parts<'_, '_> {
    type Ok = ();
    type Error = Error;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.part(key)
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.part(value)
    }
    fn end(self) -> Result<(), Error> {
        self.done()
    }
}

impl ser::SerializeStruct for Parts<'_, '_> {
    type Ok = ();
    type Error = Error;
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.part(value)
    }
    fn end(self) -> Result<(), Error> {
        self.done()
    }
}

impl ser::SerializeStructVariant for Parts<'_, '_> {
    type Ok = ();
    type Error = Error;
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.part(value)
    }
    fn end(self) -> Result<(), Error> {
        self.done()
    }
}
