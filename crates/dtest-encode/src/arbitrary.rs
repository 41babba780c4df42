//! Arbitrary values: whatever an operation, a call or a loop that is not followed may lead to.
//!
//! Scalars are fresh variables. In [`Mode::Havoc`] arbitrary sequences have a length and first
//! elements, and datatypes that do not contain themselves have a constructor with arbitrary fields,
//! so that facts about such values mean something: the guard `|s| > 0` of a loop makes `s[0]`
//! well-formed in its body. Other values have no representation ([`Sym::Any`]).

use super::value::{Sym, SymData};
use super::{Encoder, Mode};
use dafny_resolve::typed::{Type, TypeDeclKind, TypeId};
use dtest_ir::reason::Unencoded;
use dtest_smt::Sort;
use std::rc::Rc;

/// Maximum number of elements of an arbitrary sequence that are represented, besides its length.
const MAX_SLOTS: u32 = 4;
/// Maximum nesting of represented parts.
const MAX_NESTING: u32 = 3;
/// Maximum number of fields of an arbitrary datatype value, over all constructors.
const MAX_FIELDS: usize = 16;

impl Encoder<'_> {
    /// Returns an arbitrary value of a concrete type without its constraints.
    pub(super) fn any(&mut self, ty: &Type) -> Sym {
        self.any_part(ty, 0)
    }

    /// The same for a part of a value. `nesting` is the number of enclosing values.
    fn any_part(&mut self, ty: &Type, nesting: u32) -> Sym {
        match self.typed().representation(ty) {
            Type::Bool => Sym::Bool(self.t.fresh("any", Sort::Bool)),
            Type::Int => Sym::Int(self.t.fresh("any", Sort::Int)),
            Type::Char => Sym::Char(self.t.fresh("any", Sort::Int)),
            Type::Real => Sym::Real(self.t.fresh("any", Sort::Real)),
            Type::Ordinal if self.mode == Mode::Cut => {
                self.omissions.narrowed.insert(Unencoded::Naturals);
                Sym::Ordinal(self.t.fresh("any", Sort::Int))
            }
            Type::Bv(0) => Sym::Bv(self.t.int(0)),
            Type::Bv(w) => Sym::Bv(self.t.fresh("any", Sort::Bv(w))),
            ty if self.typed().is_reference(&ty) => Sym::Ref(self.t.fresh("any", Sort::Int)),
            Type::Tuple(cs) => {
                let cs = cs.iter().map(|(_, t)| self.any_part(t, nesting)).collect();
                Sym::tuple(cs)
            }
            // Only proofs need more than the type: elsewhere, a value without a representation
            // ends the path.
            Type::Seq(elem) if self.mode == Mode::Havoc && nesting < MAX_NESTING => {
                self.any_sequence(&elem, nesting)
            }
            Type::Named { decl, args, .. } if self.mode == Mode::Havoc && nesting < MAX_NESTING => {
                self.any_data(decl, &args, nesting).unwrap_or(Sym::Any)
            }
            Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Ordinal
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => Sym::Any,
        }
    }

    fn any_sequence(&mut self, elem: &Type, nesting: u32) -> Sym {
        let len = self.t.fresh("any.len", Sort::Int);
        let zero = self.t.int(0);
        let ok = self.t.le(zero, len);
        self.assumed.facts.push(ok);
        // Elements of inner sequences are unknown: their number multiplies.
        let slots = match nesting {
            0 => self.size(nesting, elem).min(MAX_SLOTS),
            _ => 0,
        };
        let slots = (0..slots)
            .map(|_| self.any_part(elem, nesting + 1))
            .collect();
        Sym::seq(len, slots, self.unknown_rest(true))
    }

    /// Returns an arbitrary value of an inductive datatype that does not contain itself and has
    /// few fields.
    fn any_data(&mut self, decl: TypeId, args: &[Type], nesting: u32) -> Option<Sym> {
        let typed = self.typed();
        let TypeDeclKind::Datatype { co: false, ctors } = &typed[decl].kind else {
            return None;
        };
        let subst = typed.substitution(decl, args);
        let fields: Vec<Vec<Type>> = ctors
            .iter()
            .map(|c| {
                let types = typed[*c].fields.iter();
                types.map(|f| typed[*f].ty.subst(&subst)).collect()
            })
            .collect();
        let is_small = fields.iter().map(Vec::len).sum::<usize>() <= MAX_FIELDS;
        if !is_small
            || fields
                .iter()
                .flatten()
                .any(|t| self.typed().may_contain(t, decl))
        {
            return None;
        }
        let tag = match ctors.len() {
            1 => self.t.int(0),
            _ => self.t.fresh("any.tag", Sort::Int),
        };
        let (zero, end) = (self.t.int(0), self.t.int(ctors.len() as i64));
        let ok = self.t.in_range(zero, tag, end);
        self.assumed.facts.push(ok);
        let args = fields
            .iter()
            .map(|types| {
                let parts = types.iter().map(|t| self.any_part(t, nesting + 1));
                Some(Rc::new(parts.collect()))
            })
            .collect();
        Some(Sym::Data(Rc::new(SymData::new(decl, tag, args))))
    }
}
