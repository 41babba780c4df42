//! The declarations that two versions of a program have in common.
//!
//! Two declarations are the same if they have the same path and content, and refer to declarations
//! that are the same. All pairs with the same path are assumed to be the same at first; a pair that
//! differs is removed, until no pair changes.

use std::collections::BTreeMap;

use dafny_resolve::typed::rewrite::Rewrite;
use dafny_resolve::typed::{
    Arena as _, Body, Callable, CallableId, CallableKind, Clause, Constrained, Ctor, CtorId, Expr,
    Field, FieldId, FieldKind, Formal, Frame, LocalId, Name, Program, Spec, Type, TypeDecl,
    TypeDeclKind, TypeId, TypeParamId, Witness,
};

use crate::ids::{Ids, Renamed};
use crate::shape::Shape;

/// Pairs of declarations of an old and a new program.
#[derive(Default)]
pub(crate) struct Same {
    pub(crate) types: BTreeMap<TypeId, TypeId>,
    pub(crate) callables: BTreeMap<CallableId, CallableId>,
    /// Fields of types, and constants of modules.
    pub(crate) fields: BTreeMap<FieldId, FieldId>,
    /// The constructors of the types.
    pub(crate) ctors: BTreeMap<CtorId, CtorId>,
    /// The type parameters of all declarations with the same path and number of parameters.
    pub(crate) type_params: BTreeMap<TypeParamId, TypeParamId>,
    /// Callables with the same path, of any content.
    pub(crate) namesakes: BTreeMap<CallableId, CallableId>,
}

/// A declaration: its path, and its number among those of the same path.
type Key = (String, usize);

/// Numbers the declarations by their paths.
fn by_path<I: Copy + Ord>(ids: Vec<I>, path: impl Fn(I) -> String) -> BTreeMap<Key, I> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let numbered = ids.into_iter().map(|id| {
        let path = path(id);
        let count = counts.entry(path.clone()).or_default();
        *count += 1;
        ((path, *count), id)
    });
    numbered.collect()
}

/// Pairs the declarations with the same path.
fn pairs<I: Copy + Ord>(old: BTreeMap<Key, I>, new: &BTreeMap<Key, I>) -> BTreeMap<I, I> {
    old.into_iter()
        .filter_map(|(key, id)| Some((id, *new.get(&key)?)))
        .collect()
}

fn field_path(program: &Program, id: FieldId) -> String {
    let field = &program[id];
    let mut path = match field.owner {
        Some(owner) => program.type_path(owner),
        None => program.module_path(field.module).join("."),
    };
    path.push('.');
    path.push_str(&field.name);
    path
}

impl Same {
    /// Returns the declarations that `old` and `new` have in common.
    pub(crate) fn new(old: &Program, new: &Program) -> Self {
        let types = |p: &Program| by_path(p.ids(), |id: TypeId| p.type_path(id));
        let callables = |p: &Program| by_path(p.ids(), |id: CallableId| p.callable_path(id));
        let fields = |p: &Program| by_path(p.ids(), |id: FieldId| field_path(p, id));
        let mut same = Self {
            types: pairs(types(old), &types(new)),
            callables: pairs(callables(old), &callables(new)),
            fields: pairs(fields(old), &fields(new)),
            ..Self::default()
        };
        same.namesakes = same.callables.clone();
        let of_types = same
            .types
            .iter()
            .map(|(o, n)| (&old[*o].type_params, &new[*n].type_params));
        let of_callables = same
            .callables
            .iter()
            .map(|(o, n)| (&old[*o].type_params, &new[*n].type_params));
        same.type_params = of_types
            .chain(of_callables)
            .filter(|(o, n)| o.len() == n.len())
            .flat_map(|(o, n)| o.iter().copied().zip(n.iter().copied()))
            .collect();
        same.ctors = same.paired_ctors(old, new);
        while same.refine(old, new) {}
        same
    }

    /// The constructors of paired datatypes, by position.
    fn paired_ctors(&self, old: &Program, new: &Program) -> BTreeMap<CtorId, CtorId> {
        let ctors = |p: &Program, id: TypeId| match &p[id].kind {
            TypeDeclKind::Datatype { ctors, .. } => ctors.clone(),
            TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => Vec::new(),
        };
        self.types
            .iter()
            .flat_map(|(o, n)| ctors(old, *o).into_iter().zip(ctors(new, *n)))
            .collect()
    }

