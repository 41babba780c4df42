//! Quantifiers, comprehensions and choices, expanded over their candidates.
//!
//! Key functions: [`Encoder::for_each`], which enumerates candidates and returns the condition that
//! there are unlisted ones; [`Encoder::quantify`]; [`Encoder::choose`].

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::reference::is_nullable;
use super::value::{Rest, Sym, SymMap, SymSet};
use super::{BoundKind, Encoder, Frame, Mode, Taken};
use dafny_resolve::typed::{Type, TypeDeclKind};
use dafny_source::Span;
use dtest_interp::Opening;
use dtest_ir::reason::Unencoded;
use dtest_ir::{self as ir, Domain, Expr, ExprKind, Op, Quantified, Var};
use dtest_smt::{Sort, Term};

/// The limit of candidates in one expansion.
const MAX_CANDIDATES: u32 = 2_000;
/// The limit of listed values of a type.
const MAX_VALUES: usize = 300;
/// The limit of listed candidates of a range without known bounds in proofs.
const MAX_LISTED: usize = 9;
/// The limit of variables that are candidates for elements of an unknown collection.
const MAX_NAMED: usize = 4;
/// The limit of numbers in the values of variables that stand for a range that cannot be listed.
const MAX_MENTIONED: usize = 24;

/// The limits of an expansion.
struct Left {
    candidates: u32,
    /// Whether a range that cannot be listed is represented by values of variables.
    lists_mentioned: bool,
}

/// The candidates of a domain, each with the condition that it is one, and the condition that there
/// are others. `None` if they cannot be listed.
type Candidates = Option<(Vec<(Term, Sym)>, Term)>;

