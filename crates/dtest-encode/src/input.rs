//! Symbolic inputs: values of every type within the bounds, with their constraints as facts.
//!
//! Key functions: [`Encoder::input`]; [`Encoder::shape`], which builds the value without
//! constraints; [`Encoder::object_table`], which creates the input objects of a class on demand.
//! Exceeding a bound is represented by the literals of [`super::Encoding::limits`].

use std::rc::Rc;

use super::value::{
    Sym, SymContents, SymData, SymFunc, SymGrid, SymLazy, SymNewtype, SymObject, SymSeq,
};
use super::{BoundKind, Bounds, Encoder, Fact, Hint, Mode, Taken};
use dafny_resolve::typed::{Arena, ArrowKind, FieldId, FieldKind, Type, TypeDeclKind, TypeId};
use dtest_interp::Opening;
use dtest_ir as ir;
use dtest_ir::reason::{Reason, Unencoded};
use dtest_smt::{Sort, Term};
use dtest_sorted::SortedMap;

/// The first number of references to objects beyond the table. Nothing is ever allocated there.
const BEYOND: i64 = 1 << 40;

/// The limit of nested type arguments of input objects.
const MAX_HEIGHT: u32 = 5;
/// The limit of classes that a reference to a trait may have, at the initial bounds.
const MAX_CLASSES: usize = 3;
/// The limit of classes that a reference of type `object` may have.
const MAX_TOLD: usize = 8;
/// The limit of input objects of all classes.
const MAX_OBJECTS: u32 = 60;

