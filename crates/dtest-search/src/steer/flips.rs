//! Changes of inputs after which a comparison may have the other result.
//!
//! [`Flipper::flips`] lists them for one comparison. An operand need not be an input itself: it may
//! be the length of one, a part of it, the number that some of its bytes encode, or its text as
//! bytes. Whether a change works is decided by executing the changed inputs.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::sites::Site;
use dafny_resolve::typed::{CtorId, Program, Type, TypeDeclKind};
use dtest_interp::{Comparison, Relation};
use dtest_ir as ir;
use dtest_value::{Value, rows};

/// Maximum number of changes for one comparison, and of sites with equal values that change alone.
const MAX_CHANGES: usize = 28;
const MAX_ALONE: usize = 3;
/// Maximum number of sites whose numbers or lengths change by the difference of the operands.
const MAX_SHIFTED: usize = 6;
/// Maximum length of a sequence whose new elements differ.
const MAX_VARIED: usize = 64;
/// Maximum length of a sequence that is extended.
const MAX_LENGTH: usize = 140_000;
/// Numbers of bytes in which lengths are encoded.
const WIDTHS: [usize; 3] = [2, 4, 8];
/// Nesting to which equal constructors are compared part by part.
const MAX_DEPTH: u32 = 3;
/// Maximum number of values of one constructor.
const MAX_OF_CONSTRUCTOR: usize = 3;
/// Maximum number of members that are added at once, and a smaller number.
const MAX_RUN: usize = 64;
const SHORT_RUN: usize = 8;
/// Maximum number of members that replace a value which is to be one of them.
const MAX_MEMBERS: usize = 3;

/// Replacements of sites by their numbers.
pub(super) type Change = Vec<(usize, Value)>;

/// Values that cannot be derived from the operands.
pub(super) trait Values {
    /// The program that declares the types.
    fn program(&self) -> &ir::Program;
    /// A few small values of a type.
    fn small(&mut self, ty: &Type) -> Vec<Value>;
    /// One small value of a type, not always the same.
    fn any(&mut self, ty: &Type) -> Option<Value>;
    /// Whether a value without references may be one of a type.
    fn may_have_type(&self, value: &Value, ty: &Type) -> bool;

    /// Values of a datatype that this constructor creates.
    fn of_constructor(&mut self, ty: &Type, ctor: CtorId) -> Vec<Value> {
        match constructors(&self.program().typed, ty).contains(&ctor) {
            true => made(self, ty, ctor, MAX_OF_CONSTRUCTOR),
            false => Vec::new(),
        }
    }

    /// A value of each constructor of a datatype but this one.
    fn of_others(&mut self, ty: &Type, ctor: CtorId) -> Vec<Value> {
        let others = constructors(&self.program().typed, ty).into_iter();
        let one = |c: CtorId| made(self, ty, c, 1).into_iter().next();
        others.filter(|c| *c != ctor).filter_map(one).collect()
    }
}

/// Values of one constructor.
fn made<V: Values + ?Sized>(values: &mut V, ty: &Type, ctor: CtorId, most: usize) -> Vec<Value> {
    let typed = &values.program().typed;
    let Type::Named { decl, args, .. } = typed.representation(ty) else {
        return Vec::new();
    };
    let subst = typed.substitution(decl, &args);
    let fields = typed[ctor].fields.iter();
    let types: Vec<Type> = fields.map(|f| typed[*f].ty.subst(&subst)).collect();
    let columns: Vec<Vec<Value>> = types.iter().map(|ty| values.small(ty)).collect();
    let rows = rows(&columns).into_iter().take(most);
    rows.map(|row| Value::datatype(ctor, row)).collect()
}

/// The compiled constructors of a datatype.
fn constructors(typed: &Program, ty: &Type) -> Vec<CtorId> {
    if let Type::Named { decl, .. } = typed.representation(ty)
        && matches!(typed[decl].kind, TypeDeclKind::Datatype { co: false, .. })
    {
        let all = ir::ctors_of(typed, decl).iter().copied();
        all.filter(|c| !typed[*c].ghost).collect()
    } else {
        Vec::new()
    }
}

