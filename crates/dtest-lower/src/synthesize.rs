//! Lowering of `{:synthesize}` methods: objects are allocated, fields stored, and functions
//! redefined by closed lambdas.

use super::lambda::{Closure, LambdaParts};
use super::{Lowerer, build};
use dafny_resolve::typed::{ArrowKind, CallableId, Type};
use dafny_source::Span;
use dtest_desugar::{Argument, Rule, Synthesis, Synthesized};
use dtest_ir::reason::Construct;
use dtest_ir::{Clause, Expr, ExprKind, Op, StmtKind, Var};

impl<'p> Lowerer<'p> {
    /// Lowers the body of a `{:synthesize}` method.
    pub(super) fn synthesis(&mut self, synthesis: &Synthesis<'p>) {
        let program = self.program;
        for object in &synthesis.objects {
            let (var, span) = (self.local(object.out), program[object.out].span);
            self.graph.push(
                StmtKind::New {
                    var,
                    ty: Type::named(object.class, object.args.clone()),
                },
                span,
            );
        }
        // The objects may refer to one another, so all of them exist before the first field is
        // stored.
        for object in &synthesis.objects {
            for &(field, value) in &object.fields {
                let target = self.object(object);
                let (value, span) = (self.pure(|l| l.expr(value)), value.span);
                self.graph.push(
                    StmtKind::SetField {
                        object: target,
                        field,
                        value,
                    },
                    span,
                );
            }
            for (function, rules) in &object.functions {
                let target = self.object(object);
                let value = self.behaviour(object, *function, rules);
                let span = rules.first().map_or_else(Span::default, |r| r.span);
                self.graph.push(
                    StmtKind::Redefine {
                        object: target,
                        function: *function,
                        value,
                    },
                    span,
                );
            }
        }
    }

    fn object(&mut self, object: &Synthesized<'p>) -> Expr {
        let (var, span) = (self.local(object.out), self.program[object.out].span);
        self.var(var, span)
    }

    /// Returns a lambda with the rules of a function; its precondition restricts it to the
    /// arguments that some rule covers.
    fn behaviour(
        &mut self,
        object: &Synthesized<'p>,
        function: CallableId,
        rules: &[Rule<'p>],
    ) -> Expr {
        let program = self.program;
        let c = &program[function];
        let span = rules.first().map_or(c.span, |r| r.span);
        let substitution = program.substitution(object.class, &object.args);
        let ty = |l: dafny_resolve::typed::LocalId| program[l].ty.subst(&substitution);
        let params: Vec<Type> = c.ins.iter().map(|f| ty(f.local)).collect();
        let result = c.outs.first().map_or(Type::Error, |f| ty(f.local));
        let types = params.clone();
        let Closure { lambda, captures } = self.closure(span, |l| {
            let formals = c.ins.iter().zip(&types);
            let vars: Vec<Var> = formals
                .map(|(f, ty)| l.temp(&program[f.local].name, ty.clone(), program[f.local].span))
                .collect();
            let requires = l.covered(rules, &vars);
            let body = l
                .first_that_applies(rules, &vars, &result)
                .unwrap_or_else(|| {
                    build::unsupported(Construct::FunctionWithoutDescription, result.clone(), span)
                });
            LambdaParts {
                params: vars,
                requires,
                reads: Vec::new(),
                body,
            }
        });
        let arrow = Type::Arrow {
            kind: ArrowKind::General,
            params,
            result: Box::new(result),
        };
        build::expr(ExprKind::Lambda { lambda, captures }, arrow, span)
    }

    /// Returns the precondition that some rule applies; none if a rule is total.
    fn covered(&mut self, rules: &[Rule<'p>], vars: &[Var]) -> Vec<Clause> {
        // Without a total rule, arguments that match no rule violate the precondition.
        if rules.iter().any(Rule::is_total) {
            return Vec::new();
        }
        let mut requires = None;
        for rule in rules.iter().rev() {
            let applies = self.applies(rule, vars);
            requires = Some(match requires {
                None => applies,
                Some(others) => build::or(applies, others),
            });
        }
        let clause = |cond: Expr| Clause {
            span: cond.span,
            cond,
        };
        requires.into_iter().map(clause).collect()
    }

    /// Returns the result of the first rule that applies; `None` if there are no rules.
    fn first_that_applies(
        &mut self,
        rules: &[Rule<'p>],
        vars: &[Var],
        result: &Type,
    ) -> Option<Expr> {
        // The first rule that applies determines the result, so the conditional is built from the
        // last one.
        let mut body = None;
        for rule in rules.iter().rev() {
            let value = self.answer_of(rule, vars, result.clone());
            body = Some(match body {
                None => value,
                Some(others) => build::choose(
                    self.applies(rule, vars),
                    value,
                    others,
                    result.clone(),
                    rule.span,
                ),
            });
        }
        body
    }

    /// Returns the condition that a rule applies to the arguments.
    fn applies(&mut self, rule: &Rule<'p>, params: &[Var]) -> Expr {
        let bindings = self.bound(rule, params);
        let mut conditions = Vec::new();
        for (arg, &param) in rule.args.iter().zip(params) {
            if let Argument::Value(e) = arg {
                let (param, e) = (self.var(param, e.span), self.expr(e));
                conditions.push(build::op(Op::Eq, vec![param, e], Type::Bool, rule.span));
            }
        }
        conditions.extend(rule.guards.iter().map(|g| self.expr(g)));
        let all = conditions
            .into_iter()
            .rev()
            .reduce(|rest, first| build::and(first, rest));
        build::lets(
            bindings,
            all.unwrap_or_else(|| build::boolean(true, rule.span)),
        )
    }

    /// Returns the result of a rule.
    fn answer_of(&mut self, rule: &Rule<'p>, params: &[Var], result: Type) -> Expr {
        let bindings = self.bound(rule, params);
        let mut value = self.expr(rule.value);
        value.ty = result;
        build::lets(bindings, value)
    }

    /// Returns the variables of a rule with the parameters that they denote.
    fn bound(&mut self, rule: &Rule<'p>, params: &[Var]) -> Vec<(Var, Expr)> {
        let mut bindings = Vec::new();
        for (arg, &param) in rule.args.iter().zip(params) {
            if let Argument::Any(local) = arg {
                let value = self.var(param, rule.span);
                bindings.push((self.bind(*local), value));
            }
        }
        bindings
    }
}
