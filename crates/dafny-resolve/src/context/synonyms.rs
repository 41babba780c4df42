//! Type synonyms, and the places where they are used.

use rustc_hash::FxHashMap;

use crate::opaque_synonyms::OpaqueSynonyms;
use crate::typed::{Characteristics, ModuleId, Type, TypeId, TypeParamId};
use dafny_source::{Name, Span};
use dafny_syntax::ast;

/// The type synonyms of the program, which the typed program does not contain.
#[derive(Debug, Default)]
pub struct Synonyms {
    /// All synonyms.
    pub all: Vec<Synonym>,
    /// The right-hand side of each synonym, until it is resolved.
    pub(crate) sources: Vec<SynonymSource>,
    /// Synonyms with arguments in types of signatures, by span. [`Self::take_uses`] consumes them.
    pub(crate) uses: Vec<(Span, SynonymId, Vec<Type>)>,
    /// The synonyms in the type of a name, with their arguments, by the span of the name.
    pub(crate) by_name: FxHashMap<Span, Vec<(SynonymId, Vec<Type>)>>,
    /// Synonyms whose definition is hidden from some module.
    pub(crate) opaque: OpaqueSynonyms,
}

impl Synonyms {
    /// The synonym with the id.
    pub fn get(&self, id: SynonymId) -> Option<&Synonym> {
        self.all.get(id.0 as usize)
    }

    /// Associates the uses of synonyms inside the span `ty` with the declared name at `name`. All
    /// pending uses are consumed.
    pub(crate) fn take_uses(&mut self, name: Span, ty: Span) {
        let found: Vec<_> = std::mem::take(&mut self.uses)
            .into_iter()
            .filter(|(at, ..)| ty.contains_span(*at))
            .map(|(_, id, args)| (id, args))
            .collect();
        if !found.is_empty() {
            self.by_name.insert(name, found);
        }
    }

    /// The declared type that a chain of synonyms abbreviates, with arguments over the parameters
    /// of the synonym. `None` for a built-in type.
    pub fn target(&self, id: SynonymId) -> Option<(TypeId, Vec<Type>)> {
        match &self.get(id)?.rhs {
            Type::Named { decl, args, .. } => Some((*decl, args.clone())),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => None,
        }
    }
}

/// Index into [`Synonyms::all`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SynonymId(pub u32);

/// A type synonym `type S<A> = T`.
#[derive(Debug, Clone)]
pub struct Synonym {
    /// The declared name.
    pub name: Name,
    /// The module that declares the synonym.
    pub module: ModuleId,
    /// The type parameters.
    pub params: Vec<TypeParamId>,
    /// The declared characteristics.
    pub characteristics: Characteristics,
    /// The definition, over `params`, with synonyms expanded.
    pub rhs: Type,
    /// The span of the declared name.
    pub span: Span,
}

/// The state of resolution of a synonym's right-hand side.
#[derive(Debug, Clone)]
pub(crate) enum SynonymSource {
    /// Not resolved yet.
    Written(ast::Type),
    /// Being resolved. Another request is a cycle.
    Busy,
    /// Resolved: [`Synonym::rhs`] is valid.
    Resolved,
}