/// Finds changes of the inputs that have these sites.
pub(super) struct Flipper<'a, V> {
    pub(super) program: &'a Program,
    pub(super) sites: &'a [Site],
    pub(super) values: V,
    changes: Vec<Change>,
}

impl<'a, V: Values> Flipper<'a, V> {
    pub(super) fn new(program: &'a Program, sites: &'a [Site], values: V) -> Self {
        Self {
            program,
            sites,
            values,
            changes: Vec::new(),
        }
    }

    /// Changes after which a comparison may have the other result, the most promising first.
    pub(super) fn flips(mut self, comparison: &Comparison) -> Vec<Change> {
        let Comparison {
            relation,
            left,
            right,
            holds,
            ..
        } = comparison;
        match relation {
            Relation::Equal if *holds => self.separate(left),
            Relation::Equal => self.equate(left, right, 0),
            Relation::Less => {
                if !holds {
                    self.keep_ordered(left, right, 1);
                }
                // To become greater or equal, or less.
                let by = i32::from(!holds);
                self.order(left, right, -by, by);
            }
            Relation::AtMost => {
                if !holds {
                    self.keep_ordered(left, right, 0);
                }
                let by = i32::from(*holds);
                self.order(left, right, by, -by);
            }
            Relation::Member if *holds => self.remove(left, right),
            Relation::Member => self.insert(left, right),
            Relation::Included if *holds => self.exceed(left, right),
            Relation::Included => self.include(left, right),
            Relation::Constructor(ctor) => self.reconstruct(left, *ctor, *holds),
        }
        self.changes.truncate(MAX_CHANGES);
        self.changes
    }

    fn equal_to(&self, value: &Value) -> Vec<usize> {
        let all = self.sites.iter().enumerate();
        all.filter(|(_, s)| s.value == *value)
            .map(|(i, _)| i)
            .collect()
    }

