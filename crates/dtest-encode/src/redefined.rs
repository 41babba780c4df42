//! Objects with redefined functions, which `{:synthesize}` methods create.

use super::Encoder;
use super::value::{Heap, Sym};
use dafny_resolve::typed::{CallableId, Type};
use dafny_source::Span;
use dtest_smt::Term;

impl Encoder<'_> {
    /// Redefines a function for an object as `value`, within its precondition. The object is new,
    /// so that no other path refers to it.
    pub(super) fn redefine(&mut self, object: &Sym, function: CallableId, value: Sym) {
        let Sym::Ref(r) = object else { return };
        let first = self.typed().first_declaration(function);
        let ids: Vec<u32> = self.heap.objects.keys().copied().collect();
        for id in ids {
            if self.is_object(*r, id) == self.t.tt {
                self.objects.redefined.insert((id, first), value.clone());
            }
        }
    }

    /// Whether the receiver may be an object that redefines the function.
    pub(super) fn is_redefined(&mut self, callee: CallableId, receiver: Option<&Sym>) -> bool {
        !self.objects.redefined.is_empty() && !self.redefinitions(callee, receiver).is_empty()
    }

    /// Returns the redefinitions of a function for the possible receivers, each under a condition.
    fn redefinitions(&mut self, callee: CallableId, receiver: Option<&Sym>) -> Vec<(Term, Sym)> {
        let Some(Sym::Ref(r)) = receiver else {
            return Vec::new();
        };
        let first = self.typed().first_declaration(callee);
        let all: Vec<(u32, Sym)> = self
            .objects
            .redefined
            .iter()
            .filter(|((_, f), _)| *f == first)
            .map(|((id, _), v)| (*id, v.clone()))
            .collect();
        let conditions: Vec<(Term, Sym)> = all
            .into_iter()
            .map(|(id, value)| (self.is_object(*r, id), value))
            .collect();
        conditions
            .into_iter()
            .filter(|(is, _)| *is != self.t.ff)
            .collect()
    }

    /// Encodes a call on a receiver that may redefine the function.
    pub(super) fn call_redefined(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        args: &[Sym],
        old: Option<Heap>,
        ty: &Type,
        site: Option<Span>,
    ) -> Sym {
        let own = args.get(1..).unwrap_or_default();
        let (mut answers, mut rest) = (Vec::new(), self.t.tt);
        for (is, function) in self.redefinitions(callee, args.first()) {
            let applies = self.under(is, |e| e.apply_requires(&function, own));
            let cond = self.t.and(is, applies);
            let not = self.t.not(cond);
            rest = self.t.and(rest, not);
            answers.push((cond, function));
        }
        // The declared function applies to all other objects, and outside of the preconditions of
        // the redefinitions.
        let mut result = if rest == self.t.ff {
            None
        } else {
            Some(self.alternative(rest, |e| {
                e.call_declared(callee, type_args, args, old, ty, site)
            }))
        };
        for (cond, function) in answers {
            let value = self.alternative(cond, |e| e.apply(&function, own, ty));
            result = Some(match result {
                None => value,
                Some(others) => self.merge_alternatives(cond, &value, &others),
            });
        }
        result.unwrap_or(Sym::Any)
    }
}
