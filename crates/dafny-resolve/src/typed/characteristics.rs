//! Characteristics of types: compiled equality, default values, nonemptiness, and absence of
//! references (reference manual, "Type parameter characteristics").
//!
//! The hard part is recursive datatypes: a type under investigation is assumed to have the
//! property, and a type that grows in recursion is cut off ([`Program::init`], [`Walk`]).

use std::collections::HashMap;

use super::{
    CallableId, Characteristics, Constrained, CtorId, FieldId, FieldKind, LocalId, Program, Type,
    TypeDeclKind, TypeId, TypeParamId, Witness,
};

/// Maximum nesting of declarations within which a datatype is looked for in a type.
const MAX_CONTAINED: u32 = 6;

/// A kind of values that may occur inside other values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Codatatype,
    Function,
}

impl Program {
    /// Whether a call of `to` in the body of `from` may be recursive: both are on one cycle of
    /// calls within a module.
    pub fn is_recursive_call(&self, from: CallableId, to: CallableId) -> bool {
        let circle = |c: CallableId| self.circles.get(c.0 as usize).copied();
        match (circle(from), circle(to)) {
            (Some((own, by_method)), Some((other, _))) => own == other || by_method == other,
            (None, _) | (_, None) => false,
        }
    }

    /// The characteristics of a type. Type parameters have their declared or inferred ones.
    pub fn characteristics_of(&self, ty: &Type) -> Characteristics {
        let init = self.init(
            ty,
            &mut Walk {
                path: Vec::new(),
                known: HashMap::new(),
                rests_on: usize::MAX,
            },
        );
        Characteristics {
            equality: self.supports_equality(ty),
            auto_init: init == Init::Compiled,
            nonempty: init != Init::MaybeEmpty,
            no_new: self.holds_no_references(ty),
        }
    }

    /// Whether a variable may be read before it is assigned, under the relaxed definite-assignment
    /// rules (reference manual, "Definite assignment rules"): its type has a value, which compiled
    /// code can produce.
    pub fn may_be_unassigned(&self, local: LocalId) -> bool {
        let of_type = self.characteristics_of(&self[local].ty);
        if self.is_ghost_in_source(local) {
            of_type.nonempty
        } else {
            of_type.auto_init
        }
    }

    /// Whether constructors need not assign the field: it has a value, or its type has one, which
    /// compiled code can produce.
    /// `ty` is its type in the class, and `in_ghost` says whether the constructor is ghost.
    pub fn may_stay_unassigned(&self, field: FieldId, ty: &Type, in_ghost: bool) -> bool {
        let of_type = self.characteristics_of(ty);
        match self[field].kind {
            FieldKind::Mutable | FieldKind::Const(None) => {
                if in_ghost || self[field].ghost || self.ghost_fields.contains(&field) {
                    of_type.nonempty
                } else {
                    of_type.auto_init
                }
            }
            FieldKind::Const(Some(_)) | FieldKind::Destructor(_) => true,
        }
    }

    /// Whether `==` on values of the type can be compiled.
    pub fn supports_equality(&self, ty: &Type) -> bool {
        self.equality(ty, &mut Vec::new())
    }

    /// Whether no value of the type contains a reference.
    pub fn holds_no_references(&self, ty: &Type) -> bool {
        self.no_new(ty, &mut Vec::new())
    }

    /// Whether values of a type can contain values of a datatype, except behind references. True if
    /// the types are nested too deep to decide.
    pub fn may_contain(&self, ty: &Type, decl: TypeId) -> bool {
        self.may_contain_within(ty, decl, MAX_CONTAINED)
    }

