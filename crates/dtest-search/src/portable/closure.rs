//! Closures: everything that a unit reaches, with numbers that depend on nothing else.
//!
//! [`Closures`] holds the contents of all entities of a program, each with the entities that it
//! refers to; [`Closure`] is the traversal from one unit, whose order numbers the entities. The
//! hard part is that the written form of an entity must not mention ids or positions in files;
//! `Walker` replaces them.

use rustc_hash::FxHashMap;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::read::Referents;
use super::write::{self, References};
use super::{Entity, Error, Key, NOWHERE};
use crate::describe;
use crate::pool::Pool;
use dafny_resolve::typed::{
    self, Body, CallableId, CallableKind, FieldId, FieldKind, Type, TypeDeclKind, TypeId,
};
use dafny_source::Span;
use dtest_interp::Inputs;
use dtest_ir as ir;

/// The content of one entity.
struct Content {
    /// The hash of its text, with references numbered as in `edges`, and places relative to the
    /// place before.
    hash: [u8; 32],
    /// The entities that it refers to, each once, in the order of the text.
    edges: Vec<Entity>,
    /// The places that it mentions, each once, in the order of the text.
    spans: Vec<Span>,
}

/// The closures of the units of a program.
pub struct Closures {
    contents: FxHashMap<Entity, Content>,
    /// The sources of configured inputs, which every unit reaches.
    makers: Vec<Entity>,
    /// The inputs of every result: options and versions.
    context: Key,
    /// The further inputs of the results of single units: values that come from elsewhere in the
    /// program.
    given: FxHashMap<CallableId, Key>,
}

/// The entities that one unit reaches.
pub struct Closure<'c> {
    closures: &'c Closures,
    /// The entities in traversal order: the position is the number.
    order: Vec<Entity>,
    numbers: FxHashMap<Entity, u32>,
    key: Key,
}

impl Closures {
    /// Traverses everything that `units` reach. `context` contains the other inputs of results:
    /// options and versions.
    pub fn new(
        program: &ir::Program,
        units: impl IntoIterator<Item = CallableId>,
        context: &str,
    ) -> Self {
        let walker = Walker::new(program);
        let mut contents: FxHashMap<Entity, Content> = FxHashMap::default();
        let makers: Vec<Entity> = program
            .makers
            .iter()
            .map(|m| Entity::Callable(m.callable.0))
            .collect();
        let mut work: Vec<Entity> = units
            .into_iter()
            .map(|u| Entity::Callable(u.0))
            .chain(makers.iter().copied())
            .collect();
        while let Some(entity) = work.pop() {
            if contents.contains_key(&entity) {
                continue;
            }
            // An entity that cannot be written leaves the units that reach it without a key.
            let Ok(content) = walker.content(entity) else {
                continue;
            };
            work.extend(&content.edges);
            contents.insert(entity, content);
        }
        let typed = &program.typed;
        let is_co = |t: &typed::TypeDecl| matches!(t.kind, TypeDeclKind::Datatype { co: true, .. });
        let has_codatatypes = typed.types.iter().any(is_co);
        let named = |m: &ir::Maker| {
            std::iter::once(&m.ty)
                .chain(&m.type_args)
                .map(|t| typed.show_type(t))
                .collect::<Vec<_>>()
        };
        let made: Vec<Vec<String>> = program.makers.iter().map(named).collect();
        let whole = format!(
            "{:?} {} {has_codatatypes} {made:?}",
            typed.options, program.criteria
        );
        Self {
            contents,
            makers,
            context: Key::of([context.as_bytes(), whole.as_bytes()]),
            given: FxHashMap::default(),
        }
    }

    /// Adds the inputs that a pool has for the units, on which their results depend.
    #[must_use]
    pub fn with_pool(mut self, program: &ir::Program, pool: Option<&Pool>) -> Self {
        let units = pool.map(Pool::units).into_iter().flatten();
        self.given = units
            .filter_map(|(unit, inputs)| {
                let text = |i: &Inputs| describe::inputs(program, unit, i);
                let texts: Vec<String> = inputs.iter().flat_map(text).collect();
                let key = Key::of(texts.iter().map(String::as_bytes));
                (!inputs.is_empty()).then_some((unit, key))
            })
            .collect();
        self
    }

