//! Typed expressions → Rust.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Code, Own, group, ident, number};
use super::convention::{Dependency, Rep, Scope, Translated, mentions};
use super::literal;
use super::names::{RUNTIME_FUNCTIONS, snake_case};
use super::walk::mentioned;
use crate::typed::{
    BuiltinMember, CallableId, Expr, ExprKind, FieldId, FieldKind, Lambda, LetOrFail, Literal, LocalId, Pattern, PatternKind, Type,
    TypeDeclKind, TypeId, TypeParamId,
};

/// The translation of one body: its variables and where it stands.
pub(super) struct Body<'s, 'g, 'p> {
    /// What can be named.
    pub(super) scope: &'s Scope<'g, 'p>,
    /// The variables in scope.
    pub(super) vars: FxHashMap<LocalId, Code>,
    /// `this`.
    pub(super) this: Option<Code>,
    /// Which Dafny name a Rust name stands for in this body.
    taken: BTreeMap<String, String>,
    /// How many names were made up.
    made_up: u32,
    /// In the suite: whether the heap before the call is needed, which `before` holds.
    pub(super) before: Option<bool>,
    /// The statements around, innermost last.
    pub(super) jumps: Vec<super::stmt::Jump>,
    /// Labels that are jumped to.
    pub(super) labels_used: Vec<String>,
    /// The out-parameters of a method.
    pub(super) outs: Vec<LocalId>,
    /// In a constructor before `new;`: the fields as variables.
    pub(super) unborn: BTreeMap<FieldId, Code>,
    /// In a constructor: what it returns.
    pub(super) born: Option<TokenStream>,
    /// In the suite: the function under test, its parameters and the result of the call. A postcondition that calls
    /// the function with the same arguments means that result.
    pub(super) under_test: Option<(CallableId, Vec<LocalId>, Code)>,
    /// The variables that are assigned after their declaration, and how often in the text.
    pub(super) mutated: FxHashMap<LocalId, usize>,
    /// Variables whose first assignment is their declaration.
    pub(super) sunk: FxHashSet<LocalId>,
}

impl<'s, 'g, 'p> Body<'s, 'g, 'p> {
    /// A body without variables.
    pub(super) fn new(scope: &'s Scope<'g, 'p>) -> Self {
        Self {
            scope,
            vars: FxHashMap::default(),
            this: None,
            taken: BTreeMap::new(),
            made_up: 0,
            before: None,
            jumps: Vec::new(),
            labels_used: Vec::new(),
            outs: Vec::new(),
            unborn: BTreeMap::new(),
            born: None,
            under_test: None,
            mutated: FxHashMap::default(),
            sunk: FxHashSet::default(),
        }
    }