    fn may_contain_within(&self, ty: &Type, decl: TypeId, depth: u32) -> bool {
        // At the limit of the depth, the answer is on the safe side.
        if depth == 0 {
            return true;
        }
        match ty {
            Type::Named { decl: d, args, .. } => {
                if *d == decl
                    || args
                        .iter()
                        .any(|a| self.may_contain_within(a, decl, depth - 1))
                {
                    return true;
                }
                let subst = self.substitution(*d, args);
                match &self[*d].kind {
                    TypeDeclKind::Datatype { ctors, .. } => ctors.iter().any(|c| {
                        self[*c].fields.iter().any(|f| {
                            self.may_contain_within(&self[*f].ty.subst(&subst), decl, depth - 1)
                        })
                    }),
                    TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                        self.may_contain_within(&c.base.subst(&subst), decl, depth - 1)
                    }
                    TypeDeclKind::Trait {
                        is_reference: false,
                    } => {
                        let (datatypes, newtypes) = (
                            self.implementing_datatypes(*d, args),
                            self.implementing_newtypes(*d, args),
                        );
                        datatypes
                            .iter()
                            .chain(&newtypes)
                            .any(|t| self.may_contain_within(t, decl, depth - 1))
                    }
                    TypeDeclKind::Abstract
                    | TypeDeclKind::Class
                    | TypeDeclKind::Trait { is_reference: true }
                    | TypeDeclKind::Iterator(_) => false,
                }
            }
            Type::Seq(e) | Type::Multiset(e) => self.may_contain_within(e, decl, depth),
            Type::Set { elem, .. } => self.may_contain_within(elem, decl, depth),
            Type::Map { key, value, .. } => {
                self.may_contain_within(key, decl, depth)
                    || self.may_contain_within(value, decl, depth)
            }
            Type::Tuple(ts) => ts
                .iter()
                .any(|(_, t)| self.may_contain_within(t, decl, depth)),
            Type::Arrow { result, .. } => self.may_contain_within(result, decl, depth),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => false,
        }
    }

    /// The constructors of a datatype in the order in which they are tried for its default value:
    /// compiled constructors before ghost ones, then constructors with fewer type parameters first.
    /// For a codatatype, source order.
    pub fn grounding_ctors(&self, decl: TypeId) -> Vec<CtorId> {
        let TypeDeclKind::Datatype { co, ctors } = &self[decl].kind else {
            return Vec::new();
        };
        let mut ctors = ctors.clone();
        let used = |c: &CtorId| {
            let mut found = Vec::new();
            self[*c]
                .fields
                .iter()
                .for_each(|f| grounded_params(&self[*f].ty, &mut found));
            if *co { 0 } else { found.len() }
        };
        ctors.sort_by_key(|c| (self[*c].ghost, used(c)));
        ctors
    }

    /// Whether the field is a parameter of a codatatype constructor.
    pub fn is_codatatype_field(&self, field: FieldId) -> bool {
        let field = &self[field];
        matches!(field.kind, FieldKind::Destructor(_))
            && field.owner.is_some_and(|t| self.is_codatatype(t))
    }

    /// Whether the declared type is a codatatype.
    pub fn is_codatatype(&self, ty: TypeId) -> bool {
        matches!(self[ty].kind, TypeDeclKind::Datatype { co: true, .. })
    }

    /// Whether values of the type may contain codatatype values. Type parameters may denote
    /// codatatypes if the program has any.
    pub fn may_hold_codatatypes(&self, ty: &Type) -> bool {
        self.has_codatatypes() && self.holds(Part::Codatatype, ty, true, &mut Vec::new())
    }

    /// Whether values of the type may contain codatatype values, not counting type parameters.
    pub fn holds_codatatypes(&self, ty: &Type) -> bool {
        self.has_codatatypes() && self.holds(Part::Codatatype, ty, false, &mut Vec::new())
    }

    /// Whether values of the type may contain functions. Type parameters may denote function types.
    pub fn may_hold_functions(&self, ty: &Type) -> bool {
        self.holds(Part::Function, ty, true, &mut Vec::new())
    }

    fn has_codatatypes(&self) -> bool {
        self.types
            .iter()
            .any(|t| matches!(t.kind, TypeDeclKind::Datatype { co: true, .. }))
    }

    fn holds(&self, part: Part, ty: &Type, open: bool, seen: &mut Vec<TypeId>) -> bool {
        match ty {
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Error => false,
            Type::Arrow { .. } => part == Part::Function,
            Type::Seq(e) | Type::Multiset(e) | Type::Set { elem: e, .. } => {
                self.holds(part, e, open, seen)
            }
            Type::Map { key, value, .. } => {
                self.holds(part, key, open, seen) || self.holds(part, value, open, seen)
            }
            Type::Tuple(cs) => cs.iter().any(|(_, t)| self.holds(part, t, open, seen)),
            Type::Param(_) => open,
            Type::Named { decl, args, .. } => match &self[*decl].kind {
                TypeDeclKind::Class | TypeDeclKind::Iterator(_) => false,
                TypeDeclKind::Trait { is_reference } => open && !is_reference,
                TypeDeclKind::Abstract => open && part == Part::Codatatype,
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                    self.holds(part, &c.base, open, seen)
                        || args.iter().any(|t| self.holds(part, t, open, seen))
                }
                TypeDeclKind::Datatype { co: true, .. } if part == Part::Codatatype => true,
                TypeDeclKind::Datatype { ctors, .. } => {
                    if args.iter().any(|t| self.holds(part, t, open, seen)) {
                        return true;
                    }
                    if seen.contains(decl) {
                        return false;
                    }
                    seen.push(*decl);
                    // Arguments are checked where the type is applied, so parameters are skipped
                    // here.
                    let is_own = |t: &Type| matches!(t, Type::Param(_));
                    ctors.iter().flat_map(|c| &self[*c].fields).any(|f| {
                        !is_own(&self[*f].ty) && self.holds(part, &self[*f].ty, open, seen)
                    })
                }
            },
        }
    }

    /// Whether the type has compiled equality. The types in `seen` are under investigation and are
    /// assumed to have it.
    fn equality(&self, ty: &Type, seen: &mut Vec<Type>) -> bool {
        match ty {
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Error => true,
            Type::Arrow { .. } => false,
            Type::Seq(e) | Type::Multiset(e) => self.equality(e, seen),
            Type::Set { finite, elem } => *finite && self.equality(elem, seen),
            Type::Map { finite, key, value } => {
                *finite && self.equality(key, seen) && self.equality(value, seen)
            }
            Type::Tuple(cs) => cs.iter().all(|(ghost, t)| !ghost && self.equality(t, seen)),
            Type::Param(p) => self[*p].characteristics.equality,
            Type::Named { decl, args, .. } => match &self[*decl].kind {
                TypeDeclKind::Class | TypeDeclKind::Iterator(_) => true,
                TypeDeclKind::Trait { is_reference } => *is_reference,
                TypeDeclKind::Abstract => self[*decl].characteristics.equality,
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                    let base = c.base.subst(&self.substitution(*decl, args));
                    self.equality(&base, seen)
                }
                TypeDeclKind::Datatype { co: true, .. } => false,
                TypeDeclKind::Datatype { co: false, ctors } => {
                    if self.seen(ty, *decl, seen) {
                        return true;
                    }
                    // Ghost parts cannot be compared at run time.
                    let plain = |c: &CtorId| {
                        !self[*c].ghost && self[*c].fields.iter().all(|f| !self[*f].ghost)
                    };
                    ctors.iter().all(plain)
                        && self
                            .arguments(*decl, args)
                            .iter()
                            .all(|t| self.equality(t, seen))
                }
            },
        }
    }

    fn no_new(&self, ty: &Type, seen: &mut Vec<Type>) -> bool {
        match ty {
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Error => true,
            Type::Array { .. } | Type::Object { .. } => false,
            Type::Arrow { params, result, .. } => {
                params.iter().all(|t| self.no_new(t, seen)) && self.no_new(result, seen)
            }
            Type::Seq(e) | Type::Multiset(e) | Type::Set { elem: e, .. } => self.no_new(e, seen),
            Type::Map { key, value, .. } => self.no_new(key, seen) && self.no_new(value, seen),
            Type::Tuple(cs) => cs.iter().all(|(_, t)| self.no_new(t, seen)),
            Type::Param(p) => self[*p].characteristics.no_new,
            Type::Named { decl, args, .. } => match &self[*decl].kind {
                TypeDeclKind::Class | TypeDeclKind::Iterator(_) | TypeDeclKind::Trait { .. } => {
                    false
                }
                TypeDeclKind::Abstract => self[*decl].characteristics.no_new,
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                    let base = c.base.subst(&self.substitution(*decl, args));
                    self.no_new(&base, seen)
                }
                // An argument counts even if the datatype does not use it.
                TypeDeclKind::Datatype { .. } => {
                    args.iter().all(|t| self.no_new(t, seen))
                        && (self.seen(ty, *decl, seen)
                            || self
                                .arguments(*decl, args)
                                .iter()
                                .all(|t| self.no_new(t, seen)))
                }
            },
        }
    }

    /// Marks a datatype as under investigation. Returns whether it already was. A type that grows
    /// in recursion also counts as seen.
    fn seen(&self, ty: &Type, decl: TypeId, seen: &mut Vec<Type>) -> bool {
        let same = |t: &&Type| matches!(t, Type::Named { decl: d, .. } if *d == decl);
        if seen.contains(ty) || seen.iter().filter(same).count() > 4 {
            return true;
        }
        seen.push(ty.clone());
        false
    }

    /// The types of all constructor parameters of a datatype.
    fn arguments(&self, decl: TypeId, args: &[Type]) -> Vec<Type> {
        let map = self.substitution(decl, args);
        let TypeDeclKind::Datatype { ctors, .. } = &self[decl].kind else {
            return Vec::new();
        };
        ctors
            .iter()
            .flat_map(|c| &self[*c].fields)
            .map(|f| self[*f].ty.subst(&map))
            .collect()
    }

    /// Determines the best way to initialize a variable of the type. A datatype on `walk.path`
    /// cannot be used to construct its own value.
    fn init(&self, ty: &Type, walk: &mut Walk) -> Init {
        match ty {
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
            | Type::Array { .. }
            | Type::Error => Init::Compiled,
            Type::Arrow {
                kind: super::ArrowKind::Total,
                result,
                ..
            } => self.init(result, walk),
            Type::Arrow {
                kind: super::ArrowKind::Partial | super::ArrowKind::General,
                ..
            } => Init::Compiled,
            Type::Object { nullable } => Init::known(*nullable),
            Type::Tuple(cs) => cs
                .iter()
                .map(|(ghost, t)| self.init(t, walk).of_argument(*ghost))
                .min()
                .unwrap_or(Init::Compiled),
            Type::Param(p) => Init::of(self[*p].characteristics),
            Type::Named {
                decl,
                args,
                nullable,
            } => match &self[*decl].kind {
                TypeDeclKind::Class | TypeDeclKind::Iterator(_) | TypeDeclKind::Trait { .. } => {
                    Init::known(*nullable)
                }
                TypeDeclKind::Abstract => Init::of(self[*decl].characteristics),
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                    self.init_constrained(c, *decl, args, walk)
                }
                TypeDeclKind::Datatype { co, ctors } => {
                    if let Some(known) = walk.known.get(ty) {
                        return *known;
                    }
                    let same = |t: &Type| matches!(t, Type::Named { decl: d, .. } if d == decl);
                    if let Some(at) = walk.path.iter().position(|t| t == ty) {
                        walk.rests_on = walk.rests_on.min(at);
                        return Init::known(*co);
                    }
                    // The type grows in recursion.
                    let around = walk.path.iter().position(same);
                    if let Some(at) = around
                        && (*co || walk.path.iter().filter(|t| same(t)).count() > 4)
                    {
                        walk.rests_on = walk.rests_on.min(at);
                        return Init::MaybeEmpty;
                    }
                    let (depth, outside) = (
                        walk.path.len(),
                        std::mem::replace(&mut walk.rests_on, usize::MAX),
                    );
                    walk.path.push(ty.clone());
                    let map = self.substitution(*decl, args);
                    // The best constructor counts; a constructor is as good as its worst parameter.
                    let mut best = Init::MaybeEmpty;
                    for ctor in ctors {
                        let fields = self[*ctor].fields.iter();
                        let init = fields
                            .map(|f| {
                                self.init(&self[*f].ty.subst(&map), walk)
                                    .of_argument(self[*f].ghost)
                            })
                            .min()
                            .unwrap_or(Init::Compiled);
                        best = best.max(if self[*ctor].ghost {
                            init.min(Init::Nonempty)
                        } else {
                            init
                        });
                        if best == Init::Compiled {
                            break;
                        }
                    }
                    walk.path.pop();
                    if walk.rests_on >= depth {
                        // The result does not depend on the path. Cache it, because the type may
                        // occur many times.
                        walk.known.insert(ty.clone(), best);
                        walk.rests_on = outside;
                    } else {
                        walk.rests_on = walk.rests_on.min(outside);
                    }
                    best
                }
            },
        }
    }

    fn init_constrained(
        &self,
        c: &Constrained,
        decl: TypeId,
        args: &[Type],
        walk: &mut Walk,
    ) -> Init {
        match c.witness {
            Witness::Compiled(_) => Init::Compiled,
            Witness::Ghost(_) => Init::Nonempty,
            Witness::Opt => Init::MaybeEmpty,
            // The verifier proves that the default value of the base satisfies the constraint.
            Witness::Default => self.init(&c.base.subst(&self.substitution(decl, args)), walk),
        }
    }
}

