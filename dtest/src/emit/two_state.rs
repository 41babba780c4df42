//! What speaks of two states: `old`, `fresh`, `unchanged`. In the suite, the state before the call is in `before`.

use quote::quote;

use super::body::Body;
use super::code::{Code, ident};
use super::convention::Translated;
use super::rep::Rep;
use super::walk::each_expr;
use crate::typed::{Expr, Frame};

impl Body<'_, '_, '_> {
    /// `old(e)`: in the suite, what was saved before the call; the value itself where no heap is read.
    pub(super) fn old(&mut self, e: &Expr) -> Translated<Code> {
        let mut reads_heap = false;
        let ground = self.scope.ground;
        each_expr(e, &mut |e| {
            reads_heap |= ground.program.is_reference(&e.ty) || matches!(ground.rep(&e.ty), Rep::Opaque | Rep::Trait(..))
        });
        if !reads_heap {
            return self.expr(e);
        }
        let Some(needed) = &mut self.before else {
            return Err(self.scope.unsupported(e.span, "`old` of the heap"));
        };
        *needed = true;
        let (copy, value) = (self.copy(&e.ty), self.value(e)?);
        Ok(Code::owned(quote!(before.old(|| #value)), copy))
    }

    /// `fresh(e)`: in the suite, whether objects were allocated since the call began.
    pub(super) fn fresh(&mut self, e: &Expr) -> Translated<Code> {
        let Some(needed) = &mut self.before else {
            return Err(self.scope.unsupported(e.span, "`fresh`"));
        };
        *needed = true;
        let o = self.expr(e)?.receiver();
        match self.rep(&e.ty) {
            Rep::Array(..) | Rep::Class(..) | Rep::Trait(..) | Rep::Object => Ok(Code::owned(quote!(before.is_fresh(#o.identity())), true)),
            Rep::Seq(_) | Rep::Set(_) => Ok(Code::owned(quote!(#o.iter().all(|o| before.is_fresh(o.identity()))), true)),
            _ => Err(self.scope.unsupported(e.span, "`fresh` of this type")),
        }
    }

    /// `unchanged(a)`: in the suite, whether what the objects hold is what it was before the call.
    pub(super) fn unchanged(&mut self, e: &Expr, frame: &[Frame]) -> Translated<Code> {
        let mut all = Vec::new();
        for part in frame {
            let object = match &part.object {
                Some(o) => self.expr(o)?,
                None => self.this.clone().ok_or_else(|| self.scope.unsupported(e.span, "`unchanged`"))?,
            };
            let (o, ty) = (object.receiver(), part.object.as_ref().map(|o| o.ty.clone()));
            let Some(needed) = &mut self.before else { return Err(self.scope.unsupported(e.span, "`unchanged`")) };
            *needed = true;
            match (ty.map(|t| self.rep(&t)), part.field) {
                (Some(Rep::Array(1, _)), None) => all.push(quote!(#o.to_seq() == before.old(|| #o.to_seq()))),
                (_, Some(field)) if !self.scope.ground.program[field].ghost => {
                    let name = ident(self.scope.ground.names.field(field));
                    all.push(quote!(#o.#name.get() == before.old(|| #o.#name.get())));
                }
                _ => return Err(self.scope.unsupported(e.span, "`unchanged` of this kind")),
            }
        }
        Ok(Code::owned(if all.is_empty() { quote!(true) } else { quote!(#(#all)&&*) }, true))
    }
}