    /// Brings a variable into scope; the result is its name.
    pub(super) fn declare(&mut self, local: LocalId, own: Own) -> Ident {
        let decl = &self.scope.ground.program[local];
        // Several variables may be called `_`.
        let key = if decl.name.starts_with('_') { format!("{} {}", decl.name, local.0) } else { decl.name.to_string() };
        let name = self.fresh_for(&snake_case(&decl.name), &key);
        let copy = self.copy(&decl.ty);
        let code = match own {
            Own::Owned | Own::Place => Code::place(quote!(#name), copy),
            Own::Ref => Code::reference(quote!(#name), copy),
        };
        self.vars.insert(local, code);
        name
    }

    /// A name that no variable has; made of a word that says what it is for.
    pub(super) fn make_up(&mut self, word: &str) -> Ident {
        self.made_up += 1;
        let key = format!("{word} {}", self.made_up);
        self.fresh_for(word, &key)
    }

    fn fresh_for(&mut self, rust: &str, dafny: &str) -> Ident {
        let mut name = rust.to_owned();
        let global = |name: &str| {
            RUNTIME_FUNCTIONS.contains(&name)
                || matches!(name, "self" | "this" | "subject" | "before" | "halt" | "dunit" | "std")
                || self.scope.module.as_ref().is_some_and(|(m, _)| self.scope.ground.names.declares(*m, name))
        };
        while global(&name) || self.taken.get(&name).is_some_and(|d| d != dafny) {
            name.push('_');
        }
        self.taken.insert(name.clone(), dafny.to_owned());
        ident(&name)
    }

    /// Whether values of the type are `Copy` in Rust.
    pub(super) fn copy(&self, ty: &Type) -> bool {
        self.scope.ground.is_copy(&ty.subst(&self.scope.substitution))
    }

    /// What values of the type are made of.
    pub(super) fn rep(&self, ty: &Type) -> Rep {
        self.scope.ground.rep(&ty.subst(&self.scope.substitution))
    }

    /// An index, a length or the end of a range: a small literal stands for itself.
    pub(super) fn index(&mut self, e: &Expr) -> Translated<TokenStream> {
        match &e.kind {
            ExprKind::Literal(Literal::Int(n))
                if self.rep(&e.ty) == Rep::Int && num_traits::ToPrimitive::to_i32(n).is_some_and(|n| n >= 0) =>
            {
                Ok(number(&n.to_string()))
            }
            _ => Ok(self.expr(e)?.operand()),
        }
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, e: &Expr) -> Translated<TokenStream> {
        Ok(self.expr(e)?.owned_value())
    }

    /// The expression as the end of a block: its statements and the value, without braces.
    pub(super) fn tail(&mut self, e: &Expr) -> Translated<TokenStream> {
        match &e.kind {
            ExprKind::Let { ghost, bindings, body } => {
                let mut out = TokenStream::new();
                if self.scope.spec || !ghost {
                    out = self.bindings(bindings, body)?;
                }
                let rest = self.tail(body)?;
                Ok(quote!(#out #rest))
            }
            ExprKind::StmtExpr { stmt, body } => {
                let stmt = self.stmt(stmt)?;
                let rest = self.tail(body)?;
                Ok(quote!(#stmt #rest))
            }
            ExprKind::LetSuchThat { ghost, vars, body } => {
                let mut out = TokenStream::new();
                if self.scope.spec || !ghost {
                    let found = self.such_that(vars)?;
                    let names: Vec<Ident> = vars.vars.iter().map(|&v| self.declare(v, Own::Place)).collect();
                    out = match names.as_slice() {
                        [one] => quote!(let #one = #found;),
                        many => quote!(let (#(#many),*) = #found;),
                    };
                }
                let rest = self.tail(body)?;
                Ok(quote!(#out #rest))
            }
            ExprKind::LetOrFail(l) => self.let_or_fail(l),
            ExprKind::If { cond, then, els } => {
                let cond = self.value(cond)?;
                let then = self.tail(then)?;
                let els = self.else_branch(els)?;
                Ok(quote!(if #cond { #then } else #els))
            }
            _ => self.value(e),
        }
    }

    /// `{ … }`, or `if …` without braces.
    fn else_branch(&mut self, e: &Expr) -> Translated<TokenStream> {
        let inner = self.tail(e)?;
        Ok(if matches!(e.kind, ExprKind::If { .. }) { inner } else { quote!({ #inner }) })
    }

    /// An expression.
    pub(super) fn expr(&mut self, e: &Expr) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |tokens: TokenStream| Ok(Code::owned(tokens, copy));
        match &e.kind {
            ExprKind::Literal(Literal::Null) => match self.rep(&e.ty) {
                Rep::Array(dims, _) => {
                    let array = self.scope.array_type(dims)?;
                    owned(quote!(#array::null()))
                }
                _ => {
                    let reference = self.scope.runtime("Ref");
                    owned(quote!(#reference::null()))
                }
            },
            ExprKind::Literal(l) => owned(literal::literal(self.scope, l, &e.ty, e.span)?),
            ExprKind::Local(l) => match self.vars.get(l) {
                Some(code) => Ok(code.clone()),
                None => {
                    let name = self.scope.ground.program[*l].name.clone();
                    let ghost = if self.scope.ground.program[*l].ghost { "the ghost variable" } else { "the variable" };
                    Err(self.scope.unsupported(e.span, format!("{ghost} `{name}`")))
                }
            },
            ExprKind::This => self.this.clone().ok_or_else(|| self.scope.unsupported(e.span, "`this` here")),
            ExprKind::Field { object, field, type_args } => self.field(e, object.as_deref(), *field, type_args),
            ExprKind::Builtin { member, object } => {
                let object = self.expr(object)?.receiver();
                match member {
                    BuiltinMember::Keys => owned(quote!(#object.keys())),
                    BuiltinMember::Values => owned(quote!(#object.values())),
                    BuiltinMember::Items => owned(quote!(#object.items())),
                    BuiltinMember::Floor => owned(quote!(#object.floor())),
                    BuiltinMember::ArrayLength(0) if !matches!(e_array_dims(self, e), Some(2..)) => owned(quote!(#object.len())),
                    BuiltinMember::ArrayLength(n) => {
                        let n = number(&n.to_string());
                        owned(quote!(#object.length(#n)))
                    }
                    BuiltinMember::IsLimit => owned(quote!(#object.is_limit())),
                    BuiltinMember::IsSucc => owned(quote!(#object.is_succ())),
                    BuiltinMember::OrdinalOffset => owned(quote!(#object.offset())),
                    BuiltinMember::IsNat => owned(quote!(#object.is_nat())),
                    BuiltinMember::FunctionRequires => Err(self.scope.unsupported(e.span, "the precondition of a function value")),
                    BuiltinMember::FunctionReads => Err(self.scope.unsupported(e.span, "the frame of a function value")),
                    BuiltinMember::RotateLeft | BuiltinMember::RotateRight => {
                        Err(self.scope.unsupported(e.span, "a rotation as a function value"))
                    }
                }
            }
            ExprKind::CtorTest { ctor, object } => {
                if self.scope.ground.program[*ctor].ghost {
                    return Err(self
                        .scope
                        .unsupported(e.span, format!("the ghost constructor `{}`", self.scope.ground.program[*ctor].name)));
                }
                let object = self.expr(object)?.receiver();
                let tester = ident(self.scope.ground.names.tester(*ctor));
                owned(quote!(#object.#tester()))
            }
            ExprKind::TupleField { object, index } => {
                let ty = object.ty.clone();
                let object = self.expr(object)?;
                match self.component(&ty, *index) {
                    Some(Some(i)) => {
                        let (o, i) = (object.receiver(), number(&i.to_string()));
                        let own = if object.own() == Own::Owned { Own::Owned } else { Own::Place };
                        Ok(Code::within(quote!(#o.#i), own, copy, &object))
                    }
                    Some(None) => Ok(object),
                    None => Err(self.scope.unsupported(e.span, "a ghost component of a tuple")),
                }
            }
            ExprKind::Construct { ctor, args } => {
                let decl = self.scope.ground.program[*ctor].datatype;
                let Type::Named { args: type_args, .. } = self.scope.ground.program.representation(&e.ty) else {
                    return Err(self.scope.unsupported(e.span, "a constructor of an unknown datatype"));
                };
                let path = self.ctor_path(*ctor, decl, &type_args, args)?;
                let fields = self.scope.ground.program[*ctor].fields.clone();
                let mut inits = Vec::new();
                for (&field, arg) in fields.iter().zip(args) {
                    if self.scope.ground.program[field].ghost {
                        continue;
                    }
                    let value = self.value(arg)?;
                    inits.push((field, value));
                }
                owned(self.construct(*ctor, decl, path, inits))
            }
            ExprKind::Call(call) => {
                if let Some(result) = self.own_result(call) {
                    return Ok(result);
                }
                let tokens = self.call(call, e)?;
                owned(tokens)
            }
            ExprKind::FunctionRef { callee, receiver, type_args } => {
                let Rep::Arrow(params, _) = self.rep(&e.ty) else {
                    return Err(self.scope.unsupported(e.span, "a function value of unknown type"));
                };
                let fun = self.scope.function_type(params.len())?;
                let names: Vec<Ident> = params.iter().map(|_| self.make_up("a")).collect();
                let mut types = Vec::new();
                for p in &params {
                    types.push(self.scope.rust_type(p)?);
                }
                let formals = self.scope.ground.formals(*callee);
                if formals.len() != params.len() {
                    return Err(self.scope.unsupported(e.span, "a function value with ghost parameters"));
                }
                let args: Vec<TokenStream> = (formals.iter().zip(&names))
                    .map(|(&f, n)| if self.scope.ground.is_copy(&self.scope.ground.program[f].ty) { quote!(*#n) } else { quote!(#n) })
                    .collect();
                match receiver {
                    None => {
                        let callee = self.callee(*callee, type_args, true)?;
                        owned(quote!(#fun::new(|#(#names: &#types),*| #callee(#(#args),*))))
                    }
                    Some(receiver) => {
                        let receiver = self.expr(receiver)?.owned_value();
                        let this = self.make_up("receiver");
                        let code = Code::place(quote!(#this), false);
                        let applied = self.apply_member(*callee, type_args, &code, &args, true)?;
                        owned(quote!({ let #this = #receiver; #fun::new(move |#(#names: &#types),*| #applied) }))
                    }
                }
            }
            ExprKind::Apply { function, args } => {
                if let ExprKind::Builtin { member: member @ (BuiltinMember::RotateLeft | BuiltinMember::RotateRight), object } =
                    &function.kind
                {
                    let method = ident(if *member == BuiltinMember::RotateLeft { "rotate_left" } else { "rotate_right" });
                    let object = self.expr(object)?.receiver();
                    let mut places = Vec::new();
                    for a in args {
                        places.push(self.expr(a)?.operand());
                    }
                    return owned(quote!(#object.#method(#(#places),*)));
                }
                let function = self.expr(function)?.receiver();
                let mut actuals = Vec::new();
                for a in args {
                    actuals.push(self.expr(a)?.borrowed());
                }
                owned(quote!(#function.call(#(#actuals),*)))
            }
            ExprKind::Index { object, indices } => {
                let rep = self.rep(&object.ty);
                let object = self.expr(object)?;
                let o = object.receiver();
                if let (Rep::Seq(_) | Rep::Array(..), [index]) = (&rep, indices.as_slice()) {
                    let i = self.index(index)?;
                    return match rep {
                        Rep::Seq(_) => Ok(Code::within(quote!(#o[#i]), Own::Place, copy, &object)),
                        _ => owned(quote!(#o.get(#i))),
                    };
                }
                let mut at = Vec::new();
                for i in indices {
                    at.push(self.expr(i)?);
                }
                match (rep, at.as_slice()) {
                    (Rep::Map(..), [k]) => {
                        let k = k.borrowed();
                        Ok(Code::within(quote!(#o[#k]), Own::Place, copy, &object))
                    }
                    (Rep::Multiset(_), [k]) => {
                        let k = k.borrowed();
                        owned(quote!(#o.count(#k)))
                    }
                    (Rep::Array(..), many) => {
                        let many = many.iter().map(Code::operand);
                        owned(quote!(#o.get((#(#many),*))))
                    }
                    _ => Err(self.scope.unsupported(e.span, "an index into this type")),
                }
            }
            ExprKind::Slice { object, from, to } => {
                let is_array = matches!(self.rep(&object.ty), Rep::Array(..));
                let object = self.expr(object)?;
                let o = object.receiver();
                let from = from.as_ref().map(|e| self.index(e)).transpose()?;
                let to = to.as_ref().map(|e| self.index(e)).transpose()?;
                match (from, to) {
                    (None, None) if is_array => owned(quote!(#o.to_seq())),
                    (None, None) => Ok(object),
                    (Some(a), None) => owned(quote!(#o.skip(#a))),
                    (None, Some(b)) => owned(quote!(#o.take(#b))),
                    (Some(a), Some(b)) => owned(quote!(#o.slice(#a, #b))),
                }
            }
            ExprKind::SliceLengths { object, lengths, rest } => {
                let object = self.expr(object)?;
                let mut parts = Vec::new();
                for l in lengths {
                    parts.push(self.value(l)?);
                }
                let (o, name) = (object.borrowed(), self.make_up("whole"));
                let rest = rest.then(|| {
                    let int = self.scope.runtime("int");
                    quote!(.chain([#name.len() - lengths.iter().fold(#int(0), |sum, n| sum + n)]))
                });
                owned(match rest {
                    None => quote!(#o.slices([#(#parts),*])),
                    Some(rest) => quote!({ let #name = #o; let lengths = [#(#parts),*]; #name.slices(lengths.iter().cloned() #rest) }),
                })
            }
            ExprKind::Update { object, key, value } => {
                let is_seq = matches!(self.rep(&object.ty), Rep::Seq(_));
                let o = self.expr(object)?.receiver();
                let key = if is_seq { self.index(key)? } else { self.value(key)? };
                let value = self.value(value)?;
                owned(quote!(#o.update(#key, #value)))
            }
            ExprKind::DatatypeUpdate { object, updates, ctors } => self.datatype_update(e, object, updates, ctors),
            ExprKind::TupleUpdate { object, updates } => {
                let Type::Tuple(components) = self.scope.ground.program.representation(&object.ty) else {
                    return Err(self.scope.unsupported(e.span, "an update of what is no tuple"));
                };
                let ty = object.ty.clone();
                let source = self.value(object)?;
                let name = self.make_up("tuple");
                let mut parts = Vec::new();
                for (i, (ghost, _)) in components.iter().enumerate() {
                    if *ghost {
                        continue;
                    }
                    parts.push(match (updates.iter().find(|(j, _)| *j == i), self.component(&ty, i)) {
                        (Some((_, v)), _) => self.value(v)?,
                        (None, Some(Some(i))) => {
                            let i = number(&i.to_string());
                            quote!(#name.#i)
                        }
                        (None, _) => quote!(#name),
                    });
                }
                owned(match parts.as_slice() {
                    [one] => quote!({ let #name = #source; #one }),
                    many => quote!({ let #name = #source; (#(#many),*) }),
                })
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, e.span),
            ExprKind::Chain { first, rest } => self.chain(first, rest),
            ExprKind::PrefixEq { .. } => Err(self.scope.unsupported(e.span, "equality of codatatypes up to a depth")),
            ExprKind::Convert(inner) => self.convert(inner, &e.ty, e.span),
            ExprKind::Is(inner, ty) => self.is(inner, ty, e.span),
            ExprKind::Cardinality(inner) => {
                let o = self.expr(inner)?.receiver();
                owned(quote!(#o.len()))
            }
            ExprKind::Tuple(components) => {
                let ghosts: Vec<bool> = match self.scope.ground.program.representation(&e.ty) {
                    Type::Tuple(cs) => cs.iter().map(|(ghost, _)| *ghost).collect(),
                    _ => Vec::new(),
                };
                let mut parts = Vec::new();
                for (i, c) in components.iter().enumerate() {
                    if !ghosts.get(i).copied().unwrap_or(false) {
                        parts.push(self.value(c)?);
                    }
                }
                if parts.len() > 12 {
                    return Err(self.scope.unsupported(e.span, "a tuple of more than 12 components"));
                }
                owned(match parts.as_slice() {
                    [one] => quote!(#one),
                    many => quote!((#(#many),*)),
                })
            }
            ExprKind::SeqDisplay(elements) => self.display("seq", "Seq", elements, &e.ty),
            ExprKind::SetDisplay(elements) => self.display("set", "Set", elements, &e.ty),
            ExprKind::MultisetDisplay(elements) => self.display("multiset", "Multiset", elements, &e.ty),
            ExprKind::MultisetFrom(inner) => {
                let o = self.expr(inner)?.receiver();
                owned(quote!(#o.to_multiset()))
            }
            ExprKind::MapDisplay(pairs) => {
                if pairs.is_empty() {
                    return self.display("map", "Map", &[], &e.ty);
                }
                let mut out = Vec::new();
                for (k, v) in pairs {
                    let (k, v) = (self.value(k)?, self.value(v)?);
                    out.push(quote!((#k, #v)));
                }
                let map = self.scope.runtime("Map");
                owned(quote!(#map::from_iter([#(#out),*])))
            }
            ExprKind::SeqConstruct { len, init } => {
                let len = self.expr(len)?.operand();
                let seq = self.scope.runtime("Seq");
                let function = match &init.kind {
                    ExprKind::Lambda(l) if l.params.len() == 1 && self.rep_of_param(l) == Some(Rep::Int) => self.closure(l)?,
                    _ => {
                        let f = self.expr(init)?.receiver();
                        quote!(|i| #f.call(i))
                    }
                };
                owned(quote!(#seq::init(#len, #function)))
            }
            ExprKind::SetComp { vars, term } => self.set_comprehension(vars, term, &e.ty),
            ExprKind::MapComp { vars, key, value } => self.map_comprehension(vars, key, value, &e.ty),
            ExprKind::Quantifier { forall, vars, body } => self.quantifier(*forall, vars, body),
            ExprKind::Lambda(l) => self.lambda(l, &e.ty),
            ExprKind::If { .. } => {
                let tokens = self.tail(e)?;
                owned(tokens)
            }
            ExprKind::IfBinding { vars, then, els } => self.if_binding(vars, then, els, copy),
            ExprKind::Match { scrutinee, cases } => {
                let tokens = self.match_expr(scrutinee, cases)?;
                owned(tokens)
            }
            ExprKind::Let { .. } | ExprKind::LetSuchThat { .. } | ExprKind::LetOrFail(_) => {
                let tokens = self.tail(e)?;
                owned(quote!({ #tokens }))
            }
            ExprKind::StmtExpr { stmt, body } => {
                if self.is_erased(stmt) {
                    return self.expr(body);
                }
                let tokens = self.tail(e)?;
                owned(quote!({ #tokens }))
            }
            ExprKind::Old { expr, .. } => self.old(expr),
            ExprKind::Fresh { expr, .. } => self.fresh(expr),
            ExprKind::Allocated(_) => Err(self.scope.unsupported(e.span, "`allocated`")),
            ExprKind::Unchanged { frame, .. } => self.unchanged(e, frame),
            ExprKind::Assigned(_) => Err(self.scope.unsupported(e.span, "`assigned`")),
            // The one rule for choices takes the least value.
            ExprKind::Wildcard => owned(quote!(false)),
            ExprKind::Error => Err(self.scope.unsupported(e.span, "an expression that does not resolve")),
        }
    }

    fn rep_of_param(&self, l: &Lambda) -> Option<Rep> {
        l.params.first().map(|&p| self.rep(&self.scope.ground.program[p].ty))
    }

    /// The place of a tuple's component in Rust: `None` for a ghost one, `Some(None)` where it stands alone.
    fn component(&self, ty: &Type, index: usize) -> Option<Option<usize>> {
        let Type::Tuple(components) = self.scope.ground.program.representation(ty) else { return None };
        if components.get(index).is_none_or(|(ghost, _)| *ghost) {
            return None;
        }
        let compiled = components.iter().filter(|(ghost, _)| !ghost).count();
        let before = components.iter().take(index).filter(|(ghost, _)| !ghost).count();
        Some((compiled > 1).then_some(before))
    }

    fn field(&mut self, e: &Expr, object: Option<&Expr>, field: FieldId, type_args: &[Type]) -> Translated<Code> {
        let (copy, ground) = (self.copy(&e.ty), self.scope.ground);
        let decl = &ground.program[field];
        if decl.ghost && (!self.scope.spec || self.scope.apart) {
            return Err(self.scope.unsupported(e.span, format!("the ghost field `{}`", decl.name)));
        }
        let name = ident(ground.names.field(field));
        let Some(object) = object else {
            self.scope.needs(Dependency::Const(field));
            let callee = match decl.owner {
                Some(owner) if ground.has_methods(owner) || self.is_class(owner) => {
                    let (path, args) = (self.scope.type_path(owner), self.turbofish(type_args)?);
                    quote!(#path #args::#name)
                }
                Some(_) | None => self.scope.free_const(field),
            };
            return Ok(Code::owned(quote!(#callee()), copy));
        };
        if matches!(object.kind, ExprKind::This)
            && let Some(code) = self.unborn.get(&field)
        {
            return Ok(code.clone());
        }
        let object = self.expr(object)?;
        let o = object.receiver();
        match &decl.kind {
            FieldKind::Destructor(_) if decl.ghost => Err(self.scope.unsupported(e.span, format!("the ghost field `{}`", decl.name))),
            FieldKind::Destructor(_) if ground.is_copy(&decl.ty) => Ok(Code::owned(quote!(#o.#name()), copy)),
            FieldKind::Destructor(_) => Ok(Code::within(quote!(#o.#name()), Own::Ref, copy, &object)),
            FieldKind::Mutable if decl.ghost => Err(self.scope.unsupported(e.span, format!("the ghost field `{}`", decl.name))),
            FieldKind::Mutable if decl.owner.is_some_and(|t| !self.is_class(t)) => {
                Err(self.scope.unsupported(e.span, format!("the field `{}` of a trait", decl.name)))
            }
            FieldKind::Mutable => Ok(Code::owned(quote!(#o.#name.get()), copy)),
            FieldKind::Const(_) => match decl.owner {
                Some(owner) if self.is_class(owner) && !decl.ghost => Ok(Code::within(quote!(#o.#name), Own::Place, copy, &object)),
                Some(owner) if ground.has_methods(owner) => {
                    self.scope.needs(Dependency::Const(field));
                    Ok(Code::owned(quote!(#o.#name()), copy))
                }
                Some(owner) if !self.is_class(owner) => {
                    self.scope.needs(Dependency::Const(field));
                    let path = self.scope.free_const(field);
                    let arg = self.receiver_argument(owner, &object);
                    Ok(Code::owned(quote!(#path(#arg)), copy))
                }
                Some(_) | None => Err(self.scope.unsupported(e.span, format!("the ghost constant `{}`", decl.name))),
            },
        }
    }

    pub(super) fn is_class(&self, ty: TypeId) -> bool {
        matches!(self.scope.ground.program[ty].kind, TypeDeclKind::Class)
    }

    /// `::<A, B>`; nothing for none.
    pub(super) fn turbofish(&self, args: &[Type]) -> Translated<TokenStream> {
        if args.is_empty() {
            return Ok(TokenStream::new());
        }
        let args = args.iter().map(|t| self.scope.rust_type(t)).collect::<Translated<Vec<_>>>()?;
        Ok(quote!(::<#(#args),*>))
    }

    fn ctor_path(&mut self, ctor: crate::typed::CtorId, decl: TypeId, type_args: &[Type], args: &[Expr]) -> Translated<TokenStream> {
        let ground = self.scope.ground;
        if ground.program[ctor].ghost {
            return Err(self
                .scope
                .unsupported(ground.program[ctor].span, format!("the ghost constructor `{}`", ground.program[ctor].name)));
        }
        let path = self.scope.type_path(decl);
        let variant = ident(ground.names.ctor(ctor));
        let fields = &ground.program[ctor].fields;
        let formals: Vec<(&Type, &Expr)> =
            fields.iter().zip(args).filter(|(f, _)| !ground.program[**f].ghost).map(|(&f, a)| (&ground.program[f].ty, a)).collect();
        let fish = if self.inferred(&ground.program[decl].type_params, &formals) { TokenStream::new() } else { self.turbofish(type_args)? };
        Ok(quote!(#path #fish::#variant))
    }

    /// A constructor with the values of its compiled fields.
    pub(super) fn construct(
        &self,
        ctor: crate::typed::CtorId,
        decl: TypeId,
        path: TokenStream,
        inits: Vec<(FieldId, TokenStream)>,
    ) -> TokenStream {
        let ground = self.scope.ground;
        let phantom = super::datatype::has_phantom(ground, decl, ctor);
        if inits.is_empty() && !phantom {
            return path;
        }
        let fields = inits.into_iter().map(|(f, value)| {
            let name = ident(ground.names.field(f));
            if ground.is_boxed(decl, &ground.program[f].ty) { quote!(#name: std::rc::Rc::new(#value)) } else { quote!(#name: #value) }
        });
        let phantom = phantom.then(|| quote!(phantom: std::marker::PhantomData));
        let fields = fields.chain(phantom);
        quote!(#path { #(#fields),* })
    }

    /// Whether Rust finds the type parameters by the arguments.
    pub(super) fn inferred(&self, params: &[TypeParamId], formals: &[(&Type, &Expr)]) -> bool {
        params.iter().all(|&p| formals.iter().any(|(ty, e)| mentions(ty, p) && self.shows_its_type(e)))
    }

    /// Whether the Rust of an expression has a type of its own, that needs nothing around it.
    pub(super) fn shows_its_type(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Literal(Literal::Null)
            | ExprKind::Lambda(_)
            | ExprKind::FunctionRef { .. }
            | ExprKind::Wildcard
            | ExprKind::Error => false,
            ExprKind::SeqDisplay(es) | ExprKind::SetDisplay(es) | ExprKind::MultisetDisplay(es) => {
                es.iter().all(|e| self.shows_its_type(e))
            }
            ExprKind::Let { body, .. } | ExprKind::StmtExpr { body, .. } => self.shows_its_type(body),
            ExprKind::If { then, .. } => self.shows_its_type(then),
            ExprKind::Tuple(es) => es.iter().all(|e| self.shows_its_type(e)),
            _ => true,
        }
    }

    fn display(&mut self, name: &str, collection: &str, elements: &[Expr], ty: &Type) -> Translated<Code> {
        if elements.is_empty() {
            let collection = self.scope.runtime(collection);
            let args = match self.rep(ty) {
                Rep::Seq(e) | Rep::Set(e) | Rep::Multiset(e) => self.turbofish(&[e])?,
                Rep::Map(k, v) => self.turbofish(&[k, v])?,
                _ => TokenStream::new(),
            };
            return Ok(Code::owned(quote!(#collection #args::new()), false));
        }
        // What has no type in Rust has no value either.
        self.scope.rust_type(ty)?;
        let mut values = Vec::new();
        for e in elements {
            values.push(self.value(e)?);
        }
        let name = ident(name);
        Ok(Code::owned(quote!(#name![#(#values),*]), false))
    }

    fn datatype_update(
        &mut self,
        e: &Expr,
        object: &Expr,
        updates: &[(FieldId, Expr)],
        ctors: &[crate::typed::CtorId],
    ) -> Translated<Code> {
        let ground = self.scope.ground;
        let Rep::Datatype(decl, _) = self.rep(&e.ty) else {
            return Err(self.scope.unsupported(e.span, "an update of what is no datatype"));
        };
        let mut source = self.expr(object)?;
        let mut lets = TokenStream::new();
        if !source.is_stable() || !matches!(object.kind, ExprKind::Local(_) | ExprKind::This) {
            let (name, value) = (self.make_up("before"), source.borrowed());
            lets = quote!(let #name = #value;);
            source = Code::reference(quote!(#name), false);
        }
        let mut values = BTreeMap::new();
        for (field, value) in updates {
            if ground.program[*field].ghost {
                continue;
            }
            let code = self.value(value)?;
            if ctors.len() > 1 {
                let name = self.make_up("new");
                lets = quote!(#lets let #name = #code;);
                values.insert(*field, quote!(#name));
            } else {
                values.insert(*field, code);
            }
        }
        let path = self.scope.type_path(decl);
        let mut branches = Vec::new();
        for &ctor in ctors.iter().filter(|c| !ground.program[**c].ghost) {
            let variant = ident(ground.names.ctor(ctor));
            let mut inits = Vec::new();
            for field in ground.ctor_fields(ctor) {
                let value = values.get(&field).cloned().unwrap_or_else(|| {
                    let (o, name, ty) = (source.receiver(), ident(ground.names.field(field)), &ground.program[field].ty);
                    if ground.is_copy(ty) { quote!(#o.#name()) } else { quote!(#o.#name().clone()) }
                });
                inits.push((field, value));
            }
            let tester = ident(ground.names.tester(ctor));
            branches.push((tester, self.construct(ctor, decl, quote!(#path::#variant), inits)));
        }
        let o = source.receiver();
        let Some(((_, last), others)) = branches.split_last() else {
            return Err(self.scope.unsupported(e.span, "an update that no constructor has"));
        };
        let body = others.iter().rev().fold(quote!(#last), |rest, (tester, value)| quote!(if #o.#tester() { #value } else { #rest }));
        Ok(Code::owned(if lets.is_empty() { body } else { quote!({ #lets #body }) }, false))
    }

    // ---- Lambdas and binders -----------------------------------------------------------------------------------

    /// Declares a lambda's parameters; the result is the parameter list.
    fn lambda_params(&mut self, l: &Lambda) -> Translated<TokenStream> {
        let mut params = Vec::new();
        for &p in &l.params {
            let ty = self.scope.ground.program[p].ty.clone();
            let t = self.scope.rust_type(&ty)?;
            params.push(if self.copy(&ty) {
                let name = self.declare(p, Own::Place);
                quote!(&#name: &#t)
            } else {
                let name = self.declare(p, Own::Ref);
                quote!(#name: &#t)
            });
        }
        Ok(quote!(|#(#params),*|))
    }

    /// A closure that is called on the spot and borrows what it needs.
    fn closure(&mut self, l: &Lambda) -> Translated<TokenStream> {
        let params = self.lambda_params(l)?;
        let body = self.block_value(&l.body)?;
        Ok(quote!(#params #body))
    }

    /// The value of an expression as the body of a closure or an arm: in braces where it has statements.
    pub(super) fn block_value(&mut self, e: &Expr) -> Translated<TokenStream> {
        let inner = self.tail(e)?;
        let statements =
            matches!(e.kind, ExprKind::Let { .. } | ExprKind::StmtExpr { .. } | ExprKind::LetSuchThat { .. } | ExprKind::LetOrFail(_));
        Ok(if statements { quote!({ #inner }) } else { group(inner) })
    }

    fn lambda(&mut self, l: &Lambda, ty: &Type) -> Translated<Code> {
        let arity = match self.rep(ty) {
            Rep::Arrow(params, _) => params.len(),
            _ => l.params.len(),
        };
        let fun = self.scope.function_type(arity)?;
        let (locals, this) = mentioned(&l.body);
        let mut lets = TokenStream::new();
        let saved = self.vars.clone();
        let saved_this = self.this.clone();
        for local in locals {
            let Some(code) = self.vars.get(&local).cloned() else { continue };
            let value = code.owned_value();
            let name = self.declare(local, Own::Place);
            lets = quote!(#lets let #name = #value;);
        }
        if let Some(code) = self.this.clone().filter(|_| this) {
            let value = code.owned_value();
            lets = quote!(#lets let this = #value;);
            self.this = Some(Code::place(quote!(this), false));
        }
        let params = self.lambda_params(l);
        let body = params.and_then(|p| Ok((p, self.block_value(&l.body)?)));
        self.vars = saved;
        self.this = saved_this;
        let (params, body) = body?;
        Ok(Code::owned(
            if lets.is_empty() { quote!(#fun::new(#params #body)) } else { quote!({ #lets #fun::new(move #params #body) }) },
            false,
        ))
    }

    /// The bindings of a `let`.
    fn bindings(&mut self, bindings: &[(Pattern, Expr)], body: &Expr) -> Translated<TokenStream> {
        let used = mentioned(body).0;
        let mut codes = Vec::new();
        for (_, e) in bindings {
            codes.push(self.expr(e)?);
        }
        // Parallel: values first, where one of them mentions a name that another binding declares.
        let mut out = TokenStream::new();
        if bindings.len() > 1 {
            let mut temps = Vec::new();
            for code in &codes {
                let (name, value) = (self.make_up("value"), code.owned_value());
                out = quote!(#out let #name = #value;);
                temps.push(Code::reference(quote!((&#name)), false));
                if let Some(last) = temps.last_mut() {
                    *last = Code::place(quote!(#name), false);
                }
            }
            codes = temps;
        }
        for ((pattern, e), code) in bindings.iter().zip(codes) {
            let one = self.let_pattern(pattern, &code, &used, self.copy(&e.ty), true)?;
            out = quote!(#out #one);
        }
        Ok(out)
    }

    /// `let pattern = value;`. With `borrow`, what lives long enough is bound by reference.
    pub(super) fn let_pattern(
        &mut self,
        pattern: &Pattern,
        code: &Code,
        used: &[LocalId],
        copy: bool,
        borrow: bool,
    ) -> Translated<TokenStream> {
        match &pattern.kind {
            PatternKind::Wildcard => Ok(TokenStream::new()),
            PatternKind::Var(v) if !used.contains(v) || (self.scope.ground.program[*v].ghost && !self.scope.spec) => Ok(TokenStream::new()),
            PatternKind::Var(v) => {
                if borrow && !copy && code.is_stable() && code.own() != Own::Owned {
                    let value = code.borrowed();
                    let name = self.declare(*v, Own::Ref);
                    Ok(quote!(let #name = #value;))
                } else {
                    let value = code.owned_value();
                    let name = self.declare(*v, Own::Place);
                    Ok(quote!(let #name = #value;))
                }
            }
            PatternKind::Tuple(parts) if code.own() == Own::Owned && self.are_plain(&pattern.ty, parts) => {
                let value = code.owned_value();
                let names: Vec<TokenStream> = self.compiled_parts(&pattern.ty, parts).into_iter().map(|p| self.plain(p, used)).collect();
                Ok(match names.as_slice() {
                    [one] => quote!(let #one = #value;),
                    many => quote!(let (#(#many),*) = #value;),
                })
            }
            PatternKind::Tuple(_) | PatternKind::Ctor { .. } | PatternKind::Value(_) | PatternKind::Or(_) => {
                let mut out = TokenStream::new();
                let subject = if code.is_stable() && borrow {
                    code.clone()
                } else {
                    let (name, value) = (self.make_up("value"), code.owned_value());
                    out = quote!(let #name = #value;);
                    Code::place(quote!(#name), false)
                };
                let lets = self.irrefutable(pattern, &subject, used, !borrow)?;
                Ok(quote!(#out #lets))
            }
        }
    }

    fn are_plain(&self, ty: &Type, parts: &[Pattern]) -> bool {
        self.compiled_parts(ty, parts).iter().all(|p| matches!(p.kind, PatternKind::Var(_) | PatternKind::Wildcard))
    }

    /// The components of a tuple pattern that are not ghost.
    pub(super) fn compiled_parts<'a>(&self, ty: &Type, parts: &'a [Pattern]) -> Vec<&'a Pattern> {
        match self.scope.ground.program.representation(ty) {
            Type::Tuple(cs) => parts.iter().zip(cs).filter(|(_, (ghost, _))| !ghost).map(|(p, _)| p).collect(),
            _ => parts.iter().collect(),
        }
    }

    fn plain(&mut self, p: &Pattern, used: &[LocalId]) -> TokenStream {
        match &p.kind {
            PatternKind::Var(v) if used.contains(v) => {
                let name = self.declare(*v, Own::Place);
                quote!(#name)
            }
            PatternKind::Var(_)
            | PatternKind::Wildcard
            | PatternKind::Ctor { .. }
            | PatternKind::Tuple(_)
            | PatternKind::Value(_)
            | PatternKind::Or(_) => quote!(_),
        }
    }

    fn let_or_fail(&mut self, l: &LetOrFail) -> Translated<TokenStream> {
        let value = self.value(&l.value)?;
        let temp = self.declare(l.temp, Own::Place);
        let failed = self.value(&l.is_failure)?;
        let propagated = self.value(&l.propagate)?;
        let mut binding = TokenStream::new();
        if let (Some(pattern), Some(extract)) = (&l.pattern, &l.extract) {
            let used = mentioned(&l.body).0;
            let code = self.expr(extract)?;
            binding = self.let_pattern(pattern, &code, &used, self.copy(&extract.ty), true)?;
        }
        let body = self.tail(&l.body)?;
        Ok(quote!(let #temp = #value; if #failed { #propagated } else { #binding #body }))
    }
}

/// How many dimensions the array has whose length `e` is.
fn e_array_dims(body: &Body<'_, '_, '_>, e: &Expr) -> Option<u32> {
    let ExprKind::Builtin { object, .. } = &e.kind else { return None };
    match body.rep(&object.ty) {
        Rep::Array(dims, _) => Some(dims),
        _ => None,
    }
}