    /// Returns the closure of a unit; `None` if it reaches an entity without a written form.
    pub fn of(&self, unit: CallableId) -> Option<Closure<'_>> {
        let first = Entity::Callable(unit.0);
        let mut order: Vec<Entity> = vec![first];
        order.extend(self.makers.iter().filter(|m| **m != first));
        let mut numbers: FxHashMap<Entity, u32> = order.iter().copied().zip(0..).collect();
        let mut hasher = Sha256::new();
        hasher.update(self.context.0);
        if let Some(key) = self.given.get(&unit) {
            hasher.update(key.0);
        }
        let mut next = 0;
        while let Some(entity) = order.get(next) {
            next += 1;
            let content = self.contents.get(entity)?;
            hasher.update(content.hash);
            for edge in &content.edges {
                let number = *numbers.entry(*edge).or_insert_with(|| {
                    order.push(*edge);
                    order.len() as u32 - 1
                });
                hasher.update(number.to_le_bytes());
            }
        }
        // Values and candidates are enumerated in the order of ids, so that this order belongs to
        // the key.
        let mut sorted = order.clone();
        sorted.sort_unstable();
        sorted
            .iter()
            .filter_map(|e| numbers.get(e))
            .for_each(|n| hasher.update(n.to_le_bytes()));
        Some(Closure {
            closures: self,
            order,
            numbers,
            key: Key(hasher.finalize().into()),
        })
    }
}

impl Closure<'_> {
    /// Returns the key of the unit's results.
    pub fn key(&self) -> Key {
        self.key
    }

    /// Returns the source of the closure: whole declarations of callables, and all places that it
    /// mentions.
    pub fn texts<'p>(&'p self, program: &'p ir::Program) -> impl Iterator<Item = Span> + 'p {
        let declared = |entity: &Entity| {
            program
                .typed
                .callables
                .get(entity.callable()?.0 as usize)
                .map(|c| c.full_span)
        };
        let spans_of = move |entity: &'p Entity| {
            let mentioned = self
                .closures
                .contents
                .get(entity)
                .map_or(&[][..], |c| &c.spans);
            declared(entity)
                .into_iter()
                .chain(mentioned.iter().copied())
        };
        self.order.iter().flat_map(spans_of)
    }

    /// Returns the types that the unit reaches.
    pub fn types(&self) -> impl Iterator<Item = TypeId> {
        self.order.iter().filter_map(Entity::ty)
    }

    /// Returns the functions and methods that the unit reaches.
    pub fn callables(&self) -> impl Iterator<Item = CallableId> {
        self.order.iter().filter_map(Entity::callable)
    }

    /// Returns the inverse: the numbers of entities and places.
    pub(super) fn numbers(&self) -> Numbers<'_> {
        let mut spans = FxHashMap::default();
        for (number, entity) in (0u32..).zip(&self.order) {
            let content = self.closures.contents.get(entity);
            for (i, span) in (0u32..).zip(content.iter().flat_map(|c| &c.spans)) {
                spans.entry(*span).or_insert((number + 1, i));
            }
        }
        let mentioned = |entity| {
            let content = self.closures.contents.get(entity);
            content.map_or(&[][..], |c| &c.spans)
        };
        Numbers {
            entities: &self.numbers,
            spans,
            mentioned: self.order.iter().map(mentioned).collect(),
        }
    }
}

/// Returns the number of a place between two mentioned ones, after those of the `spans` themselves:
/// from the start or the end of one to the start or the end of another one.
fn between(spans: &[Span], span: Span) -> Option<u32> {
    let mut ends = spans.iter().flat_map(|s| [s.start, s.end]);
    let from = ends.clone().position(|end| end == span.start)?;
    let to = ends.position(|end| end == span.end)?;
    let number = spans.len() + from * 2 * spans.len() + to;
    u32::try_from(number).ok()
}

/// Returns the place with a number that [`between`] assigned.
fn numbered(spans: &[Span], number: usize) -> Option<Span> {
    let number = number.checked_sub(spans.len())?;
    let (from, to) = (
        number.checked_div(2 * spans.len())?,
        number.checked_rem(2 * spans.len())?,
    );
    let end = |at: usize| {
        let span = spans.get(at / 2)?;
        Some(if at.is_multiple_of(2) {
            span.start
        } else {
            span.end
        })
    };
    Some(Span {
        start: end(from)?,
        end: end(to)?,
    })
}

impl Referents for Closure<'_> {
    fn entity(&self, number: u32) -> Option<Entity> {
        self.order.get(number as usize).copied()
    }

    fn span(&self, entity: u32, number: u32) -> Option<Span> {
        let Some(entity) = entity.checked_sub(1) else {
            return Some(NOWHERE.1);
        };
        let entity = self.order.get(entity as usize)?;
        let spans = &self.closures.contents.get(entity)?.spans;
        let known = spans.get(number as usize).copied();
        known.or_else(|| numbered(spans, number as usize))
    }
}

