//! Symbolic inputs: values of every type within the bounds, with their constraints as facts.
//!
//! Key functions: [`Encoder::input`]; [`Encoder::shape`], which builds the value without
//! constraints. Exceeding a bound is represented by the literals of [`super::Encoding::limits`].

use std::rc::Rc;

use super::value::{Sym, SymContents, SymData, SymFunc, SymLazy, SymNewtype, SymObject};
use super::{BoundKind, Bounds, Encoder, Fact, Hint, Mode, Taken};
use dafny_resolve::typed::{ArrowKind, CtorId, Substitution, Type, TypeDeclKind, TypeId};
use dtest_interp::Opening;
use dtest_ir::reason::{Reason, Unencoded};
use dtest_smt::{Sort, Term};
use dtest_sorted::SortedMap;

/// Returns the number of elements that a collection inside `nesting` other collections or objects has
/// at most in an encoding, whatever the bounds are. `holds_collections`: whether its elements are
/// collections.
pub fn max_elements(nesting: u32, holds_collections: bool) -> u32 {
    match (nesting, holds_collections) {
        (0, false) => u32::MAX,
        (0, true) => 8,
        (1, false) => 16,
        (1, true) | (2.., _) => 4,
    }
}

impl Encoder<'_> {
    /// Creates an arbitrary value of a concrete type that satisfies its constraints, as large as
    /// the bounds allow.
    pub(super) fn input(&mut self, name: &str, ty: &Type) -> Sym {
        let depth = self.bounds.depth;
        // The marks for the next input are taken before its parts are created.
        let parameter = self.assumed.relax.as_mut().and_then(|r| r.parameter.take());
        let answered_by = self.assumed.answered_by.take();
        let value = self.shape(name, ty, depth, 0);
        let mut ok = self.has_type(&value, ty);
        // The condition on the type is a fact of its own, so that it can be reported.
        if let Some(i) = parameter {
            ok = self.relaxed(Fact::InputType(i), ok);
        }
        if let Some(fact) = answered_by {
            ok = self.given(fact, ok);
        }
        self.assumed.facts.push(ok);
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
            let value = if self.choices.free {
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

    pub(super) fn leaf(&mut self, name: &str, sort: Sort) -> Term {
        let t = self.t.fresh(name, sort);
        self.inputs.leaves.push(t);
        t
    }

    /// Returns the number of slots of a collection inside `nesting` other collections. Nested
    /// collections have fewer slots, because the total is the product.
    pub(super) fn size(&mut self, nesting: u32, elem: &Type) -> u32 {
        // Nested collections multiply, so their sizes are limited further.
        let holds_collections = matches!(
            self.typed().representation(elem),
            Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) | Type::Map { .. }
        ) && !self.is_described_block(elem);
        let most = max_elements(nesting, holds_collections);
        let size = self.bounds.collection.min(most);
        // The smallest size is reported with the bounds.
        self.omissions.least_size = self.omissions.least_size.min(size);
        size
    }

    /// Returns the number of slots of a collection, and the bound that limits it. A collection has no
    /// slots if the remaining depth is too small for an element: an absent element is a value, too,
    /// so that a slot without a value would exclude every input.
    fn slots(&mut self, nesting: u32, elem: &Type, depth: u32) -> (u32, BoundKind) {
        if self.least_depth(elem) > depth {
            (0, BoundKind::Depth)
        } else {
            (self.size(nesting, elem), BoundKind::Collection)
        }
    }

    /// Returns the depth that the smallest value of a type needs: 0 for most types, 1 for a tree whose
    /// only constructor has a sequence of subtrees.
    fn least_depth(&self, ty: &Type) -> u32 {
        self.least_depth_below(ty, &mut Vec::new())
    }

    fn least_depth_below(&self, ty: &Type, open: &mut Vec<TypeId>) -> u32 {
        let typed = self.typed();
        match typed.representation(ty) {
            Type::Tuple(parts) => {
                let of_part = |(_, part): &(_, Type)| self.least_depth_below(part, open);
                parts.iter().map(of_part).max().unwrap_or(0)
            }
            Type::Named { decl, args, .. } => {
                let TypeDeclKind::Datatype { ctors, .. } = &typed[decl].kind else {
                    return 0;
                };
                // A value that contains itself has no finite depth.
                if open.contains(&decl) {
                    return u32::MAX;
                }
                open.push(decl);
                let subst = typed.substitution(decl, &args);
                let mut least = u32::MAX;
                for ctor in ctors {
                    let fields = &typed[*ctor].fields;
                    let types = fields.iter().map(|f| typed[*f].ty.subst(&subst));
                    let (mut deepest, mut is_recursive) = (0, false);
                    for ty in types {
                        is_recursive |= self.typed().may_contain(&ty, decl);
                        deepest = self.least_depth_below(&ty, open).max(deepest);
                    }
                    least = least.min(deepest.saturating_add(u32::from(is_recursive)));
                }
                open.pop();
                least
            }
            // Collections may be empty; all others have values without constructors.
            Type::Bool
            | Type::Int
            | Type::Char
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => 0,
        }
    }

    /// Creates a length `n` with `0 ≤ n`, and `n ≤ k` within a bound.
    pub(super) fn length(&mut self, name: &str, k: u32, kind: BoundKind) -> Term {
        let n = self.leaf(name, Sort::Int);
        self.inputs.hints.push(Hint::Size(n));
        let (zero, max) = (self.t.int(0), self.t.int(k));
        let low = self.t.le(zero, n);
        // In exact encodings the length is bounded by a fact, otherwise by a literal.
        self.assumed.facts.push(low);
        let high = self.t.le(n, max);
        self.within(kind, high);
        self.inputs.intervals.insert(
            n,
            (Some(0), (self.mode == Mode::Cut).then_some(i64::from(k))),
        );
        n
    }

    /// Restricts an input to a bound.
    pub(super) fn within(&mut self, kind: BoundKind, ok: Term) {
        self.omissions.crossed.insert(kind);
        // The parameters of a shared copy are not inputs: values beyond the bound are cut.
        if self.objects.in_copy {
            self.omissions.cut.insert(kind);
        }
        let limit = self
            .omissions
            .limits
            .get(&kind)
            .copied()
            .unwrap_or(self.t.tt);
        let fact = self.t.implies(limit, ok);
        self.assumed.facts.push(fact);
    }

    /// Creates the condition that there are elements beyond the slots. It excludes staying within
    /// the bound.
    fn more(&mut self, kind: BoundKind) -> Term {
        self.omissions.crossed.insert(kind);
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
    pub(super) fn shape(&mut self, name: &str, ty: &Type, depth: u32, nesting: u32) -> Sym {
        // The number of leaves is bounded; beyond it, parts are arbitrary.
        if self.is_exhausted() {
            return self.any(ty);
        }
        let typed = self.typed();
        let open = self.mode == Mode::Havoc;
        match &typed.representation(ty) {
            Type::Bool => Sym::Bool(self.leaf(name, Sort::Bool)),
            Type::Int => Sym::Int(self.number(name)),
            Type::Char => {
                let t = self.leaf(name, Sort::Int);
                self.inputs.hints.push(Hint::Char(t));
                Sym::Char(t)
            }
            Type::Real => Sym::Real(self.leaf(name, Sort::Real)),
            Type::Bv(0) => Sym::Bv(self.t.int(0)),
            Type::Bv(w) => Sym::Bv(self.leaf(name, Sort::Bv(*w))),
            // Infinite ordinals have no terms.
            Type::Ordinal if open => Sym::Any,
            Type::Ordinal => {
                self.omissions.narrowed.insert(Unencoded::Naturals);
                Sym::Ordinal(self.number(name))
            }
            Type::Seq(elem) => self.sequence_input(name, ty, elem, depth, nesting),
            Type::Set { elem, .. } if typed.is_reference(elem) => {
                self.set_of_references(name, elem)
            }
            Type::Set { elem, .. } => {
                let (keys, kind) = self.keys(name, elem, depth, nesting);
                let more = self.more(kind);
                Sym::set(keys, more)
            }
            Type::Multiset(elem) => self.multiset(name, elem, depth, nesting),
            Type::Map { key, value, .. } => self.map(name, key, value, depth, nesting),
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
            } => self.function_input(name, params, result, *kind),
            rep @ (Type::Array { .. } | Type::Object { .. }) => self.reference(name, rep),
            rep @ Type::Named { decl, args, .. } => match &typed[*decl].kind {
                TypeDeclKind::Datatype { ctors, .. } => {
                    self.data(name, *decl, ctors, args, depth, nesting)
                }
                TypeDeclKind::Class
                | TypeDeclKind::Iterator(_)
                | TypeDeclKind::Trait { is_reference: true } => self.reference(name, rep),
                TypeDeclKind::Trait {
                    is_reference: false,
                } => self.implementation_of(name, *decl, args, rep, depth, nesting),
                TypeDeclKind::Abstract => self.unsupported(Unencoded::AbstractType, ty),
                TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_) => self.any(ty),
            },
            Type::Param(_) | Type::Error => self.unsupported(Unencoded::EmptyType, ty),
        }
    }

    /// Creates an integer, which models are asked to keep small.
    fn number(&mut self, name: &str) -> Term {
        let t = self.leaf(name, Sort::Int);
        self.inputs.hints.push(Hint::Number(t));
        t
    }

    /// Creates a sequence: slots for elements, and a length that may exceed them where inputs are
    /// open.
    fn sequence_input(
        &mut self,
        name: &str,
        ty: &Type,
        elem: &Type,
        depth: u32,
        nesting: u32,
    ) -> Sym {
        let (k, kind) = self.slots(nesting, elem, depth);
        let k = self.described_slots(k, ty, nesting);
        let len = self.sequence_length(&format!("{name}.len"), k, kind);
        let slots = (0..k)
            .map(|i| self.shape(&format!("{name}[{i}]"), elem, depth, nesting + 1))
            .collect();
        Sym::seq(len, slots, self.unknown_rest(self.has_open_inputs()))
    }

    /// Creates a set of references, with one slot for every input object.
    fn set_of_references(&mut self, name: &str, elem: &Type) -> Sym {
        let typed = self.typed();
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

    /// Creates a multiset. A slot that is present has a positive multiplicity.
    fn multiset(&mut self, name: &str, elem: &Type, depth: u32, nesting: u32) -> Sym {
        let (keys, kind) = self.keys(name, elem, depth, nesting);
        let zero = self.t.int(0);
        let mut slots = Vec::new();
        for (p, x) in keys {
            let n = self.leaf(&format!("{name}.count"), Sort::Int);
            self.inputs.hints.push(Hint::Number(n));
            let positive = self.t.lt(zero, n);
            let ok = self.t.implies(p, positive);
            self.assumed.facts.push(ok);
            slots.push((self.t.ite(p, n, zero), x));
        }
        let more = self.more(kind);
        Sym::multiset(slots, more)
    }

    /// Creates a map: the keys of a set, with a value each.
    fn map(&mut self, name: &str, key: &Type, value: &Type, depth: u32, nesting: u32) -> Sym {
        // A pair needs a value, too.
        let deeper = if self.least_depth(value) > depth {
            value
        } else {
            key
        };
        let (keys, kind) = match self.slots(nesting, deeper, depth) {
            (0, BoundKind::Depth) => (Vec::new(), BoundKind::Depth),
            _enough => self.keys(name, key, depth, nesting),
        };
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
        let more = self.more(kind);
        Sym::map(slots, more)
    }

    /// Creates a function: a template or a table of results, with a second table for its domain if
    /// it may have a precondition.
    fn function_input(
        &mut self,
        name: &str,
        params: &[Type],
        result: &Type,
        kind: ArrowKind,
    ) -> Sym {
        if kind == ArrowKind::General {
            self.omissions.narrowed.insert(Unencoded::FunctionsReadHeap);
        }
        // A function is selected from templates first: they are shorter than tables.
        let templates = self.templates(params, result);
        let choice = (!templates.is_empty()).then(|| {
            let which = self.leaf(&format!("{name}.template"), Sort::Int);
            self.inputs.hints.push(Hint::Number(which));
            let (zero, end) = (self.t.int(0), self.t.int(templates.len() as i64 + 1));
            let ok = self.t.in_range(zero, which, end);
            self.assumed.facts.push(ok);
            (which, templates)
        });
        let id = self.new_table(result.clone(), choice);
        self.fill(id, params);
        // A function with a precondition has a second table for its domain.
        if kind != ArrowKind::Total {
            let domain = self.new_domain();
            self.fill(domain, params);
            if let Some(t) = self.objects.tables.get_mut(id as usize) {
                t.domain = Some(domain);
            }
        }
        Sym::Func(Rc::new(SymFunc::Table(id)))
    }

    /// Creates the slots of a set. Present slots come first. Elements are increasing if they are
    /// ordered, otherwise pairwise different: this excludes permutations of the same set.
    fn keys(
        &mut self,
        name: &str,
        elem: &Type,
        depth: u32,
        nesting: u32,
    ) -> (Vec<(Term, Sym)>, BoundKind) {
        let (k, kind) = self.slots(nesting, elem, depth);
        let mut slots: Vec<(Term, Sym)> = Vec::new();
        for i in 0..k {
            let p = self.leaf(&format!("{name}.has{i}"), Sort::Bool);
            let size = self.t.count(p);
            self.inputs.hints.push(Hint::Size(size));
            let x = self.shape(&format!("{name}[{i}]"), elem, depth, nesting + 1);
            // The slots are filled from the first one on, and ordered values ascend: this makes the
            // representation of each set unique.
            if let Some((q, y)) = slots.last().cloned() {
                let monotone = self.t.implies(p, q);
                self.assumed.facts.push(monotone);
                match (&y, &x) {
                    (Sym::Int(a), Sym::Int(b))
                    | (Sym::Char(a), Sym::Char(b))
                    | (Sym::Ref(a), Sym::Ref(b)) => {
                        let less = self.t.lt(*a, *b);
                        let ok = self.t.implies(p, less);
                        self.assumed.facts.push(ok);
                    }
                    // Values without a cheap order must at least differ pairwise.
                    (_, _) => {
                        for (_, z) in slots.clone() {
                            let same = self.equal(&z, &x);
                            let both = self.t.and(p, same);
                            let ok = self.t.not(both);
                            self.assumed.facts.push(ok);
                        }
                    }
                }
            }
            slots.push((p, x));
        }
        (slots, kind)
    }

    /// Creates a value of a datatype: a tag that selects the constructor, and arguments for each
    /// constructor with values at this depth.
    fn data(
        &mut self,
        name: &str,
        decl: TypeId,
        ctors: &[CtorId],
        args: &[Type],
        depth: u32,
        nesting: u32,
    ) -> Sym {
        let typed = self.typed();
        let subst = typed.substitution(decl, args);
        let is_recursive = |c: &CtorId| self.is_recursive_ctor(*c, decl, &subst);
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
        self.assumed.facts.push(ok);
        if ctors.len() > 1 || is_cut {
            self.inputs
                .intervals
                .insert(tag, (Some(0), Some(ctors.len() as i64 - 1)));
            self.inputs.hints.push(Hint::Number(tag));
        }
        // A codatatype without a finite value has a lazy default beyond the depth bound.
        let has_default = || {
            typed
                .characteristics_of(&Type::named(decl, args.to_vec()))
                .auto_init
        };
        let endless = typed.is_codatatype(decl)
            && ctors
                .iter()
                .all(|c| self.is_recursive_ctor(*c, decl, &subst))
            && has_default();
        let mut pool: Vec<(Type, Vec<Sym>)> = Vec::new();
        let mut all = Vec::with_capacity(ctors.len());
        for (i, ctor) in ctors.iter().enumerate() {
            let types: Vec<Type> = typed[*ctor]
                .fields
                .iter()
                .map(|f| typed[*f].ty.subst(&subst))
                .collect();
            let recursive = types.iter().any(|t| self.typed().may_contain(t, decl));
            if recursive && depth == 0 && endless {
                // The tail of an infinite value is the default of its type.
                let shape = |s: &mut Self, t: &Type| match s.typed().may_contain(t, decl) {
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
            let xs = self.shared_args(name, &types, &mut pool, below, nesting);
            all.push(Some(Rc::new(xs)));
        }
        Sym::Data(Rc::new(SymData::new(decl, tag, all)))
    }

    /// Creates the arguments of a constructor. Constructors share arguments of the same type,
    /// because only one constructor is present; `pool` has those that exist, by type.
    fn shared_args(
        &mut self,
        name: &str,
        types: &[Type],
        pool: &mut Vec<(Type, Vec<Sym>)>,
        depth: u32,
        nesting: u32,
    ) -> Vec<Sym> {
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
                    let x = self.shape(&format!("{name}.{j}"), t, depth, nesting);
                    match position.and_then(|p| pool.get_mut(p)) {
                        Some((_, v)) => v.push(x.clone()),
                        None => pool.push((t.clone(), vec![x.clone()])),
                    }
                    x
                }
            };
            xs.push(x);
        }
        xs
    }

    /// Whether an argument of the constructor can contain a value of its datatype.
    fn is_recursive_ctor(&self, ctor: CtorId, decl: TypeId, subst: &Substitution) -> bool {
        let typed = self.typed();
        typed[ctor]
            .fields
            .iter()
            .any(|f| self.typed().may_contain(&typed[*f].ty.subst(subst), decl))
    }

    /// Lets an integer select one of the alternatives. Returns them with their conditions.
    fn selected(&mut self, name: &str, all: Vec<Sym>) -> Vec<(Term, Sym)> {
        let which = if all.len() == 1 {
            self.t.int(0)
        } else {
            self.leaf(&format!("{name}.type"), Sort::Int)
        };
        if all.len() > 1 {
            self.inputs.hints.push(Hint::Number(which));
            let (zero, end) = (self.t.int(0), self.t.int(all.len() as i64));
            let ok = self.t.in_range(zero, which, end);
            self.assumed.facts.push(ok);
            self.inputs
                .intervals
                .insert(which, (Some(0), Some(all.len() as i64 - 1)));
        }
        let mut under = Vec::with_capacity(all.len());
        for (i, x) in (0i64..).zip(all) {
            let i = self.t.int(i);
            under.push((self.t.eq(which, i), x));
        }
        under
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
                self.omissions.crossed.insert(BoundKind::Objects);
                return Sym::Any;
            }
            self.omissions.reasons.insert(Reason::Extending(
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
            self.omissions.crossed.insert(BoundKind::Objects);
            self.omissions.is_partial = true;
        }
        for datatype in &datatypes {
            let Type::Named { decl, args, .. } = datatype else {
                continue;
            };
            let subst = typed.substitution(*decl, args);
            // Without remaining depth, only a datatype with a nonrecursive constructor has values.
            let ends = |c: &CtorId| !self.is_recursive_ctor(*c, *decl, &subst);
            if depth > 0 || typed.is_codatatype(*decl) || self.ctors(*decl).iter().any(ends) {
                all.push(self.shape(name, datatype, depth, nesting));
            } else {
                self.omissions.crossed.insert(BoundKind::Depth);
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
        let under = self.selected(name, all);
        let value = self.one_of(under);
        if value == Sym::Undef {
            self.any(ty)
        } else {
            value
        }
    }
}
