//! Co-recursive calls: finds the arguments of codatatype constructors that have to be evaluated
//! lazily.
//!
//! The rules are those of the reference manual ("Co-induction"), applied to each cluster of
//! mutually recursive functions. A call within the cluster is co-recursive if a codatatype
//! constructor guards it (through `if`, `match`, `let`, lambdas, map comprehensions, and arguments
//! of `{:abstemious}` functions) and if fewer destructors are applied to it than the callee is
//! guaranteed to construct.
//!
//! If the result of one call in the cluster may be destructed further than that, no call in the
//! cluster is co-recursive. The same holds if the cluster contains a method. A callee that reads
//! the heap or has a postcondition is evaluated eagerly.

use std::collections::BTreeSet;

use crate::typed::{
    Arena, Attributes, BinaryOp, Body, CallableId, Control, Expr, ExprKind, FieldId, FieldKind,
    Program, Quantified, Type, TypeDeclKind, TypeId,
};

use super::super::graph::components;
use super::expr::{RED_ZONE, STACK};
use crate::typed::rewrite::{Rewrite, walk_block, walk_bounds, walk_expr, walk_quantified};

/// A lower bound on the number of destructors applied to a value, from the source alone.
type Destructors = u32;

/// The value flows to a place whose uses are unknown.
const ANY_NUMBER: Destructors = Destructors::MAX;

/// Wraps the arguments that contain co-recursive calls in [`ExprKind::Delayed`].
pub(super) fn mark(program: &mut Program) {
    let ids: Vec<TypeId> = program.ids();
    if !ids.iter().any(|t| is_codatatype(program, *t)) {
        return;
    }
    let calls = call_graph(program);
    let cluster_of = components(&calls);
    let mut members: Vec<Vec<CallableId>> = vec![Vec::new(); calls.len()];
    for (i, cluster) in cluster_of.iter().enumerate() {
        if let Some(m) = members.get_mut(*cluster) {
            m.push(CallableId(i as u32));
        }
    }
    for cluster in &members {
        let is_recursive = |c: &CallableId| {
            calls
                .get(c.0 as usize)
                .is_some_and(|cs| cs.iter().any(|d| cluster.contains(&CallableId(*d as u32))))
        };
        if !cluster.iter().any(is_recursive)
            || cluster.iter().any(|c| !program[*c].kind.is_function())
        {
            continue;
        }
        // Two passes over each cluster. The first only decides whether co-recursion is allowed: a
        // single bad call disables it for the whole cluster. The second wraps the arguments.
        let look = |program: &mut Program, mark: bool| {
            let mut visit = Visit {
                program,
                cluster,
                mark,
                destructed: false,
                has_corecursive: false,
                called: BTreeSet::new(),
            };
            for c in cluster {
                visit.body(*c);
            }
            if visit.has_corecursive {
                let called = std::mem::take(&mut visit.called);
                let rank = |c: &CallableId| (*c, u8::from(!called.contains(c)));
                program.corecursive.extend(cluster.iter().map(rank));
                return false;
            }
            visit.destructed
        };
        if !look(program, false) {
            look(program, true);
        }
    }
}

fn is_codatatype(program: &Program, ty: TypeId) -> bool {
    matches!(program[ty].kind, TypeDeclKind::Datatype { co: true, .. })
}

fn is_of_codatatype(program: &Program, ty: &Type) -> bool {
    matches!(program.strip_subset(ty), Type::Named { decl, .. } if is_codatatype(program, decl))
}

