//! Typed expressions → Rust.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::body::Body;
use super::code::{Code, Own, ident, number};
use super::convention::Translated;
use super::literal;
use super::rep::Rep;
use crate::typed::{BuiltinMember, Expr, ExprKind, Literal, Type};

impl Body<'_, '_, '_> {
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
    pub(super) fn else_branch(&mut self, e: &Expr) -> Translated<TokenStream> {
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
}

/// How many dimensions the array has whose length `e` is.
fn e_array_dims(body: &Body<'_, '_, '_>, e: &Expr) -> Option<u32> {
    let ExprKind::Builtin { object, .. } = &e.kind else { return None };
    match body.rep(&object.ty) {
        Rep::Array(dims, _) => Some(dims),
        _ => None,
    }
}