impl Encoder<'_> {
    /// Creates an arbitrary value of a concrete type that satisfies its constraints, as large as
    /// the bounds allow.
    pub(super) fn input(&mut self, name: &str, ty: &Type) -> Sym {
        let depth = self.bounds.depth;
        // The marks for the next input are taken before its parts are created.
        let parameter = self.relax.as_mut().and_then(|r| r.parameter.take());
        let answered_by = self.answered_by.take();
        let value = self.shape(name, ty, depth, 0);
        let mut ok = self.has_type(&value, ty);
        // The condition on the type is a fact of its own, so that it can be reported.
        if let Some(i) = parameter {
            ok = self.relaxed(Fact::InputType(i), ok);
        }
        if let Some(fact) = answered_by {
            ok = self.given(fact, ok);
        }
        self.facts.push(ok);
        value
    }

    /// Creates an object whose fields have no value yet: the receiver of a constructor. With free
    /// choices the fields have arbitrary values, as the language allows for unassigned fields.
    pub(super) fn blank_object(&mut self, ty: &Type) -> Sym {
        let ty = if let Type::Named { decl, args, .. } = ty {
            Type::named(*decl, args.clone())
        } else {
            ty.clone()
        };
        let mut fields = SortedMap::new();
        // If choices are free, the fields of a new object are arbitrary; otherwise they are
        // unassigned.
        for (field, field_ty) in self.fields_of(&ty) {
            let value = if self.free {
                self.any(&field_ty)
            } else {
                Sym::Undef
            };
            let pc = self.t.tt;
            self.note(
                Opening::Field(field),
                pc,
                Taken::Values(vec![value.clone()]),
            );
            fields.insert(field, value);
        }
        self.allocate(SymObject {
            ty,
            contents: SymContents::Fields(fields),
        })
    }

    fn leaf(&mut self, name: &str, sort: Sort) -> Term {
        let t = self.t.fresh(name, sort);
        self.leaves.push(t);
        t
    }

    /// Returns the number of slots of a collection inside `nesting` other collections. Nested
    /// collections have fewer slots, because the total is the product.
    fn size(&mut self, nesting: u32, elem: &Type) -> u32 {
        // Nested collections multiply, so their sizes are limited further.
        let holds_collections = matches!(
            self.typed().representation(elem),
            Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) | Type::Map { .. }
        );
        let most = match nesting {
            0 => {
                if holds_collections {
                    8
                } else {
                    u32::MAX
                }
            }
            1 => {
                if holds_collections {
                    4
                } else {
                    16
                }
            }
            _ => 4,
        };
        let size = self.bounds.collection.min(most);
        // The smallest size is reported with the bounds.
        self.least_size = self.least_size.min(size);
        size
    }

    /// Creates a length `n` with `0 ≤ n`, and `n ≤ k` within the collection bound.
    fn length(&mut self, name: &str, k: u32) -> Term {
        let n = self.leaf(name, Sort::Int);
        self.hints.push(Hint::Size(n));
        let (zero, max) = (self.t.int(0), self.t.int(k));
        let low = self.t.le(zero, n);
        // In exact encodings the length is bounded by a fact, otherwise by a literal.
        self.facts.push(low);
        let high = self.t.le(n, max);
        self.within(BoundKind::Collection, high);
        self.intervals.insert(
            n,
            (Some(0), (self.mode == Mode::Cut).then_some(i64::from(k))),
        );
        n
    }

    /// Restricts an input to a bound.
    fn within(&mut self, kind: BoundKind, ok: Term) {
        self.crossed.insert(kind);
        // The parameters of a shared copy are not inputs: values beyond the bound are cut.
        if self.in_copy {
            self.cut.insert(kind);
        }
        let limit = self.limits.get(&kind).copied().unwrap_or(self.t.tt);
        let fact = self.t.implies(limit, ok);
        self.facts.push(fact);
    }

    /// Creates the condition that there are elements beyond the slots. It excludes staying within
    /// the bound.
    fn more(&mut self, kind: BoundKind) -> Term {
        self.crossed.insert(kind);
        if self.mode == Mode::Cut {
            return self.t.ff;
        }
        let more = self.t.fresh("more", Sort::Bool);
        let none = self.t.not(more);
        self.within(kind, none);
        more
    }

    /// Creates a value without the constraints of subset types and newtypes, which are added later.
    /// `depth` is the remaining depth of recursive datatypes, and `nesting` the number of enclosing
    /// collections.
    fn shape(&mut self, name: &str, ty: &Type, depth: u32, nesting: u32) -> Sym {
        // The number of leaves is bounded; beyond it, parts are arbitrary.
        if self.is_exhausted() {
            return self.any(ty);
        }
        let typed = self.typed();
        let open = self.mode == Mode::Havoc;
        match &typed.representation(ty) {
            Type::Bool => Sym::Bool(self.leaf(name, Sort::Bool)),
            Type::Int => {
                let t = self.leaf(name, Sort::Int);
                self.hints.push(Hint::Number(t));
                Sym::Int(t)
            }
            Type::Char => {
                let t = self.leaf(name, Sort::Int);
                self.hints.push(Hint::Char(t));
                Sym::Char(t)
            }
            Type::Real => Sym::Real(self.leaf(name, Sort::Real)),
            Type::Bv(0) => Sym::Bv(self.t.int(0)),
            Type::Bv(w) => Sym::Bv(self.leaf(name, Sort::Bv(*w))),
            // Infinite ordinals have no terms.
            Type::Ordinal if open => Sym::Any,
            Type::Ordinal => {
                self.narrowed.insert(Unencoded::Naturals);
                let t = self.leaf(name, Sort::Int);
                self.hints.push(Hint::Number(t));
                Sym::Ordinal(t)
            }
            Type::Seq(elem) => {
                let k = self.size(nesting, elem);
                let len = self.length(&format!("{name}.len"), k);
                let slots = (0..k)
                    .map(|i| self.shape(&format!("{name}[{i}]"), elem, depth, nesting + 1))
                    .collect();
                Sym::seq(len, slots, self.unknown_rest(open))
            }
            Type::Set { elem, .. } if typed.is_reference(elem) => {
                // A set of references has one slot for every input object.
                let elem = typed.strip_subset(elem);
                let nullable = matches!(
                    &elem,
                    Type::Named { nullable: true, .. }
                        | Type::Array { nullable: true, .. }
                        | Type::Object { nullable: true }
                );
                let ids = self.candidates(&elem).unwrap_or_default();
                let numbers = ids.iter().map(|id| id + 1).chain(nullable.then_some(0));
                let mut slots = Vec::new();
                for n in numbers {
                    let present = self.leaf(&format!("{name}.has{n}"), Sort::Bool);
                    slots.push((present, Sym::Ref(self.t.int(n))));
                }
                let more = self.more(BoundKind::Objects);
                Sym::set(slots, more)
            }
            Type::Set { elem, .. } => {
                let keys = self.keys(name, elem, depth, nesting);
                let more = self.more(BoundKind::Collection);
                Sym::set(keys, more)
            }
            Type::Multiset(elem) => {
                let keys = self.keys(name, elem, depth, nesting);
                let zero = self.t.int(0);
                let mut slots = Vec::new();
                // A slot that is present has a positive multiplicity.
                for (p, x) in keys {
                    let n = self.leaf(&format!("{name}.count"), Sort::Int);
                    self.hints.push(Hint::Number(n));
                    let positive = self.t.lt(zero, n);
                    let ok = self.t.implies(p, positive);
                    self.facts.push(ok);
                    slots.push((self.t.ite(p, n, zero), x));
                }
                let more = self.more(BoundKind::Collection);
                Sym::multiset(slots, more)
            }
            Type::Map { key, value, .. } => {
                let keys = self.keys(name, key, depth, nesting);
                let slots = keys
                    .into_iter()
                    .map(|(p, k)| {
                        (
                            p,
                            k,
                            self.shape(&format!("{name}.value"), value, depth, nesting + 1),
                        )
                    })
                    .collect();
                let more = self.more(BoundKind::Collection);
                Sym::map(slots, more)
            }
            Type::Tuple(ts) => {
                let cs = ts
                    .iter()
                    .enumerate()
                    .map(|(i, (_, t))| self.shape(&format!("{name}.{i}"), t, depth, nesting))
                    .collect();
                Sym::tuple(cs)
            }
            // The result of a general function may depend on the heap.
            Type::Arrow {
                kind: ArrowKind::General,
                ..
            } if open => Sym::Any,
            Type::Arrow {
                params,
                result,
                kind,
            } => {
                if *kind == ArrowKind::General {
                    self.narrowed.insert(Unencoded::FunctionsReadHeap);
                }
                // A function is selected from templates first: they are shorter than tables.
                let templates = self.templates(params, result);
                let choice = (!templates.is_empty()).then(|| {
                    let which = self.leaf(&format!("{name}.template"), Sort::Int);
                    self.hints.push(Hint::Number(which));
                    let (zero, end) = (self.t.int(0), self.t.int(templates.len() as i64 + 1));
                    let ok = self.t.in_range(zero, which, end);
                    self.facts.push(ok);
                    (which, templates)
                });
                let id = self.new_table((**result).clone(), choice);
                self.fill(id, params);
                // A function with a precondition has a second table for its domain.
                if *kind != ArrowKind::Total {
                    let domain = self.new_domain();
                    self.fill(domain, params);
                    if let Some(t) = self.tables.get_mut(id as usize) {
                        t.domain = Some(domain);
                    }
                }
                Sym::Func(Rc::new(SymFunc::Table(id)))
            }
            rep @ (Type::Array { .. } | Type::Object { .. }) => self.reference(name, rep),
            rep @ Type::Named { decl, args, .. } => match &typed[*decl].kind {
                TypeDeclKind::Datatype { ctors, .. } => {
                    self.data(name, *decl, ctors, args, depth, nesting)
                }
                TypeDeclKind::Class | TypeDeclKind::Iterator(_) => self.reference(name, rep),
                TypeDeclKind::Trait { is_reference: true } => self.reference(name, rep),
                TypeDeclKind::Trait {
                    is_reference: false,
                } => self.implementation_of(name, *decl, args, rep, depth, nesting),
                TypeDeclKind::Abstract => self.unsupported(Unencoded::AbstractType, ty),
                TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_) => self.any(ty),
            },
            Type::Param(_) | Type::Error => self.unsupported(Unencoded::EmptyType, ty),
        }
    }

    /// Creates the slots of a set. Present slots come first. Elements are increasing if they are
    /// ordered, otherwise pairwise different: this excludes permutations of the same set.
    fn keys(&mut self, name: &str, elem: &Type, depth: u32, nesting: u32) -> Vec<(Term, Sym)> {
        let k = self.size(nesting, elem);
        let mut slots: Vec<(Term, Sym)> = Vec::new();
        for i in 0..k {
            let p = self.leaf(&format!("{name}.has{i}"), Sort::Bool);
            let size = self.t.count(p);
            self.hints.push(Hint::Size(size));
            let x = self.shape(&format!("{name}[{i}]"), elem, depth, nesting + 1);
            // The slots are filled from the first one on, and ordered values ascend: this makes the
            // representation of each set unique.
            if let Some((q, y)) = slots.last().cloned() {
                let monotone = self.t.implies(p, q);
                self.facts.push(monotone);
                match (&y, &x) {
                    (Sym::Int(a), Sym::Int(b))
                    | (Sym::Char(a), Sym::Char(b))
                    | (Sym::Ref(a), Sym::Ref(b)) => {
                        let less = self.t.lt(*a, *b);
                        let ok = self.t.implies(p, less);
                        self.facts.push(ok);
                    }
                    // Values without a cheap order must at least differ pairwise.
                    (_, _) => {
                        for (_, z) in slots.clone() {
                            let same = self.equal(&z, &x);
                            let both = self.t.and(p, same);
                            let ok = self.t.not(both);
                            self.facts.push(ok);
                        }
                    }
                }
            }
            slots.push((p, x));
        }
        slots
    }

    fn data(
        &mut self,
        name: &str,
        decl: TypeId,
        ctors: &[dafny_resolve::typed::CtorId],
        args: &[Type],
        depth: u32,
        nesting: u32,
    ) -> Sym {
        let typed = self.typed();
        let subst = typed.substitution(decl, args);
        let is_recursive = |c: &dafny_resolve::typed::CtorId| {
            typed[*c]
                .fields
                .iter()
                .any(|f| self.mentions(&typed[*f].ty.subst(&subst), decl, 6))
        };
        // Partly unknown values are distinguished by their tags, so that a cut value needs a tag
        // even with a single constructor.
        let is_cut = depth == 0 && ctors.iter().any(is_recursive);
        let tag = if ctors.len() == 1 && !is_cut {
            self.t.int(0)
        } else {
            self.leaf(&format!("{name}.tag"), Sort::Int)
        };
        let (zero, end) = (self.t.int(0), self.t.int(ctors.len() as i64));
        let ok = self.t.in_range(zero, tag, end);
        self.facts.push(ok);
        if ctors.len() > 1 || is_cut {
            self.intervals
                .insert(tag, (Some(0), Some(ctors.len() as i64 - 1)));
            self.hints.push(Hint::Number(tag));
        }
        // A codatatype without a finite value has a lazy default beyond the depth bound.
        let ends = |c: &dafny_resolve::typed::CtorId| {
            !typed[*c]
                .fields
                .iter()
                .any(|f| self.mentions(&typed[*f].ty.subst(&subst), decl, 6))
        };
        let has_default = || {
            typed
                .characteristics_of(&Type::named(decl, args.to_vec()))
                .auto_init
        };
        let endless = typed.is_codatatype(decl) && !ctors.iter().any(ends) && has_default();
        let mut pool: Vec<(Type, Vec<Sym>)> = Vec::new();
        let mut all = Vec::with_capacity(ctors.len());
        for (i, ctor) in ctors.iter().enumerate() {
            let types: Vec<Type> = typed[*ctor]
                .fields
                .iter()
                .map(|f| typed[*f].ty.subst(&subst))
                .collect();
            let recursive = types.iter().any(|t| self.mentions(t, decl, 6));
            if recursive && depth == 0 && endless {
                // The tail of an infinite value is the default of its type.
                let shape = |s: &mut Self, t: &Type| match s.mentions(t, decl, 6) {
                    true => Sym::Lazy(Rc::new(SymLazy::Rest(t.clone()))),
                    false => s.shape(name, t, depth, nesting),
                };
                all.push(Some(Rc::new(
                    types.iter().map(|t| shape(self, t)).collect(),
                )));
                continue;
            }
            if recursive && depth == 0 {
                let at = self.t.int(i as i64);
                let not = self.t.ne(tag, at);
                self.within(BoundKind::Depth, not);
                all.push(None);
                continue;
            }
            let below = if recursive { depth - 1 } else { depth };
            // Constructors share arguments of the same type, because only one constructor is
            // present.
            let mut used: Vec<(Type, usize)> = Vec::new();
            let mut xs = Vec::with_capacity(types.len());
            for (j, t) in types.iter().enumerate() {
                let n = used.iter().filter(|(u, _)| u == t).count();
                used.push((t.clone(), n));
                let position = pool.iter().position(|(u, _)| u == t);
                let shared = position
                    .and_then(|p| pool.get(p))
                    .and_then(|(_, v)| v.get(n))
                    .cloned();
                let x = match shared {
                    Some(x) => x,
                    None => {
                        let x = self.shape(&format!("{name}.{j}"), t, below, nesting);
                        match position.and_then(|p| pool.get_mut(p)) {
                            Some((_, v)) => v.push(x.clone()),
                            None => pool.push((t.clone(), vec![x.clone()])),
                        }
                        x
                    }
                };
                xs.push(x);
            }
            all.push(Some(Rc::new(xs)));
        }
        Sym::Data(Rc::new(SymData::new(decl, tag, all)))
    }

    /// Whether values of a type can contain values of the datatype. True if the recursion is too
    /// deep to decide.
    fn mentions(&self, ty: &Type, decl: TypeId, depth: u32) -> bool {
        // At the limit of the depth, the answer is on the safe side.
        if depth == 0 {
            return true;
        }
        let typed = self.typed();
        match ty {
            Type::Named { decl: d, args, .. } => {
                if *d == decl || args.iter().any(|a| self.mentions(a, decl, depth - 1)) {
                    return true;
                }
                let subst = typed.substitution(*d, args);
                match &typed[*d].kind {
                    TypeDeclKind::Datatype { ctors, .. } => ctors.iter().any(|c| {
                        typed[*c]
                            .fields
                            .iter()
                            .any(|f| self.mentions(&typed[*f].ty.subst(&subst), decl, depth - 1))
                    }),
                    TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                        self.mentions(&c.base.subst(&subst), decl, depth - 1)
                    }
                    TypeDeclKind::Trait {
                        is_reference: false,
                    } => {
                        let (datatypes, newtypes) = (
                            typed.implementing_datatypes(*d, args),
                            typed.implementing_newtypes(*d, args),
                        );
                        datatypes
                            .iter()
                            .chain(&newtypes)
                            .any(|t| self.mentions(t, decl, depth - 1))
                    }
                    TypeDeclKind::Abstract
                    | TypeDeclKind::Class
                    | TypeDeclKind::Trait { is_reference: true }
                    | TypeDeclKind::Iterator(_) => false,
                }
            }
            Type::Seq(e) | Type::Multiset(e) => self.mentions(e, decl, depth),
            Type::Set { elem, .. } => self.mentions(elem, decl, depth),
            Type::Map { key, value, .. } => {
                self.mentions(key, decl, depth) || self.mentions(value, decl, depth)
            }
            Type::Tuple(ts) => ts.iter().any(|(_, t)| self.mentions(t, decl, depth)),
            Type::Arrow { result, .. } => self.mentions(result, decl, depth),
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

    /// Creates a value of a trait that is no reference type: a reference, or a value of a datatype
    /// or newtype that extends the trait. If all implementations are known, a reference beyond the
    /// table represents unknown ones.
    fn implementation_of(
        &mut self,
        name: &str,
        decl: TypeId,
        args: &[Type],
        ty: &Type,
        depth: u32,
        nesting: u32,
    ) -> Sym {
        let typed = self.typed();
        let (datatypes, newtypes) = (
            typed.implementing_datatypes(decl, args),
            typed.implementing_newtypes(decl, args),
        );
        let unknown: Vec<_> = typed
            .implementers(decl)
            .into_iter()
            .filter(|t| !self.is_known_implementer(*t))
            .collect();
        if datatypes.is_empty() && newtypes.is_empty() && unknown.is_empty() {
            return self.reference(name, ty);
        }
        let open = self.mode == Mode::Havoc;
        if !unknown.is_empty() {
            if open {
                self.crossed.insert(BoundKind::Objects);
                return Sym::Any;
            }
            self.reasons.insert(Reason::Extending(
                typed[decl].name.clone(),
                unknown.iter().map(|t| typed[*t].name.clone()).collect(),
            ));
        }
        // Objects are included at higher bounds, or where nothing else or a class implements the
        // trait; datatype values are simpler inputs.
        let mut all = Vec::new();
        let is_alone = datatypes.is_empty() && newtypes.is_empty();
        if open
            || is_alone
            || self.bounds.objects > Bounds::START.objects
            || !typed.implementing_classes(decl, args).is_empty()
        {
            all.push(self.reference(name, ty));
        } else {
            self.crossed.insert(BoundKind::Objects);
            self.is_partial = true;
        }
        for datatype in &datatypes {
            let Type::Named { decl, args, .. } = datatype else {
                continue;
            };
            let subst = typed.substitution(*decl, args);
            // Without remaining depth, only a datatype with a nonrecursive constructor has values.
            let ends = |c: &dafny_resolve::typed::CtorId| {
                !typed[*c]
                    .fields
                    .iter()
                    .any(|f| self.mentions(&typed[*f].ty.subst(&subst), *decl, 6))
            };
            if depth > 0 || typed.is_codatatype(*decl) || self.ctors(*decl).iter().any(ends) {
                all.push(self.shape(name, datatype, depth, nesting));
            } else {
                self.crossed.insert(BoundKind::Depth);
                all.extend(open.then_some(Sym::Any));
            }
        }
        for newtype in &newtypes {
            let Type::Named { decl, args, .. } = newtype else {
                continue;
            };
            let value = self.shape(name, newtype, depth, nesting);
            all.push(Sym::Newtype(Rc::new(SymNewtype {
                decl: *decl,
                args: args.clone(),
                value,
            })));
        }
        // An integer selects the alternative.
        let which = if all.len() == 1 {
            self.t.int(0)
        } else {
            self.leaf(&format!("{name}.type"), Sort::Int)
        };
        if all.len() > 1 {
            self.hints.push(Hint::Number(which));
            let (zero, end) = (self.t.int(0), self.t.int(all.len() as i64));
            let ok = self.t.in_range(zero, which, end);
            self.facts.push(ok);
            self.intervals
                .insert(which, (Some(0), Some(all.len() as i64 - 1)));
        }
        let mut under = Vec::with_capacity(all.len());
        for (i, x) in (0i64..).zip(all) {
            let i = self.t.int(i);
            under.push((self.t.eq(which, i), x));
        }
        let value = self.one_of(under);
        if value == Sym::Undef {
            self.any(ty)
        } else {
            value
        }
    }

    /// Whether all values of a type that extends a trait are possible inputs of the trait. Types
    /// with type parameters are instantiated with one argument.
    fn is_known_implementer(&self, ty: TypeId) -> bool {
        let typed = self.typed();
        match typed[ty].kind {
            TypeDeclKind::Datatype { .. } | TypeDeclKind::Newtype(_) => {
                typed[ty].type_params.is_empty()
            }
            TypeDeclKind::Abstract => false,
            TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_)
            | TypeDeclKind::Subset(_) => true,
        }
    }

    /// Creates a reference to an input object of its type, or null.
    fn reference(&mut self, name: &str, ty: &Type) -> Sym {
        let is_parameter = std::mem::take(&mut self.at_parameter);
        let nullable = matches!(
            ty,
            Type::Named { nullable: true, .. }
                | Type::Array { nullable: true, .. }
                | Type::Object { nullable: true }
        );
        let Some(ids) = self.candidates(ty) else {
            return if nullable {
                Sym::Ref(self.t.int(0))
            } else {
                self.unsupported(Unencoded::NoClass, ty)
            };
        };
        let (Some(first), Some(last)) = (ids.iter().min().copied(), ids.iter().max().copied())
        else {
            // The type is nested too deeply: for example `C<T>` with a field of type `C<array<T>>`.
            self.crossed.insert(BoundKind::Objects);
            return if nullable && self.mode == Mode::Cut {
                Sym::Ref(self.t.int(0))
            } else {
                self.any(ty)
            };
        };
        let r = self.leaf(name, Sort::Int);
        self.hints.push(Hint::Number(r));
        let mut ok = self.t.ff;
        for id in &ids {
            let id = self.t.int(id + 1);
            let is = self.t.eq(r, id);
            ok = self.t.or(ok, is);
        }
        let zero = self.t.int(0);
        if nullable {
            let is_null = self.t.eq(r, zero);
            ok = self.t.or(ok, is_null);
        }
        // Objects are interchangeable, and the table has one for every parameter, so that the
        // parameters cover all aliasing patterns. This requires that every class is known and has a
        // table.
        let is_known = matches!(ty, Type::Array { .. })
            || matches!(ty, Type::Named { decl, .. } if matches!(self.typed()[*decl].kind, TypeDeclKind::Class));
        let in_table = is_parameter && is_known && ids.len() as u32 >= self.reference_params;
        if in_table && self.mode == Mode::Havoc {
            self.facts.push(ok);
            self.intervals.insert(
                r,
                (
                    Some(if nullable { 0 } else { i64::from(first) + 1 }),
                    Some(i64::from(last) + 1),
                ),
            );
            return Sym::Ref(r);
        }
        self.within(BoundKind::Objects, ok);
        // Proofs also allow objects beyond the table.
        if self.mode == Mode::Havoc {
            let beyond = self.t.int(BEYOND);
            let far = self.t.le(beyond, r);
            let any = self.t.or(ok, far);
            self.facts.push(any);
        } else {
            self.intervals.insert(
                r,
                (
                    Some(if nullable { 0 } else { i64::from(first) + 1 }),
                    Some(i64::from(last) + 1),
                ),
            );
        }
        Sym::Ref(r)
    }

    /// Returns the input objects that a reference of the type may mean; `None` if there is no known
    /// class.
    fn candidates(&mut self, ty: &Type) -> Option<Vec<u32>> {
        if self.in_copy {
            return Some(
                self.heap
                    .objects
                    .iter()
                    .filter(|(_, o)| self.fits(&o.ty, ty))
                    .map(|(id, _)| *id)
                    .collect(),
            );
        }
        let classes: Vec<Type> = if matches!(ty, Type::Object { .. }) {
            self.classes_of_objects()
        } else {
            self.classes_of(ty)
        };
        (!classes.is_empty()).then(|| classes.iter().flat_map(|c| self.object_table(c)).collect())
    }

    /// Returns the classes and array types of inputs of type `object`: those of the other inputs,
    /// those that the unit distinguishes, and one of the remaining types.
    fn classes_of_objects(&mut self) -> Vec<Type> {
        let typed = self.typed();
        // The classes of objects in the inputs are candidates, and so are those that the unit tests
        // for.
        let mut classes: Vec<Type> = self.object_tables.keys().cloned().collect();
        for told in self.told.clone() {
            for class in self.classes_of(&told) {
                if !classes.contains(&class) {
                    classes.push(class);
                }
            }
        }
        // A large number of classes is cut off, which makes the encoding incomplete.
        if classes.len() > MAX_TOLD {
            classes.truncate(MAX_TOLD);
            self.reasons.insert(Unencoded::Objects);
        }
        let array = |elem: Type| Type::Array {
            dims: 1,
            nullable: false,
            elem: Box::new(elem),
        };
        let plain = typed.ids().into_iter().filter(|t: &TypeId| {
            matches!(typed[*t].kind, TypeDeclKind::Class)
                && typed[*t].type_params.is_empty()
                && !typed.is_in_abstract_module(typed[*t].module)
        });
        let others = [array(Type::Int)]
            .into_iter()
            .chain(plain.map(|t| Type::named(t, Vec::new())))
            .chain([array(Type::Bool), array(Type::Char)]);
        let is_told = |c: &Type| self.told.iter().any(|t| self.fits(c, t));
        // An object of the other inputs may already have a type that the unit does not distinguish.
        if classes.iter().all(is_told) {
            classes.extend(others.into_iter().find(|c| !is_told(c)));
        }
        classes
    }

    /// Returns the classes and array types whose objects a reference of the type may mean. A trait
    /// includes its mocks.
    fn classes_of(&mut self, ty: &Type) -> Vec<Type> {
        let typed = self.typed();
        if let Type::Array { dims, elem, .. } = ty {
            vec![Type::Array {
                dims: *dims,
                nullable: false,
                elem: elem.clone(),
            }]
        } else if let Type::Named { decl, args, .. } = ty {
            match &typed[*decl].kind {
                TypeDeclKind::Class => vec![Type::named(*decl, args.clone())],
                TypeDeclKind::Trait { .. } => {
                    let mut classes = typed.implementing_classes(*decl, args);
                    if classes.len() > MAX_CLASSES {
                        // All classes are included at the maximal bounds; otherwise the limit is
                        // reported.
                        let tried = MAX_CLASSES.max(self.bounds.objects as usize);
                        self.crossed.insert(BoundKind::Objects);
                        self.is_partial |= classes.len() > tried;
                        if classes.len() > tried && self.bounds.objects >= Bounds::CAPS.objects {
                            self.reasons
                                .insert(Reason::ManyClasses(typed[*decl].name.clone()));
                        }
                        classes.truncate(tried);
                    }
                    // A mock is used only if no class implements the trait, or at higher bounds.
                    if classes.is_empty() || self.bounds.objects > Bounds::START.objects {
                        classes.push(Type::named(*decl, args.clone()));
                    } else {
                        self.is_partial = true;
                    }
                    classes
                }
                TypeDeclKind::Iterator(_)
                | TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Abstract => Vec::new(),
            }
        } else {
            Vec::new()
        }
    }

    /// Returns the mutable fields, and the constants without a value in their declaration,
    /// including inherited ones.
    pub(super) fn fields_of(&self, ty: &Type) -> Vec<(FieldId, Type)> {
        let typed = self.typed();
        let mut out = Vec::new();
        let mut work = vec![(ty.clone(), 0)];
        while let Some((class, depth)) = work.pop() {
            let Type::Named { decl, args, .. } = &class else {
                // Fields of parents belong to the object as well.
                continue;
            };
            let subst = typed.substitution(*decl, args);
            for field in &typed[*decl].fields {
                let f = &typed[*field];
                let stored =
                    !f.is_static && matches!(f.kind, FieldKind::Mutable | FieldKind::Const(None));
                if stored && !out.iter().any(|(id, _)| id == field) {
                    out.push((*field, f.ty.subst(&subst)));
                }
            }
            if depth < 8 {
                work.extend(
                    typed[*decl]
                        .parents
                        .iter()
                        .map(|p| (p.subst(&subst), depth + 1)),
                );
            }
        }
        out
    }

    /// Returns the input objects of a class or array type. They are created on the first call.
    fn object_table(&mut self, ty: &Type) -> Vec<u32> {
        if let Some(ids) = self.object_tables.get(ty) {
            return ids.clone();
        }
        if height(ty) > MAX_HEIGHT || self.next_object > MAX_OBJECTS {
            return Vec::new();
        }
        let count = if matches!(ty, Type::Array { .. }) {
            // Arrays are expensive: as many as parameters, and more if objects may contain arrays.
            let is_class = |t: &Type| matches!(t, Type::Named { .. });
            let held = if self.object_tables.keys().any(is_class) {
                self.bounds.objects / 2
            } else {
                0
            };
            self.reference_params
                .max(2)
                .max(held)
                .min(self.bounds.objects)
        } else {
            self.bounds.objects
        };
        self.least_objects = self.least_objects.min(count);
        let ids: Vec<u32> = (0..count).map(|i| self.next_object + i).collect();
        // Numbers are registered before the contents are created, because objects may reference
        // each other.
        self.next_object += count;
        self.object_tables.insert(ty.clone(), ids.clone());
        for id in &ids {
            let contents = if let Type::Array { dims, elem, .. } = ty
                && *dims > 1
            {
                let k = self.size(0, elem).min(if *dims == 2 { 4 } else { 2 });
                let caps = SymGrid::caps((0..*dims).map(|_| k as usize));
                let least = caps.iter().map(|cap| *cap as u32).min();
                self.least_size = self.least_size.min(least.unwrap_or(k));
                let lengths = (0..)
                    .zip(&caps)
                    .map(|(d, cap): (u32, &usize)| {
                        self.length(&format!("array{id}.len{d}"), *cap as u32)
                    })
                    .collect();
                let mut grid = SymGrid {
                    dims: lengths,
                    caps,
                    slots: Vec::new(),
                };
                for place in grid.places() {
                    let x = self.shape(&format!("array{id}{place:?}"), elem, self.bounds.depth, 1);
                    let ok = self.has_type(&x, elem);
                    self.facts.push(ok);
                    grid.slots.push(x);
                }
                SymContents::Grid(Rc::new(grid))
            } else if let Type::Array { elem, .. } = ty {
                let k = self.size(0, elem);
                let len = self.length(&format!("array{id}.len"), k);
                let mut slots = Vec::new();
                for i in 0..k {
                    let x = self.shape(&format!("array{id}[{i}]"), elem, self.bounds.depth, 1);
                    let ok = self.has_type(&x, elem);
                    // The element type of an empty array need not have values.
                    let at = self.t.int(i);
                    let inside = self.t.lt(at, len);
                    let ok = if self.mode == Mode::Cut {
                        ok
                    } else {
                        self.t.implies(inside, ok)
                    };
                    self.facts.push(ok);
                    slots.push(x);
                }
                SymContents::Array(Rc::new(SymSeq {
                    len,
                    slots,
                    rest: self.unknown_rest(self.mode == Mode::Havoc),
                }))
            } else {
                let mut fields = SortedMap::new();
                // A field of type `object` refers to the objects of the other fields, so those are
                // created first.
                let mut all = self.fields_of(ty);
                all.sort_by_key(|(_, t)| mentions_object(t));
                for (field, field_ty) in all {
                    let name = format!("object{id}.{}", self.typed()[field].name);
                    let x = self.shape(&name, &field_ty, self.bounds.depth.min(2), 1);
                    let ok = self.has_type(&x, &field_ty);
                    self.facts.push(ok);
                    fields.insert(field, x);
                }
                SymContents::Fields(fields)
            };
            self.put_object(
                *id,
                SymObject {
                    ty: ty.clone(),
                    contents,
                },
            );
        }
        ids
    }
}