/// The numbers of a closure, for writing.
pub(super) struct Numbers<'c> {
    entities: &'c FxHashMap<Entity, u32>,
    spans: FxHashMap<Span, (u32, u32)>,
    /// The places that each entity mentions, in the order of the entities.
    mentioned: Vec<&'c [Span]>,
}

impl References for Numbers<'_> {
    fn entity(&mut self, entity: Entity) -> Option<u32> {
        self.entities.get(&entity).copied()
    }

    fn span(&mut self, span: Span, out: &mut Vec<u8>) -> Option<()> {
        let (entity, number) = match self.spans.get(&span) {
            Some(known) => *known,
            None if span == NOWHERE.1 => (NOWHERE.0, 0),
            // Texts of mutants have a part of an expression, up to an operand.
            None => (1..)
                .zip(&self.mentioned)
                .find_map(|(entity, spans)| Some((entity, between(spans, span)?)))?,
        };
        write::number(entity.into(), out);
        write::number(number.into(), out);
        Some(())
    }
}

/// Numbers within one entity, assigned while its text is written.
#[derive(Default)]
struct Local {
    edges: Vec<Entity>,
    numbers: FxHashMap<Entity, u32>,
    spans: Vec<Span>,
    seen: FxHashMap<Span, ()>,
    last: Option<Span>,
}

impl References for Local {
    fn entity(&mut self, entity: Entity) -> Option<u32> {
        Some(*self.numbers.entry(entity).or_insert_with(|| {
            self.edges.push(entity);
            self.edges.len() as u32 - 1
        }))
    }

    fn span(&mut self, span: Span, out: &mut Vec<u8>) -> Option<()> {
        let is_somewhere = span != NOWHERE.1;
        out.push(u8::from(is_somewhere));
        if !is_somewhere {
            return Some(());
        }
        let from = self.last.replace(span).map_or(span.start, |s| s.start);
        out.extend_from_slice(&span.start.wrapping_sub(from).to_le_bytes());
        out.extend_from_slice(&span.end.wrapping_sub(span.start).to_le_bytes());
        if self.seen.insert(span, ()).is_none() {
            self.spans.push(span);
        }
        Some(())
    }
}

/// A traversal of the contents of entities.
struct Walker<'p> {
    program: &'p ir::Program,
    typed: &'p typed::Program,
    /// The overriders of callables and the subtypes of types, which a call or a reference may
    /// denote.
    overriders: FxHashMap<CallableId, Vec<CallableId>>,
    extenders: FxHashMap<TypeId, Vec<TypeId>>,
}

impl<'p> Walker<'p> {
    fn new(program: &'p ir::Program) -> Self {
        let typed = &*program.typed;
        let mut overriders: FxHashMap<CallableId, Vec<CallableId>> = FxHashMap::default();
        for (id, callable) in (0u32..).map(CallableId).zip(&typed.callables) {
            callable
                .overrides
                .iter()
                .for_each(|o| overriders.entry(*o).or_default().push(id));
        }
        let mut extenders: FxHashMap<TypeId, Vec<TypeId>> = FxHashMap::default();
        for (id, decl) in (0u32..).map(TypeId).zip(&typed.types) {
            for parent in &decl.parents {
                if let Type::Named { decl: parent, .. } = parent {
                    extenders.entry(*parent).or_default().push(id);
                }
            }
        }
        Self {
            program,
            typed,
            overriders,
            extenders,
        }
    }

    fn content(&self, entity: Entity) -> Result<Content, Error> {
        // The kind of the entity distinguishes equal contents.
        let mut text = Text {
            bytes: vec![kind(entity)],
            local: Local::default(),
        };
        let at = entity.index() as usize;
        let gone = || Error::new("an id of nothing");
        match entity {
            Entity::Module(_) => {
                self.module(self.typed.modules.get(at).ok_or_else(gone)?, &mut text)?
            }
            Entity::Type(i) => self.type_decl(
                TypeId(i),
                self.typed.types.get(at).ok_or_else(gone)?,
                &mut text,
            )?,
            Entity::TypeParam(_) => {
                self.type_param(self.typed.type_params.get(at).ok_or_else(gone)?, &mut text)?
            }
            Entity::Ctor(_) => self.ctor(self.typed.ctors.get(at).ok_or_else(gone)?, &mut text)?,
            Entity::Field(i) => self.field(
                FieldId(i),
                self.typed.fields.get(at).ok_or_else(gone)?,
                &mut text,
            )?,
            Entity::Callable(i) => self.callable(
                CallableId(i),
                self.typed.callables.get(at).ok_or_else(gone)?,
                &mut text,
            )?,
            Entity::Local(_) => {
                self.local(self.typed.locals.get(at).ok_or_else(gone)?, &mut text)?
            }
            Entity::Lambda(_) => text.add(self.program.lambdas.get(at).ok_or_else(gone)?)?,
        }
        // References to other entities are listed separately: their contents are not part of this
        // hash.
        let Local { edges, spans, .. } = text.local;
        Ok(Content {
            hash: Sha256::digest(&text.bytes).into(),
            edges,
            spans,
        })
    }