/// For each callable, the indices of the callables that its contract and body mention.
fn call_graph(program: &mut Program) -> Vec<Vec<usize>> {
    struct Mentions(Vec<usize>);
    impl Rewrite for Mentions {
        fn expr(&mut self, e: &mut Expr) {
            if let ExprKind::Call(c) = &e.kind {
                self.0.push(c.callee.0 as usize);
            } else if let ExprKind::FunctionRef { callee, .. } = &e.kind {
                self.0.push(callee.0 as usize);
            }
            walk_expr(self, e);
        }
    }
    let ids: Vec<CallableId> = program.ids();
    let mut graph = Vec::new();
    for id in ids {
        let mut found = Mentions(Vec::new());
        let c = &mut program[id];
        c.spec
            .requires
            .iter_mut()
            .chain(&mut c.spec.ensures)
            .for_each(|clause| found.expr(&mut clause.cond));
        c.spec.decreases.iter_mut().for_each(|e| found.expr(e));
        match &mut c.body {
            Body::None => {}
            Body::Expr(e) => found.expr(e),
            Body::Block(b) => walk_block(&mut found, b),
            Body::ByMethod(e, b) => {
                found.expr(e);
                walk_block(&mut found, b);
            }
        }
        found.0.sort_unstable();
        found.0.dedup();
        graph.push(found.0);
    }
    graph
}

/// A traversal of the bodies of one cluster.
struct Visit<'a> {
    program: &'a mut Program,
    cluster: &'a [CallableId],
    /// Whether arguments are wrapped, or only inspected.
    mark: bool,
    /// Whether the result of some call within the cluster may be destructed too far.
    destructed: bool,
    /// Whether some call within the cluster is co-recursive.
    has_corecursive: bool,
    /// Functions of the cluster that also have calls which are not co-recursive.
    called: BTreeSet<CallableId>,
}

