//! Converts values to readable Rust expressions; objects become variables of the test.
//!
//! [`Values::value`] writes values; [`functions`] has functions, and [`objects`] creates objects:
//! by the calls of a `Construction`, or field by field. The hard part is sharing: an object or
//! function has one variable, and a field that refers to an object under construction is assigned
//! later.

mod functions;
mod objects;

use num_bigint::{BigInt, BigUint};

use crate::rust::{self, Argument, Ident, MacroName, Stmts, expr, ident, path, without_raw};
use crate::suite::functions::Keys;
use crate::suite::mock::Mocking;
use crate::translation::body::Body;
use crate::translation::code::{self, Code, number};
use crate::translation::convention::{Scope, Translated};
use crate::translation::literal;
use crate::translation::names::snake_case;
use crate::translation::rep::Rep;
use dafny_resolve::typed::{Span, Type};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{FunctionValue, Heap, ObjectId, Thunk, Value};

/// Maximum number of parts of all values of a test.
const MAX_PARTS: usize = 4_096;
/// Maximum number of occurrences of an element of a multiset.
const MAX_COUNT: u32 = 10_000;
/// Minimum number of equal consecutive elements that are written as `seq![x; 8]`.
const RUN: usize = 8;

/// Writes values; objects of the heap become variables.
pub(super) struct Values<'s, 'g, 'p> {
    pub(super) scope: &'s Scope<'g, 'p>,
    heap: &'s Heap,
    /// Objects that have a variable.
    objects: SortedMap<ObjectId, Ident>,
    /// The statements that create the objects.
    lets: Stmts,
    /// Objects under construction, to detect cycles.
    making: Vec<ObjectId>,
    /// Fields that refer to an object under construction; they are assigned when it exists.
    later: Vec<(rust::Expr, Value, Type)>,
    /// Objects whose statements were taken.
    made: SortedSet<ObjectId>,
    /// The names of variables.
    taken: SortedSet<String>,
    /// Objects that are created without a call of a constructor.
    pub(super) by_fields: Vec<Ident>,
    /// The role of the next object for its owner: `next_of_node0`.
    role: Option<String>,
    /// The context for mocks; without it there are none.
    pub(super) mocks: Option<Mocking<'s>>,
    /// The number of parts written.
    parts: usize,
    /// Functions that tables compare their arguments with.
    pub(super) keys: Keys,
    /// The variables of these functions, with their types.
    functions: Vec<(FunctionValue, Type, Ident)>,
}

impl<'s, 'g, 'p> Values<'s, 'g, 'p> {
    pub(super) fn new(scope: &'s Scope<'g, 'p>, heap: &'s Heap) -> Self {
        Self {
            scope,
            heap,
            objects: SortedMap::new(),
            lets: Stmts::new(),
            making: Vec::new(),
            later: Vec::new(),
            made: SortedSet::new(),
            taken: SortedSet::new(),
            by_fields: Vec::new(),
            role: None,
            mocks: None,
            parts: 0,
            keys: Keys::default(),
            functions: Vec::new(),
        }
    }

    /// Creates a writer of values for which these objects exist already.
    pub(super) fn knowing(
        scope: &'s Scope<'g, 'p>,
        heap: &'s Heap,
        names: &SortedMap<ObjectId, Ident>,
    ) -> Self {
        Self {
            objects: names.clone(),
            made: names.keys().copied().collect(),
            ..Self::new(scope, heap)
        }
    }

    /// Returns the objects and their variables.
    pub(super) fn objects(&self) -> impl Iterator<Item = (ObjectId, &Ident)> {
        self.objects.iter().map(|(&o, n)| (o, n))
    }

    /// Assigns a name to an object's variable: that of the parameter.
    pub(super) fn name_object(&mut self, object: ObjectId, name: Ident) {
        self.taken.insert(name.to_string());
        self.objects.insert(object, name);
    }

    /// Reserves a name for a variable that is not an object.
    pub(super) fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Whether the variable of an object has this type, so that no cast is needed.
    pub(super) fn is_own_type(&self, object: ObjectId, ty: &Type) -> bool {
        let rep = |t: &Type| self.scope.ground.rep(&t.subst(&self.scope.substitution));
        self.object_type(object)
            .is_some_and(|own| rep(&own) == rep(ty))
    }