    // Each declaration is destructured completely, so that a new part requires a decision whether
    // results depend on it. Typed expressions and statements are left out, because the search only
    // reads their lowered form.

    fn module(&self, module: &typed::Module, text: &mut Text) -> Result<(), Error> {
        let typed::Module {
            name,
            parent,
            is_abstract,
            items: _,
            attributes,
            doc: _,
            span: _,
        } = module;
        text.add(&(name, parent, is_abstract, attributes))
    }

    fn type_decl(&self, id: TypeId, decl: &typed::TypeDecl, text: &mut Text) -> Result<(), Error> {
        let typed::TypeDecl {
            name,
            module,
            type_params,
            kind,
            fields,
            callables,
            parents,
            ghost,
            characteristics,
            attributes,
            doc: _,
            span,
        } = decl;
        text.add(&(
            name,
            module,
            type_params,
            fields,
            parents,
            ghost,
            characteristics,
            attributes,
            span,
        ))?;
        match kind {
            TypeDeclKind::Datatype { co, ctors } => text.add(&(0u8, co, ctors))?,
            TypeDeclKind::Newtype(c) => {
                text.add(&1u8)?;
                constrained(c, text)?;
            }
            TypeDeclKind::Subset(c) => {
                text.add(&2u8)?;
                constrained(c, text)?;
            }
            TypeDeclKind::Abstract => text.add(&3u8)?,
            TypeDeclKind::Class => text.add(&4u8)?,
            TypeDeclKind::Trait { is_reference } => text.add(&(5u8, is_reference))?,
            TypeDeclKind::Iterator(parts) => {
                text.add(&6u8)?;
                iterator(parts, text)?;
            }
        }
        // Inputs create objects by constructors; other members only matter to their callers.
        let makes = |c: &&CallableId| self.typed[**c].kind == CallableKind::Constructor;
        text.add(&callables.iter().filter(makes).collect::<Vec<_>>())?;
        text.add(&(
            self.program.constraints.get(&id),
            self.program.witnesses.get(&id),
            self.extenders.get(&id),
        ))
    }

    fn type_param(&self, param: &typed::TypeParam, text: &mut Text) -> Result<(), Error> {
        let typed::TypeParam {
            name,
            variance,
            characteristics,
            bounds,
            span,
        } = param;
        text.add(&(name, variance, characteristics, bounds, span))
    }

    fn ctor(&self, ctor: &typed::Ctor, text: &mut Text) -> Result<(), Error> {
        let typed::Ctor {
            name,
            datatype,
            ghost,
            fields,
            defaults: _,
            params: _,
            named,
            doc: _,
            span,
        } = ctor;
        text.add(&(name, datatype, ghost, fields, named, span))
    }

    fn field(&self, id: FieldId, field: &typed::Field, text: &mut Text) -> Result<(), Error> {
        let typed::Field {
            name,
            kind,
            owner,
            module,
            ty,
            ghost,
            is_static,
            attributes,
            doc: _,
            span,
        } = field;
        text.add(&(name, owner, module, ty, ghost, is_static, attributes, span))?;
        match kind {
            FieldKind::Mutable => text.add(&0u8)?,
            FieldKind::Const(value) => text.add(&(1u8, value.is_some()))?,
            FieldKind::Destructor(ctors) => text.add(&(2u8, ctors))?,
        }
        text.add(&self.program.constants.get(&id))
    }

