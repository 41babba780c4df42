//! A pass that turns lemmas without a proof into checkable code: an execution may refute a lemma
//! that has no proof.

use crate::Desugaring;
use dafny_resolve::typed::{
    Arena, Attribute, Block, Body, Callable, CallableId, CallableKind, Spec, TypeDeclKind,
};

/// The attribute of generated lemmas. No source program can contain it.
pub(crate) const CLAIM: &str = "of claim";

impl Desugaring {
    /// Adds, for each lemma without a proof, a lemma with an empty body and the same contract. A
    /// violation of its postcondition refutes the lemma. Callers still assume the original lemma.
    ///
    /// Excluded are members of traits (their overrides are checked), extreme lemmas (their prefix
    /// lemmas are checked), and lemmas with results (which claim existence).
    #[must_use]
    pub(crate) fn with_claims(mut self) -> Self {
        for id in Arena::<CallableId>::ids(&self.program) {
            if self.is_claimed(&self[id]) {
                let claim = claim_of(&self[id]);
                self.callables.push(claim);
            }
        }
        self
    }

    fn is_claimed(&self, c: &Callable) -> bool {
        let is_of_trait = c
            .owner
            .is_some_and(|t| matches!(self[t].kind, TypeDeclKind::Trait { .. }));
        let is_bare = c.kind == CallableKind::Lemma
            && matches!(c.body, Body::None)
            && !c.spec.ensures.is_empty()
            && c.outs.is_empty();
        let has_prefix = || {
            self.callables
                .iter()
                .any(|p| p.span == c.span && p.name.strip_suffix('#') == Some(&*c.name))
        };
        is_bare && !is_of_trait && !c.name.ends_with('#') && !has_prefix()
    }
}

fn claim_of(lemma: &Callable) -> Callable {
    let mut claim = lemma.clone();
    claim.name = format!("{}.claim", claim.name).into();
    claim.spec = Spec {
        requires: claim.spec.requires,
        ensures: claim.spec.ensures,
        ..Spec::default()
    };
    claim.body = Body::Block(Block {
        divided_at: None,
        division: None,
        span: claim.span,
        stmts: Vec::new(),
    });
    claim.overrides.clear();
    claim.attributes = vec![Attribute {
        name: CLAIM.into(),
        args: Vec::new(),
        span: claim.span,
    }];
    claim.doc = None;
    claim
}
