//! What lemmas without a proof claim, as code of its own: an execution may refute what nobody proves.

use super::{
    Arena, Attribute, Attributes as _, Block, Body, Callable, CallableId, CallableKind, Program,
    Spec, TypeDeclKind,
};

/// The attribute of what claims the same as a lemma without a proof. No program has it.
const CLAIM: &str = "of claim";

impl Program {
    /// The same program with an empty proof, as a lemma of its own, for each lemma that has none: its postconditions are broken by arguments
    /// that its precondition allows and for which the claim is false. Callers go on to take the lemma itself for granted. Members of traits are
    /// left out, which are claimed of what overrides them, and so are least and greatest lemmas, which are claimed of their prefixes, and
    /// lemmas with results, which claim that there are some.
    #[must_use]
    pub(super) fn with_claims(mut self) -> Self {
        for id in Arena::<CallableId>::ids(&self) {
            if self.is_claimed(&self[id]) {
                let claim = claim_of(&self[id]);
                self.callables.push(claim);
            }
        }
        self
    }

    /// Whether a callable is the claim of a lemma without a proof.
    pub fn is_claim(&self, id: CallableId) -> bool {
        self[id].attribute(CLAIM).is_some()
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
