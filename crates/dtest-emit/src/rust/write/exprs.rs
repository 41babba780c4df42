//! Converts expressions.

use syn::punctuated::Punctuated;
use syn::{Expr as E, Pat as P};

use super::types::{angle_bracketed, path, result_type, type_of};
use super::{Writer, label, lifetime, literal, member, single, token};
use crate::rust::{
    Arm, Assign, BinaryOp, Block, Closure, Expr, Generics, If, Loop, LoopHead, Method, Pat, Path,
    Type, UnaryOp,
};

pub(super) fn call(func: E, args: Punctuated<E, syn::Token![,]>) -> E {
    E::Call(syn::ExprCall {
        attrs: Vec::new(),
        func: Box::new(func),
        paren_token: Default::default(),
        args,
    })
}

fn method(
    receiver: E,
    name: proc_macro2::Ident,
    arguments: Generics,
    args: Punctuated<E, syn::Token![,]>,
) -> E {
    let turbofish = match arguments {
        Generics::Arguments(all) => Some(angle_bracketed(all, true)),
        Generics::None | Generics::Function(..) => None,
    };
    E::MethodCall(syn::ExprMethodCall {
        attrs: Vec::new(),
        receiver: Box::new(receiver),
        dot_token: Default::default(),
        method: name,
        turbofish,
        paren_token: Default::default(),
        args,
    })
}

pub(super) fn binary(left: E, op: syn::BinOp, right: E) -> E {
    E::Binary(syn::ExprBinary {
        attrs: Vec::new(),
        left: Box::new(left),
        op,
        right: Box::new(right),
    })
}

