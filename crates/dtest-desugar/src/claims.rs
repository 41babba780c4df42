//! A pass that turns lemmas whose proofs are not executed into checkable code: lemmas without a
//! proof, and extreme lemmas. An execution may refute them.

use std::collections::BTreeSet;

use crate::Desugaring;
use dafny_resolve::typed::visit::{self, Visit};
use dafny_resolve::typed::{
    Arena, Attribute, BinaryOp, Block, Body, BuiltinMember, Call, Callable, CallableId,
    CallableKind, Clause, Expr, ExprKind, Formal, Literal, LocalId, Program, Span, Spec, Type,
    TypeDeclKind,
};

/// The attribute of generated lemmas. No source program can contain it.
pub(crate) const CLAIM: &str = "of claim";

impl Desugaring {
    /// Adds, for each lemma without a proof, a lemma with an empty body and the same contract. A
    /// violation of its postcondition refutes the lemma. Callers still assume the original lemma.
    ///
    /// Excluded are members of traits (their overrides are checked) and lemmas with results (which
    /// claim existence).
    ///
    /// Dafny proves the prefix lemma of an extreme lemma instead of the lemma: by induction over
    /// `_k`, it proves the lemma's contract for all arguments. So a copy of the lemma is executed
    /// with the contract as it is written. In the copy, recursive calls are calls of the extreme
    /// lemma itself, whose measure `_k` decreases. A proof that mentions `_k` is executed in a copy
    /// of the prefix lemma, without its postconditions, which are about prefix predicates.
    #[must_use]
    pub(crate) fn with_claims(mut self) -> Self {
        let extreme = self.extreme_lemmas();
        for id in Arena::<CallableId>::ids(&self.program) {
            if self.is_claimed(&self[id]) {
                let claim = claim_of(&self[id]);
                self.callables.push(claim);
            } else if extreme.contains(&id) && matches!(self[id].body, Body::Block(_)) {
                let (proof, steps) = (self.proof_of(id), self.steps_of(id));
                self.callables.push(proof);
                self.callables.extend(steps);
            }
        }
        self
    }

    /// Returns a lemma that is executed instead of the extreme lemma `id`.
    fn proof_of(&self, id: CallableId) -> Callable {
        let mut proof = claim_of(&self[id]);
        proof.name = format!("{}.proof", self[id].name).into();
        proof.attributes.clear();
        if let Body::Block(block) = &self[id].body
            && !self.mentions_prefix(id, block)
        {
            proof.body = Body::Block(block.clone());
        }
        proof
    }

    /// Returns a lemma with the proof of the extreme lemma `id` and a parameter `_k`, if the proof
    /// mentions `_k`. It is executed for each `_k` with a predecessor, as in the prefix lemma.
    /// `None` if a precondition is about an extreme predicate: it holds for some `_k` only.
    fn steps_of(&self, id: CallableId) -> Option<Callable> {
        let Body::Block(block) = &self[id].body else {
            return None;
        };
        let limit = self.limits_of(id).next()?;
        let requires = &self[id].spec.requires;
        if !self.mentions_prefix(id, block) || requires.iter().any(|c| self.is_extreme(&c.cond)) {
            return None;
        }
        let mut steps = claim_of(&self[id]);
        steps.name = format!("{}.steps", self[id].name).into();
        steps.attributes.clear();
        steps.ins.insert(0, Formal::new(limit));
        steps.spec.ensures.clear();
        let has_predecessor = Clause {
            cond: self.has_predecessor(limit, self[id].span),
            label: None,
            span: self[id].span,
        };
        steps.spec.requires.insert(0, has_predecessor);
        steps.body = Body::Block(block.clone());
        Some(steps)
    }

    /// The parameters `_k` of the prefix lemma of an extreme lemma.
    fn limits_of(&self, id: CallableId) -> impl Iterator<Item = LocalId> {
        let (span, name) = (self[id].span, &self[id].name);
        self.callables
            .iter()
            .filter(move |c| c.span == span && c.name.strip_suffix('#') == Some(&**name))
            .filter_map(|c| c.ins.first())
            .map(|f| f.local)
    }

    /// Builds `0 < _k`, or `0 < _k.Offset` for an ordinal.
    fn has_predecessor(&self, limit: LocalId, span: Span) -> Expr {
        let ty = self[limit].ty.clone();
        let is_ordinal = ty == Type::Ordinal;
        let mut steps = Expr {
            kind: ExprKind::Local(limit),
            ty,
            span,
        };
        if is_ordinal {
            steps = Expr {
                kind: ExprKind::Builtin {
                    object: Box::new(steps),
                    member: BuiltinMember::OrdinalOffset,
                },
                ty: Type::Int,
                span,
            };
        }
        let zero = Expr {
            kind: ExprKind::Literal(Literal::Int(0.into())),
            ty: Type::Int,
            span,
        };
        Expr {
            kind: ExprKind::Binary(BinaryOp::Lt, Box::new(zero), Box::new(steps)),
            ty: Type::Bool,
            span,
        }
    }

    /// Whether an expression calls an extreme predicate.
    fn is_extreme(&self, e: &Expr) -> bool {
        let mut mentions = PrefixMentions {
            program: self,
            limits: BTreeSet::new(),
            with_extreme: true,
            found: false,
        };
        mentions.expr(e);
        mentions.found
    }

    /// Whether the proof of the extreme lemma `id` mentions `_k` or a prefix predicate or lemma.
    fn mentions_prefix(&self, id: CallableId, proof: &Block) -> bool {
        let mut mentions = PrefixMentions {
            program: self,
            limits: self.limits_of(id).collect(),
            with_extreme: false,
            found: false,
        };
        mentions.block(proof);
        mentions.found
    }

    fn is_claimed(&self, c: &Callable) -> bool {
        let is_of_trait = c
            .owner
            .is_some_and(|t| matches!(self[t].kind, TypeDeclKind::Trait { .. }));
        let is_bare = c.kind == CallableKind::Lemma
            && matches!(c.body, Body::None)
            && !c.spec.ensures.is_empty()
            && c.outs.is_empty();
        is_bare && !is_of_trait && !c.name.ends_with('#')
    }
}

/// The search for `_k` and for prefix predicates and lemmas.
struct PrefixMentions<'p> {
    program: &'p Program,
    /// The variables `_k`.
    limits: BTreeSet<LocalId>,
    /// Whether calls of extreme predicates count, too.
    with_extreme: bool,
    found: bool,
}

impl<'t> Visit<'t> for PrefixMentions<'_> {
    fn expr(&mut self, e: &'t Expr) {
        if let ExprKind::Local(local) = &e.kind {
            self.found |= self.limits.contains(local);
        }
        visit::walk_expr(self, e);
    }

    fn call(&mut self, c: &'t Call) {
        let callee = &self.program[c.callee];
        let is_extreme = matches!(
            callee.kind,
            CallableKind::LeastPredicate | CallableKind::GreatestPredicate
        );
        self.found |= callee.name.ends_with('#') || self.with_extreme && is_extreme;
        visit::walk_call(self, c);
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