    /// Returns a name for the variable of an object, after its role for its owner or after its
    /// class.
    fn name_for(&mut self, ty: &Type) -> Ident {
        let program = self.scope.ground.program;
        let class = if let Type::Named { decl, .. } = program.strip_subset(ty) {
            snake_case(&program[decl].name)
        } else {
            "array".to_owned()
        };
        let numbered = (0..).map(|i| format!("{class}{i}"));
        let found = self
            .role
            .take()
            .into_iter()
            .chain(numbered)
            .find(|n| !self.taken.contains(n));
        let name = found.unwrap_or(class);
        self.taken.insert(name.clone());
        ident(&name)
    }

    /// Records the role of an object that is the value of a field: `next_of_node0`.
    fn note_role(&mut self, owner: &Ident, field: &str, value: &Value) {
        let owner = owner.to_string();
        let is_short = matches!(value, Value::Ref(_)) && !owner.contains("_of_");
        self.role = is_short.then(|| format!("{}_of_{owner}", without_raw(field)));
    }

    /// Returns the name of an object, if it has one.
    pub(super) fn object_name(&self, object: ObjectId) -> Option<&Ident> {
        self.objects.get(&object)
    }

    /// Returns the dynamic type of an object of the heap.
    pub(super) fn object_type(&self, object: ObjectId) -> Option<Type> {
        self.heap
            .objects
            .get(object.0 as usize)
            .map(|o| o.ty.clone())
    }

    /// Returns the statements that create objects, since the last call.
    pub(super) fn take_statements(&mut self) -> Stmts {
        let made = std::mem::take(&mut self.lets);
        self.made.extend(self.objects.keys().copied());
        made
    }

    pub(super) fn no(
        &self,
        reason: impl Into<crate::translation::reason::Reason>,
    ) -> crate::Unsupported {
        self.scope.unsupported(Span::default(), reason)
    }