impl Visit<'_> {
    fn body(&mut self, id: CallableId) {
        let mut body = std::mem::replace(&mut self.program[id].body, Body::None);
        match &mut body {
            Body::None | Body::Block(_) => {}
            Body::Expr(e) | Body::ByMethod(e, _) => {
                // The guaranteed number of constructors applies to recursive calls of the function.
                let constructs = constructs(self.program, id, e);
                self.visit(id, constructs, e, 0, false);
            }
        }
        self.program[id].body = body;
    }

    /// Whether `e` contains a co-recursive call outside of lambdas, which the enclosing constructor
    /// then has to delay.
    ///
    /// `own` is the function being visited and `sure` the number of constructors that its body is
    /// guaranteed to apply. `guarded` says whether `e` is an argument of a codatatype constructor,
    /// or is passed on as one.
    fn visit(
        &mut self,
        own: CallableId,
        sure: u32,
        e: &mut Expr,
        level: Destructors,
        guarded: bool,
    ) -> bool {
        stacker::maybe_grow(RED_ZONE, STACK, || {
            self.visit_here(own, sure, e, level, guarded)
        })
    }

    fn visit_here(
        &mut self,
        own: CallableId,
        sure: u32,
        e: &mut Expr,
        level: Destructors,
        guarded: bool,
    ) -> bool {
        match &mut e.kind {
            ExprKind::Construct { ctor, args }
                if is_codatatype(self.program, self.program[*ctor].datatype) =>
            {
                self.construct(own, sure, args, level)
            }
            ExprKind::Delayed(inner) => self.visit(own, sure, inner, level, guarded),
            ExprKind::Field {
                object: Some(object),
                field,
                ..
            } if self.destructs_codatatype(*field) => {
                self.visit(own, sure, object, level.saturating_add(1), guarded)
            }
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, ..)
            | ExprKind::Chain { .. }
            | ExprKind::PrefixEq { .. } => self.parts(own, sure, e, ANY_NUMBER),
            ExprKind::If { cond, then, els } => {
                self.visit(own, sure, cond, ANY_NUMBER, false);
                self.visit(own, sure, then, level, guarded)
                    | self.visit(own, sure, els, level, guarded)
            }
            ExprKind::IfBinding { vars, then, els } => {
                self.quantified(own, sure, vars);
                self.visit(own, sure, then, level, guarded)
                    | self.visit(own, sure, els, level, guarded)
            }
            ExprKind::Match { scrutinee, cases } => {
                self.visit(own, sure, scrutinee, ANY_NUMBER, false);
                cases.iter_mut().fold(false, |found, c| {
                    self.visit(own, sure, &mut c.body, level, guarded) | found
                })
            }
            ExprKind::Let { bindings, body, .. } => {
                for (_, value) in bindings {
                    self.visit(own, sure, value, ANY_NUMBER, false);
                }
                self.visit(own, sure, body, level, guarded)
            }
            ExprKind::LetSuchThat { vars, body, .. } => {
                self.quantified(own, sure, vars);
                self.visit(own, sure, body, level, guarded)
            }
            ExprKind::StmtExpr { body, .. } | ExprKind::Old { expr: body, .. } => {
                self.visit(own, sure, body, level, guarded)
            }
            ExprKind::Lambda(l) => {
                // Calling the lambda already delays its body.
                self.visit(own, sure, &mut l.body, level, guarded);
                false
            }
            ExprKind::MapComp { vars, key, value } => {
                self.quantified(own, sure, vars);
                self.visit(own, sure, key, level, guarded)
                    | self.visit(own, sure, value, level, guarded)
            }
            ExprKind::Apply { function, args } => self.apply(own, sure, function, args, level),
            ExprKind::Call(_) => self.call(own, sure, e, level, guarded),
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::This
            | ExprKind::Field { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::CtorTest { .. }
            | ExprKind::TupleField { .. }
            | ExprKind::Construct { .. }
            | ExprKind::FunctionRef { .. }
            | ExprKind::Index { .. }
            | ExprKind::Slice { .. }
            | ExprKind::SliceLengths { .. }
            | ExprKind::Update { .. }
            | ExprKind::DatatypeUpdate { .. }
            | ExprKind::TupleUpdate { .. }
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Convert(_)
            | ExprKind::Is(..)
            | ExprKind::Cardinality(_)
            | ExprKind::Tuple(_)
            | ExprKind::SeqDisplay(_)
            | ExprKind::SetDisplay(_)
            | ExprKind::MultisetDisplay(_)
            | ExprKind::MultisetFrom(_)
            | ExprKind::MapDisplay(_)
            | ExprKind::SeqConstruct { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::Quantifier { .. }
            | ExprKind::LetOrFail(_)
            | ExprKind::Fresh { .. }
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged { .. }
            | ExprKind::Assigned(_)
            | ExprKind::Wildcard
            | ExprKind::Error => self.parts(own, sure, e, level),
        }
    }

    /// An application of a constructor of a codatatype: arguments with co-recursive calls are
    /// delayed.
    fn construct(
        &mut self,
        own: CallableId,
        sure: u32,
        args: &mut [Expr],
        level: Destructors,
    ) -> bool {
        let level = if level == ANY_NUMBER {
            level
        } else {
            level.saturating_sub(1)
        };
        for arg in args {
            if self.visit(own, sure, arg, level, true)
                && self.mark
                && !matches!(arg.kind, ExprKind::Delayed(_))
            {
                let (ty, span) = (arg.ty.clone(), arg.span);
                let inner = std::mem::replace(
                    arg,
                    Expr {
                        kind: ExprKind::Error,
                        ty: ty.clone(),
                        span,
                    },
                );
                *arg = Expr {
                    kind: ExprKind::Delayed(Box::new(inner)),
                    ty,
                    span,
                };
            }
        }
        false
    }

    /// An application of a function value, which evaluates its arguments.
    fn apply(
        &mut self,
        own: CallableId,
        sure: u32,
        function: &mut Expr,
        args: &mut [Expr],
        level: Destructors,
    ) -> bool {
        self.visit(own, sure, function, ANY_NUMBER, false);
        for a in args {
            self.visit(own, sure, a, level, false);
        }
        false
    }

    fn call(
        &mut self,
        own: CallableId,
        sure: u32,
        e: &mut Expr,
        level: Destructors,
        guarded: bool,
    ) -> bool {
        let ExprKind::Call(call) = &mut e.kind else {
            return false;
        };
        // The callee may destruct its receiver to any depth.
        for receiver in call.receiver.iter_mut().chain(&mut call.discarded) {
            self.visit(own, sure, receiver, ANY_NUMBER, false);
        }
        let callee = call.callee;
        let abstemious = self.program[callee].attribute("abstemious").is_some();
        let formals: Vec<_> = self.program[callee].ins.iter().map(|f| f.local).collect();
        let mut found = false;
        for (formal, arg) in formals.into_iter().zip(&mut call.args) {
            // An abstemious callee destructs no argument of a codatatype.
            found |= if abstemious && is_of_codatatype(self.program, &self.program[formal].ty) {
                self.visit(own, sure, arg, 0, guarded)
            } else {
                self.visit(own, sure, arg, ANY_NUMBER, false)
            };
        }
        if !self.cluster.contains(&callee) {
            return found;
        }
        // Number of constructors around the result of the callee.
        let sure = if callee == own {
            sure
        } else {
            match &self.program[callee].body {
                Body::Expr(body) | Body::ByMethod(body, _) => {
                    constructs(self.program, callee, body)
                }
                Body::None | Body::Block(_) => 0,
            }
        };
        // The destructors around the call may remove all constructors of its result.
        if level != 0 && sure <= level {
            self.destructed = true;
            return found;
        }
        // As in Dafny, a function with `reads` or `ensures` clauses is never called co-recursively.
        let spec = &self.program[callee].spec;
        let is_corecursive = guarded && spec.reads.is_empty() && spec.ensures.is_empty();
        if is_corecursive && self.mark {
            call.is_corecursive = true;
            self.has_corecursive = true;
        } else {
            self.called.insert(callee);
        }
        found || is_corecursive
    }

    /// Visits the operands of an expression that guards none of them.
    fn parts(&mut self, own: CallableId, sure: u32, e: &mut Expr, level: Destructors) -> bool {
        walk_expr(
            &mut Parts {
                visit: self,
                own,
                sure,
                level,
            },
            e,
        );
        false
    }

    fn quantified(&mut self, own: CallableId, sure: u32, q: &mut Quantified) {
        let mut parts = Parts {
            visit: self,
            own,
            sure,
            level: ANY_NUMBER,
        };
        walk_quantified(&mut parts, q);
        walk_bounds(&mut parts, q);
    }

    fn destructs_codatatype(&self, field: FieldId) -> bool {
        let field = &self.program[field];
        matches!(field.kind, FieldKind::Destructor(_))
            && field.owner.is_some_and(|t| is_codatatype(self.program, t))
    }
}