    /// Removes pairs that differ. Returns whether there were any.
    fn refine(&mut self, old: &Program, new: &Program) -> bool {
        let comparison = Comparison {
            same: self,
            old,
            new,
            own: None,
        };
        let types: Vec<TypeId> = differing(&self.types, |o, n| comparison.types(&old[o], &new[n]));
        let callables: Vec<CallableId> = differing(&self.callables, |o, n| {
            comparison.callables(&old[o], &new[n])
        });
        let fields: Vec<FieldId> =
            differing(&self.fields, |o, n| comparison.fields(&old[o], &new[n]));
        let is_changed = !types.is_empty() || !callables.is_empty() || !fields.is_empty();
        for id in types {
            self.types.remove(&id);
        }
        for id in callables {
            self.callables.remove(&id);
        }
        for id in fields {
            self.fields.remove(&id);
        }
        self.ctors = self.paired_ctors(old, new);
        is_changed
    }

    /// Returns a type of the old program as a type of the new one; `None` if a part of it is not the
    /// same.
    pub(crate) fn ty(&self, ty: &Type) -> Option<Type> {
        let mut canonical = Canonical::of_old(self);
        let mut ty = ty.clone();
        canonical.ty(&mut ty);
        canonical.is_known.then_some(ty)
    }

    /// Whether callers of a callable know the same of it in both versions. The bodies of methods,
    /// lemmas and opaque functions are no part of their contracts.
    pub(crate) fn has_contract(&self, old: &Program, new: &Program, id: CallableId) -> bool {
        let comparison = Comparison {
            same: self,
            old,
            new,
            own: self.namesakes.get(&id).map(|n| (id, *n)),
        };
        let is_known = |c: &Callable| c.kind.is_function() && !c.opaque;
        self.callables.contains_key(&id)
            || self.namesakes.get(&id).is_some_and(|n| {
                let (o, n) = (&old[id], &new[*n]);
                !is_known(o) && !is_known(n) && comparison.signatures(o, n)
            })
    }
}

/// The first ids of the pairs that are not the same.
fn differing<I: Copy>(pairs: &BTreeMap<I, I>, is_same: impl Fn(I, I) -> bool) -> Vec<I> {
    let differs = pairs.iter().filter(|(o, n)| !is_same(**o, **n));
    differs.map(|(o, _)| *o).collect()
}

/// References of one program as numbers that are comparable with those of the other one.
struct Canonical<'s> {
    /// The pairs, for the old program.
    same: Option<&'s Same>,
    /// The variables in the order of their first occurrence.
    locals: Vec<LocalId>,
    /// A pair of callables that are the same for their own contracts.
    own: Option<(CallableId, CallableId)>,
    /// Whether all references have a pair.
    is_known: bool,
}

impl<'s> Canonical<'s> {
    fn of_old(same: &'s Same) -> Self {
        Self {
            same: Some(same),
            locals: Vec::new(),
            own: None,
            is_known: true,
        }
    }

    fn of_new() -> Self {
        Self {
            same: None,
            locals: Vec::new(),
            own: None,
            is_known: true,
        }
    }

    fn replace<I: Copy + Ord + 's>(
        &mut self,
        id: &mut I,
        pairs: impl Fn(&'s Same) -> &'s BTreeMap<I, I>,
    ) {
        if let Some(same) = self.same {
            match pairs(same).get(id) {
                Some(new) => *id = *new,
                None => self.is_known = false,
            }
        }
    }
}

impl Ids for Canonical<'_> {
    fn ty(&mut self, ty: &mut Type) {
        *ty = ty.map_parts(&mut |part| {
            let mut part = part.clone();
            self.ty(&mut part);
            part
        });
        if let Type::Named { decl, .. } = ty {
            self.replace(decl, |same| &same.types);
        } else if let Type::Param(param) = ty {
            self.replace(param, |same| &same.type_params);
        }
    }

    fn local(&mut self, id: &mut LocalId) {
        let known = self.locals.iter().position(|l| l == id);
        let number = known.unwrap_or_else(|| {
            self.locals.push(*id);
            self.locals.len() - 1
        });
        *id = LocalId(number as u32);
    }

    fn field(&mut self, id: &mut FieldId) {
        self.replace(id, |same| &same.fields);
    }

    fn ctor(&mut self, id: &mut CtorId) {
        self.replace(id, |same| &same.ctors);
    }

    fn callable(&mut self, id: &mut CallableId) {
        if let (Some((old, new)), Some(_)) = (self.own, self.same)
            && *id == old
        {
            *id = new;
            return;
        }
        self.replace(id, |same| &same.callables);
    }
}

/// A comparison of declarations under the assumption that all pairs are the same.
struct Comparison<'c> {
    same: &'c Same,
    old: &'c Program,
    new: &'c Program,
    /// A pair of callables that are the same for their own contracts.
    own: Option<(CallableId, CallableId)>,
}

/// The trees of a declaration, in order, with the variables that they may mention first.
#[derive(Default)]
struct Trees<'t> {
    params: Vec<LocalId>,
    exprs: Vec<&'t Expr>,
    clauses: Vec<&'t Clause>,
    frames: Vec<&'t Frame>,
    block: Option<&'t dafny_resolve::typed::Block>,
}

