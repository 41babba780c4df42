//! Converts values to Dafny expressions; objects become variables of the test.
//!
//! [`Values::value`] writes values, and [`Values::object`] creates objects: by the calls of a
//! [`Construction`], or field by field. The hard part is cycles: a field that refers to an object
//! under construction is assigned later ([`Values::later`]).

mod defaults;
mod functions;
mod literals;
mod objects;

use num_rational::BigRational;

use dafny_resolve::typed::Type;
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Answer, Construction, DatatypeValue, Heap, ObjectId, Thunk, Value};

use super::clause::Specs;
use super::mock::Mocks;
use super::names::{Names, unique};
use super::{Piece, Role, Written};

pub(super) use defaults::Defaults;
pub(super) use literals::{character, escaped, rational};
pub(crate) use objects::fields_of;
pub(super) use objects::{constructor_suffix, default};

/// Maximum number of parts of all values of a test.
const MAX_PARTS: usize = 4_096;
/// Maximum number of elements of one display; longer ones are slow to resolve, and javac rejects
/// them.
const MAX_DISPLAY: usize = 100;
/// Maximum length of one literal, in characters.
const MAX_LITERAL: usize = 8_000;
/// Maximum nesting depth of values; Python's parser rejects more than about ninety parentheses.
const MAX_NESTING: usize = 60;

/// Writes values; objects of the heap become variables.
pub(super) struct Values<'s, 'p> {
    pub(super) names: &'s Names<'p>,
    pub(super) heap: &'s Heap,
    pub(super) constructed: &'s SortedMap<ObjectId, Construction>,
    /// The answers of mocks.
    pub(super) answers: &'s [Answer],
    /// The declarations of the module's mocks.
    pub(super) mocks: Option<&'s Mocks<'p>>,
    /// The functions for default values of codatatypes.
    co_defaults: &'s Defaults,
    /// The names that declarations of the module have.
    specs: &'s Specs,
    /// The variables of objects.
    pub(super) objects: SortedMap<ObjectId, String>,
    /// The statements that create the objects.
    pub(super) lines: Vec<Piece>,
    /// Objects under construction, to detect cycles.
    making: Vec<ObjectId>,
    /// Objects that exist.
    made: SortedSet<ObjectId>,
    /// Fields that refer to an object under construction; they are assigned later.
    later: Vec<(String, Value, Type)>,
    /// The names of variables.
    pub(super) taken: SortedSet<String>,
    /// Variables of objects whose fields are assigned one by one.
    pub(super) by_fields: Vec<String>,
    /// Whether an object can be allocated only in a refinement of the module under test.
    pub(super) needs_inside: bool,
    /// Module-level declarations that the statements need.
    pub(super) needs: Vec<String>,
    parts: usize,
    depth: usize,
}

impl<'s, 'p> Values<'s, 'p> {
    pub(super) fn new(
        names: &'s Names<'p>,
        heap: &'s Heap,
        constructed: &'s SortedMap<ObjectId, Construction>,
        (specs, co_defaults): (&'s Specs, &'s Defaults),
    ) -> Self {
        Self {
            names,
            heap,
            constructed,
            answers: &[],
            mocks: None,
            co_defaults,
            specs,
            objects: SortedMap::new(),
            lines: Vec::new(),
            making: Vec::new(),
            made: SortedSet::new(),
            later: Vec::new(),
            taken: SortedSet::new(),
            by_fields: Vec::new(),
            needs_inside: false,
            needs: Vec::new(),
            parts: 0,
            depth: 0,
        }
    }

    /// Returns an unused name for a variable.
    pub(super) fn fresh(&mut self, word: &str) -> String {
        let names = self.names;
        unique(word, &mut self.taken, &|n| !names.is_opened(n))
    }

    /// Adds a statement of the setup.
    pub(super) fn line(&mut self, text: String) {
        let needs = std::mem::take(&mut self.needs);
        self.lines
            .push(Piece::new(text, Role::Given).needing(needs));
    }