    fn push(&mut self, change: Change) {
        let fits = |(i, v): &(usize, Value)| self.sites.get(*i).is_some_and(|s| self.may_be(v, s));
        if !change.is_empty() && change.iter().all(fits) && !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    /// Whether a value may be one of a site: empty collections of all types are equal, others are
    /// not exchanged.
    fn may_be(&self, value: &Value, site: &Site) -> bool {
        let (Value::Seq(xs), Type::Seq(elem)) = (value, self.program.representation(&site.ty))
        else {
            return std::mem::discriminant(value) == std::mem::discriminant(&site.value);
        };
        let is_text = self.program.representation(&elem) == Type::Char;
        xs.first()
            .is_none_or(|x| matches!(x, Value::Char(_)) == is_text)
    }

    /// Replaces a value: everywhere, then at a few sites alone.
    fn replace(&mut self, old: &Value, new: &Value) {
        if old == new {
            return;
        }
        let fits = |i: &usize| self.sites.get(*i).is_some_and(|s| self.may_be(new, s));
        let at: Vec<usize> = self.equal_to(old).into_iter().filter(fits).collect();
        if at.len() > 1 {
            self.push(at.iter().map(|i| (*i, new.clone())).collect());
        }
        // A quantifier over a collection compares its elements one by one.
        self.change_alike(old, |_, _| Some(new.clone()));
        self.replace_key(old, new);
        // Results of external code come last, the latest of them at the end.
        let last = at.iter().skip(MAX_ALONE).next_back();
        for i in at.iter().take(MAX_ALONE).chain(last) {
            self.push(vec![(*i, new.clone())]);
        }
    }

    /// Replaces or removes a key of a map, or an element of a set, in the first collections that have
    /// it.
    fn replace_key(&mut self, old: &Value, new: &Value) {
        let mut changed = 0;
        for i in 0..self.sites.len() {
            let Some(site) = self.sites.get(i).filter(|_| changed < MAX_ALONE) else {
                return;
            };
            let replaced = if let Value::Set(xs) = &site.value
                && xs.contains(old)
            {
                let others = xs.iter().filter(|x| *x != old);
                Value::set(others.chain([new]).cloned())
            } else if let Value::Map(pairs) = &site.value
                && let Some(value) = pairs.get(old)
            {
                let others = pairs.iter().filter(|(k, _)| *k != old && *k != new);
                let others = others.map(|(k, v)| (k.clone(), v.clone()));
                Value::map(others.chain([(new.clone(), value.clone())]))
            } else {
                continue;
            };
            changed += 1;
            let removed = without(&site.value, old);
            self.push(removed.into_iter().map(|removed| (i, removed)).collect());
            if std::mem::discriminant(old) == std::mem::discriminant(new) {
                self.push(vec![(i, replaced)]);
            }
        }
    }

    /// Changes all elements of a collection that are equal to a value, for the first collections
    /// that have several of them.
    fn change_alike(&mut self, old: &Value, new: impl Fn(&mut Self, &Type) -> Option<Value>) {
        let mut changed = 0;
        for i in 0..self.sites.len() {
            let Some(site) = self.sites.get(i).filter(|_| changed < MAX_ALONE) else {
                return;
            };
            let (count, elem) = match (&site.value, self.program.representation(&site.ty)) {
                (Value::Seq(xs), Type::Seq(elem)) if xs.len() <= MAX_VARIED => {
                    (xs.iter().filter(|x| *x == old).count(), elem)
                }
                (Value::Map(pairs), Type::Map { value, .. }) if pairs.len() <= MAX_VARIED => {
                    (pairs.values().filter(|x| *x == old).count(), value)
                }
                (_, _) => continue,
            };
            if count < 2 {
                continue;
            }
            let Some(new) = new(self, &elem) else {
                continue;
            };
            let other = |x: &Value| if x == old { new.clone() } else { x.clone() };
            let all = if let Value::Seq(xs) = &site.value {
                Value::seq(xs.iter().map(other))
            } else if let Value::Map(pairs) = &site.value {
                Value::map(pairs.iter().map(|(k, v)| (k.clone(), other(v))))
            } else {
                continue;
            };
            changed += 1;
            self.push(vec![(i, all)]);
        }
    }

    fn equate(&mut self, left: &Value, right: &Value, depth: u32) {
        self.replace(left, right);
        self.replace(right, left);
        match (left, right) {
            (Value::Int(a), Value::Int(b)) => {
                self.number(a, b);
                self.number(b, a);
                self.splice(std::slice::from_ref(left), std::slice::from_ref(right));
            }
            (Value::Char(_), Value::Char(_)) => {
                self.splice(std::slice::from_ref(left), std::slice::from_ref(right));
                self.splice(std::slice::from_ref(right), std::slice::from_ref(left));
            }
            (Value::Seq(a), Value::Seq(b)) => {
                self.splice(a, b);
                self.splice(b, a);
                self.transcribe(a, b);
                self.transcribe(b, a);
                // Equal lengths come before equal elements.
                if a.len() != b.len() {
                    self.resize(a.len(), b.len());
                    self.resize(b.len(), a.len());
                }
            }
            (Value::Datatype(a), Value::Datatype(b)) if a.ctor == b.ctor && depth < MAX_DEPTH => {
                let pairs = a.args.iter().zip(&b.args);
                for (x, y) in pairs.filter(|(x, y)| x != y) {
                    self.equate(x, y, depth + 1);
                }
            }
            (_, _) => {}
        }
    }

    /// Makes equal values different.
    fn separate(&mut self, value: &Value) {
        if let Value::Int(n) = value {
            self.number(n, &(n + 1));
            self.number(n, &(n - 1));
        }
        for i in self.equal_to(value).into_iter().take(MAX_ALONE) {
            let Some(site) = self.sites.get(i) else {
                continue;
            };
            // Many conditions fix the length of a sequence.
            for at in ends(value) {
                let other = self.with_other_element(value, &site.ty, at);
                self.push(other.into_iter().map(|other| (i, other)).collect());
            }
            let other = if let Value::Seq(xs) = value
                && !xs.is_empty()
            {
                Some(Value::seq(xs.iter().skip(1).cloned()))
            } else if let Value::Bool(b) = value {
                Some(Value::Bool(!b))
            } else {
                self.values.any(&site.ty)
            };
            if let Some(other) = other.filter(|other| other != value) {
                self.push(vec![(i, other)]);
            }
        }
    }

    /// A sequence with another element at a position.
    fn with_other_element(&mut self, value: &Value, ty: &Type, at: usize) -> Option<Value> {
        let (Value::Seq(xs), Type::Seq(elem)) = (value, self.program.representation(ty)) else {
            return None;
        };
        let old = xs.get(at)?;
        let small = self.values.small(&elem);
        let new = small.iter().find(|new| *new != old)?;
        let all = xs.iter().enumerate();
        Some(Value::seq(
            all.map(|(i, x)| if i == at { new.clone() } else { x.clone() }),
        ))
    }

    /// Moves the operands of a comparison of numbers: the left one to the right one plus `left_by`,
    /// or the right one to the left one plus `right_by`.
    fn order(&mut self, left: &Value, right: &Value, left_by: i32, right_by: i32) {
        match (left, right) {
            (Value::Int(a), Value::Int(b)) => {
                self.number(a, &(b + left_by));
                self.number(b, &(a + right_by));
            }
            (Value::Char(a), Value::Char(b)) => {
                let near = |c: u32, by: i32| c.checked_add_signed(by).map(Value::Char);
                if let Some(new) = near(*b, left_by) {
                    self.replace(left, &new);
                }
                if let Some(new) = near(*a, right_by) {
                    self.replace(right, &new);
                }
            }
            (Value::Real(a), Value::Real(b)) => {
                let by = |n: i32| num_rational::BigRational::from_integer(n.into());
                self.replace(left, &Value::Real(b + by(left_by)));
                self.replace(right, &Value::Real(a + by(right_by)));
            }
            (_, _) => {}
        }
    }

    /// Removes the keys and elements for which a comparison of numbers does not hold, where one of the
    /// operands is a key or an element: the left operand is to be less by at least `by`.
    fn keep_ordered(&mut self, left: &Value, right: &Value, by: i32) {
        let (Value::Int(a), Value::Int(b)) = (left, right) else {
            return;
        };
        let (least, most) = (a + by, b - by);
        let is_large = |x: &Value| matches!(x, Value::Int(n) if *n >= least);
        let is_small = |x: &Value| matches!(x, Value::Int(n) if *n <= most);
        for i in 0..self.sites.len() {
            let Some(site) = self.sites.get(i) else {
                return;
            };
            let of_right = kept(&site.value, right, &is_large);
            let of_left = kept(&site.value, left, &is_small);
            for new in of_right.into_iter().chain(of_left) {
                self.push(vec![(i, new)]);
            }
        }
    }

    /// Changes a number, or that of which it is the length or the encoding.
    fn number(&mut self, from: &BigInt, to: &BigInt) {
        if from == to {
            return;
        }
        self.replace(&Value::Int(from.clone()), &Value::Int(to.clone()));
        if let (Some(from), Some(to)) = (from.to_usize(), to.to_usize()) {
            self.resize(from, to);
            self.reencode(from, to);
        }
        // The operand may be a sum or a difference of what the inputs hold.
        let by = to - from;
        let mut shifted = 0;
        for i in 0..self.sites.len() {
            let Some(site) = self.sites.get(i).filter(|_| shifted < MAX_SHIFTED) else {
                break;
            };
            let new = if let Value::Int(n) = &site.value
                && n != from
            {
                Some(Value::Int(n + &by))
            } else if let Value::Seq(xs) = &site.value
                && BigInt::from(xs.len()) != *from
            {
                (xs.len() + &by).to_usize().and_then(|n| self.resized(i, n))
            } else {
                None
            };
            if let Some(new) = new {
                shifted += 1;
                self.push(vec![(i, new)]);
            }
        }
    }

    /// Changes the length of sequences of a length, and the size of maps and sets that become
    /// smaller.
    fn resize(&mut self, from: usize, to: usize) {
        let is_of_size = |v: &Value| size(v) == Some(from);
        let at: Vec<usize> = (0..self.sites.len())
            .filter(|i| self.sites.get(*i).is_some_and(|s| is_of_size(&s.value)))
            .take(2 * MAX_ALONE)
            .collect();
        let new = |i: usize| Some((i, self.resized(i, to)?));
        let new: Change = at.into_iter().filter_map(new).collect();
        // Conditions often ask for equal lengths, so that those of one type change together first.
        let ty = |i: &usize| Some(self.program.representation(&self.sites.get(*i)?.ty));
        for (first, _) in &new {
            let alike = new.iter().filter(|(i, _)| ty(i) == ty(first));
            let together: Change = alike.cloned().collect();
            if together.len() > 1 {
                self.push(together);
            }
        }
        self.resize_elements(from, to);
        for one in new {
            self.push(vec![one]);
        }
    }

    /// Changes the length of all elements of collections that have the same element of a length
    /// several times.
    fn resize_elements(&mut self, from: usize, to: usize) {
        let mut olds: Vec<Value> = Vec::new();
        for site in self.sites {
            let first = if let Value::Seq(xs) = &site.value {
                xs.iter().find(|x| size(x) == Some(from))
            } else if let Value::Map(pairs) = &site.value {
                pairs.values().find(|x| size(x) == Some(from))
            } else {
                None
            };
            let is_new = |old: &&Value| !olds.contains(*old);
            olds.extend(first.filter(is_new).cloned());
        }
        for old in olds.into_iter().take(MAX_ALONE) {
            // Equal elements, since a test has all of these sequences.
            self.change_alike(&old, |flipper, ty| flipper.resized_value(&old, ty, to, 1));
        }
    }

    /// The collection at a site with another number of elements.
    fn resized(&mut self, at: usize, length: usize) -> Option<Value> {
        let site = self.sites.get(at)?;
        self.resized_value(&site.value, &site.ty, length, MAX_VARIED)
    }

    /// A collection of a type with another number of elements. The new elements of a sequence differ
    /// up to a length.
    fn resized_value(
        &mut self,
        value: &Value,
        ty: &Type,
        length: usize,
        varied: usize,
    ) -> Option<Value> {
        if length > MAX_LENGTH {
            return None;
        }
        Some(match (value, self.program.representation(ty)) {
            (Value::Seq(xs), Type::Seq(elem)) => {
                let mut all: Vec<Value> = xs.iter().take(length).cloned().collect();
                // Different elements show which of them are compared.
                while all.len() < length.min(varied) {
                    all.push(self.values.any(&elem)?);
                }
                if let Some(fill) = all.last() {
                    all.extend(dtest_value::repeated(fill, length - all.len())?);
                }
                Value::seq(all)
            }
            (Value::Set(xs), Type::Set { elem, .. }) => {
                let mut all: Vec<Value> = xs.iter().take(length).cloned().collect();
                self.fill(&mut all, length, &elem);
                Value::set(all)
            }
            (Value::Map(xs), Type::Map { key, value, .. }) => {
                let mut keys: Vec<Value> = xs.keys().take(length).cloned().collect();
                self.fill(&mut keys, length, &key);
                let fill = match xs.values().next() {
                    Some(first) => first.clone(),
                    None => self.values.any(&value)?,
                };
                let of = |k: Value| (xs.get(&k).cloned().unwrap_or_else(|| fill.clone()), k);
                Value::map(keys.into_iter().map(of).map(|(v, k)| (k, v)))
            }
            (_, _) => return None,
        })
    }

    /// Adds different values of a type.
    fn fill(&mut self, all: &mut Vec<Value>, length: usize, ty: &Type) {
        for _ in 0..4 * length.min(MAX_SHIFTED) {
            if all.len() >= length {
                return;
            }
            let new = self.values.any(ty).filter(|v| !all.contains(v));
            all.extend(new);
        }
    }

    /// Changes a number that some bytes encode.
    fn reencode(&mut self, from: usize, to: usize) {
        for width in WIDTHS {
            let (Some(old), Some(new)) = (bytes(from, width), bytes(to, width)) else {
                continue;
            };
            self.splice(&old, &new);
            // Some formats have the least significant byte first.
            let reversed = |xs: &[Value]| -> Vec<Value> { xs.iter().rev().cloned().collect() };
            self.splice(&reversed(&old), &reversed(&new));
        }
    }

    /// Exchanges a part of a sequence for another one.
    fn splice(&mut self, old: &[Value], new: &[Value]) {
        let mut found = 0;
        for i in 0..self.sites.len() {
            for spliced in self.spliced(i, old, new) {
                if found < 2 * MAX_ALONE {
                    found += 1;
                    self.push(vec![(i, spliced)]);
                }
            }
        }
    }

    /// The sequence at a site with an occurrence of a part exchanged for another one: one of the
    /// first, or the last.
    fn spliced(&self, at: usize, old: &[Value], new: &[Value]) -> Vec<Value> {
        let Some(Value::Seq(xs)) = self.sites.get(at).map(|s| &s.value) else {
            return Vec::new();
        };
        let fits = |new: &[Value]| {
            let kind = |v: &Value| std::mem::discriminant(v);
            xs.first()
                .zip(new.first())
                .is_none_or(|(a, b)| kind(a) == kind(b))
        };
        if old.len() >= xs.len() || !fits(new) {
            return Vec::new();
        }
        let mut places: Vec<usize> = match old.is_empty() {
            true => vec![0, xs.len()],
            false => {
                let windows = xs.windows(old.len()).enumerate();
                windows.filter(|(_, w)| *w == old).map(|(i, _)| i).collect()
            }
        };
        if let Some(last) = places.pop() {
            places.truncate(MAX_ALONE - 1);
            places.push(last);
        }
        let spliced = |from: usize| {
            let (before, rest) = xs.split_at_checked(from)?;
            let after = rest.get(old.len()..)?;
            Some(Value::seq(before.iter().chain(new).chain(after).cloned()))
        };
        places.into_iter().filter_map(spliced).collect()
    }

    /// Exchanges a text of which the operand has the codes.
    fn transcribe(&mut self, old: &[Value], new: &[Value]) {
        let (Some(old), Some(new)) = (recoded(old), recoded(new)) else {
            return;
        };
        self.replace(&Value::seq(old), &Value::seq(new));
    }

    /// Adds a member to a collection, or replaces a value by a member.
    fn insert(&mut self, member: &Value, collection: &Value) {
        for i in 0..self.sites.len() {
            let Some(site) = self.sites.get(i) else {
                return;
            };
            let is_of_keys = matches!((&site.value, collection), (Value::Map(pairs), Value::Set(keys))
                if pairs.len() == keys.len() && pairs.keys().all(|k| keys.contains(k)));
            if site.value != *collection && !is_of_keys {
                continue;
            }
            let ty = self.program.representation(&site.ty);
            let new = match (&site.value, ty) {
                (Value::Seq(xs), _) => Some(Value::seq(xs.iter().chain([member]).cloned())),
                (Value::Set(xs), _) => Some(Value::set(xs.iter().chain([member]).cloned())),
                (Value::Map(pairs), Type::Map { value: ty, .. }) => {
                    let known = pairs.values().next().cloned();
                    known.or_else(|| self.value_like(&ty)).map(|value| {
                        let pairs = pairs.iter().map(|(k, v)| (k.clone(), v.clone()));
                        Value::map(pairs.chain([(member.clone(), value)]))
                    })
                }
                (_, _) => None,
            };
            if let Some(new) = new {
                self.push(vec![(i, new)]);
            }
            self.insert_run(i, member);
        }
        let members: Vec<Value> = first_members(collection);
        for new in members {
            self.replace(member, &new);
            if let (Value::Seq(old), Value::Seq(new)) = (member, &new) {
                self.transcribe(old, new);
            }
        }
    }

    /// Adds a number and those that follow it to a set, or as keys to a map: conditions often ask for
    /// every number of a range, or of a type.
    fn insert_run(&mut self, at: usize, first: &Value) {
        let (Some(site), Value::Int(first)) = (self.sites.get(at), first) else {
            return;
        };
        let ty = self.program.representation(&site.ty);
        let (key, value) = if let Type::Map { key, value, .. } = ty {
            (key, Some(value))
        } else if let Type::Set { elem, .. } = ty {
            (elem, None)
        } else {
            return;
        };
        let numbers = (0..MAX_RUN).map(|i| Value::Int(first + i));
        let run: Vec<Value> = numbers
            .take_while(|n| self.values.may_have_type(n, &key))
            .collect();
        for count in [run.len(), SHORT_RUN.min(run.len())] {
            let new = run.iter().take(count);
            let all = match (&site.value, &value) {
                (Value::Set(xs), _) => Some(Value::set(xs.iter().chain(new).cloned())),
                (Value::Map(pairs), Some(ty)) => {
                    let known = pairs.values().next().cloned();
                    known.or_else(|| self.value_like(ty)).map(|value| {
                        let old = pairs.iter().map(|(k, v)| (k.clone(), v.clone()));
                        let new = new.filter(|k| !pairs.contains_key(*k));
                        Value::map(old.chain(new.map(|k| (k.clone(), value.clone()))))
                    })
                }
                (_, _) => None,
            };
            if let Some(all) = all.filter(|_| count > 1) {
                self.push(vec![(at, all)]);
            }
        }
    }

    /// A value of a type that the inputs hold, or a small one.
    fn value_like(&mut self, ty: &Type) -> Option<Value> {
        let rep = self.program.representation(ty);
        let is_like = |s: &&Site| self.program.representation(&s.ty) == rep;
        let known = self.sites.iter().find(is_like).map(|s| s.value.clone());
        known.or_else(|| self.values.any(ty))
    }

    /// Removes a member from a collection, or replaces the value by another one.
    fn remove(&mut self, member: &Value, collection: &Value) {
        for i in self.equal_to(collection).into_iter().take(MAX_ALONE) {
            let Some(site) = self.sites.get(i) else {
                continue;
            };
            if let Some(new) = without(&site.value, member) {
                self.push(vec![(i, new)]);
            }
        }
        self.separate(member);
    }

    /// Makes a set a subset of another one, or a sequence a prefix.
    fn include(&mut self, left: &Value, right: &Value) {
        match (left, right) {
            (Value::Set(a), Value::Set(b)) => {
                let all = Value::set(a.iter().chain(b.iter()).cloned());
                let both = Value::set(a.iter().filter(|x| b.contains(*x)).cloned());
                self.replace(right, &all);
                self.replace(left, &both);
                // A set of keys is that of a map.
                for missing in a.iter().filter(|x| !b.contains(*x)).take(MAX_MEMBERS) {
                    self.insert(missing, right);
                }
            }
            (Value::Seq(a), Value::Seq(b)) => {
                let rest = b.iter().skip(a.len());
                self.replace(right, &Value::seq(a.iter().chain(rest).cloned()));
                self.replace(right, &Value::seq(a.iter().chain(b.iter()).cloned()));
                self.replace(left, &Value::seq(b.iter().take(a.len()).cloned()));
                self.transcribe(b, a);
            }
            (_, _) => {}
        }
    }

    /// Makes a set no subset of another one, or a sequence no prefix.
    fn exceed(&mut self, left: &Value, right: &Value) {
        match (left, right) {
            (Value::Set(a), Value::Set(b)) => {
                for x in a.iter().take(MAX_MEMBERS) {
                    let fewer = Value::set(b.iter().filter(|y| *y != x).cloned());
                    self.replace(right, &fewer);
                }
                let more = b.iter().find(|x| !a.contains(*x));
                if let Some(more) = more {
                    self.replace(left, &Value::set(a.iter().chain([more]).cloned()));
                }
            }
            (Value::Seq(_), Value::Seq(b)) => {
                self.replace(right, &Value::seq(b.iter().skip(1).cloned()));
                self.separate(left);
            }
            (_, _) => {}
        }
    }

    /// Replaces a value by one of a constructor, or by one of the other constructors.
    fn reconstruct(&mut self, value: &Value, ctor: CtorId, holds: bool) {
        for i in self.equal_to(value).into_iter().take(2 * MAX_ALONE) {
            let Some(site) = self.sites.get(i) else {
                continue;
            };
            let new = match holds {
                true => self.values.of_others(&site.ty, ctor),
                false => self.values.of_constructor(&site.ty, ctor),
            };
            for value in new {
                self.push(vec![(i, value)]);
            }
        }
    }
}

/// The first and the last position in a sequence.
fn ends(value: &Value) -> Vec<usize> {
    let Value::Seq(xs) = value else {
        return Vec::new();
    };
    match xs.len() {
        0 => Vec::new(),
        1 => vec![0],
        n => vec![0, n - 1],
    }
}

/// The keys of a map with their values, or the elements of a set, that satisfy a condition. `None`
/// if `member` is none of them.
fn kept(collection: &Value, member: &Value, is_kept: &dyn Fn(&Value) -> bool) -> Option<Value> {
    if let Value::Set(xs) = collection
        && xs.contains(member)
    {
        Some(Value::set(xs.iter().filter(|x| is_kept(x)).cloned()))
    } else if let Value::Map(pairs) = collection
        && pairs.contains_key(member)
    {
        let all = pairs.iter().filter(|(k, _)| is_kept(k));
        Some(Value::map(all.map(|(k, v)| (k.clone(), v.clone()))))
    } else {
        None
    }
}

/// The number of elements of a collection.
fn size(value: &Value) -> Option<usize> {
    if let Value::Seq(xs) = value {
        Some(xs.len())
    } else if let Value::Set(xs) = value {
        Some(xs.len())
    } else if let Value::Map(pairs) = value {
        Some(pairs.len())
    } else {
        None
    }
}

/// The first elements of a collection, or the first keys.
fn first_members(collection: &Value) -> Vec<Value> {
    if let Value::Seq(xs) = collection {
        xs.iter().take(MAX_MEMBERS).cloned().collect()
    } else if let Value::Set(xs) = collection {
        xs.iter().take(MAX_MEMBERS).cloned().collect()
    } else if let Value::Map(pairs) = collection {
        pairs.keys().take(MAX_MEMBERS).cloned().collect()
    } else {
        Vec::new()
    }
}

/// A collection without an element or key.
fn without(collection: &Value, member: &Value) -> Option<Value> {
    if let Value::Seq(xs) = collection {
        Some(Value::seq(xs.iter().filter(|x| *x != member).cloned()))
    } else if let Value::Set(xs) = collection {
        Some(Value::set(xs.iter().filter(|x| *x != member).cloned()))
    } else if let Value::Map(pairs) = collection {
        let others = pairs.iter().filter(|(k, _)| *k != member);
        Some(Value::map(others.map(|(k, v)| (k.clone(), v.clone()))))
    } else {
        None
    }
}

/// The bytes of a number, the most significant one first. `None` if there are too few.
fn bytes(n: usize, width: usize) -> Option<Vec<Value>> {
    let all = (n as u64).to_be_bytes();
    let (zeros, rest) = all.split_at_checked(all.len().checked_sub(width)?)?;
    let fits = zeros.iter().all(|b| *b == 0);
    fits.then(|| rest.iter().map(|b| Value::int(*b)).collect())
}

/// The characters with these codes, or the codes of these characters, if all of them are ASCII.
fn recoded(xs: &[Value]) -> Option<Vec<Value>> {
    let other = |x: &Value| {
        if let Value::Int(n) = x {
            n.to_u32().filter(|c| *c < 128).map(Value::Char)
        } else if let Value::Char(c) = x {
            (*c < 128).then(|| Value::int(*c))
        } else {
            None
        }
    };
    xs.iter().map(other).collect()
}
