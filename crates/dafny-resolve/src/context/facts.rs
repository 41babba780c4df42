//! Facts about declarations that later stages need and the typed program does not contain, grouped
//! by the kind of declaration.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::Declaration;
use crate::refine::RefinedType;
use crate::typed::{CallableId, Characteristics, Expr, FieldId, LocalId, TypeId, TypeParamId};
use dafny_source::Span;

/// Facts about functions, methods and lemmas.
#[derive(Debug, Default)]
pub struct CallableFacts {
    /// Callables that have a body in the text, even one with errors.
    pub(crate) with_body: FxHashSet<CallableId>,
    /// The prefix predicate or lemma `P#` of each extreme predicate or lemma `P`. It has an
    /// additional first parameter `_k` of type `nat` or `ORDINAL`.
    pub prefixes: FxHashMap<CallableId, CallableId>,
    /// Lemmas declared `twostate`.
    pub two_state_lemmas: FxHashSet<CallableId>,
    /// Extreme lemmas. The value is true for least lemmas.
    pub extreme_lemmas: FxHashMap<CallableId, bool>,
    /// Calls in compiled code of functions that are implemented by methods.
    pub(crate) method_calls: Vec<(Declaration, CallableId)>,
}

/// Facts about parameters and local variables.
#[derive(Debug, Default)]
pub struct VariableFacts {
    /// Variables with `{:assumption}`.
    pub(crate) assumptions: FxHashSet<LocalId>,
    /// Parameters declared `older`.
    pub older: FxHashSet<LocalId>,
    /// Parameters of two-state functions and lemmas declared `new`.
    pub(crate) new_params: FxHashSet<LocalId>,
    /// The parameters of datatype constructors that are declared `nameonly`.
    pub(crate) nameonly_params: FxHashSet<LocalId>,
    /// Variables of quantifiers and comprehensions in extreme predicates. Later passes rewrite
    /// quantifiers, and those that mention no variable are left without one.
    pub(crate) bound_in_extreme_predicates: Vec<LocalId>,
    /// Parameters whose types are written as synonyms.
    pub(crate) synonym_params: FxHashSet<LocalId>,
}

/// Facts about types and about the types of constants.
#[derive(Debug, Default)]
pub struct TypeFacts {
    /// Constants without a written type. Their [`crate::typed::Field::ty`] is
    /// [`Type::Error`](crate::typed::Type::Error) until `bodies` infers it from the value.
    pub untyped_consts: FxHashSet<FieldId>,
    /// Constants without a written type whose value determines type arguments by inference. The
    /// older type system does not know these in the view of an export set.
    pub(crate) partly_inferred: FxHashSet<FieldId>,
    /// Constants, subset types and newtypes whose types or bases are inferred.
    pub(crate) inferred: FxHashSet<Declaration>,
    /// Subset types and newtypes whose constraint, or that of a base, cannot be evaluated in
    /// compiled code.
    pub(crate) uncompilable: FxHashSet<TypeId>,
    /// Types mentioned in expressions, statements and constraints, each with the enclosing
    /// declaration.
    pub(crate) written: FxHashSet<(Declaration, TypeId)>,
    /// The mentions of type parameters in the definitions of synonyms, subset types and newtypes.
    pub(crate) param_uses: Vec<(TypeParamId, Span)>,
    /// The declared characteristics of subset types.
    pub(crate) declared_characteristics: Vec<(TypeId, Characteristics)>,
    /// Declarations that refine abstract types.
    pub(crate) refined: Vec<RefinedType>,
}

/// Facts about the text that the typed program does not show.
#[derive(Debug, Default)]
pub(crate) struct TextFacts {
    /// The token of each expression, by the span of the whole expression. See
    /// [`Anchors`](dafny_syntax::ast::Anchors).
    pub(crate) anchors: FxHashMap<Span, Span>,
    /// The spans of the written types of names, by the span of the name.
    pub(crate) type_places: FxHashMap<Span, Span>,
    /// The spans of `a decreases to b` expressions. These are ghost, which their desugared form
    /// does not show.
    pub(crate) order_claims: FxHashSet<Span>,
    /// Arguments of attributes. They are not part of the typed program, but are checked for
    /// two-state expressions.
    pub(crate) attribute_exprs: Vec<Expr>,
}