impl Comparison<'_> {
    /// Whether two lists of trees are the same.
    fn trees(&self, old: &Trees<'_>, new: &Trees<'_>) -> bool {
        let counts = |t: &Trees<'_>| {
            (
                t.params.len(),
                t.exprs.len(),
                t.clauses.len(),
                t.frames.len(),
                t.block.is_some(),
            )
        };
        if counts(old) != counts(new) {
            return false;
        }
        let (mut of_old, mut of_new) = (Canonical::of_old(self.same), Canonical::of_new());
        of_old.own = self.own;
        let (a, b) = (
            text(self.old, old, &mut of_old),
            text(self.new, new, &mut of_new),
        );
        of_old.is_known && a == b
    }

    fn exprs<'e>(
        &self,
        old: &[&'e Expr],
        new: &[&'e Expr],
        params: (Vec<LocalId>, Vec<LocalId>),
    ) -> bool {
        let trees = |exprs: &[&'e Expr], params| Trees {
            params,
            exprs: exprs.to_vec(),
            ..Trees::default()
        };
        self.trees(&trees(old, params.0), &trees(new, params.1))
    }

    fn ty(&self, old: &Type, new: &Type) -> bool {
        self.same.ty(old).as_ref() == Some(new)
    }

    fn type_lists(&self, old: &[Type], new: &[Type]) -> bool {
        old.len() == new.len() && old.iter().zip(new).all(|(o, n)| self.ty(o, n))
    }

    fn type_params(&self, old: &[TypeParamId], new: &[TypeParamId]) -> bool {
        let is_same = |(o, n): (&TypeParamId, &TypeParamId)| {
            let (o, n) = (&self.old[*o], &self.new[*n]);
            o.variance == n.variance
                && o.characteristics == n.characteristics
                && self.type_lists(&o.bounds, &n.bounds)
        };
        old.len() == new.len() && old.iter().zip(new).all(is_same)
    }

    fn types(&self, o: &TypeDecl, n: &TypeDecl) -> bool {
        let heads = |t: &TypeDecl| (t.ghost, t.characteristics);
        if heads(o) != heads(n)
            || !self.type_params(&o.type_params, &n.type_params)
            || !self.type_lists(&o.parents, &n.parents)
            || o.fields.len() != n.fields.len()
        {
            return false;
        }
        let members = o.fields.iter().zip(&n.fields);
        let is_same = |(o, n): (&FieldId, &FieldId)| self.same.fields.get(o) == Some(n);
        if !members.into_iter().all(is_same) {
            return false;
        }
        match (&o.kind, &n.kind) {
            (
                TypeDeclKind::Datatype { co: a, ctors: old },
                TypeDeclKind::Datatype { co: b, ctors: new },
            ) => {
                let ctors = old.iter().zip(new);
                let is_same = |(o, n): (&CtorId, &CtorId)| self.ctors(&self.old[*o], &self.new[*n]);
                a == b && old.len() == new.len() && ctors.into_iter().all(is_same)
            }
            (TypeDeclKind::Newtype(o), TypeDeclKind::Newtype(n))
            | (TypeDeclKind::Subset(o), TypeDeclKind::Subset(n)) => self.constrained(o, n),
            (TypeDeclKind::Abstract, TypeDeclKind::Abstract)
            | (TypeDeclKind::Class, TypeDeclKind::Class) => true,
            (TypeDeclKind::Trait { is_reference: a }, TypeDeclKind::Trait { is_reference: b }) => {
                a == b
            }
            // The fields of an iterator depend on its contract.
            (_, _) => false,
        }
    }

    fn constrained(&self, o: &Constrained, n: &Constrained) -> bool {
        let exprs = |c: &Constrained| -> Vec<Expr> {
            let witness = match &c.witness {
                Witness::Default | Witness::Opt => None,
                Witness::Compiled(e) | Witness::Ghost(e) => Some((**e).clone()),
            };
            c.constraint.iter().cloned().chain(witness).collect()
        };
        let kind = |w: &Witness| match w {
            Witness::Default => 0,
            Witness::Opt => 1,
            Witness::Compiled(_) => 2,
            Witness::Ghost(_) => 3,
        };
        let (old, new) = (exprs(o), exprs(n));
        let params = |c: &Constrained| c.var.into_iter().collect();
        self.ty(&o.base, &n.base)
            && o.native == n.native
            && kind(&o.witness) == kind(&n.witness)
            && self.exprs(
                &old.iter().collect::<Vec<_>>(),
                &new.iter().collect::<Vec<_>>(),
                (params(o), params(n)),
            )
    }

    fn ctors(&self, o: &Ctor, n: &Ctor) -> bool {
        let fields = o.fields.iter().zip(&n.fields);
        let is_same = |(a, b): (&FieldId, &FieldId)| self.same.fields.get(a) == Some(b);
        o.name == n.name
            && o.ghost == n.ghost
            && o.fields.len() == n.fields.len()
            && fields.into_iter().all(is_same)
    }

    fn fields(&self, o: &Field, n: &Field) -> bool {
        if o.ghost != n.ghost || o.is_static != n.is_static || !self.ty(&o.ty, &n.ty) {
            return false;
        }
        match (&o.kind, &n.kind) {
            (FieldKind::Mutable, FieldKind::Mutable)
            | (FieldKind::Destructor(_), FieldKind::Destructor(_))
            | (FieldKind::Const(None), FieldKind::Const(None)) => true,
            (FieldKind::Const(Some(o)), FieldKind::Const(Some(n))) => {
                self.exprs(&[o], &[n], (Vec::new(), Vec::new()))
            }
            (FieldKind::Mutable | FieldKind::Destructor(_) | FieldKind::Const(_), _) => false,
        }
    }

    /// Whether two callables mean the same. The bodies of methods mean nothing to a contract.
    fn callables(&self, o: &Callable, n: &Callable) -> bool {
        if !self.signatures(o, n) {
            return false;
        }
        // A method has no meaning in a contract, and its body is no part of its own one.
        match o.kind {
            CallableKind::Method | CallableKind::Constructor => return true,
            CallableKind::Function
            | CallableKind::TwostateFunction
            | CallableKind::LeastPredicate
            | CallableKind::GreatestPredicate
            | CallableKind::Lemma => {}
        }
        self.trees(&body_of(o), &body_of(n))
    }

    /// Whether the parameters and the contracts of two callables are the same.
    fn signatures(&self, o: &Callable, n: &Callable) -> bool {
        let heads = |c: &Callable| {
            let formals = |all: &[Formal]| all.iter().map(|f| (f.is_new, f.older)).collect();
            let (ins, outs): (Vec<_>, Vec<_>) = (formals(&c.ins), formals(&c.outs));
            (
                (c.kind, c.is_two_state, c.is_static, c.opaque),
                (ins, outs, c.spec.decreases_star),
            )
        };
        let old = trees_of(o);
        let new = trees_of(n);
        heads(o) == heads(n)
            && names(self.old, o) == names(self.new, n)
            && self.type_params(&o.type_params, &n.type_params)
            && counts(&o.spec) == counts(&n.spec)
            && self.trees(&old, &new)
    }
}