/// The state of [`Program::init`].
struct Walk {
    /// The enclosing datatypes.
    path: Vec<Type>,
    /// Results that do not depend on the enclosing datatypes.
    known: HashMap<Type, Init>,
    /// The smallest index in `path` that the current result depends on. `usize::MAX` if none.
    rests_on: usize,
}

/// The ways to obtain a value of a type, from unknown to a compiled default.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Init {
    MaybeEmpty,
    Nonempty,
    Compiled,
}

impl Init {
    fn known(compiled: bool) -> Self {
        if compiled {
            Self::Compiled
        } else {
            Self::MaybeEmpty
        }
    }

    fn of(c: Characteristics) -> Self {
        match (c.auto_init, c.nonempty) {
            (true, _) => Self::Compiled,
            (false, true) => Self::Nonempty,
            (false, false) => Self::MaybeEmpty,
        }
    }

    /// The initialization of a constructor parameter. A ghost parameter needs no compiled value.
    fn of_argument(self, ghost: bool) -> Self {
        if ghost && self == Self::Nonempty {
            Self::Compiled
        } else {
            self
        }
    }
}

/// Adds the type parameters whose values a default value of the type contains.
fn grounded_params(ty: &Type, found: &mut Vec<TypeParamId>) {
    match ty {
        Type::Param(p) => {
            if !found.contains(p) {
                found.push(*p);
            }
        }
        Type::Tuple(cs) => cs.iter().for_each(|(_, t)| grounded_params(t, found)),
        Type::Named { args, .. } => args.iter().for_each(|t| grounded_params(t, found)),
        Type::Arrow {
            kind: super::ArrowKind::Total,
            result,
            ..
        } => grounded_params(result, found),
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
        | Type::Array { .. }
        | Type::Object { .. }
        | Type::Arrow { .. }
        | Type::Error => {}
    }
}