    fn callable(
        &self,
        id: CallableId,
        callable: &typed::Callable,
        text: &mut Text,
    ) -> Result<(), Error> {
        // Exhaustive destructuring: a new field of the type cannot be forgotten in the key.
        let typed::Callable {
            name,
            kind,
            is_predicate,
            is_two_state,
            module,
            owner,
            is_static,
            ghost,
            opaque,
            type_params,
            ins,
            outs,
            spec,
            body,
            overrides,
            attributes,
            doc: _,
            span,
            full_span: _,
        } = callable;
        text.add(&(
            name,
            kind,
            is_predicate,
            is_two_state,
            module,
            owner,
            is_static,
            ghost,
            opaque,
            type_params,
            overrides,
            attributes,
            span,
        ))?;
        for formals in [ins, outs] {
            text.add(&(formals.len() as u64))?;
            for typed::Formal {
                local,
                default,
                nameonly,
                unnamed,
                is_new,
                older,
            } in formals
            {
                text.add(&(local, default.is_some(), nameonly, unnamed, is_new, older))?;
            }
        }
        add_spec(spec, text)?;
        text.add(&match body {
            Body::None => 0u8,
            Body::Expr(_) => 1,
            Body::Block(_) => 2,
            Body::ByMethod(..) => 3,
        })?;
        let ir = self.program;
        let system = ir.systems.get(&id).map(|s| &s.callees);
        let inlined = ir
            .inlined
            .get(&id)
            .map(|i| (&i.calls, i.left_out as u64, &i.followed));
        text.add(&(
            ir.functions.get(&id),
            ir.procedures.get(&id),
            ir.contracts.get(&id),
            self.overriders.get(&id),
            system,
            inlined,
        ))?;
        // Results name the mutants that their tests kill.
        text.add(&dtest_mutants::places(ir, id))
    }

    fn local(&self, local: &typed::Local, text: &mut Text) -> Result<(), Error> {
        let typed::Local {
            name,
            ty,
            ghost,
            mutable,
            inferred,
            span,
        } = local;
        text.add(&(name, ty, ghost, mutable, inferred, span))
    }
}

/// Adds what of a specification the contract in the IR does not have: its clauses are hashed by
/// number here.
fn add_spec(spec: &typed::Spec, text: &mut Text) -> Result<(), Error> {
    let typed::Spec {
        requires,
        ensures,
        reads,
        modifies,
        decreases,
        decreases_star,
    } = spec;
    let counts = [
        requires.len(),
        ensures.len(),
        reads.len(),
        modifies.len(),
        decreases.len(),
    ];
    text.add(&(
        counts.map(|n| n as u64),
        decreases_star,
        modifies.first().map(|f| f.span),
    ))
}

fn constrained(c: &typed::Constrained, text: &mut Text) -> Result<(), Error> {
    let typed::Constrained {
        base,
        var: _,
        constraint,
        witness,
        range,
        native,
    } = c;
    let witness = match witness {
        typed::Witness::Default => 0u8,
        typed::Witness::Opt => 1,
        typed::Witness::Compiled(_) => 2,
        typed::Witness::Ghost(_) => 3,
    };
    text.add(&(base, constraint.is_some(), witness, range, native))
}

fn iterator(parts: &typed::IteratorParts, text: &mut Text) -> Result<(), Error> {
    // The contract and the body were lowered with the members.
    let typed::IteratorParts {
        ins,
        yields,
        histories,
        frames,
        decreases,
        spec: _,
        yield_requires,
        yield_ensures,
        body,
        members,
    } = parts;
    text.add(&(ins, yields, histories, decreases))?;
    text.add(&frames.map(
        |typed::IteratorFrames {
             reads,
             modifies,
             new,
         }| (reads, modifies, new),
    ))?;
    text.add(&members.map(
        |typed::IteratorMembers {
             constructor,
             valid,
             move_next,
             drive,
         }| (constructor, valid, move_next, drive),
    ))?;
    text.add(&(
        yield_requires.len() as u64,
        yield_ensures.len() as u64,
        body.is_some(),
    ))
}

fn kind(entity: Entity) -> u8 {
    match entity {
        Entity::Module(_) => 0,
        Entity::Type(_) => 1,
        Entity::TypeParam(_) => 2,
        Entity::Ctor(_) => 3,
        Entity::Field(_) => 4,
        Entity::Callable(_) => 5,
        Entity::Local(_) => 6,
        Entity::Lambda(_) => 7,
    }
}

/// The text of an entity during its construction.
struct Text {
    bytes: Vec<u8>,
    local: Local,
}

impl Text {
    fn add(&mut self, value: &impl Serialize) -> Result<(), Error> {
        write::write(value, &mut self.local, &mut self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_between_mentioned_ones_have_numbers() {
        let spans = [Span::new(3, 9), Span::new(5, 7), Span::new(12, 20)];
        for (start, end) in [(3, 5), (3, 7), (5, 20), (12, 20), (5, 5), (9, 12)] {
            let span = Span::new(start, end);
            let number = between(&spans, span).expect("numbered");
            assert_eq!(numbered(&spans, number as usize), Some(span));
        }
        for (start, end) in [(4, 9), (3, 8)] {
            assert_eq!(between(&spans, Span::new(start, end)), None);
        }
        assert_eq!(numbered(&[], 7), None);
    }
}