    /// Writes a value of a type without type parameters.
    pub(super) fn value(&mut self, value: &Value, ty: &Type) -> Translated<rust::Expr> {
        // A bound on the text of a test, and on the time to compile it.
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(self.no(format!("a value of more than {MAX_PARTS} parts")));
        }
        let ty = &ty.subst(&self.scope.substitution);
        // The value decides, together with the representation of the type: a subset type or newtype
        // has the representation of its base.
        match (value, self.scope.ground.rep(ty)) {
            (Value::Bool(b), Rep::Bool) => Ok((*b).into()),
            (Value::Char(c), Rep::Char) => Ok(literal::character(self.scope, *c)),
            (Value::Int(n), Rep::Native(native))
                if *n < native.range().0 || *n > native.range().1 =>
            {
                Err(self.no(format!("{n}, which is not a value of `{}`", self.shown(ty))))
            }
            (Value::Int(n), Rep::Int | Rep::Native(_)) => {
                literal::integer(self.scope, n, ty, Span::default())
            }
            (Value::Real(r), Rep::Real) => Ok(literal::rational(self.scope, &r.reduced())),
            (Value::Int(n), Rep::Real) => Ok(literal::rational(
                self.scope,
                &num_rational::BigRational::from(n.clone()),
            )),
            (Value::Bv { bits, .. }, Rep::Bv(_)) => {
                literal::integer(self.scope, &BigInt::from(bits.clone()), ty, Span::default())
            }
            (Value::Ordinal(n), Rep::Ordinal) => {
                literal::integer(self.scope, &BigInt::from(n.clone()), ty, Span::default())
            }
            (Value::Seq(es), Rep::Seq(elem)) => self.sequence(es, &elem),
            (Value::Set(es), Rep::Set(elem)) => {
                self.collection(MacroName::Set, "Set", es.iter(), &elem)
            }
            (Value::Multiset(counts), Rep::Multiset(elem)) => self.multiset(counts.iter(), &elem),
            (Value::Map(pairs), Rep::Map(k, v)) => self.map(pairs.iter(), &k, &v),
            (Value::Tuple(components), Rep::Tuple(_)) => self.tuple(components, ty),
            (Value::Datatype(d), Rep::Datatype(decl, args)) => self.datatype(d, decl, &args),
            // A value seen as a trait is constructed with its own type, then cast.
            (Value::Datatype(d), Rep::Trait(decl, args)) => {
                let program = self.scope.ground.program;
                let has_ctor = |t: &Type| matches!(t, Type::Named { decl, .. } if dtest_ir::ctors_of(program, *decl).contains(&d.ctor));
                let datatypes = program.implementing_datatypes(decl, &args);
                match datatypes.into_iter().find(has_ctor) {
                    Some(own) => self.as_trait(value, &own, ty),
                    None => Err(self.no_value_of(ty)),
                }
            }
            // Outside of traits, a newtype's value is that of its base.
            (Value::Newtype(n), Rep::Trait(..)) => self.as_trait(&n.value, &n.ty(), ty),
            (Value::Null, Rep::Class(..) | Rep::Array(..) | Rep::Trait(..) | Rep::Object) => {
                let t = self.scope.rust_type(ty)?;
                Ok(expr!(<#t>::null()))
            }
            (Value::Ref(object), Rep::Array(..) | Rep::Class(..)) => {
                let name = self.object(*object, ty)?;
                Ok(expr!(#name.clone()))
            }
            (Value::Ref(object), Rep::Trait(..) | Rep::Object) => self.object_as(*object, ty),
            (Value::Function(f), Rep::Arrow(params, result)) => {
                self.shared_function(f, ty, &params, &result)
            }
            (Value::Lazy(lazy), _) => self.lazy(lazy.thunk(), ty),
            (_, Rep::Opaque | Rep::Trait(..) | Rep::Object) => Err(self.no_value_of(ty)),
            (_, _) => Err(self.no(format!("a value that is not of type `{}`", self.shown(ty)))),
        }
    }

    fn shown(&self, ty: &Type) -> String {
        self.scope.ground.program.show_type(ty)
    }

    fn no_value_of(&self, ty: &Type) -> crate::Unsupported {
        self.no(format!("a value of `{}`", self.shown(ty)))
    }

    fn multiset<'v>(
        &mut self,
        counts: impl Iterator<Item = (&'v Value, &'v BigUint)>,
        elem: &Type,
    ) -> Translated<rust::Expr> {
        let mut all = Vec::new();
        for (e, n) in counts {
            let n = u32::try_from(n).map_err(|_| self.no("a multiset of too many elements"))?;
            if n > MAX_COUNT {
                return Err(self.no("a multiset of too many elements"));
            }
            all.extend((0..n).map(|_| e));
        }
        self.collection(MacroName::Multiset, "Multiset", all.into_iter(), elem)
    }

    fn map<'v>(
        &mut self,
        pairs: impl Iterator<Item = (&'v Value, &'v Value)>,
        key_type: &Type,
        value_type: &Type,
    ) -> Translated<rust::Expr> {
        let mut out = Vec::new();
        for (key, value) in pairs {
            let (key, value) = (self.value(key, key_type)?, self.value(value, value_type)?);
            out.push(Argument::Pair(key, value));
        }
        if out.is_empty() {
            let key = self.scope.rust_type(key_type)?;
            let value = self.scope.rust_type(value_type)?;
            return Ok(expr!(Map::<#key, #value>::new()));
        }
        Ok(expr!(map![#..out]))
    }

    fn tuple(&mut self, components: &[Value], ty: &Type) -> Translated<rust::Expr> {
        let Type::Tuple(types) = self.scope.ground.program.representation(ty) else {
            return Err(self.no("a tuple of unknown type"));
        };
        let mut parts = Vec::new();
        for (c, (ghost, t)) in components.iter().zip(&types) {
            if !ghost {
                parts.push(self.value(c, t)?);
            }
        }
        Ok(code::tuple(parts))
    }

    /// Writes a value of a type, cast to a trait that the type extends.
    fn as_trait(&mut self, value: &Value, own: &Type, ty: &Type) -> Translated<rust::Expr> {
        let made = self.value(value, own)?;
        let is_copy = self.scope.ground.is_copy(own);
        Body::new(self.scope).seen_as(&Code::owned(made, is_copy), own, ty)
    }

    /// Writes a default value that is computed when it is needed. Other computations are code of the
    /// program, which a test cannot write.
    fn lazy(&self, thunk: &Thunk, ty: &Type) -> Translated<rust::Expr> {
        match thunk {
            Thunk::Default(_) if !self.scope.ground.has_default(ty) => {
                Err(self.no(format!("a default value of `{}`", self.shown(ty))))
            }
            Thunk::Default(_) => {
                let t = self.scope.rust_type(ty)?;
                let default = self.scope.runtime("DafnyDefault");
                Ok(expr!(<#t as #default>::dafny_default()))
            }
            Thunk::Code { .. } => Err(self.no("a value that is computed lazily by the program")),
        }
    }

    fn sequence(&mut self, es: &[Value], elem: &Type) -> Translated<rust::Expr> {
        let chars: Option<Vec<u32>> = es
            .iter()
            .map(|e| {
                if let Value::Char(c) = e {
                    Some(*c)
                } else {
                    None
                }
            })
            .collect();
        match chars {
            Some(chars) if self.scope.ground.rep(elem) == Rep::Char => {
                Ok(literal::string(self.scope, &chars))
            }
            Some(_) | None => self.runs(es, elem),
        }
    }

    /// Writes a sequence in which runs of equal elements are written once: `seq![0;
    /// 32].concat(&seq![1, 2])`.
    pub(super) fn runs(&mut self, es: &[Value], elem: &Type) -> Translated<rust::Expr> {
        // Alternating pieces: runs of equal elements, and what is between them.
        let mut lengths: Vec<(bool, usize)> = Vec::new();
        for equal in es.chunk_by(|a, b| a == b) {
            let is_run = equal.len() >= RUN && !equal.iter().take(1).any(Value::holds_lazy);
            match lengths.last_mut() {
                Some((false, length)) if !is_run => *length += equal.len(),
                Some(_) | None => lengths.push((is_run, equal.len())),
            }
        }
        let (mut written, mut rest) = (Vec::new(), es);
        for (is_run, length) in lengths {
            let (piece, after) = rest.split_at(length);
            rest = after;
            written.push(match piece.first() {
                Some(element) if is_run => {
                    let (element, count) =
                        (self.value(element, elem)?, rust::Expr::number(piece.len()));
                    expr!(seq![#element; #count])
                }
                Some(_) | None => self.collection(MacroName::Seq, "Seq", piece.iter(), elem)?,
            });
        }
        match written
            .into_iter()
            .reduce(|first, other| expr!(#first.concat(&#other)))
        {
            Some(all) => Ok(all),
            None => self.collection(MacroName::Seq, "Seq", es.iter(), elem),
        }
    }

    /// Writes a display. For native integers, the first element shows the type, and the others need
    /// no suffix.
    fn collection<'v>(
        &mut self,
        name: MacroName,
        collection: &str,
        es: impl Iterator<Item = &'v Value>,
        elem: &Type,
    ) -> Translated<rust::Expr> {
        let native = matches!(self.scope.ground.rep(elem), Rep::Native(_));
        let mut out = Vec::new();
        for e in es {
            // Validates the element even if the shorter form is written.
            let in_full = self.value(e, elem)?;
            let is_short = native && !out.is_empty();
            out.push(if let (Value::Int(n), true) = (e, is_short) {
                number(&n.to_string())
            } else {
                in_full
            });
        }
        if out.is_empty() {
            let (collection, t) = (ident(collection), self.scope.rust_type(elem)?);
            return Ok(expr!(#collection::<#t>::new()));
        }
        Ok(rust::Expr::Macro(rust::Macro {
            name,
            in_brackets: true,
            args: out.into_iter().map(Argument::Value).collect(),
        }))
    }

    fn datatype(
        &mut self,
        d: &dtest_value::DatatypeValue,
        decl: dafny_resolve::typed::TypeId,
        args: &[Type],
    ) -> Translated<rust::Expr> {
        let ground = self.scope.ground;
        let ctor = &ground.program[d.ctor];
        if ctor.ghost {
            return Err(self.no(format!("a value of the ghost constructor `{}`", ctor.name)));
        }
        // Ghost fields are erased. Lazy fields with a default are not evaluated.
        let substitution = ground.program.substitution(decl, args);
        // The fields are written as the translation writes a constructor.
        let (mut inits, mut shown) = (Vec::new(), Vec::new());
        for (&f, value) in ctor.fields.iter().zip(&d.args) {
            let field = &ground.program[f];
            if field.ghost {
                continue;
            }
            shown.push(field.ty.clone());
            let ty = field.ty.subst(&substitution);
            let body = Body::new(self.scope);
            let is_default =
                matches!(value, Value::Lazy(l) if matches!(l.thunk(), Thunk::Default(_)));
            let init = if is_default && ground.is_lazy(f) && ground.has_default(&ty) {
                let default = self.scope.runtime("DafnyDefault");
                expr!(#default::dafny_default())
            } else {
                body.scope.wrapped(decl, f, self.value(value, &ty)?)
            };
            inits.push((f, init));
        }
        // Type arguments are written if the fields do not determine them.
        let path = self.scope.type_path(decl);
        let variant = ident(ground.names.ctor(d.ctor));
        let determined = ground.program[decl].type_params.iter().all(|&p| {
            shown
                .iter()
                .any(|t| crate::translation::convention::mentions(t, p))
        });
        let fish = if determined {
            Vec::new()
        } else {
            self.scope.turbofish(args)?
        };
        Ok(self
            .scope
            .construct(d.ctor, decl, path!(#path::<#..fish>::#variant), inits))
    }
}