impl<N> Writer<'_, N> {
    fn exprs(&self, es: Vec<Expr<N>>) -> Punctuated<E, syn::Token![,]> {
        es.into_iter().map(|e| self.expr(e)).collect()
    }

    pub(super) fn boxed(&self, e: Expr<N>) -> Box<E> {
        Box::new(self.expr(e))
    }

    fn maybe(&self, e: Option<Box<Expr<N>>>) -> Option<Box<E>> {
        e.map(|e| self.boxed(*e))
    }

    pub(super) fn expr(&self, e: Expr<N>) -> E {
        match e {
            Expr::Name(n) => single(self.name(&n)),
            Expr::Take(n) => method(
                single(self.name(&n)),
                token("clone"),
                Generics::None,
                Punctuated::new(),
            ),
            Expr::Path(p) => path_expr(p),
            Expr::Literal(l) => E::Lit(literal(l)),
            Expr::Macro(m) if m.name.is_on_one_line() => E::Macro(syn::ExprMacro {
                attrs: Vec::new(),
                mac: self.one_line_macro(m),
            }),
            Expr::Macro(m) => self.call_of_macro(m),
            Expr::Call(c) => call(self.expr(c.func), self.exprs(c.args)),
            Expr::Method(m) => self.method_call(*m),
            Expr::Field(base, name) => self.field(*base, &name),
            Expr::Index(e, index) => self.index(*e, *index),
            Expr::Unary(op, e) => self.unary(op, *e),
            Expr::Binary(op, left, right) => {
                binary(self.expr(*left), operator(op), self.expr(*right))
            }
            Expr::Update(op, place, value) => {
                binary(self.expr(*place), updating(op), self.expr(*value))
            }
            Expr::Reference { mutable, of } => self.reference(mutable, *of),
            Expr::Cast(e, ty) => self.cast(*e, ty),
            Expr::Paren(e) => self.paren(*e),
            Expr::Tuple(es) => self.tuple(es),
            Expr::Array(es) => self.array(es),
            Expr::Range {
                from,
                to,
                inclusive,
            } => self.range(from, to, inclusive),
            Expr::Struct { path, fields, rest } => self.made(path, fields, rest),
            Expr::Assign(a) => self.assign(*a),
            Expr::Ignored => ignored(),
            Expr::Block { label, block } => self.block_expr(label, block),
            Expr::If(i) => self.branch(*i),
            Expr::Let(p, e) => self.condition(*p, *e),
            Expr::Match(e, arms) => self.matched(*e, arms),
            Expr::Loop(l) => self.looped(*l),
            Expr::Closure(c) => self.closure(*c),
            Expr::Await(e) => self.awaited(*e),
            Expr::Return(e) => self.returned(e),
            Expr::Break(to, e) => self.left(to, e),
            Expr::Continue(to) => repeated(to),
        }
    }

    fn method_call(&self, m: Method<N>) -> E {
        let Method {
            receiver,
            changes: _,
            name,
            generics,
            args,
        } = m;
        method(
            self.expr(receiver),
            token(&name),
            generics,
            self.exprs(args),
        )
    }

    fn field(&self, base: Expr<N>, name: &str) -> E {
        E::Field(syn::ExprField {
            attrs: Vec::new(),
            base: self.boxed(base),
            dot_token: Default::default(),
            member: member(name),
        })
    }

    fn index(&self, e: Expr<N>, index: Expr<N>) -> E {
        E::Index(syn::ExprIndex {
            attrs: Vec::new(),
            expr: self.boxed(e),
            bracket_token: Default::default(),
            index: self.boxed(index),
        })
    }

    fn unary(&self, op: UnaryOp, e: Expr<N>) -> E {
        let op = match op {
            UnaryOp::Deref => syn::UnOp::Deref(Default::default()),
            UnaryOp::Not => syn::UnOp::Not(Default::default()),
            UnaryOp::Neg => syn::UnOp::Neg(Default::default()),
        };
        E::Unary(syn::ExprUnary {
            attrs: Vec::new(),
            op,
            expr: self.boxed(e),
        })
    }

    fn reference(&self, mutable: bool, of: Expr<N>) -> E {
        E::Reference(syn::ExprReference {
            attrs: Vec::new(),
            and_token: Default::default(),
            mutability: mutable.then(Default::default),
            expr: self.boxed(of),
        })
    }

    fn cast(&self, e: Expr<N>, ty: Type) -> E {
        E::Cast(syn::ExprCast {
            attrs: Vec::new(),
            expr: self.boxed(e),
            as_token: Default::default(),
            ty: Box::new(type_of(ty)),
        })
    }

    fn paren(&self, e: Expr<N>) -> E {
        E::Paren(syn::ExprParen {
            attrs: Vec::new(),
            paren_token: Default::default(),
            expr: self.boxed(e),
        })
    }

    fn tuple(&self, es: Vec<Expr<N>>) -> E {
        E::Tuple(syn::ExprTuple {
            attrs: Vec::new(),
            paren_token: Default::default(),
            elems: self.exprs(es),
        })
    }

    fn array(&self, es: Vec<Expr<N>>) -> E {
        E::Array(syn::ExprArray {
            attrs: Vec::new(),
            bracket_token: Default::default(),
            elems: self.exprs(es),
        })
    }

    fn range(&self, from: Option<Box<Expr<N>>>, to: Option<Box<Expr<N>>>, inclusive: bool) -> E {
        let limits = if inclusive {
            syn::RangeLimits::Closed(Default::default())
        } else {
            syn::RangeLimits::HalfOpen(Default::default())
        };
        E::Range(syn::ExprRange {
            attrs: Vec::new(),
            start: self.maybe(from),
            limits,
            end: self.maybe(to),
        })
    }

    fn assign(&self, a: Assign<N>) -> E {
        E::Assign(syn::ExprAssign {
            attrs: Vec::new(),
            left: self.boxed(a.place),
            eq_token: Default::default(),
            right: self.boxed(a.value),
        })
    }

    fn block_expr(&self, name: Option<String>, block: Block<N>) -> E {
        E::Block(syn::ExprBlock {
            attrs: Vec::new(),
            label: label(name),
            block: self.block(block),
        })
    }

    fn condition(&self, p: Pat<N>, e: Expr<N>) -> E {
        E::Let(syn::ExprLet {
            attrs: Vec::new(),
            let_token: Default::default(),
            pat: Box::new(self.pattern(p)),
            eq_token: Default::default(),
            expr: self.boxed(e),
        })
    }

    fn matched(&self, e: Expr<N>, arms: Vec<Arm<N>>) -> E {
        E::Match(syn::ExprMatch {
            attrs: Vec::new(),
            match_token: Default::default(),
            expr: self.boxed(e),
            brace_token: Default::default(),
            arms: arms.into_iter().map(|a| self.arm(a)).collect(),
        })
    }

    fn awaited(&self, e: Expr<N>) -> E {
        E::Await(syn::ExprAwait {
            attrs: Vec::new(),
            base: self.boxed(e),
            dot_token: Default::default(),
            await_token: Default::default(),
        })
    }

    fn returned(&self, e: Option<Box<Expr<N>>>) -> E {
        E::Return(syn::ExprReturn {
            attrs: Vec::new(),
            return_token: Default::default(),
            expr: self.maybe(e),
        })
    }

    fn left(&self, to: Option<String>, e: Option<Box<Expr<N>>>) -> E {
        E::Break(syn::ExprBreak {
            attrs: Vec::new(),
            break_token: Default::default(),
            label: to.map(|n| lifetime(&n)),
            expr: self.maybe(e),
        })
    }

    fn made(&self, of: Path, fields: Vec<(String, Expr<N>)>, rest: Option<Box<Expr<N>>>) -> E {
        let field = |(name, e): (String, Expr<N>)| {
            // `Point { x: x }` is written as `Point { x }`.
            let is_short = matches!(&e, Expr::Name(n) if (self.text)(n) == *name);
            let colon_token = (!is_short).then(Default::default);
            syn::FieldValue {
                attrs: Vec::new(),
                member: member(&name),
                colon_token,
                expr: self.expr(e),
            }
        };
        let (qself, path) = path(of, true);
        E::Struct(syn::ExprStruct {
            attrs: Vec::new(),
            qself,
            path,
            brace_token: Default::default(),
            fields: fields.into_iter().map(field).collect(),
            dot2_token: rest.is_some().then(Default::default),
            rest: self.maybe(rest),
        })
    }

    fn branch(&self, i: If<N>) -> E {
        E::If(syn::ExprIf {
            attrs: Vec::new(),
            if_token: Default::default(),
            cond: self.boxed(i.cond),
            then_branch: self.block(i.then),
            else_branch: i.els.map(|e| (Default::default(), Box::new(self.expr(e)))),
        })
    }

    fn arm(&self, a: Arm<N>) -> syn::Arm {
        let pat = self.pattern(a.pat);
        let pat = match a.guard {
            Some(guard) => P::Guard(syn::PatGuard {
                attrs: Vec::new(),
                pat: Box::new(pat),
                if_token: Default::default(),
                guard: self.boxed(guard),
            }),
            None => pat,
        };
        let comma = Some(Default::default());
        syn::Arm {
            attrs: Vec::new(),
            pat,
            fat_arrow_token: Default::default(),
            body: self.boxed(a.body),
            comma,
        }
    }

    fn looped(&self, l: Loop<N>) -> E {
        let (attrs, label, body) = (Vec::new(), label(l.label), self.block(l.body));
        match l.head {
            LoopHead::Always => E::Loop(syn::ExprLoop {
                attrs,
                label,
                loop_token: Default::default(),
                body,
            }),
            LoopHead::While(cond) => E::While(syn::ExprWhile {
                attrs,
                label,
                while_token: Default::default(),
                cond: self.boxed(cond),
                body,
            }),
            LoopHead::For(pat, values) => E::ForLoop(syn::ExprForLoop {
                attrs,
                label,
                for_token: Default::default(),
                pat: Box::new(self.pattern(pat)),
                in_token: Default::default(),
                expr: self.boxed(values),
                body,
            }),
        }
    }

    fn closure(&self, c: Closure<N>) -> E {
        let output = result_type(c.result);
        E::Closure(syn::ExprClosure {
            attrs: Vec::new(),
            lifetimes: None,
            modifiers: Default::default(),
            constness: None,
            asyncness: None,
            capture: c.moves.then(Default::default),
            inputs_begin: Default::default(),
            inputs: c
                .params
                .into_iter()
                .map(|(p, ty)| self.typed(p, ty))
                .collect(),
            inputs_end: Default::default(),
            output,
            body: self.boxed(c.body),
        })
    }
}

