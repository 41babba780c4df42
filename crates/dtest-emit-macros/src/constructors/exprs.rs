//! Expressions of templates.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr as E, Pat as P, Result};

use super::{Constructors, at, boxed, each_of_expr, maybe, node, refused};
use crate::splice;

impl Constructors {
    fn exprs(&mut self, es: impl IntoIterator<Item = E>) -> Result<TokenStream> {
        self.list(es, &node("Expr"), each_of_expr, Self::expr)
    }

    pub(super) fn boxed(&mut self, e: E) -> Result<TokenStream> {
        Ok(boxed(&self.expr(e)?))
    }

    pub(super) fn maybe(&mut self, e: Option<Box<E>>) -> Result<TokenStream> {
        Ok(maybe(e.map(|e| self.boxed(*e)).transpose()?))
    }

    pub(crate) fn expr(&mut self, e: E) -> Result<TokenStream> {
        let expr = node("Expr");
        Ok(match e {
            E::Group(g) => self.expr(*g.expr)?,
            E::Path(p) => self.name_or_path(p)?,
            E::Lit(l) => {
                let literal = literal(&l.lit);
                quote!(#expr::Literal(#literal))
            }
            E::Macro(m) => self.call_of_macro(m.mac)?,
            E::Call(c) => {
                let (node, func, args) = (node("Call"), self.expr(*c.func)?, self.exprs(c.args)?);
                quote!(#expr::Call(::std::boxed::Box::new(#node { func: #func, args: #args, diverges: false })))
            }
            E::MethodCall(m) => self.method(m)?,
            E::Field(f) => {
                let base = self.boxed(*f.base)?;
                let member = self.member(&f.member);
                quote!(#expr::Field(#base, #member))
            }
            E::Index(i) => {
                let (e, index) = (self.boxed(*i.expr)?, self.boxed(*i.index)?);
                quote!(#expr::Index(#e, #index))
            }
            E::Unary(u) => {
                let op = match u.op {
                    syn::UnOp::Deref(_) => quote!(Deref),
                    syn::UnOp::Not(_) => quote!(Not),
                    syn::UnOp::Neg(_) => quote!(Neg),
                    other => return refused(&other, "this operator"),
                };
                let e = self.boxed(*u.expr)?;
                quote!(#expr::Unary(crate::rust::UnaryOp::#op, #e))
            }
            E::Binary(b) => {
                let Some((op, updates)) = operator(&b.op) else {
                    return refused(&b.op, "this operator");
                };
                let op = Ident::new(op, b.op.span());
                let node = if updates {
                    quote!(Update)
                } else {
                    quote!(Binary)
                };
                let (left, right) = (self.boxed(*b.left)?, self.boxed(*b.right)?);
                quote!(#expr::#node(crate::rust::BinaryOp::#op, #left, #right))
            }
            E::Reference(r) => {
                let (mutable, of) = (r.mutability.is_some(), self.boxed(*r.expr)?);
                quote!(#expr::Reference { mutable: #mutable, of: #of })
            }
            E::Cast(c) => {
                let (e, ty) = (self.boxed(*c.expr)?, self.ty(*c.ty)?);
                quote!(#expr::Cast(#e, #ty))
            }
            // A list in parentheses is a tuple, whatever its length.
            E::Paren(p) if each_of_expr(&p.expr).is_some() => {
                let es = self.exprs([*p.expr])?;
                quote!(#expr::Tuple(#es))
            }
            E::Paren(p) => {
                let e = self.boxed(*p.expr)?;
                quote!(#expr::Paren(#e))
            }
            E::Tuple(t) => {
                let es = self.exprs(t.elems)?;
                quote!(#expr::Tuple(#es))
            }
            E::Array(a) => {
                let es = self.exprs(a.elems)?;
                quote!(#expr::Array(#es))
            }
            E::Range(r) => {
                let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
                let (from, to) = (self.maybe(r.start)?, self.maybe(r.end)?);
                quote!(#expr::Range { from: #from, to: #to, inclusive: #inclusive })
            }
            E::Struct(s) => self.made(s)?,
            E::Assign(a) => {
                let (node, place, value) =
                    (node("Assign"), self.expr(*a.left)?, self.expr(*a.right)?);
                quote!(#expr::Assign(::std::boxed::Box::new(#node { place: #place, value: #value, is_dead: false })))
            }
            E::Infer(_) => quote!(#expr::Ignored),
            other => return self.control(other),
        })
    }

    /// Converts a name, a path, or a splice in the position of one.
    fn name_or_path(&mut self, p: syn::ExprPath) -> Result<TokenStream> {
        let expr = node("Expr");
        let name = match p.path.get_ident() {
            Some(name) if p.qself.is_none() => name,
            Some(_) | None => {
                let path = self.path(p.qself, p.path)?;
                return Ok(quote!(#expr::from(#path)));
            }
        };
        Ok(match (splice::one(name), splice::joined(name)) {
            (Some(variable), _) => {
                let value = self.value(&variable);
                quote_spanned!(at(&variable)=> #expr::from(#value))
            }
            (None, Some((list, join))) => {
                let values = self.value(&list);
                quote_spanned!(at(&list)=> #expr::#join(#values))
            }
            (None, None) => {
                let name = self.ident(name);
                quote!(#expr::Name(#name))
            }
        })
    }

    /// Converts `Path { member: value, ..rest }`.
    fn made(&mut self, s: syn::ExprStruct) -> Result<TokenStream> {
        let expr = node("Expr");
        let path = self.path(s.qself, s.path)?;
        let each = |f: &syn::FieldValue| match &f.member {
            syn::Member::Named(name) => splice::each(name),
            syn::Member::Unnamed(_) => None,
        };
        let field = |c: &mut Self, f: syn::FieldValue| {
            let (member, e) = (c.member(&f.member), c.expr(f.expr)?);
            Ok(quote!((#member, #e)))
        };
        let fields = self.list(s.fields, &quote!(crate::rust::FieldValue), each, field)?;
        let rest = self.maybe(s.rest)?;
        Ok(quote!(#expr::Struct { path: #path, fields: #fields, rest: #rest }))
    }

    /// Converts blocks, branches, loops, jumps and closures.
    fn control(&mut self, e: E) -> Result<TokenStream> {
        let expr = node("Expr");
        Ok(match e {
            E::Block(b) => {
                let (label, block) = (self.label(b.label.map(|l| l.name)), self.block(b.block)?);
                quote!(#expr::Block { label: #label, block: #block })
            }
            E::If(i) => {
                let (node, cond, then) =
                    (node("If"), self.expr(*i.cond)?, self.block(i.then_branch)?);
                let els = maybe(i.else_branch.map(|(_, e)| self.expr(*e)).transpose()?);
                quote!(#expr::If(::std::boxed::Box::new(#node { cond: #cond, then: #then, els: #els })))
            }
            E::Let(l) => {
                let (pat, e) = (boxed(&self.pat(*l.pat)?), self.boxed(*l.expr)?);
                quote!(#expr::Let(#pat, #e))
            }
            E::Match(m) => {
                let e = self.boxed(*m.expr)?;
                let arms = self.list(m.arms, &node("Arm"), |_| None, Self::arm)?;
                quote!(#expr::Match(#e, #arms))
            }
            E::Loop(l) => self.looped(l.label, |_| Ok(quote!(Always)), l.body)?,
            E::While(w) => {
                let head = |c: &mut Self| {
                    let cond = c.expr(*w.cond)?;
                    Ok(quote!(While(#cond)))
                };
                self.looped(w.label, head, w.body)?
            }
            E::ForLoop(f) => {
                let head = |c: &mut Self| {
                    let (pat, values) = (c.pat(*f.pat)?, c.expr(*f.expr)?);
                    Ok(quote!(For(#pat, #values)))
                };
                self.looped(f.label, head, f.body)?
            }
            E::Closure(c) => self.closure(c)?,
            E::Await(a) => {
                let e = self.boxed(*a.base)?;
                quote!(#expr::Await(#e))
            }
            E::Return(r) => {
                let e = self.maybe(r.expr)?;
                quote!(#expr::Return(#e))
            }
            E::Break(b) => {
                let (label, e) = (self.label(b.label), self.maybe(b.expr)?);
                quote!(#expr::Break(#label, #e))
            }
            E::Continue(c) => {
                let label = self.label(c.label);
                quote!(#expr::Continue(#label))
            }
            other => return refused(&other, "this expression"),
        })
    }

    pub(super) fn member(&mut self, member: &syn::Member) -> TokenStream {
        match member {
            syn::Member::Named(name) => self.name(name),
            syn::Member::Unnamed(index) => {
                let text = index.index.to_string();
                quote!(::std::string::String::from(#text))
            }
        }
    }

    fn method(&mut self, m: syn::ExprMethodCall) -> Result<TokenStream> {
        let (receiver, changes) = match *m.receiver {
            E::Paren(p) => match *p.expr.clone() {
                E::Reference(r) if r.mutability.is_some() => (*r.expr, true),
                inner => (
                    E::Paren(syn::ExprParen {
                        expr: Box::new(inner),
                        ..p
                    }),
                    false,
                ),
            },
            receiver => (receiver, false),
        };
        let (expr, node, receiver, name) = (
            node("Expr"),
            node("Method"),
            self.expr(receiver)?,
            self.name(&m.method),
        );
        let generics = self.generics(
            m.turbofish
                .map_or(syn::PathArguments::None, syn::PathArguments::AngleBracketed),
        )?;
        let args = self.exprs(m.args)?;
        Ok(quote!(#expr::Method(::std::boxed::Box::new(#node {
            receiver: #receiver, changes: #changes, name: #name, generics: #generics, args: #args,
        }))))
    }

    fn arm(&mut self, a: syn::Arm) -> Result<TokenStream> {
        let (pat, guard) = match a.pat {
            P::Guard(g) => (*g.pat, Some(*g.guard)),
            pat => (pat, None),
        };
        let (node, pat) = (node("Arm"), self.pat(pat)?);
        let guard = maybe(guard.map(|g| self.expr(g)).transpose()?);
        let body = self.expr(*a.body)?;
        Ok(quote!(#node { pat: #pat, guard: #guard, body: #body }))
    }

    fn looped(
        &mut self,
        label: Option<syn::Label>,
        head: impl FnOnce(&mut Self) -> Result<TokenStream>,
        body: syn::Block,
    ) -> Result<TokenStream> {
        let (expr, node, kind) = (node("Expr"), node("Loop"), node("LoopHead"));
        let (label, head, body) = (
            self.label(label.map(|l| l.name)),
            head(self)?,
            self.block(body)?,
        );
        Ok(
            quote!(#expr::Loop(::std::boxed::Box::new(#node { label: #label, head: #kind::#head, body: #body }))),
        )
    }

    fn closure(&mut self, c: syn::ExprClosure) -> Result<TokenStream> {
        let each = |p: &P| {
            if let P::Ident(i) = p {
                splice::each(&i.ident)
            } else {
                None
            }
        };
        let params = self.list(c.inputs, &quote!(crate::rust::Param), each, |c, p| {
            let (pat, ty) = c.typed(p)?;
            Ok(quote!((#pat, #ty)))
        })?;
        let result = match c.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(self.ty(*ty)?),
        };
        let (expr, node, moves, result, body) = (
            node("Expr"),
            node("Closure"),
            c.capture.is_some(),
            maybe(result),
            self.expr(*c.body)?,
        );
        Ok(
            quote!(#expr::Closure(::std::boxed::Box::new(#node { moves: #moves, params: #params, result: #result, body: #body }))),
        )
    }
}

pub(super) fn literal(l: &syn::Lit) -> TokenStream {
    let node = quote!(crate::rust::Literal);
    match l {
        syn::Lit::Bool(b) => quote!(#node::Bool(#b)),
        syn::Lit::Char(c) => quote!(#node::Char(#c)),
        syn::Lit::Str(text) => quote!(#node::Text(::std::string::String::from(#text))),
        other => {
            let text = other.to_token_stream().to_string();
            quote!(#node::Number(::std::string::String::from(#text)))
        }
    }
}

/// Returns the name of an operator in the tree, and whether it is an assigning operator.
fn operator(op: &syn::BinOp) -> Option<(&'static str, bool)> {
    use syn::BinOp as O;
    Some(match op {
        O::Add(_) => ("Add", false),
        O::Sub(_) => ("Sub", false),
        O::Mul(_) => ("Mul", false),
        O::Div(_) => ("Div", false),
        O::Rem(_) => ("Rem", false),
        O::And(_) => ("And", false),
        O::Or(_) => ("Or", false),
        O::BitXor(_) => ("BitXor", false),
        O::BitAnd(_) => ("BitAnd", false),
        O::BitOr(_) => ("BitOr", false),
        O::Shl(_) => ("Shl", false),
        O::Shr(_) => ("Shr", false),
        O::Eq(_) => ("Eq", false),
        O::Lt(_) => ("Lt", false),
        O::Le(_) => ("Le", false),
        O::Ne(_) => ("Ne", false),
        O::Ge(_) => ("Ge", false),
        O::Gt(_) => ("Gt", false),
        O::AddAssign(_) => ("Add", true),
        O::SubAssign(_) => ("Sub", true),
        O::MulAssign(_) => ("Mul", true),
        O::DivAssign(_) => ("Div", true),
        O::RemAssign(_) => ("Rem", true),
        O::BitXorAssign(_) => ("BitXor", true),
        O::BitAndAssign(_) => ("BitAnd", true),
        O::BitOrAssign(_) => ("BitOr", true),
        O::ShlAssign(_) => ("Shl", true),
        O::ShrAssign(_) => ("Shr", true),
        _ => return None,
    })
}
