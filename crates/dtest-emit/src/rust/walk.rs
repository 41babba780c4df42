//! Visitors of the tree. An overridden method is called on each node, and `inside_…` continues with
//! its parts, in the order of the text. Types and paths are skipped unless a method for them is
//! overridden.

use super::{
    Argument, Arm, Block, Expr, GenericArgument, Generics, LoopHead, NameId, Pat, Path, Stmt, Type,
};

macro_rules! walk {
    ($(#[$doc:meta])* $name:ident, $AsOne:ident::$as_one:ident $(, $mutable:tt)?) => {
        $(#[$doc])*
        pub(crate) trait $name<N = NameId>: $AsOne<N> {
            fn block(&mut self, b: &$($mutable)? Block<N>) {
                self.inside_block(b);
            }

            fn stmt(&mut self, s: &$($mutable)? Stmt<N>) {
                self.inside_stmt(s);
            }

            fn expr(&mut self, e: &$($mutable)? Expr<N>) {
                self.inside_expr(e);
            }

            fn pat(&mut self, p: &$($mutable)? Pat<N>) {
                self.inside_pat(p);
            }

            fn ty(&mut self, _: &$($mutable)? Type) {}

            fn path(&mut self, _: &$($mutable)? Path) {}

            fn inside_block(&mut self, b: &$($mutable)? Block<N>) {
                self.$as_one().parts_block(b);
            }

            fn inside_stmt(&mut self, s: &$($mutable)? Stmt<N>) {
                self.$as_one().parts_stmt(s);
            }

            fn inside_expr(&mut self, e: &$($mutable)? Expr<N>) {
                self.$as_one().parts_expr(e);
            }

            fn inside_pat(&mut self, p: &$($mutable)? Pat<N>) {
                self.$as_one().parts_pat(p);
            }
        }

        /// Erases the type of the visitor, so that the walk is compiled once instead of once per
        /// visitor.
        pub(crate) trait $AsOne<N> {
            fn $as_one(&mut self) -> &mut dyn $name<N>;
        }

        impl<N, V: $name<N>> $AsOne<N> for V {
            fn $as_one(&mut self) -> &mut dyn $name<N> {
                self
            }
        }

        impl<N> dyn $name<N> + '_ {
            fn parts_block(&mut self, b: &$($mutable)? Block<N>) {
                for s in &$($mutable)? b.stmts {
                    self.stmt(s);
                }
            }

            fn parts_stmt(&mut self, s: &$($mutable)? Stmt<N>) {
                match s {
                    Stmt::Let(l) => {
                        self.pat(&$($mutable)? l.pat);
                        if let Some(t) = &$($mutable)? l.ty {
                            self.ty(t);
                        }
                        if let Some(e) = &$($mutable)? l.value {
                            self.expr(e);
                        }
                        if let Some(e) = &$($mutable)? l.or_else {
                            self.expr(e);
                        }
                    }
                    Stmt::Run(e) | Stmt::Value(e) => self.expr(e),
                    // The passes run on nested functions separately.
                    Stmt::Space | Stmt::Fn(_) => {}
                }
            }

            fn parts_expr(&mut self, e: &$($mutable)? Expr<N>) {
                match e {
                    Expr::Name(_) | Expr::Take(_) | Expr::Literal(_) | Expr::Ignored | Expr::Continue(_) => {}
                    Expr::Path(p) => self.path(p),
                    Expr::Macro(m) => {
                        for a in &$($mutable)? m.args {
                            match a {
                                Argument::Value(e) => self.expr(e),
                                Argument::Pair(a, b) | Argument::Times(a, b) => {
                                    self.expr(a);
                                    self.expr(b);
                                }
                                Argument::Pattern(p) => self.pat(p),
                                // Types in macros are not visited.
                                Argument::Type(_) => {}
                            }
                        }
                    }
                    Expr::Call(c) => {
                        self.expr(&$($mutable)? c.func);
                        for e in &$($mutable)? c.args {
                            self.expr(e);
                        }
                    }
                    Expr::Method(m) => {
                        self.expr(&$($mutable)? m.receiver);
                        self.parts_generics(&$($mutable)? m.generics);
                        for e in &$($mutable)? m.args {
                            self.expr(e);
                        }
                    }
                    Expr::Field(e, _) | Expr::Unary(_, e) | Expr::Paren(e) | Expr::Await(e) => self.expr(e),
                    Expr::Cast(e, ty) => {
                        self.expr(e);
                        self.ty(ty);
                    }
                    Expr::Reference { of, .. } => self.expr(of),
                    Expr::Index(a, b) | Expr::Binary(_, a, b) | Expr::Update(_, a, b) => {
                        self.expr(a);
                        self.expr(b);
                    }
                    Expr::Tuple(es) | Expr::Array(es) => {
                        for e in es {
                            self.expr(e);
                        }
                    }
                    Expr::Range { from, to, .. } => {
                        if let Some(e) = from {
                            self.expr(e);
                        }
                        if let Some(e) = to {
                            self.expr(e);
                        }
                    }
                    Expr::Struct { path, fields, rest } => {
                        self.path(path);
                        for (_, e) in fields {
                            self.expr(e);
                        }
                        if let Some(e) = rest {
                            self.expr(e);
                        }
                    }
                    Expr::Assign(a) => {
                        self.expr(&$($mutable)? a.place);
                        self.expr(&$($mutable)? a.value);
                    }
                    Expr::Block { block, .. } => self.block(block),
                    Expr::If(i) => {
                        self.expr(&$($mutable)? i.cond);
                        self.block(&$($mutable)? i.then);
                        if let Some(e) = &$($mutable)? i.els {
                            self.expr(e);
                        }
                    }
                    Expr::Let(p, e) => {
                        self.pat(p);
                        self.expr(e);
                    }
                    Expr::Match(e, arms) => {
                        self.expr(e);
                        for Arm { pat, guard, body } in arms {
                            self.pat(pat);
                            if let Some(e) = guard {
                                self.expr(e);
                            }
                            self.expr(body);
                        }
                    }
                    Expr::Loop(l) => {
                        match &$($mutable)? l.head {
                            LoopHead::Always => {}
                            LoopHead::While(e) => self.expr(e),
                            LoopHead::For(p, e) => {
                                self.pat(p);
                                self.expr(e);
                            }
                        }
                        self.block(&$($mutable)? l.body);
                    }
                    Expr::Closure(c) => {
                        for (p, ty) in &$($mutable)? c.params {
                            self.pat(p);
                            if let Some(ty) = ty {
                                self.ty(ty);
                            }
                        }
                        if let Some(ty) = &$($mutable)? c.result {
                            self.ty(ty);
                        }
                        self.expr(&$($mutable)? c.body);
                    }
                    Expr::Return(e) | Expr::Break(_, e) => {
                        if let Some(e) = e {
                            self.expr(e);
                        }
                    }
                }
            }

            fn parts_pat(&mut self, p: &$($mutable)? Pat<N>) {
                match p {
                    Pat::Wild | Pat::Literal(_) => {}
                    Pat::Path(p) => self.path(p),
                    Pat::Bind(b) => {
                        if let Some(p) = &$($mutable)? b.inner {
                            self.pat(p);
                        }
                    }
                    Pat::Tuple(ps) | Pat::Slice(ps) | Pat::Or(ps) => {
                        for p in ps {
                            self.pat(p);
                        }
                    }
                    Pat::TupleStruct(path, ps) => {
                        self.path(path);
                        for p in ps {
                            self.pat(p);
                        }
                    }
                    Pat::Struct { path, fields, .. } => {
                        self.path(path);
                        for f in fields {
                            self.pat(&$($mutable)? f.pat);
                        }
                    }
                    Pat::Reference(p) => self.pat(p),
                }
            }

            pub(crate) fn parts_generics(&mut self, g: &$($mutable)? Generics) {
                match g {
                    Generics::None => {}
                    Generics::Arguments(all) => {
                        for a in all {
                            match a {
                                GenericArgument::Type(t) | GenericArgument::Associated(_, t) => self.ty(t),
                                GenericArgument::Lifetime(_) | GenericArgument::Const(_) => {}
                            }
                        }
                    }
                    Generics::Function(params, result) => {
                        for t in params {
                            self.ty(t);
                        }
                        if let Some(t) = result {
                            self.ty(t);
                        }
                    }
                }
            }
        }
    };
}

walk! {
    /// A visitor that reads a tree.
    Visit, AsVisit::as_visit
}

walk! {
    /// A visitor that changes a tree.
    VisitMut, AsVisitMut::as_visit_mut, mut
}
