//! Converts values to readable Rust expressions; objects become variables of the test.
//!
//! [`Values::value`] writes values, and [`Values::object`] creates objects: by the calls of a
//! [`Construction`], or field by field. The hard part is sharing: an object or function has one
//! variable, and a field that refers to an object under construction is assigned later.

use num_bigint::BigInt;

use crate::rust::{
    self, Argument, Ident, MacroName, Param, Stmts, expr, ident, path, stmts, ty, without_raw,
};
use crate::suite::functions::Keys;
use crate::suite::mock::{Mocked, Mocking};
use crate::translation::code::{self, Code, number};
use crate::translation::convention::{Dependency, Scope, Translated};
use crate::translation::literal;
use crate::translation::names::snake_case;
use crate::translation::rep::Rep;
use dafny_resolve::typed::{CallableId, FieldId, FieldKind, Span, Type};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{
    Construction, Contents, Elements, FunctionValue, Heap, ObjectId, Template, Thunk, Value,
};

/// Maximum number of parts of all values of a test.
const MAX_PARTS: usize = 4_096;
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
                Err(self.no(format!(
                    "{n}, which is not a value of `{}`",
                    self.scope.ground.program.show_type(ty)
                )))
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
            (Value::Multiset(counts), Rep::Multiset(elem)) => {
                let mut all = Vec::new();
                for (e, n) in counts.iter() {
                    let n =
                        u32::try_from(n).map_err(|_| self.no("a multiset of too many elements"))?;
                    if n > 10_000 {
                        return Err(self.no("a multiset of too many elements"));
                    }
                    all.extend((0..n).map(|_| e));
                }
                self.collection(MacroName::Multiset, "Multiset", all.into_iter(), &elem)
            }
            (Value::Map(pairs), Rep::Map(k, v)) => {
                if pairs.is_empty() {
                    let (kt, vt) = (self.scope.rust_type(&k)?, self.scope.rust_type(&v)?);
                    return Ok(expr!(Map::<#kt, #vt>::new()));
                }
                let mut out = Vec::new();
                for (key, value) in pairs.iter() {
                    let (key, value) = (self.value(key, &k)?, self.value(value, &v)?);
                    out.push(Argument::Pair(key, value));
                }
                Ok(expr!(map![#..out]))
            }
            (Value::Tuple(cs), Rep::Tuple(_)) => {
                let Type::Tuple(types) = self.scope.ground.program.representation(ty) else {
                    return Err(self.no("a tuple of unknown type"));
                };
                let mut parts = Vec::new();
                for (c, (ghost, t)) in cs.iter().zip(&types) {
                    if !ghost {
                        parts.push(self.value(c, t)?);
                    }
                }
                Ok(code::tuple(parts))
            }
            (Value::Datatype(d), Rep::Datatype(decl, args)) => self.datatype(d, decl, &args),
            // A value seen as a trait is constructed with its own type, then cast.
            (Value::Datatype(d), Rep::Trait(decl, args)) => {
                let datatypes = self
                    .scope
                    .ground
                    .program
                    .implementing_datatypes(decl, &args);
                let has = |t: &Type| matches!(t, Type::Named { decl, .. } if dtest_ir::ctors_of(self.scope.ground.program, *decl).contains(&d.ctor));
                let Some(own) = datatypes.into_iter().find(has) else {
                    return Err(self.no(format!(
                        "a value of `{}`",
                        self.scope.ground.program.show_type(ty)
                    )));
                };
                let made = self.value(value, &own)?;
                crate::translation::body::Body::new(self.scope).seen_as(
                    &Code::owned(made, false),
                    &own,
                    ty,
                )
            }
            (Value::Newtype(n), Rep::Trait(..)) => {
                let own = n.ty();
                let made = self.value(&n.value, &own)?;
                let is_copy = self.scope.ground.is_copy(&own);
                crate::translation::body::Body::new(self.scope).seen_as(
                    &Code::owned(made, is_copy),
                    &own,
                    ty,
                )
            }
            (Value::Null, Rep::Class(..) | Rep::Array(..) | Rep::Trait(..) | Rep::Object) => {
                let t = self.scope.rust_type(ty)?;
                Ok(expr!(<#t>::null()))
            }
            (Value::Ref(object), Rep::Array(..) | Rep::Class(..)) => {
                let name = self.object(*object, ty)?;
                Ok(expr!(#name.clone()))
            }
            (Value::Ref(object), Rep::Trait(..) | Rep::Object) => {
                let own = self
                    .object_type(*object)
                    .ok_or_else(|| self.no("an object that is not in the heap"))?;
                let name = self.object(*object, &own)?;
                if self.is_own_type(*object, ty) {
                    return Ok(expr!(#name.clone()));
                }
                crate::translation::body::Body::new(self.scope).seen_as(
                    &Code::variable(&name, false),
                    &own,
                    ty,
                )
            }
            (Value::Function(f), Rep::Arrow(params, result)) => {
                self.shared_function(f, ty, &params, &result)
            }
            // Only lazy defaults can be written: other computations are code of the program.
            (Value::Lazy(lazy), _) => match lazy.thunk() {
                Thunk::Default(_) if !self.scope.ground.has_default(ty) => Err(self.no(format!(
                    "a default value of `{}`",
                    self.scope.ground.program.show_type(ty)
                ))),
                Thunk::Default(_) => {
                    let (t, default) = (
                        self.scope.rust_type(ty)?,
                        self.scope.runtime("DafnyDefault"),
                    );
                    Ok(expr!(<#t as #default>::dafny_default()))
                }
                Thunk::Code { .. } => {
                    Err(self.no("a value that is computed lazily by the program"))
                }
            },
            (_, Rep::Opaque | Rep::Trait(..) | Rep::Object) => Err(self.no(format!(
                "a value of `{}`",
                self.scope.ground.program.show_type(ty)
            ))),
            (_, _) => Err(self.no(format!(
                "a value that is not of type `{}`",
                self.scope.ground.program.show_type(ty)
            ))),
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
    fn runs(&mut self, es: &[Value], elem: &Type) -> Translated<rust::Expr> {
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
        let (mut inits, mut shown) = (Vec::new(), Vec::new());
        for (&f, value) in ctor.fields.iter().zip(&d.args) {
            let field = &ground.program[f];
            if field.ghost {
                continue;
            }
            shown.push(field.ty.clone());
            let ty = field.ty.subst(&substitution);
            let body = crate::translation::body::Body::new(self.scope);
            let is_default =
                matches!(value, Value::Lazy(l) if matches!(l.thunk(), Thunk::Default(_)));
            let init = if is_default && ground.is_lazy(f) && ground.has_default(&ty) {
                let default = self.scope.runtime("DafnyDefault");
                expr!(#default::dafny_default())
            } else {
                body.wrapped(decl, f, self.value(value, &ty)?)
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
            crate::translation::body::Body::new(self.scope).turbofish(args)?
        };
        Ok(crate::translation::body::Body::new(self.scope).construct(
            d.ctor,
            decl,
            path!(#path::<#..fish>::#variant),
            inits,
        ))
    }

    /// Writes a function; where a table compares its arguments with it, a copy of its variable.
    fn shared_function(
        &mut self,
        f: &FunctionValue,
        ty: &Type,
        params: &[Type],
        result: &Type,
    ) -> Translated<rust::Expr> {
        if !self.keys.has(f) {
            return self.function(f, params, result);
        }
        if matches!(f, FunctionValue::Named { .. }) {
            // The program may pass the function itself, which is not a copy of the test's variable.
            return Err(self.no("a function of the program as the argument that a table knows"));
        }
        let ty = self.scope.ground.program.representation(ty);
        let known = |(other, other_ty, _): &&(FunctionValue, Type, Ident)| {
            other == f && self.scope.ground.rep(other_ty) == self.scope.ground.rep(&ty)
        };
        if let Some((.., name)) = self.functions.iter().find(known) {
            return Ok(expr!(#name.clone()));
        }
        let mut made = self.function(f, params, result)?;
        // A function that is passed with another type keeps its identity.
        if let Some((.., original)) = self.functions.iter().find(|(other, ..)| other == f) {
            made = expr!(#made.with_identity(#original.identity()));
        }
        let name = (0..)
            .map(|i| format!("function{i}"))
            .find(|n| self.taken.insert(n.clone()))
            .unwrap_or_default();
        let name = ident(&name);
        let fun = self.scope.rust_type(&ty)?;
        self.functions.push((f.clone(), ty, name.clone()));
        {
            let name = &name;
            self.lets.extend(stmts!(let #name: #fun = #made;));
        }
        Ok(expr!(#name.clone()))
    }

    fn function(
        &mut self,
        f: &FunctionValue,
        params: &[Type],
        result: &Type,
    ) -> Translated<rust::Expr> {
        let fun = self.scope.function_type(params.len())?;
        let mut types = Vec::new();
        for t in params {
            types.push(self.scope.rust_type(t)?);
        }
        let r = self.scope.rust_type(result)?;
        match f {
            FunctionValue::Table { entries, default } => {
                let default = self.value(default, result)?;
                if entries.is_empty() {
                    return Ok(expr!(#fun::<#..types, #r>::constant(#default)));
                }
                let mut out = Vec::new();
                for (args, value) in entries {
                    let mut key = Vec::new();
                    for (a, t) in args.iter().zip(params) {
                        key.push(self.value(a, t)?);
                    }
                    let value = self.value(value, result)?;
                    let key = rust::Expr::one_or_tuple(key);
                    out.push(expr!((#key, #value)));
                }
                Ok(expr!(#fun::table([#..out], #default)))
            }
            FunctionValue::Template(template) => {
                let native = params
                    .first()
                    .is_some_and(|t| matches!(self.scope.ground.rep(t), Rep::Native(_)));
                let (name, body) = match template {
                    Template::Identity => ("x => x", expr!(a.clone())),
                    Template::Less => ("<", expr!(a < b)),
                    Template::AtMost => ("<=", expr!(a <= b)),
                    Template::Equal => ("==", expr!(a == b)),
                    Template::Add if native => ("+", expr!(a.plus(*b))),
                    Template::Add => ("+", expr!(a + b)),
                    Template::Successor if native => ("x => x + 1", expr!(a.plus(1))),
                    Template::Successor => ("x => x + 1", expr!(a + int(1))),
                    Template::Mix => ("(x, y) => x + x + y", expr!(a + a + b)),
                    Template::Odd => ("x => x % 2 == 1", expr!(a % 2 == 1)),
                };
                let typed = ["a", "b"]
                    .into_iter()
                    .zip(types)
                    .map(|(n, t)| -> Param { (ident(n).into(), Some(ty!(&#t))) });
                Ok(expr!(#fun::named(#name, |#..typed| #body)))
            }
            FunctionValue::Partial {
                function,
                elsewhere,
                exceptions,
            } => {
                let elsewhere = *elsewhere;
                let inner = self.function(function, params, result)?;
                let mut keys = Vec::new();
                for args in exceptions {
                    let args = args
                        .iter()
                        .zip(params)
                        .map(|(a, t)| self.value(a, t))
                        .collect::<Translated<Vec<_>>>()?;
                    keys.push(rust::Expr::one_or_tuple(args));
                }
                let names: Vec<Ident> = ["a", "b", "c", "d", "e", "f", "g", "h"]
                    .into_iter()
                    .take(params.len())
                    .map(ident)
                    .collect();
                let params = names
                    .iter()
                    .map(|n| {
                        if keys.is_empty() {
                            rust::Pat::Wild
                        } else {
                            n.into()
                        }
                    })
                    .collect::<Vec<_>>();
                let is_empty = keys.is_empty();
                // The closure outlives the variables of objects and functions, so it has its own
                // copies.
                let is_plain = exceptions.iter().flatten().all(super::test::is_plain);
                let list = expr!([#..keys]);
                let known = if is_plain { list.clone() } else { expr!(known) };
                let may = match (is_empty, names.as_slice()) {
                    (true, _) => elsewhere.into(),
                    (false, [one]) => expr!(#known.contains(#one) != #elsewhere),
                    (false, many) => {
                        let given = many.iter().map(|n| expr!(#n.clone()));
                        expr!(#known.contains(&(#..given)) != #elsewhere)
                    }
                };
                if is_plain {
                    return Ok(expr!(#inner.only(|#..params| #may)));
                }
                Ok(expr!({
                    let known = #list;
                    #inner.only(move |#..params| #may)
                }))
            }
            FunctionValue::Closure { .. } => Err(self.no("a lambda of the program as an input")),
            FunctionValue::Named {
                callee,
                receiver: None,
                type_args,
            } => {
                self.scope.needs(Dependency::Callable(*callee));
                let ground = self.scope.ground;
                let mut body = crate::translation::body::Body::new(self.scope);
                let path = body.callee(*callee, type_args, true)?;
                let names: Vec<Ident> =
                    (0..params.len()).map(|i| ident(&format!("a{i}"))).collect();
                let formals = ground.formals(*callee);
                let args = formals.iter().zip(&names).map(|(&f, n)| {
                    if ground.is_copy(&ground.program[f].ty) {
                        expr!(*#n)
                    } else {
                        expr!(#n)
                    }
                });
                let args = args
                    .chain(self.scope.passed_defaults(*callee, type_args)?)
                    .collect::<Vec<_>>();
                let typed = names
                    .iter()
                    .zip(types)
                    .map(|(n, t)| -> Param { (n.into(), Some(ty!(&#t))) });
                Ok(expr!(#fun::new(|#..typed| #path(#..args))))
            }
            FunctionValue::Named {
                receiver: Some(_), ..
            } => Err(self.no("a method with its receiver as an input")),
        }
    }

    /// Returns the variable of an object, which is created first if needed.
    fn object(&mut self, id: ObjectId, ty: &Type) -> Translated<Ident> {
        if let Some(name) = self.objects.get(&id) {
            if self.making.contains(&id) {
                return Err(self.no("objects that refer to each other"));
            }
            if self.made(id) {
                return Ok(name.clone());
            }
        }
        let Some(object) = self.heap.objects.get(id.0 as usize) else {
            return Err(self.no("an object that is not in the heap"));
        };
        let name = match self.objects.get(&id).cloned() {
            Some(name) => {
                self.role = None;
                name
            }
            None => self.name_for(&object.ty),
        };
        self.objects.insert(id, name.clone());
        self.making.push(id);
        let known = self
            .mocks
            .and_then(|m| m.constructed.get(&id).map(|by| (m, by)))
            .filter(|(m, by)| are_present(m, by))
            .map(|(_, by)| by);
        let own = known.and_then(|by| Some((by, self.own_parts(id, by)?)));
        let by_calls = own.as_ref().map(|(by, _)| *by);
        let made = match (
            by_calls,
            &object.contents,
            self.scope.ground.rep(&object.ty),
        ) {
            (Some(by), ..) => self.called(by.maker, None, &by.args, &object.ty)?,
            (None, Contents::Elements(elements), Rep::Array(n, elem)) => {
                self.array(elements, n, &elem)?
            }
            (None, Contents::Fields(_), Rep::Class(decl, _))
                if matches!(
                    self.scope.ground.program[decl].kind,
                    dafny_resolve::typed::TypeDeclKind::Iterator(_)
                ) =>
            {
                return Err(self.no("an iterator that has already started"));
            }
            (None, Contents::Fields(_), Rep::Class(decl, _))
                if crate::translation::external::is_linked_type(self.scope, decl) =>
            {
                return Err(self.no(format!(
                    "an object of `{}`, which is linked Rust",
                    self.scope.ground.program.type_path(decl)
                )));
            }
            (None, Contents::Fields(fields), Rep::Class(decl, args)) => {
                let program = self.scope.ground.program;
                let substitution = program.substitution(decl, &args);
                let mut inits = Vec::new();
                for f in crate::translation::class::fields(self.scope, decl) {
                    let field = &program[f];
                    let t = crate::translation::class::field_type(self.scope.ground, decl, f)
                        .subst(&substitution);
                    fields
                        .get(&f)
                        .into_iter()
                        .for_each(|v| self.note_role(&name, self.scope.ground.names.field(f), v));
                    let value = match (fields.get(&f), &field.kind) {
                        (_, FieldKind::Const(Some(initial))) => {
                            self.initial(initial, &field.name)?
                        }
                        (Some(v), FieldKind::Mutable) if self.refers_to_unmade(v) => {
                            let (n, cell) = (
                                ident(self.scope.ground.names.field(f)),
                                self.scope.runtime("Field"),
                            );
                            {
                                let name = &name;
                                self.later.push((expr!(#name.#n), v.clone(), t));
                            }
                            inits.push((n.to_string(), expr!(#cell::unassigned())));
                            continue;
                        }
                        (
                            Some(v),
                            FieldKind::Mutable | FieldKind::Const(None) | FieldKind::Destructor(_),
                        ) => self.value(v, &t)?,
                        (
                            None,
                            FieldKind::Mutable | FieldKind::Const(None) | FieldKind::Destructor(_),
                        ) => self.scope.default_value(&t)?.ok_or_else(|| {
                            self.no(format!("a field `{}` without a value", field.name))
                        })?,
                    };
                    let n = ident(self.scope.ground.names.field(f));
                    let held = match field.kind {
                        FieldKind::Mutable => expr!(Field::new(#value)),
                        FieldKind::Const(_) | FieldKind::Destructor(_) => value,
                    };
                    inits.push((n.to_string(), held));
                }
                // No field determines such a type parameter.
                let mut fish = Vec::new();
                if crate::translation::class::has_phantom(self.scope, decl) {
                    let name = ident(self.scope.ground.names.phantom(decl)).to_string();
                    inits.push((name, expr!(std::marker::PhantomData)));
                    fish = crate::translation::body::Body::new(self.scope).turbofish(&args)?;
                }
                let path = self.scope.type_path(decl);
                self.by_fields.push(name.clone());
                expr!(Ref::new(#path::<#..fish> { #..inits }))
            }
            (None, Contents::Fields(fields), Rep::Trait(decl, args)) => self.mock(&Mocked {
                id,
                name: &name,
                decl,
                args,
                fields,
                redefined: &object.redefined,
            })?,
            (None, Contents::Elements(_) | Contents::Fields(_), _) => {
                return Err(self.no(format!(
                    "an object of `{}`",
                    self.scope.ground.program.show_type(ty)
                )));
            }
        };
        self.role = None;
        self.making.pop();
        self.declare(&name, made);
        if let Some((by, parts)) = own {
            for call in &by.then {
                let call = self.called(call.callee, Some(&name), &call.args, &object.ty)?;
                self.lets.extend(stmts!(#call;));
            }
            parts.into_iter().for_each(|part| self.name_part(part));
        }
        // Waiting fields are assigned immediately, because a constructor may be called with the
        // object next.
        let later = std::mem::take(&mut self.later);
        let (waiting, ready) = later
            .into_iter()
            .partition(|(_, value, _)| self.refers_to_unmade(value));
        self.later = waiting;
        for (place, value, ty) in ready {
            let value = self.value(&value, &ty)?;
            self.lets.extend(stmts!(#place.set(#value);));
        }
        Ok(name)
    }

    /// Writes `let name = value;`.
    fn declare(&mut self, name: &Ident, value: rust::Expr) {
        self.lets.extend(stmts!(let #name = #value;));
    }

    /// Returns the objects that calls allocate along with an object, each with its holder, which
    /// comes earlier in the list, and the field. `None` if one of them is in no field with its own
    /// type.
    fn own_parts(&self, id: ObjectId, by: &Construction) -> Option<Vec<Part>> {
        let ground = self.scope.ground;
        let mut parts: Vec<Part> = Vec::new();
        let is_given = |o: &ObjectId| {
            by.args
                .iter()
                .flat_map(Value::within)
                .any(|v| matches!(v, Value::Ref(given) if given == o))
        };
        // Breadth-first over the objects that only this one holds.
        let mut todo = vec![id];
        let mut next = 0;
        while let Some(holder) = todo.get(next).copied() {
            next += 1;
            let object = self.heap.objects.get(holder.0 as usize)?;
            let is_new = |o: &ObjectId| *o != id && !is_given(o) && !self.objects.contains_key(o);
            let fields = match (&object.contents, ground.rep(&object.ty)) {
                (Contents::Fields(fields), Rep::Class(decl, args)) => {
                    let substitution = ground.program.substitution(decl, &args);
                    for f in crate::translation::class::fields(self.scope, decl) {
                        let Some(Value::Ref(part)) = fields.get(&f).filter(|_| {
                            !matches!(ground.program[f].kind, FieldKind::Const(Some(_)))
                        }) else {
                            continue;
                        };
                        if is_new(part) && !todo.contains(part) {
                            let declared = crate::translation::class::field_type(ground, decl, f)
                                .subst(&substitution);
                            if !self.is_own_type(*part, &declared) {
                                return None;
                            }
                            todo.push(*part);
                            parts.push(Part {
                                object: *part,
                                holder,
                                field: f,
                            });
                        }
                    }
                    fields
                        .iter()
                        .filter(|(f, _)| !ground.program[**f].ghost)
                        .map(|(_, v)| v)
                        .collect::<Vec<_>>()
                }
                (contents, _) => contents.values().collect(),
            };
            // A new object that is not in a field (but in a collection, for example) has no name by
            // which a test could reach it.
            let held = fields.into_iter().flat_map(Value::within);
            for value in held {
                if let Value::Ref(part) = value
                    && is_new(part)
                    && !todo.contains(part)
                {
                    return None;
                }
            }
        }
        Some(parts)
    }

    /// Stores an object that calls allocated along with another one in a variable.
    fn name_part(&mut self, part: Part) {
        let Some(holder) = self.objects.get(&part.holder).cloned() else {
            return;
        };
        let Some(ty) = self.object_type(part.object) else {
            return;
        };
        let field = self.scope.ground.names.field(part.field);
        self.note_role(&holder, field, &Value::Ref(part.object));
        let name = self.name_for(&ty);
        let field_name = ident(field);
        let got = match self.scope.ground.program[part.field].kind {
            FieldKind::Mutable => expr!(#holder.#field_name.get()),
            FieldKind::Const(_) | FieldKind::Destructor(_) => expr!(#holder.#field_name.clone()),
        };
        self.declare(&name, got);
        self.objects.insert(part.object, name);
    }

    /// Writes the call that creates an object of a class, or of a method of an object with a
    /// variable.
    fn called(
        &mut self,
        callee: CallableId,
        receiver: Option<&Ident>,
        args_of: &[Value],
        ty: &Type,
    ) -> Translated<rust::Expr> {
        let ground = self.scope.ground;
        let program = ground.program;
        let c = &program[callee];
        let type_params = program.all_type_params(callee);
        let mut type_args = Vec::new();
        if let Type::Named { args, .. } = program.strip_subset(ty)
            && c.owner.is_some()
            && !type_params.is_empty()
        {
            type_args = args;
        }
        let substitution = type_params
            .into_iter()
            .zip(type_args.iter().cloned())
            .collect();
        let mut args: Vec<rust::Expr> = receiver.map(|name| expr!(&#name)).into_iter().collect();
        for (formal, value) in c.ins.iter().zip(args_of) {
            let local = &program[formal.local];
            if local.ghost {
                continue;
            }
            let ty = local.ty.subst(&substitution);
            let value = self.value(value, &ty)?;
            args.push(if ground.is_copy(&local.ty) {
                value
            } else {
                expr!(&#value)
            });
        }
        args.extend(self.scope.passed_defaults(callee, &type_args)?);
        let path =
            crate::translation::body::Body::new(self.scope).callee(callee, &type_args, true)?;
        Ok(expr!(#path(#..args)))
    }

    /// Schedules the assignment of a field for when the objects that it refers to exist.
    pub(super) fn assign_later(&mut self, place: rust::Expr, value: Value, ty: Type) {
        self.later.push((place, value, ty));
    }

    /// Whether a value refers to an object under construction.
    pub(super) fn refers_to_unmade(&self, value: &Value) -> bool {
        value
            .within()
            .any(|v| matches!(v, Value::Ref(object) if self.making.contains(object)))
    }

    /// Writes the value of a `const` field from its declaration.
    fn initial(&self, value: &dafny_resolve::typed::Expr, name: &str) -> Translated<rust::Expr> {
        let mut needs_object = false;
        crate::translation::walk::each_expr(value, &mut |e| {
            needs_object |= matches!(e.kind, dafny_resolve::typed::ExprKind::This)
        });
        if needs_object {
            return Err(self.no(format!(
                "the `const` field `{name}`, whose value depends on its object"
            )));
        }
        crate::translation::body::Body::new(self.scope).value(value)
    }

    fn made(&self, id: ObjectId) -> bool {
        self.made.contains(&id)
            || self
                .objects
                .get(&id)
                .is_some_and(|n| declares(&self.lets, n))
    }

    fn array(
        &mut self,
        elements: &Elements<Option<Value>>,
        n: u32,
        elem: &Type,
    ) -> Translated<rust::Expr> {
        let mut out = Vec::new();
        for e in elements.iter() {
            out.push(match e {
                Some(v) => self.value(v, elem)?,
                None => match self.scope.default_value(elem)? {
                    Some(v) => v,
                    None => return Err(self.no("an array element without a value")),
                },
            });
        }
        let (array, t) = (self.scope.array_type(n)?, self.scope.rust_type(elem)?);
        if n == 1 {
            return Ok(expr!(#array::<#t>::of([#..out])));
        }
        let lengths = elements
            .dims()
            .iter()
            .map(rust::Expr::number)
            .map(|d| expr!(int(#d)));
        Ok(expr!({
            let mut elements = Vec::<#t>::from([#..out]).into_iter();
            #array::init_with([#..lengths], |_| (&mut elements).next().unwrap())
        }))
    }
}

/// An object that is allocated along with another one, which holds it in a field.
struct Part {
    object: ObjectId,
    holder: ObjectId,
    field: FieldId,
}

/// Whether all called members are translated.
fn are_present(mocking: &Mocking<'_>, by: &Construction) -> bool {
    let called = std::iter::once(by.maker).chain(by.then.iter().map(|c| c.callee));
    called
        .into_iter()
        .all(|c| mocking.present.contains(&Dependency::Callable(c)))
}

/// Whether the statements declare the variable.
fn declares(lets: &[rust::Stmt], name: &Ident) -> bool {
    lets.iter()
        .any(|s| matches!(s, rust::Stmt::Let(l) if l.variable().as_ref() == Some(name)))
}