/// The names of the parameters, which examples show.
fn names(program: &Program, c: &Callable) -> Vec<Name> {
    let formals = c.ins.iter().chain(&c.outs);
    formals.map(|f| program[f.local].name.clone()).collect()
}

fn counts(spec: &Spec) -> [usize; 4] {
    [
        spec.requires.len(),
        spec.ensures.len(),
        spec.reads.len(),
        spec.modifies.len(),
    ]
}

/// The trees of a contract. Measures are no part of it for callers.
fn trees_of(c: &Callable) -> Trees<'_> {
    Trees {
        params: c.ins.iter().chain(&c.outs).map(|f| f.local).collect(),
        clauses: c.spec.requires.iter().chain(&c.spec.ensures).collect(),
        frames: c.spec.reads.iter().chain(&c.spec.modifies).collect(),
        ..Trees::default()
    }
}

/// The trees of a body.
fn body_of(c: &Callable) -> Trees<'_> {
    let (exprs, block): (Vec<&Expr>, _) = match &c.body {
        Body::None => (Vec::new(), None),
        Body::Expr(e) | Body::ByMethod(e, _) => (vec![e], None),
        Body::Block(block) => (Vec::new(), Some(block)),
    };
    Trees {
        params: c.ins.iter().chain(&c.outs).map(|f| f.local).collect(),
        exprs,
        block,
        ..Trees::default()
    }
}

/// The trees as text, with the types of all variables in the order of their first occurrence.
fn text(program: &Program, trees: &Trees<'_>, canonical: &mut Canonical<'_>) -> String {
    let mut shape = Shape::default();
    for param in &trees.params {
        canonical.local(&mut param.clone());
    }
    for e in trees
        .exprs
        .iter()
        .copied()
        .chain(trees.clauses.iter().map(|c| &c.cond))
    {
        let mut e = e.clone();
        Renamed(canonical).expr(&mut e);
        shape.expr(&mut e);
    }
    for frame in &trees.frames {
        let mut frame = (*frame).clone();
        Renamed(canonical).frame(&mut frame);
        shape.whole_frame(frame);
    }
    if let Some(block) = trees.block {
        let mut block = block.clone();
        Renamed(canonical).block(&mut block);
        shape.block(&mut block);
    }
    let mut text = shape.into_text();
    for local in canonical.locals.clone() {
        let mut ty = program[local].ty.clone();
        canonical.ty(&mut ty);
        text.push_str(&format!("{ty:?}\n"));
    }
    text
}