fn path_expr(of: Path) -> E {
    let (qself, path) = path(of, true);
    E::Path(syn::ExprPath {
        attrs: Vec::new(),
        qself,
        path,
    })
}

fn ignored() -> E {
    E::Infer(syn::ExprInfer {
        attrs: Vec::new(),
        underscore_token: Default::default(),
    })
}

fn repeated(to: Option<String>) -> E {
    E::Continue(syn::ExprContinue {
        attrs: Vec::new(),
        continue_token: Default::default(),
        label: to.map(|n| lifetime(&n)),
    })
}

fn operator(op: BinaryOp) -> syn::BinOp {
    use syn::BinOp as O;
    match op {
        BinaryOp::Add => O::Add(Default::default()),
        BinaryOp::Sub => O::Sub(Default::default()),
        BinaryOp::Mul => O::Mul(Default::default()),
        BinaryOp::Div => O::Div(Default::default()),
        BinaryOp::Rem => O::Rem(Default::default()),
        BinaryOp::And => O::And(Default::default()),
        BinaryOp::Or => O::Or(Default::default()),
        BinaryOp::BitXor => O::BitXor(Default::default()),
        BinaryOp::BitAnd => O::BitAnd(Default::default()),
        BinaryOp::BitOr => O::BitOr(Default::default()),
        BinaryOp::Shl => O::Shl(Default::default()),
        BinaryOp::Shr => O::Shr(Default::default()),
        BinaryOp::Eq => O::Eq(Default::default()),
        BinaryOp::Lt => O::Lt(Default::default()),
        BinaryOp::Le => O::Le(Default::default()),
        BinaryOp::Ne => O::Ne(Default::default()),
        BinaryOp::Ge => O::Ge(Default::default()),
        BinaryOp::Gt => O::Gt(Default::default()),
    }
}

/// Converts an operator to its assigning form: `+=` for `+`. Only operators that have one reach
/// this function.
fn updating(op: BinaryOp) -> syn::BinOp {
    use syn::BinOp as O;
    match op {
        BinaryOp::Add => O::AddAssign(Default::default()),
        BinaryOp::Sub => O::SubAssign(Default::default()),
        BinaryOp::Mul => O::MulAssign(Default::default()),
        BinaryOp::Div => O::DivAssign(Default::default()),
        BinaryOp::Rem => O::RemAssign(Default::default()),
        BinaryOp::BitXor => O::BitXorAssign(Default::default()),
        BinaryOp::BitAnd => O::BitAndAssign(Default::default()),
        BinaryOp::BitOr => O::BitOrAssign(Default::default()),
        BinaryOp::Shl => O::ShlAssign(Default::default()),
        BinaryOp::Shr => O::ShrAssign(Default::default()),
        BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Eq
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Ne
        | BinaryOp::Ge
        | BinaryOp::Gt => operator(op),
    }
}
