//! Converts functions, blocks and statements.

use super::items::head;
use super::types::{result_type, type_of};
use super::{Writer, print};
use crate::rust::{Block, Expr, Let, Signature, Stmt};

impl<N> Writer<'_, N> {
    pub(super) fn function(&self, signature: Signature<N>, body: Block<N>) -> syn::ItemFn {
        let (attrs, vis, sig) = self.signature(signature);
        syn::ItemFn {
            attrs,
            vis,
            modifiers: Default::default(),
            sig,
            block: Box::new(self.block(body)),
        }
    }

    pub(super) fn signature(
        &self,
        s: Signature<N>,
    ) -> (Vec<syn::Attribute>, syn::Visibility, syn::Signature) {
        let (attrs, vis, ident, generics) = head(s.head);
        let receiver = s.has_self.then(|| syn::parse_quote!(&self));
        let params = s.params.into_iter().map(|(p, ty)| {
            let (pat, ty) = (Box::new(self.pattern(p)), Box::new(type_of(ty)));
            syn::FnArg::Typed(syn::PatType {
                attrs: Vec::new(),
                pat,
                colon_token: Default::default(),
                ty,
            })
        });
        let signature = syn::Signature {
            constness: None,
            asyncness: s.is_async.then(Default::default),
            safety: Default::default(),
            abi: None,
            fn_token: Default::default(),
            ident,
            generics,
            paren_token: Default::default(),
            inputs: receiver.into_iter().chain(params).collect(),
            variadic: None,
            output: result_type(s.result),
        };
        (attrs, vis, signature)
    }

    pub(super) fn block(&self, b: Block<N>) -> syn::Block {
        syn::Block {
            brace_token: Default::default(),
            stmts: b.stmts.into_iter().map(|s| self.stmt(s)).collect(),
        }
    }

    fn stmt(&self, s: Stmt<N>) -> syn::Stmt {
        match s {
            Stmt::Let(l) => syn::Stmt::Local(self.local(*l)),
            Stmt::Run(Expr::Macro(m)) if m.name.is_on_one_line() => {
                syn::Stmt::Macro(syn::StmtMacro {
                    attrs: Vec::new(),
                    mac: self.one_line_macro(m),
                    semi_token: Some(Default::default()),
                })
            }
            Stmt::Run(e) => syn::Stmt::Expr(self.expr(e), Some(Default::default())),
            Stmt::Value(e) => syn::Stmt::Expr(self.expr(e), None),
            Stmt::Space => syn::Stmt::Item(print::empty_line()),
            Stmt::Fn(f) => syn::Stmt::Item(syn::Item::Fn(self.function(f.signature, f.body))),
        }
    }

    fn local(&self, l: Let<N>) -> syn::Local {
        let or_else = l
            .or_else
            .map(|e| (Default::default(), Box::new(self.expr(e))));
        let init = l.value.map(|e| syn::LocalInit {
            eq_token: Default::default(),
            expr: self.boxed(e),
            diverge: or_else,
        });
        syn::Local {
            attrs: Vec::new(),
            let_token: Default::default(),
            modifiers: Default::default(),
            pat: self.typed(l.pat, l.ty),
            init,
            semi_token: Default::default(),
        }
    }
}