    /// Returns the dynamic type of an object.
    pub(super) fn object_type(&self, object: ObjectId) -> Option<Type> {
        self.heap
            .objects
            .get(object.0 as usize)
            .map(|o| o.ty.clone())
    }

    /// Writes a value of a type without type parameters.
    pub(super) fn value(&mut self, value: &Value, ty: &Type) -> Written<String> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(format!("a value of more than {MAX_PARTS} parts").into());
        }
        if self.depth >= MAX_NESTING {
            return Err(format!("values within each other, more than {MAX_NESTING} deep").into());
        }
        self.depth += 1;
        let written = dtest_value::deeper(|| self.value_within(value, ty));
        self.depth -= 1;
        written
    }

    fn value_within(&mut self, value: &Value, ty: &Type) -> Written<String> {
        let program = self.names.program;
        let rep = program.representation(ty);
        match (value, &rep) {
            (Value::Bool(b), _) => Ok(b.to_string()),
            (Value::Char(c), _) => character(*c, program.options.unicode_char),
            (Value::Int(n), Type::Real) => Ok(rational(&BigRational::from(n.clone()))),
            (Value::Int(n), _) => Ok(n.to_string()),
            (Value::Real(r), _) => Ok(rational(r)),
            (Value::Bv { bits, .. }, _) => Ok(bits.to_string()),
            (Value::Ordinal(n), _) => Ok(n.to_string()),
            (Value::Seq(es), Type::Seq(elem)) => self.sequence(es, elem, ty),
            (Value::Set(es), Type::Set { finite, elem }) => {
                let open = if *finite { "{" } else { "iset{" };
                let all: Vec<&Value> = es.iter().collect();
                self.pieces(&all, (open, "}"), ty, &mut |me, e| me.value(e, elem))
            }
            (Value::Multiset(counts), Type::Multiset(elem)) => {
                let mut all = Vec::new();
                for (e, n) in counts.iter() {
                    let n = usize::try_from(n).ok().filter(|n| *n <= 10_000);
                    let n = n.ok_or("a multiset of too many elements")?;
                    all.extend(std::iter::repeat_n(e, n));
                }
                self.pieces(&all, ("multiset{", "}"), ty, &mut |me, e| me.value(e, elem))
            }
            (Value::Map(pairs), Type::Map { finite, key, value }) => {
                let open = if *finite { "map[" } else { "imap[" };
                let all: Vec<(&Value, &Value)> = pairs.iter().collect();
                self.pieces(&all, (open, "]"), ty, &mut |me, (k, v)| {
                    Ok(format!("{} := {}", me.value(k, key)?, me.value(v, value)?))
                })
            }
            (Value::Tuple(cs), Type::Tuple(types)) => {
                let mut parts = Vec::new();
                for (c, (ghost, t)) in cs.iter().zip(types) {
                    let text = self.value(c, t)?;
                    parts.push(format!("{}{text}", if *ghost { "ghost " } else { "" }));
                }
                Ok(format!("({})", parts.join(", ")))
            }
            (Value::Datatype(d), _) => self.datatype(d, &rep),
            (Value::Newtype(n), _) => {
                let own = n.ty();
                let text = self.value(&n.value, &own)?;
                Ok(format!("({text} as {})", self.names.ty(&own)?))
            }
            (Value::Null, _) => Ok("null".into()),
            (Value::Ref(object), _) => self.object(*object),
            (Value::Function(f), Type::Arrow { params, result, .. }) => {
                self.function(f, params, result)
            }
            (Value::Lazy(lazy), _) => match (value.settled(), lazy.thunk()) {
                (Some(settled), _) if !settled.holds_lazy() => self.value(&settled, ty),
                (_, Thunk::Default(_)) => self.default_of(ty),
                (_, Thunk::Code { .. }) => {
                    Err("a value that is computed lazily by the program".into())
                }
            },
            (
                Value::Seq(_)
                | Value::Set(_)
                | Value::Multiset(_)
                | Value::Map(_)
                | Value::Tuple(_)
                | Value::Function(_),
                _,
            ) => Err(format!("a value of `{}`", program.show_type(ty)).into()),
        }
    }

    /// Writes a display; a long one is split into variables with a type.
    fn pieces<T: Copy>(
        &mut self,
        all: &[T],
        (open, close): (&str, &str),
        ty: &Type,
        write: &mut dyn FnMut(&mut Self, T) -> Written<String>,
    ) -> Written<String> {
        let mut texts = Vec::new();
        for item in all {
            texts.push(write(self, *item)?);
        }
        if texts.len() <= MAX_DISPLAY {
            return Ok(format!("{open}{}{close}", texts.join(", ")));
        }
        let mut names = Vec::new();
        let ty = self.names.ty(ty)?;
        for chunk in texts.chunks(MAX_DISPLAY) {
            let name = self.fresh("piece");
            self.line(format!(
                "var {name}: {ty} := {open}{}{close};",
                chunk.join(", ")
            ));
            names.push(name);
        }
        Ok(format!("({})", names.join(" + ")))
    }

    fn sequence(&mut self, es: &[Value], elem: &Type, ty: &Type) -> Written<String> {
        let program = self.names.program;
        if program.representation(elem) == Type::Char {
            let chars: Option<Vec<u32>> = es
                .iter()
                .map(|e| {
                    if let Value::Char(c) = e {
                        Some(*c)
                    } else {
                        None
                    }
                })
                .collect();
            if let Some(chars) = chars {
                if chars.len() > MAX_LITERAL {
                    return Err(format!("a string of more than {MAX_LITERAL} characters").into());
                }
                let mut out = String::from("\"");
                for c in chars {
                    out.push_str(&escaped(c, program.options.unicode_char)?);
                }
                out.push('"');
                // A string literal has elements of type `char`, so it does not fit a newtype of
                // `char`.
                if program.strip_subset(elem) == Type::Char {
                    return Ok(out);
                }
            }
        }
        // Many equal elements are written once.
        if let [first, rest @ ..] = es
            && es.len() > 32
            && rest.iter().all(|e| e == first)
            && !matches!(first, Value::Ref(_))
        {
            let (first, elem) = (self.value(first, elem)?, self.names.ty(elem)?);
            return Ok(format!("seq<{elem}>({}, _ => {first})", es.len()));
        }
        let all: Vec<&Value> = es.iter().collect();
        self.pieces(&all, ("[", "]"), ty, &mut |me, e| me.value(e, elem))
    }

    fn datatype(&mut self, d: &DatatypeValue, rep: &Type) -> Written<String> {
        let program = self.names.program;
        let ctor = &program[d.ctor];
        if ctor.ghost {
            return Err(format!("a value of the ghost constructor `{}`", ctor.name).into());
        }
        // For a value with the type of a trait, the type arguments are those of the datatype that
        // implements it.
        let own = |t: &Type| matches!(t, Type::Named { decl, .. } if *decl == ctor.datatype);
        let mut seen = rep.clone();
        if let Type::Named { decl, args, .. } = rep
            && !own(rep)
        {
            let found = program
                .implementing_datatypes(*decl, args)
                .into_iter()
                .find(own);
            seen = found.unwrap_or(Type::Error);
        }
        let args = if let Type::Named { args, .. } = seen {
            args
        } else {
            Vec::new()
        };
        let substitution = program.substitution(ctor.datatype, &args);
        let mut parts = Vec::new();
        for (&f, value) in ctor.fields.iter().zip(&d.args) {
            parts.push(self.value(value, &program[f].ty.subst(&substitution))?);
        }
        let name = self.names.ctor(d.ctor)?;
        Ok(if parts.is_empty() {
            name
        } else {
            format!("{name}({})", parts.join(", "))
        })
    }
}