impl Encoder<'_> {
    /// Returns the term that a symbolic input equals a concrete value, as far as the shape can
    /// represent it.
    pub(super) fn equals_value(&mut self, sym: &Sym, value: &dtest_value::Value) -> Term {
        use dtest_smt::Const;
        use dtest_value::Value;
        match (sym, value) {
            (Sym::Bool(t), Value::Bool(b)) => {
                let b = self.t.bool(*b);
                self.t.eq(*t, b)
            }
            (Sym::Int(t), Value::Int(n)) => {
                let n = self.t.int(n.clone());
                self.t.eq(*t, n)
            }
            (Sym::Char(t), Value::Char(c)) => {
                let c = self.t.int(*c);
                self.t.eq(*t, c)
            }
            (Sym::Real(t), Value::Real(r)) => {
                let r = self.t.real(r.clone());
                self.t.eq(*t, r)
            }
            (Sym::Bv(t), Value::Bv { width, bits }) if *width > 0 => {
                let b = self.t.constant(Const::Bv(*width, bits.clone()));
                self.t.eq(*t, b)
            }
            (Sym::Ordinal(t), Value::Ordinal(n)) => {
                let n = self.t.int(num_bigint::BigInt::from(n.clone()));
                self.t.eq(*t, n)
            }
            (Sym::Seq(s), Value::Seq(xs)) => {
                let len = self.t.int(xs.len() as i64);
                let mut all = self.t.eq(s.len, len);
                // Elements beyond the slots cannot be compared; they are excluded by the length.
                for (a, b) in s.slots.clone().iter().zip(xs.iter()) {
                    let e = self.equals_value(a, b);
                    all = self.t.and(all, e);
                }
                all
            }
            (Sym::Tuple(cs), Value::Tuple(xs)) => {
                let mut all = self.t.tt;
                for (a, b) in cs.iter().zip(xs.iter()) {
                    let e = self.equals_value(a, b);
                    all = self.t.and(all, e);
                }
                all
            }
            (Sym::Data(d), Value::Datatype(v)) => {
                let (_, index) = self.ctor_index(v.ctor);
                let at = self.t.int(index as i64);
                let mut all = self.t.eq(d.tag, at);
                if let Some(Some(xs)) = d.args.get(index) {
                    for (a, b) in xs.iter().zip(&v.args) {
                        let e = self.equals_value(a, b);
                        all = self.t.and(all, e);
                    }
                }
                all
            }
            (Sym::Newtype(n), Value::Newtype(m)) if n.decl == m.decl => {
                self.equals_value(&n.value, &m.value)
            }
            // Only the alternative of the value's own type can be equal to it.
            (Sym::OneOf(all), value) => {
                let is_of = |x: &Sym| match (x, value) {
                    (Sym::Newtype(n), Value::Newtype(m)) => n.decl == m.decl,
                    (Sym::Data(d), Value::Datatype(v)) => self.typed()[v.ctor].datatype == d.ty,
                    (Sym::Ref(_), Value::Ref(_)) | (Sym::Any, _) => true,
                    (_, _) => false,
                };
                match all.iter().find(|(_, x)| is_of(x)).cloned() {
                    Some((cond, x)) => {
                        let equal = self.equals_value(&x, value);
                        self.t.and(cond, equal)
                    }
                    None => self.t.tt,
                }
            }
            (
                Sym::Bool(_)
                | Sym::Int(_)
                | Sym::Char(_)
                | Sym::Real(_)
                | Sym::Bv(_)
                | Sym::Ordinal(_)
                | Sym::Seq(_)
                | Sym::Tuple(_),
                _,
            )
            | (
                Sym::Set(_)
                | Sym::Multiset(_)
                | Sym::Map(_)
                | Sym::Data(_)
                | Sym::Func(_)
                | Sym::Lazy(_)
                | Sym::Newtype(_),
                _,
            )
            | (Sym::Ref(_) | Sym::Any | Sym::Undef, _) => self.t.tt,
        }
    }

    /// Returns the constructors of a datatype.
    pub(super) fn ctors(&self, ty: TypeId) -> &[dafny_resolve::typed::CtorId] {
        ir::ctors_of(&self.program.typed, ty)
    }
}

/// Returns the nesting depth of a type.
fn height(ty: &Type) -> u32 {
    let deepest = |ts: &mut dyn Iterator<Item = &Type>| ts.map(height).max().unwrap_or(0);
    1 + match ty {
        Type::Seq(e)
        | Type::Multiset(e)
        | Type::Array { elem: e, .. }
        | Type::Set { elem: e, .. } => height(e),
        Type::Map { key, value, .. } => height(key).max(height(value)),
        Type::Tuple(ts) => deepest(&mut ts.iter().map(|(_, t)| t)),
        Type::Arrow { params, result, .. } => deepest(&mut params.iter().chain([&**result])),
        Type::Named { args, .. } => deepest(&mut args.iter()),
        Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Object { .. }
        | Type::Param(_)
        | Type::Error => 0,
    }
}

/// Whether values of a type can contain references of type `object`.
pub(super) fn mentions_object(ty: &Type) -> bool {
    if matches!(ty, Type::Object { .. }) {
        true
    } else if let Type::Arrow { result, .. } = ty {
        mentions_object(result)
    } else {
        ty.parts().any(mentions_object)
    }
}