struct Parts<'v, 'a> {
    visit: &'v mut Visit<'a>,
    own: CallableId,
    sure: u32,
    level: Destructors,
}

impl Rewrite for Parts<'_, '_> {
    fn expr(&mut self, e: &mut Expr) {
        self.visit.visit(self.own, self.sure, e, self.level, false);
    }
}

/// The number of nested codatatype constructors that a function's body is guaranteed to apply.
pub(crate) fn constructs(program: &Program, function: CallableId, e: &Expr) -> u32 {
    let constructs = |e: &Expr| constructs(program, function, e);
    stacker::maybe_grow(RED_ZONE, STACK, || {
        match e.control() {
            Control::If { then, els, .. } | Control::IfBinding { then, els, .. } => {
                constructs(then).min(constructs(els))
            }
            Control::Match { cases, .. } => {
                cases.iter().map(|c| constructs(&c.body)).min().unwrap_or(0)
            }
            Control::Let { body, .. }
            | Control::LetSuchThat { body, .. }
            | Control::Delayed(body) => constructs(body),
            Control::Strict => {
                if let ExprKind::Construct { ctor, args } = &e.kind
                    && is_codatatype(program, program[*ctor].datatype)
                {
                    let fields = program[*ctor].fields.iter().zip(args);
                    let inner = fields
                        .filter(|(f, _)| is_of_codatatype(program, &program[**f].ty))
                        .map(|(_, a)| constructs(a))
                        .min();
                    inner.unwrap_or(0) + 1
                } else if let ExprKind::Local(l) = &e.kind
                    && is_of_codatatype(program, &e.ty)
                {
                    // A parameter counts as one constructor.
                    u32::from(program[function].ins.iter().any(|f| f.local == *l))
                } else {
                    0
                }
            }
            Control::ShortCircuit { .. }
            | Control::Not(_)
            | Control::Chain { .. }
            | Control::LetOrFail(_)
            | Control::StmtExpr { .. } => 0,
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::typed::{Arena, Body, CallableId, Expr, ExprKind, Options};
    use dafny_source::SourceMap;

    use crate::typed::rewrite::{Rewrite, walk_expr};

    /// The source texts of the delayed arguments of the program.
    fn delayed(source: &str) -> Vec<String> {
        struct Found(Vec<dafny_source::Span>);
        impl Rewrite for Found {
            fn expr(&mut self, e: &mut Expr) {
                if let ExprKind::Delayed(inner) = &e.kind {
                    self.0.push(inner.span);
                }
                walk_expr(self, e);
            }
        }
        let text = format!(
            "codatatype Stream<T> = Cons(head: T, tail: Stream<T>) codatatype L<!S> = L(b: bool, d: S -> L<S>) {source}"
        );
        let mut map = SourceMap::new();
        map.add("test.dfy", text.as_str(), true);
        let (file, errors) = dafny_syntax::parse(0, &text);
        assert!(errors.is_empty(), "{errors:?}");
        let (mut program, errors) = crate::resolve(vec![file], Options::default());
        assert!(errors.is_empty(), "{errors:?}");
        let mut found = Found(Vec::new());
        for id in Arena::<CallableId>::ids(&program) {
            if let Body::Expr(e) = &mut program[id].body {
                found.expr(e);
            }
        }
        found
            .0
            .into_iter()
            .map(|span| map.text(span).to_owned())
            .collect()
    }

    #[test]
    fn guarded_calls_of_the_cluster_are_delayed() {
        let check =
            |source: &str, expected: &[&str]| assert_eq!(delayed(source), expected, "{source}");
        check(
            "function Up(n: int): Stream<int> { Cons(n, Up(n + 1)) }",
            &["Up(n + 1)"],
        );
        check(
            "function Up(n: int): Stream<int> { Cons(n, Cons(n + 1, Up(n + 2))) }",
            &["Up(n + 2)"],
        );
        check(
            "function A(n: int): Stream<int> { Cons(n, B(n)) } function B(n: int): Stream<int> { if n > 0 then A(n) else Cons(n, A(n)) }",
            &["B(n)", "A(n)"],
        );
        check(
            "function F(n: int): Stream<int> { Cons(n, if n > 0 then F(1) else var m := n + 1; F(m)) }",
            &["if n > 0 then F(1) else var m := n + 1; F(m)"],
        );
        // The lambda already delays its body.
        check("function All(): L<int> { L(true, x => All()) }", &[]);
        // A call to a function outside the cluster.
        check(
            "function One(): Stream<int> { Cons(1, Two()) } function Two(): Stream<int> { Cons(2, Two()) }",
            &["Two()"],
        );
    }

    #[test]
    fn calls_that_may_be_destructed_too_far_are_not_delayed() {
        let check =
            |source: &str, expected: &[&str]| assert_eq!(delayed(source), expected, "{source}");
        check("function Bad(): Stream<int> { Cons(0, Bad().tail) }", &[]);
        check(
            "function Good(): Stream<int> { Cons(0, Cons(1, Good().tail)) }",
            &["Good().tail"],
        );
        check(
            "function Id(s: Stream<int>): Stream<int> { s } function F(): Stream<int> { Cons(0, Id(F())) }",
            &[],
        );
        check(
            "function {:abstemious} Same(s: Stream<int>): Stream<int> { Cons(s.head, s.tail) }
            function F(): Stream<int> { Cons(0, Same(F())) }",
            &["Same(F())"],
        );
        check(
            "function F(n: int): Stream<int> ensures F(n).head == n { Cons(n, F(n + 1)) }",
            &[],
        );
        check(
            "function F(n: int): int { if F(n) == 0 then 1 else F(n) }",
            &[],
        );
    }
}
