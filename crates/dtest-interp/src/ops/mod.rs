//! Strict operators on words, as the reference manual defines them.
//!
//! Key function: [`apply`]. Operators that read the heap or call functions are implemented by the
//! machine.

mod collections;
mod numbers;
mod order;

pub(super) use collections::{elements, subterms};
pub(super) use numbers::convert;
use order::is_below;

use super::api::FailureKind;
use super::word::Word;
use dafny_resolve::typed;
use dtest_ir::Op;
use dtest_ir::reason::Reason;
use dtest_value::Value;

/// The reason why an operator has no result.
#[derive(Debug)]
pub(super) enum OpError {
    /// The operands are outside the operator's domain.
    Failed(FailureKind, String),
    /// The result would exceed the limits.
    TooLarge,
    /// The language does not define the result.
    Open(Reason),
    /// The operands have wrong types. For a well-typed program, this is an internal error.
    Shape,
}

pub(super) type Result<T> = std::result::Result<T, OpError>;

/// Returns the error of an ill-formed application.
pub(super) fn fail<T>(kind: FailureKind, message: impl Into<String>) -> Result<T> {
    Err(OpError::Failed(kind, message.into()))
}

/// The context of operators.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) program: &'a typed::Program,
    /// The limit of elements of one collection.
    pub(super) max_elements: usize,
    /// The limit of parts of one value.
    pub(super) max_extent: u64,
}

/// Returns a constructed value unless it is too large to be traversed.
fn of_bounded_extent(cx: Context<'_>, value: Value) -> Result<Word> {
    if value.extent() > cx.max_extent {
        Err(OpError::TooLarge)
    } else {
        Ok(Word::of(value))
    }
}

/// Applies an operator to operands, none of which is unknown.
pub(super) fn apply(cx: Context<'_>, op: &Op, args: &mut Vec<Word>) -> Result<Word> {
    let mut next = || args.pop().ok_or(OpError::Shape);
    match op {
        Op::Not => {
            if let Word::Bool(b) = next()? {
                Ok(Word::Bool(!b))
            } else {
                Err(OpError::Shape)
            }
        }
        Op::Eq => {
            let b = next()?;
            Ok(Word::Bool(next()?.same(&b)))
        }
        Op::Ne => {
            let b = next()?;
            Ok(Word::Bool(!next()?.same(&b)))
        }
        Op::Neg(num) => numbers::negate(*num, next()?),
        Op::Add(num) | Op::Sub(num) | Op::Mul(num) | Op::Div(num) | Op::Mod(num) => {
            let b = next()?;
            numbers::arithmetic(cx, op, *num, next()?, b)
        }
        Op::Lt(_) | Op::Le(_) => {
            let b = next()?;
            let order = numbers::compare(&next()?, &b)?;
            Ok(Word::Bool(if matches!(op, Op::Lt(_)) {
                order.is_lt()
            } else {
                order.is_le()
            }))
        }
        Op::BitAnd
        | Op::BitOr
        | Op::BitXor
        | Op::Shl
        | Op::Shr
        | Op::RotateLeft
        | Op::RotateRight => {
            let b = next()?;
            numbers::bits(op, next()?, b)
        }
        Op::BitNot => numbers::complement(next()?),
        Op::Floor => numbers::floor(next()?),
        Op::OrdinalIsLimit => Ok(Word::Bool(next()?.as_number() == Some(0.into()))),
        Op::OrdinalIsSucc => Ok(Word::Bool(next()?.as_number() != Some(0.into()))),
        Op::OrdinalOffset => next()?.as_number().map(Word::int).ok_or(OpError::Shape),
        Op::OrdinalIsNat => Ok(Word::Bool(true)),
        Op::Tuple => {
            let items: Option<Vec<Value>> = args.drain(..).map(Word::value).collect();
            of_bounded_extent(
                cx,
                Value::Tuple(std::sync::Arc::new(items.ok_or(OpError::Shape)?)),
            )
        }
        Op::TupleField(i) => {
            if let Word::Tuple(items) = next()? {
                items.get(*i).map(Word::of_ref).ok_or(OpError::Shape)
            } else {
                Err(OpError::Shape)
            }
        }
        Op::Construct(ctor) => {
            let items: Option<Vec<Value>> = args.drain(..).map(Word::value).collect();
            of_bounded_extent(cx, Value::datatype(*ctor, items.ok_or(OpError::Shape)?))
        }
        Op::CtorTest(ctor) => {
            if let Word::Datatype(d) = next()? {
                Ok(Word::Bool(d.ctor == *ctor))
            } else {
                Err(OpError::Shape)
            }
        }
        Op::Destruct(field) => {
            if let Word::Datatype(d) = next()? {
                let position = cx.program[d.ctor].fields.iter().position(|f| f == field);
                match position.and_then(|i| d.args.get(i)) {
                    Some(v) => Ok(Word::of_ref(v)),
                    None => {
                        let (field, ctor) = (&cx.program[*field].name, &cx.program[d.ctor].name);
                        fail(
                            FailureKind::Destructor,
                            format!("`{field}` of a value created by `{ctor}`"),
                        )
                    }
                }
            } else {
                Err(OpError::Shape)
            }
        }
        Op::Below => {
            let b = next()?;
            is_below(&next()?, &b)
                .map(Word::Bool)
                .ok_or(OpError::Open(Reason::Order))
        }
        Op::Display(_)
        | Op::Cardinality(_)
        | Op::In(_)
        | Op::Union(_)
        | Op::Intersect(_)
        | Op::Difference(_)
        | Op::Disjoint(_)
        | Op::SubsetEq(_)
        | Op::Subset(_)
        | Op::Select(_)
        | Op::Update(_)
        | Op::Slice
        | Op::MultisetOf(_)
        | Op::Keys
        | Op::Values
        | Op::Items => collections::apply(cx, op, args),
        // The machine implements these: they read the heap or call functions.
        Op::PrefixEq
        | Op::ArraySlice
        | Op::ArrayLength(_)
        | Op::SeqInit
        | Op::FunctionRequires
        | Op::FunctionReads => Err(OpError::Shape),
    }
}