impl<'p> Encoder<'p> {
    /// Calls `each` with the variables set to every candidate, under the condition that it is a
    /// candidate and in range. Returns the condition that there may be further, unlisted
    /// candidates.
    pub(super) fn for_each(
        &mut self,
        q: &Quantified,
        f: &mut Frame<'p>,
        each: &mut dyn FnMut(&mut Self, &mut Frame<'p>, Term),
    ) -> Term {
        self.for_each_listed(q, f, false, each)
    }

    /// Like [`Self::for_each`], but lists at least those of too many candidates that occur in the
    /// values of variables: the body is likely to speak of these.
    fn for_each_mentioned(
        &mut self,
        q: &Quantified,
        f: &mut Frame<'p>,
        each: &mut dyn FnMut(&mut Self, &mut Frame<'p>, Term),
    ) -> Term {
        // A proof cannot use some of the candidates.
        self.for_each_listed(q, f, self.mode == Mode::Cut, each)
    }

    fn for_each_listed(
        &mut self,
        q: &Quantified,
        f: &mut Frame<'p>,
        lists_mentioned: bool,
        each: &mut dyn FnMut(&mut Self, &mut Frame<'p>, Term),
    ) -> Term {
        let Some(bounds) = &q.bounds else {
            self.omissions.reasons.insert(Unencoded::Quantifier);
            return self.t.tt;
        };
        let mut left = Left {
            candidates: MAX_CANDIDATES,
            lists_mentioned,
        };
        let tt = self.t.tt;
        self.nest(q, bounds, f, tt, &mut left, each)
    }

    fn nest(
        &mut self,
        q: &Quantified,
        bounds: &[(Var, Domain)],
        f: &mut Frame<'p>,
        cond: Term,
        left: &mut Left,
        each: &mut dyn FnMut(&mut Self, &mut Frame<'p>, Term),
    ) -> Term {
        let Some(((var, domain), rest)) = bounds.split_first() else {
            if left.candidates == 0 {
                // There are too many candidates for this number of variables.
                self.under(cond, |e| e.cross(BoundKind::Collection));
                return self.t.bool(self.mode == Mode::Havoc);
            }
            left.candidates -= 1;
            let range = match &q.range {
                Some(range) => self.under(cond, |s| s.eval_bool(range, f)),
                None => self.t.tt,
            };
            let cond = self.t.and(cond, range);
            if cond != self.t.ff {
                self.under(cond, |s| each(s, f, cond));
            }
            return self.t.ff;
        };
        let ty = f.type_of(*var);
        let listed = self.under(cond, |s| s.domain(domain, ty.as_ref(), f));
        let (values, others) = match listed {
            Some(listed) => listed,
            None => {
                self.omissions.reasons.insert(Unencoded::LargeQuantifier);
                if !left.lists_mentioned {
                    return self.t.tt;
                }
                let mentioned = self.under(cond, |s| s.mentioned(domain, f));
                (mentioned, self.t.tt)
            }
        };
        let mut left_out = self.t.and(cond, others);
        for (present, value) in values {
            let cond = self.t.and(cond, present);
            // The domain may be wider than a subset type: only candidates of the type count.
            let fits = match f.type_of(*var) {
                Some(ty) if cond != self.t.ff && !matches!(domain, Domain::AllValues(_)) => {
                    self.is_in_type(&value, &ty)
                }
                Some(_) | None => self.t.tt,
            };
            let cond = self.t.and(cond, fits);
            if cond == self.t.ff {
                continue;
            }
            f.set(*var, value);
            let further = self.nest(q, rest, f, cond, left, each);
            left_out = self.t.or(left_out, further);
            // If unlisted candidates are certain, listing more of them cannot help.
            if further == self.t.tt || self.is_exhausted() {
                return self.t.tt;
            }
        }
        left_out
    }

    /// Returns the candidates of a domain in order, each with the condition that it is one, and the
    /// condition that there are others; `None` if the domain cannot be listed. `ty` is the type of the
    /// variable.
    fn domain(&mut self, domain: &Domain, ty: Option<&Type>, f: &mut Frame<'p>) -> Candidates {
        let none = self.t.ff;
        match domain {
            Domain::IntRange {
                low: Some(low),
                high: Some(high),
            } => self.int_range(low, high, f),
            Domain::IntRange { .. } => None,
            Domain::Exact(e) => {
                let v = self.eval(e, f);
                Some((vec![(self.t.tt, v)], none))
            }
            Domain::Elements(e) => self.elements_of(e, f),
            Domain::SubsetsOf(e) => self.subsets_of(e, f),
            Domain::PrefixesOf(e) => self.prefixes_of(e, f),
            Domain::AllValues(ty) => {
                let ty = ty.subst(&f.subst);
                let values = self.all_values(&ty, 4)?;
                let tt = self.t.tt;
                Some((values.into_iter().map(|v| (tt, v)).collect(), none))
            }
            Domain::SubtermsOf(_) => None,
            Domain::Allocated => self.allocated_of(ty),
        }
    }

    /// Returns the references of a type to allocated objects; `None` in proofs, since earlier code may
    /// have allocated further objects.
    fn allocated_of(&mut self, ty: Option<&Type>) -> Candidates {
        if self.mode == Mode::Havoc {
            return None;
        }
        let ty = self.typed().representation(ty?);
        // All inputs of the type count, whether they were mentioned before or not.
        let _ = self.candidates(&ty);
        let heap = Rc::clone(&self.heap.objects);
        let fitting = heap.iter().filter(|(_, o)| self.fits(&o.ty, &ty));
        // References are numbered from 1 on; 0 is null.
        let null = is_nullable(&ty).then_some(0);
        let all: Vec<u32> = null
            .into_iter()
            .chain(fitting.map(|(id, _)| id + 1))
            .collect();
        let (present, others) = (self.t.tt, self.t.ff);
        let all = all
            .into_iter()
            .map(|r| (present, Sym::Ref(self.t.int(r))))
            .collect();
        Some((all, others))
    }

    /// Returns the numbers from `low` up to `high`, exclusive.
    fn int_range(&mut self, low: &Expr, high: &Expr, f: &mut Frame<'p>) -> Candidates {
        let (ls, hs) = (self.eval(low, f), self.eval(high, f));
        let (low, high) = (ls.scalar()?, hs.scalar()?);
        if self.t.sort(low) != Sort::Int || self.t.sort(high) != Sort::Int {
            return None;
        }
        let wrap = |t: Term| {
            if matches!(ls, Sym::Char(_)) {
                Sym::Char(t)
            } else {
                Sym::Int(t)
            }
        };
        // The number of candidates is known only if the difference of the bounds has a
        // known interval.
        let span = self.t.sub(high, low);
        let known = self
            .interval(span)
            .1
            .map(|n| usize::try_from(n).unwrap_or(0));
        let count = match known {
            Some(n) if n > MAX_VALUES => return None,
            Some(n) => n,
            None => self.most_listed(),
        };
        let mut out = Vec::with_capacity(count);
        for i in 0..count {
            let x = self.t.plus(low, i as i64);
            let inside = self.t.lt(x, high);
            if inside == self.t.ff {
                break;
            }
            out.push((inside, wrap(x)));
        }
        // More candidates than listed cross the bound.
        let end = self.t.plus(low, out.len() as i64);
        let over = self.t.lt(end, high);
        if over != self.t.ff && known.is_none() {
            self.under(over, |e| e.cross(BoundKind::Collection));
            if self.mode == Mode::Havoc {
                return Some((out, over));
            }
        }
        Some((out, self.t.ff))
    }

    /// Returns the elements of a collection, or the keys of a map.
    fn elements_of(&mut self, e: &Expr, f: &mut Frame<'p>) -> Candidates {
        let c = self.eval(e, f);
        let (mut all, others) = self.listed(&c)?;
        // Parameters are elements beyond the slots if the collection contains them.
        if others != self.t.ff && matches!(c, Sym::Set(_) | Sym::Map(_)) {
            for x in self.named_values(&e.ty.subst(&f.subst), f) {
                let is_element = self.contains_or_any(&c, &x);
                all.push((is_element, x));
            }
        }
        Some((all, others))
    }

    /// Returns the subsets of a small set.
    fn subsets_of(&mut self, e: &Expr, f: &mut Frame<'p>) -> Candidates {
        let c = self.eval(e, f);
        let slots = self.elements(&c)?;
        if slots.len() > 6 {
            return None;
        }
        let mut out = Vec::new();
        for mask in 0u32..1 << slots.len() {
            // A subset is determined by the slots that it takes. Taking an absent slot
            // would repeat a subset.
            let (mut cond, mut chosen) = (self.t.tt, Vec::new());
            for (i, (p, x)) in slots.iter().enumerate() {
                if mask & (1 << i) != 0 {
                    cond = self.t.and(cond, *p);
                    chosen.push((self.t.tt, x.clone()));
                }
            }
            if cond != self.t.ff {
                let none = self.t.ff;
                out.push((cond, Sym::set(chosen, none)));
            }
        }
        Some((out, self.t.ff))
    }

    /// Returns the prefixes of a sequence.
    fn prefixes_of(&mut self, e: &Expr, f: &mut Frame<'p>) -> Candidates {
        let Sym::Seq(s) = self.eval(e, f) else {
            return None;
        };
        if s.is_open() {
            return None;
        }
        let mut out = Vec::new();
        for n in 0..=s.slots.len() {
            let len = self.t.int(n as i64);
            let inside = self.t.le(len, s.len);
            out.push((
                inside,
                Sym::seq(
                    len,
                    s.slots.iter().take(n).cloned().collect(),
                    Rest::Nothing,
                ),
            ));
        }
        Some((out, self.t.ff))
    }

    /// Returns values of a range of integers that cannot be listed: its ends, and the numbers in the
    /// values of variables.
    fn mentioned(&mut self, domain: &Domain, f: &mut Frame<'p>) -> Vec<(Term, Sym)> {
        let Domain::IntRange {
            low: Some(low),
            high: Some(high),
        } = domain
        else {
            return Vec::new();
        };
        let (Sym::Int(low), Sym::Int(high)) = (self.eval(low, f), self.eval(high, f)) else {
            return Vec::new();
        };
        let last = self.t.plus(high, -1);
        let mut numbers = vec![(self.t.tt, low), (self.t.tt, last)];
        for var in (0..f.infos.len()).map(|i| Var(i as u32)) {
            let value = f.get(var);
            let parts = match &value {
                Sym::Int(_) => vec![(self.t.tt, value.clone())],
                // The keys of a map, and the elements of other collections.
                Sym::Seq(_) | Sym::Set(_) | Sym::Map(_) => {
                    self.elements(&value).unwrap_or_default()
                }
                Sym::Multiset(_)
                | Sym::Bool(_)
                | Sym::Char(_)
                | Sym::Real(_)
                | Sym::Bv(_)
                | Sym::Ordinal(_)
                | Sym::Tuple(_)
                | Sym::Data(_)
                | Sym::Newtype(_)
                | Sym::OneOf(_)
                | Sym::Func(_)
                | Sym::Lazy(_)
                | Sym::Ref(_)
                | Sym::Any
                | Sym::Undef => Vec::new(),
            };
            for (present, part) in parts {
                if let Sym::Int(n) = part
                    && !numbers.contains(&(present, n))
                {
                    numbers.push((present, n));
                }
            }
            numbers.truncate(MAX_MENTIONED);
        }
        let mut out = Vec::new();
        for (present, n) in numbers {
            let inside = self.t.in_range(low, n, high);
            out.push((self.t.and(present, inside), Sym::Int(n)));
        }
        out
    }

    /// Returns the values of the first variables of the type of a collection's elements or keys.
    fn named_values(&self, collection: &Type, f: &Frame<'p>) -> Vec<Sym> {
        let (Type::Set { elem, .. } | Type::Map { key: elem, .. }) =
            self.typed().representation(collection)
        else {
            return Vec::new();
        };
        let elem = self.typed().representation(&elem);
        let vars = (0..f.infos.len()).map(|i| Var(i as u32));
        vars.filter(|v| {
            let ty = f.type_of(*v).map(|ty| self.typed().representation(&ty));
            ty.as_ref() == Some(&elem)
        })
        .map(|v| f.get(v))
        .filter(|x| x.scalar().is_some())
        .take(MAX_NAMED)
        .collect()
    }

    /// Returns the limit of listed candidates of a range without known bounds. Proofs list a few as
    /// well: these may refute, and the others are unknown.
    fn most_listed(&self) -> usize {
        let most = self.bounds.collection as usize + 1;
        match self.mode {
            Mode::Cut => most,
            Mode::Havoc => most.min(MAX_LISTED),
        }
    }

    /// Returns the known elements of a collection or keys of a map, and the condition that there
    /// are others; `None` if nothing is known.
    fn listed(&mut self, c: &Sym) -> Option<(Vec<(Term, Sym)>, Term)> {
        if let Some(all) = self.elements(c) {
            return Some((all, self.t.ff));
        }
        match c {
            // The known elements of an open sequence, and the condition that there are others.
            Sym::Seq(s) => {
                let known: Vec<(Term, Sym)> = s
                    .slots
                    .iter()
                    .enumerate()
                    .map(|(j, x)| (self.inside(s, j), x.clone()))
                    .collect();
                let others = self.beyond(s);
                Some((known, others))
            }
            Sym::Set(s) => Some((s.slots.clone(), s.more)),
            Sym::Map(m) => {
                let keys = m.slots.iter().map(|(p, k, _)| (*p, k.clone()));
                Some((keys.collect(), m.more))
            }
            Sym::Multiset(_)
            | Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Char(_)
            | Sym::Real(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Tuple(_)
            | Sym::Data(_)
            | Sym::Newtype(_)
            | Sym::OneOf(_)
            | Sym::Func(_)
            | Sym::Lazy(_)
            | Sym::Ref(_)
            | Sym::Any
            | Sym::Undef => None,
        }
    }

    /// Returns the elements of a collection or keys of a map; `None` if some are unknown.
    pub(super) fn elements(&mut self, c: &Sym) -> Option<Vec<(Term, Sym)>> {
        let none = self.t.ff;
        match c {
            Sym::Seq(s) if !s.is_open() => {
                let mut out = Vec::new();
                for (j, x) in s.slots.iter().enumerate() {
                    out.push((self.inside(s, j), x.clone()));
                }
                Some(out)
            }
            Sym::Set(s) if s.more == none => Some(s.slots.clone()),
            Sym::Multiset(m) if m.more == none => {
                let zero = self.t.int(0);
                // Equal elements of a multiset share one slot.
                let distinct = self.distinct(m);
                Some(
                    distinct
                        .into_iter()
                        .map(|(n, x)| (self.t.lt(zero, n), x))
                        .collect(),
                )
            }
            Sym::Map(m) if m.more == none => {
                Some(m.slots.iter().map(|(p, k, _)| (*p, k.clone())).collect())
            }
            Sym::Seq(_)
            | Sym::Set(_)
            | Sym::Multiset(_)
            | Sym::Map(_)
            | Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Char(_)
            | Sym::Real(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Tuple(_)
            | Sym::Data(_)
            | Sym::Newtype(_)
            | Sym::OneOf(_)
            | Sym::Func(_)
            | Sym::Lazy(_)
            | Sym::Ref(_)
            | Sym::Any
            | Sym::Undef => None,
        }
    }

    /// Returns all values of a finite type in order; `None` if they are too many.
    pub(super) fn all_values(&mut self, ty: &Type, depth: u32) -> Option<Vec<Sym>> {
        // Nested types are enumerated to a bounded depth.
        if depth == 0 {
            return None;
        }
        let typed = self.typed();
        Some(match ty {
            Type::Bool => vec![Sym::Bool(self.t.ff), Sym::Bool(self.t.tt)],
            Type::Bv(0) => vec![Sym::Bv(self.t.int(0))],
            Type::Bv(w) if *w <= 8 => (0..1u32 << w)
                .map(|n| Sym::Bv(self.t.bv(*w, n.into())))
                .collect(),
            Type::Tuple(ts) => {
                let types: Vec<Type> = ts.iter().map(|(_, t)| t.clone()).collect();
                let rows = self.all_rows(&types, depth - 1)?;
                rows.into_iter().map(Sym::tuple).collect()
            }
            Type::Named { decl, args, .. } => {
                let subst = typed.substitution(*decl, args);
                match &typed[*decl].kind {
                    TypeDeclKind::Datatype { co: false, ctors } => {
                        let mut out = Vec::new();
                        for ctor in ctors {
                            let fields = typed[*ctor].fields.iter();
                            let types: Vec<Type> =
                                fields.map(|f| typed[*f].ty.subst(&subst)).collect();
                            let rows = self.all_rows(&types, depth - 1)?;
                            out.extend(rows.iter().map(|r| self.construct(*ctor, r)));
                        }
                        out
                    }
                    TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                        let (low, high) = c.range.as_ref()?;
                        return self.all_of_range(low, high, ty);
                    }
                    TypeDeclKind::Datatype { .. }
                    | TypeDeclKind::Abstract
                    | TypeDeclKind::Class
                    | TypeDeclKind::Trait { .. }
                    | TypeDeclKind::Iterator(_) => {
                        return None;
                    }
                }
            }
            Type::Bv(_)
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => return None,
        })
    }

    /// Returns all combinations of values of finite types; `None` if they are too many.
    fn all_rows(&mut self, types: &[Type], depth: u32) -> Option<Vec<Vec<Sym>>> {
        let mut rows = vec![Vec::new()];
        for ty in types {
            let values = self.all_values(ty, depth)?;
            rows = rows
                .iter()
                .flat_map(|r: &Vec<Sym>| {
                    values
                        .iter()
                        .map(move |v| r.iter().cloned().chain([v.clone()]).collect())
                })
                .collect();
            if rows.len() > MAX_VALUES {
                return None;
            }
        }
        Some(rows)
    }

    /// Returns the values of a constrained integer type between `low` and `high` (exclusive). The
    /// constraint has to be constant for every value, because the list has no conditions.
    fn all_of_range(&mut self, low: &BigInt, high: &BigInt, ty: &Type) -> Option<Vec<Sym>> {
        let count = (high - low).to_usize().filter(|n| *n <= MAX_VALUES)?;
        let mut out = Vec::new();
        for i in 0..count {
            let value = self.int(low + i);
            let ok = self.has_type(&value, ty);
            if ok == self.t.tt {
                out.push(value);
            } else if ok != self.t.ff {
                return None;
            }
        }
        Some(out)
    }

    /// Encodes `forall` or `exists`.
    pub(super) fn quantify(
        &mut self,
        forall: bool,
        q: &Quantified,
        body: &Expr,
        f: &mut Frame<'p>,
    ) -> Term {
        let mut result = self.t.bool(forall);
        let others = self.for_each_mentioned(q, f, &mut |s, f, cond| {
            // Execution stops at the first deciding candidate. Ill-formed conditions after it are
            // not evaluated.
            let undecided = if forall { result } else { s.t.not(result) };
            let holds = match s.mode {
                Mode::Cut => s.eval_bool(body, f),
                Mode::Havoc => s.under(undecided, |s| s.eval_bool(body, f)),
            };
            result = if forall {
                let ok = s.t.implies(cond, holds);
                s.t.and(result, ok)
            } else {
                let here = s.t.and(cond, holds);
                s.t.or(result, here)
            };
        });
        if others == self.t.ff {
            return result;
        }
        // The listed candidates may still decide the result.
        let unknown = self.t.fresh("any", Sort::Bool);
        if forall {
            let hold = self.t.implies(others, unknown);
            self.t.and(result, hold)
        } else {
            let one_does = self.t.and(others, unknown);
            self.t.or(result, one_does)
        }
    }

    /// Encodes that a condition has the value `sought`, for proofs that it never has: a quantifier
    /// whose witness decides, and whose candidates are not all listed, also gets an unconstrained
    /// witness. If the condition has the value for no witness, it has it for no candidate.
    pub(super) fn eval_sought(&mut self, e: &Expr, sought: bool, f: &mut Frame<'p>) -> Term {
        if self.mode == Mode::Havoc {
            if let ExprKind::Op(Op::Not, args) = &e.kind
                && let [inner] = args.as_slice()
            {
                return self.eval_sought(inner, !sought, f);
            }
            // Of two operands, the right one counts only where the left one does not decide.
            let operands = if let ExprKind::And(a, b) = &e.kind {
                sought.then_some((a, true, b))
            } else if let ExprKind::Or(a, b) = &e.kind {
                (!sought).then_some((a, false, b))
            } else if let ExprKind::Implies(a, b) = &e.kind {
                (!sought).then_some((a, true, b))
            } else {
                None
            };
            if let Some((left, value, right)) = operands {
                let p = self.eval_sought(left, value, f);
                if p == self.t.ff {
                    return p;
                }
                let q = self.under(p, |s| s.eval_sought(right, sought, f));
                return self.t.and(p, q);
            }
            if let ExprKind::Let(v, value, body) = &e.kind {
                let value = self.eval(value, f);
                f.set(*v, value);
                return self.eval_sought(body, sought, f);
            }
            if let ExprKind::Quantifier { forall, vars, body } = &e.kind
                && *forall != sought
            {
                return self.eval_witness(*forall, vars, body, f);
            }
        }
        let holds = self.eval_bool(e, f);
        if sought { holds } else { self.t.not(holds) }
    }

    /// Encodes that some candidate makes `exists` true, or `forall` false.
    fn eval_witness(
        &mut self,
        forall: bool,
        q: &Quantified,
        body: &Expr,
        f: &mut Frame<'p>,
    ) -> Term {
        let mut found = self.t.ff;
        let others = match &q.bounds {
            None => self.t.tt,
            Some(_) => self.for_each(q, f, &mut |s, f, cond| {
                let none = s.t.not(found);
                let here = s.under(none, |s| s.eval_sought(body, !forall, f));
                let here = s.t.and(cond, here);
                found = s.t.or(found, here);
            }),
        };
        if others == self.t.ff {
            return found;
        }
        let mut cond = others;
        let is_later = q.vars.iter().any(|v| f.is_named(*v, ir::LATER_STATE));
        if is_later && body.reads_state(self.typed()) {
            let unknown = self.t.fresh("any", Sort::Bool);
            let unknown = self.t.and(cond, unknown);
            return self.t.or(found, unknown);
        }
        // A condition in an unknown state excludes nothing.
        let typed = self.typed();
        let mut range = Vec::new();
        let mut conditions: Vec<&Expr> = q.range.as_deref().into_iter().collect();
        while let Some(e) = conditions.pop() {
            if let (true, ExprKind::And(a, b)) = (is_later, &e.kind) {
                conditions.extend([&**b, &**a]);
            } else if !is_later || !e.reads_state(typed) {
                range.push(e);
            }
        }
        for v in &q.vars {
            let value = match f.type_of(*v) {
                Some(ty) => {
                    let value = self.any(&ty);
                    let fits = self.is_in_type(&value, &ty);
                    cond = self.t.and(cond, fits);
                    value
                }
                None => Sym::Any,
            };
            f.set(*v, value);
        }
        // Ranges that the domain implies may be left out of `range`.
        for (v, domain) in q.bounds.iter().flatten() {
            let Domain::IntRange { low, high } = domain else {
                continue;
            };
            let value = f.get(*v).scalar();
            let mut end = |end: &Option<Box<Expr>>| {
                let end = end.as_ref()?;
                self.under(cond, |s| s.eval(end, f)).scalar()
            };
            let (low, high) = (end(low), end(high));
            let is_int = |t: &Term| self.t.sort(*t) == Sort::Int;
            let Some(value) = value.filter(is_int) else {
                continue;
            };
            let (low, high) = (low.filter(is_int), high.filter(is_int));
            if let Some(low) = low {
                let inside = self.t.le(low, value);
                cond = self.t.and(cond, inside);
            }
            if let Some(high) = high {
                let inside = self.t.lt(value, high);
                cond = self.t.and(cond, inside);
            }
        }
        for condition in range {
            let holds = self.under(cond, |s| s.eval_bool(condition, f));
            cond = self.t.and(cond, holds);
        }
        let holds = self.under(cond, |s| s.eval_sought(body, !forall, f));
        let here = self.t.and(cond, holds);
        self.t.or(found, here)
    }

    pub(super) fn set_comprehension(
        &mut self,
        q: &Quantified,
        term: &Expr,
        ty: &Type,
        f: &mut Frame<'p>,
    ) -> Sym {
        let mut set = SymSet {
            slots: Vec::new(),
            more: self.t.ff,
        };
        // Elements beyond the enumerated candidates make the set unknown.
        let others = self.for_each(q, f, &mut |s, f, cond| {
            let x = s.eval(term, f);
            s.insert(&mut set, cond, &x);
        });
        if others == self.t.ff {
            Sym::Set(Rc::new(set))
        } else {
            self.any(ty)
        }
    }

    pub(super) fn map_comprehension(
        &mut self,
        q: &Quantified,
        key: &Expr,
        value: &Expr,
        ty: &Type,
        f: &mut Frame<'p>,
    ) -> Sym {
        let mut map = SymMap {
            slots: Vec::new(),
            more: self.t.ff,
        };
        let others = self.for_each(q, f, &mut |s, f, cond| {
            let (k, v) = (s.eval(key, f), s.eval(value, f));
            map = s.map_put(&map, cond, &k, &v);
        });
        if others == self.t.ff {
            Sym::Map(Rc::new(map))
        } else {
            self.any(ty)
        }
    }

    /// Assigns the variables the candidate of the rule for choices. Returns the condition that
    /// there is one.
    pub(super) fn choose(&mut self, q: &Quantified, at: Span, f: &mut Frame<'p>) -> Term {
        let open = self.path.guard;
        let is_free = self.is_free(open);
        let mut found = self.t.ff;
        let mut chosen: Vec<Sym> = vec![Sym::Undef; q.vars.len()];
        let mut scratch = f.clone();
        // A proof must not rest on the rule: there, any fitting value may be chosen.
        let complete = !is_free
            && self.for_each(q, &mut scratch, &mut |s, f, cond| {
                // The rule takes the least value of a single variable, otherwise the first
                // candidate in the order of the loops.
                let better = match (q.vars.as_slice(), chosen.as_slice()) {
                    ([v], [best]) => s.is_less(&f.get(*v), best),
                    _ => s.t.ff,
                };
                let first = s.t.not(found);
                let take = s.t.or(first, better);
                let take = s.t.and(cond, take);
                for (slot, v) in chosen.iter_mut().zip(&q.vars) {
                    *slot = s.merge(take, &f.get(*v), slot);
                }
                found = s.t.or(found, cond);
            }) == self.t.ff;
        // With a free choice, the variables are arbitrary values in range.
        if !complete {
            for (slot, v) in chosen.iter_mut().zip(&q.vars) {
                let ty = f.type_of(*v);
                *slot = match ty {
                    Some(ty) => self.any(&ty),
                    None => Sym::Any,
                };
            }
            for (slot, v) in chosen.iter().zip(&q.vars) {
                f.set(*v, slot.clone());
            }
            if is_free {
                let pc = self.t.tt;
                self.note(Opening::At(at), pc, Taken::Values(chosen));
            }
            let range = match &q.range {
                Some(range) => self.eval_bool(range, f),
                None => self.t.tt,
            };
            return range;
        }
        for (slot, v) in chosen.into_iter().zip(&q.vars) {
            f.set(*v, slot);
        }
        found
    }

    /// Returns the order of integers and characters. Other values are unordered, so that the first
    /// candidate stays.
    fn is_less(&mut self, a: &Sym, b: &Sym) -> Term {
        match (a, b) {
            (Sym::Int(x), Sym::Int(y)) | (Sym::Char(x), Sym::Char(y)) => self.t.lt(*x, *y),
            (_, _) => self.t.ff,
        }
    }
}
