//! Printing of expressions.
//!
//! The hard part is to print parentheses exactly where the parser needs them. [`Level`] is the
//! binding strength of an operator, [`Shape`] tells whether an expression extends to the right
//! without end, and [`Context`] what its surroundings allow. [`Printer::operand`] combines the
//! three.

use super::super::ast::{
    Argument, BinaryOp, BoundVar, Expr, ExprCase, ExprKind, Guard, QuantifiedVar, QuantifiedVars,
    Spec, UnaryOp,
};
use super::precedence::{Level, Shape, binary_level, is_call, shape, takes_gets};
use super::{Context, Printer};

impl Printer {
    /// Prints an expression before `:=`.
    pub(super) fn key(&mut self, e: &Expr, context: Context) {
        if takes_gets(e) {
            self.parenthesized("(", e);
        } else {
            self.expr_in(context, e);
        }
        self.text(" := ");
    }

    /// Prints an expression inside brackets.
    pub(super) fn expr(&mut self, e: &Expr) {
        self.expr_in(Context::INNER, e);
    }

    /// Prints an expression in a context that may require parentheses.
    pub(super) fn expr_in(&mut self, context: Context, e: &Expr) {
        let around = std::mem::replace(&mut self.context, context);
        self.rest(e);
        self.context = around;
    }

    /// Prints the last part of an expression, which ends where the whole ends.
    pub(super) fn rest(&mut self, e: &Expr) {
        self.operand(e, Level::Top, true);
    }

    /// Prints an operand that has to bind at least as strongly as `level`. `end`: whether it is at
    /// the end of the enclosing expression, so that no following text could be parsed as a part of
    /// an endless operand.
    fn operand(&mut self, e: &Expr, level: Level, end: bool) {
        let Context {
            lemma,
            lambda,
            bitwise,
        } = self.context;
        // An expression that ends in a quantifier or in the term of an infinite comprehension is
        // parsed with bitwise operators, even where the context excludes these.
        let reads_bitwise = matches!(
            e.kind,
            ExprKind::Quantifier { .. } | ExprKind::MapComp { infinite: true, .. }
        ) || matches!(e.kind, ExprKind::SetComp { infinite: true, .. })
            || matches!(&e.kind, ExprKind::Binary(op, ..) if binary_level(*op) == Level::Bitwise);
        let is_lemma_call = matches!(&e.kind, ExprKind::StmtExpr { stmt, .. } if is_call(stmt));
        let allowed = (bitwise || !reads_bitwise)
            && (lambda || !matches!(e.kind, ExprKind::Lambda { .. }))
            && ((lemma && bitwise) || !is_lemma_call);
        let bare = allowed
            && match shape(&e.kind) {
                Shape::Binds(own) => own >= level,
                Shape::Endless => end && level < Level::Primary,
            };
        let context = self.context;
        self.nested(|p| {
            if bare {
                p.bare(e, end);
            } else {
                p.parenthesized("(", e);
            }
        });
        self.context = context;
    }

    pub(super) fn bare(&mut self, e: &Expr, end: bool) {
        match &e.kind {
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::This => self.text("this"),
            ExprKind::Name { name, type_args } => {
                self.text(&name.name);
                self.opt_type_args(type_args.as_deref());
            }
            ExprKind::Select {
                object,
                member,
                type_args,
            } => {
                self.object(object);
                self.text(".");
                self.text(&member.name);
                self.opt_type_args(type_args.as_deref());
            }
            ExprKind::DatatypeUpdate { object, updates } => {
                self.object(object);
                self.text(".(");
                self.commas(updates, |p, (field, value)| {
                    p.text(&field.name);
                    p.text(" := ");
                    p.expr(value);
                });
                self.text(")");
            }
            ExprKind::Call {
                callee,
                at_label,
                args,
            } => {
                self.object(callee);
                if let Some(label) = at_label {
                    self.text("@");
                    self.text(&label.name);
                }
                self.arguments(args);
            }
            ExprKind::Index { object, indices } => {
                self.object(object);
                self.text("[");
                self.commas(indices, Self::expr);
                self.text("]");
            }
            ExprKind::Slice { object, from, to } => {
                self.object(object);
                self.text("[");
                self.opt_bound(from.as_deref());
                self.text("..");
                self.opt_bound(to.as_deref());
                self.text("]");
            }
            ExprKind::SliceLengths {
                object,
                lengths,
                rest,
            } => {
                self.object(object);
                self.text("[");
                self.separated(lengths, " : ", Self::expr);
                self.text(if *rest { " : ]" } else { "]" });
            }
            ExprKind::Update { object, key, value } => {
                self.object(object);
                self.text("[");
                self.key(key, Context::INNER);
                self.expr(value);
                self.text("]");
            }
            ExprKind::Prefix { object, limit } => self.prefix(object, limit),
            ExprKind::Unary(op, operand) => {
                self.text(match op {
                    UnaryOp::Not => "!",
                    UnaryOp::Neg => "-",
                });
                self.operand(operand, Level::Unary, end);
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, end),
            ExprKind::Chain { first, rest } => {
                self.operand(first, Level::Shift, false);
                for (i, (op, operand)) in rest.iter().enumerate() {
                    self.operator(op.as_str());
                    self.operand(operand, Level::Shift, end && i + 1 == rest.len());
                }
            }
            ExprKind::PrefixEq {
                negated,
                limit,
                left,
                right,
            } => {
                self.operand(left, Level::Shift, false);
                self.text(if *negated { " !=#[" } else { " ==#[" });
                self.expr(limit);
                self.text("] ");
                self.operand(right, Level::Shift, end);
            }
            ExprKind::As(value, ty) => {
                self.operand(value, Level::As, false);
                self.text(" as ");
                self.type_operand(ty);
            }
            ExprKind::Is(value, ty) => {
                self.operand(value, Level::As, false);
                self.text(" is ");
                self.type_operand(ty);
            }
            ExprKind::Cardinality(value) => {
                self.text("|");
                let start = self.out.len();
                self.expr_in(
                    Context {
                        bitwise: false,
                        ..Context::INNER
                    },
                    value,
                );
                // `||` would be parsed as an operator.
                if self
                    .out
                    .get(start..)
                    .is_some_and(|inner| inner.starts_with('|'))
                {
                    self.out.insert(start, ' ');
                }
                self.text(if self.out.ends_with('|') { " |" } else { "|" });
            }
            ExprKind::Paren(value) => self.parenthesized("(", value),
            ExprKind::Tuple(components) => {
                self.text("(");
                self.commas(components, |p, (ghost, value)| {
                    p.text(if *ghost { "ghost " } else { "" });
                    let start = p.out.len();
                    p.expr(value);
                    // `ghost var` would be parsed as the declaration of a ghost variable.
                    if *ghost
                        && p.out
                            .get(start..)
                            .is_some_and(|inner| inner.starts_with("var "))
                    {
                        p.out.insert(start, '(');
                        p.text(")");
                    }
                });
                self.text(")");
            }
            ExprKind::SeqDisplay(elements) => {
                self.text("[");
                self.commas(elements, Self::expr);
                self.text("]");
            }
            ExprKind::SetDisplay { infinite, elements } => {
                self.text(if *infinite { "iset{" } else { "{" });
                self.commas(elements, Self::expr);
                self.text("}");
            }
            ExprKind::MultisetDisplay(elements) => {
                self.text("multiset{");
                self.commas(elements, Self::expr);
                self.text("}");
            }
            ExprKind::MultisetFrom(value) => self.parenthesized("multiset(", value),
            ExprKind::MapDisplay { infinite, pairs } => {
                self.text(if *infinite { "imap[" } else { "map[" });
                self.commas(pairs, |p, (key, value)| {
                    p.key(key, Context::INNER);
                    p.expr(value);
                });
                self.text("]");
            }
            ExprKind::SeqConstruct { elem, len, init } => {
                self.text("seq");
                self.opt_type_args(elem.as_ref().map(std::slice::from_ref));
                self.text("(");
                self.expr(len);
                self.text(", ");
                self.expr(init);
                self.text(")");
            }
            ExprKind::SetComp {
                infinite,
                vars,
                term,
            } => {
                self.text(if *infinite { "iset " } else { "set " });
                self.quantified_vars(self.context, vars);
                if let Some(term) = term {
                    self.text(" :: ");
                    self.context.bitwise |= *infinite;
                    self.rest(term);
                }
            }
            ExprKind::MapComp {
                infinite,
                vars,
                key,
                value,
            } => {
                self.text(if *infinite { "imap " } else { "map " });
                self.quantified_vars(Context::INNER, vars);
                self.text(" :: ");
                if let Some(key) = key {
                    self.key(key, self.context);
                    self.context.bitwise |= *infinite;
                }
                self.rest(value);
            }
            ExprKind::Quantifier { forall, vars, body } => {
                self.text(if *forall { "forall " } else { "exists " });
                self.quantified_vars(Context::INNER, vars);
                self.text(" :: ");
                self.context.bitwise = true;
                self.rest(body);
            }
            ExprKind::Lambda { params, spec, body } => self.lambda(params, spec, body),
            ExprKind::If { guard, then, els } => {
                self.text("if ");
                self.guard(guard);
                self.text(" then ");
                self.expr(then);
                self.text(" else ");
                self.rest(els);
            }
            ExprKind::Match {
                scrutinee,
                cases,
                braces,
            } => self.match_expr(scrutinee, cases, *braces),
            ExprKind::Let {
                ghost,
                patterns,
                values,
                body,
            } => {
                self.text(if *ghost { "ghost var " } else { "var " });
                self.commas(patterns, Self::pattern);
                self.text(" := ");
                self.commas(values, |p, e| p.expr_in(Context::PLAIN, e));
                self.text(";");
                self.line();
                self.rest(body);
            }
            ExprKind::LetSuchThat {
                ghost,
                vars,
                attributes,
                cond,
                body,
            } => {
                self.text(if *ghost { "ghost var " } else { "var " });
                self.bound_vars(vars);
                self.attributes(attributes);
                self.text(" :| ");
                self.expr_in(Context::PLAIN, cond);
                self.text(";");
                self.line();
                self.rest(body);
            }
            ExprKind::LetOrFail {
                ghost,
                pattern,
                value,
                body,
            } => {
                if let Some(pattern) = pattern {
                    self.text(if *ghost { "ghost var " } else { "var " });
                    self.pattern(pattern);
                    self.text(" ");
                }
                self.text(":- ");
                self.expr_in(Context::PLAIN, value);
                self.text(";");
                self.line();
                self.rest(body);
            }
            ExprKind::StmtExpr { stmt, body } => {
                self.stmt(stmt);
                self.line();
                self.context.bitwise |= is_call(stmt);
                self.rest(body);
            }
            ExprKind::Old { label, expr } => {
                self.stateful("old", label.as_ref());
                self.parenthesized("(", expr);
            }
            ExprKind::Fresh { label, expr } => {
                self.stateful("fresh", label.as_ref());
                self.parenthesized("(", expr);
            }
            ExprKind::Allocated(value) => self.parenthesized("allocated(", value),
            ExprKind::Unchanged { label, frame } => {
                self.stateful("unchanged", label.as_ref());
                self.text("(");
                self.commas(frame, |p, f| p.frame_expr(Context::CLAUSE, f));
                self.text(")");
            }
            ExprKind::Assigned(value) => self.parenthesized("assigned(", value),
            ExprKind::Wildcard => self.text("*"),
            ExprKind::DecreasesTo {
                from,
                to,
                allow_equal,
            } => self.decreases_to(from, to, *allow_equal),
            ExprKind::Error => self.text("?error?"),
        }
    }

    /// Prints the expression before a suffix.
    pub(super) fn object(&mut self, e: &Expr) {
        self.operand(e, Level::Primary, false);
    }

    pub(super) fn operator(&mut self, text: &str) {
        self.text(" ");
        self.text(text);
        self.text(" ");
    }

    fn parenthesized(&mut self, open: &str, e: &Expr) {
        self.text(open);
        self.expr(e);
        self.text(")");
    }

    fn opt_bound(&mut self, bound: Option<&Expr>) {
        if let Some(bound) = bound {
            self.expr(bound);
        }
    }

    fn stateful(&mut self, word: &str, label: Option<&super::super::ast::Ident>) {
        self.text(word);
        if let Some(label) = label {
            self.text("@");
            self.text(&label.name);
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, end: bool) {
        let level = binary_level(op);
        let same = |e: &Expr| matches!(&e.kind, ExprKind::Binary(inner, ..) if *inner == op);
        // The levels of the left and the right operand: the operator's own level on the side to
        // which it associates, a stronger one on the other side.
        let (left_level, right_level) = match op {
            BinaryOp::Implies => (
                Level::Logical,
                if same(right) {
                    Level::Implies
                } else {
                    Level::Logical
                },
            ),
            BinaryOp::Explies
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => (
                if same(left) { level } else { level.tighter() },
                level.tighter(),
            ),
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => (Level::Shift, Level::Shift),
            BinaryOp::In | BinaryOp::NotIn | BinaryOp::Disjoint => (Level::Shift, Level::Shift),
            BinaryOp::Iff | BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Add | BinaryOp::Sub => {
                (level, level.tighter())
            }
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => (level, level.tighter()),
        };
        self.operand(left, left_level, false);
        self.operator(op.as_str());
        self.operand(right, right_level, end);
    }

    /// Prints `f#<T>[k]`: the type arguments are between `#` and the limit.
    fn prefix(&mut self, object: &Expr, limit: &Expr) {
        if let ExprKind::Name { name, type_args } = &object.kind {
            self.text(&name.name);
            self.text("#");
            self.opt_type_args(type_args.as_deref());
        } else if let ExprKind::Select {
            object,
            member,
            type_args,
        } = &object.kind
        {
            self.object(object);
            self.text(".");
            self.text(&member.name);
            self.text("#");
            self.opt_type_args(type_args.as_deref());
        } else {
            self.object(object);
            self.text("#");
        }
        self.text("[");
        self.expr(limit);
        self.text("]");
    }

    pub(super) fn arguments(&mut self, args: &[Argument]) {
        self.text("(");
        self.commas(args, |p, Argument { name, value }| {
            if let Some(name) = name {
                p.text(&name.name);
                p.text(" := ");
            }
            p.expr(value);
        });
        self.text(")");
    }

    pub(super) fn bound_vars(&mut self, vars: &[BoundVar]) {
        self.commas(vars, |p, BoundVar { name, ty }| {
            p.text(&name.name);
            p.opt_type(ty.as_ref());
        });
    }

    pub(super) fn quantified_vars(&mut self, context: Context, vars: &QuantifiedVars) {
        let QuantifiedVars {
            vars,
            attributes,
            range,
        } = vars;
        self.commas(
            vars,
            |p,
             QuantifiedVar {
                 name,
                 ty,
                 domain,
                 range,
             }| {
                p.text(&name.name);
                p.opt_type(ty.as_ref());
                if let Some(domain) = domain {
                    p.text(" <- ");
                    p.expr_in(
                        Context {
                            bitwise: false,
                            ..context
                        },
                        domain,
                    );
                }
                if let Some(range) = range {
                    p.text(" | ");
                    p.expr_in(context, range);
                }
            },
        );
        self.attributes(attributes);
        if let Some(range) = range {
            self.text(" | ");
            self.expr_in(context, range);
        }
    }

    fn lambda(&mut self, params: &[BoundVar], spec: &Spec, body: &Expr) {
        match params {
            [BoundVar { name, ty: None }] => self.text(&name.name),
            many => {
                self.text("(");
                self.bound_vars(many);
                self.text(")");
            }
        }
        for clause in &spec.clauses {
            self.text(" ");
            self.clause(
                Context {
                    lemma: true,
                    ..Context::CLAUSE
                },
                clause,
            );
        }
        self.text(" => ");
        self.context.lambda = true;
        self.rest(body);
    }

    /// Prints the guard of a conditional expression or statement.
    pub(super) fn guard(&mut self, guard: &Guard) {
        match guard {
            Guard::Expr(e) => self.expr(e),
            Guard::Star => self.text("*"),
            Guard::Skeleton => self.text("..."),
            Guard::Binding { vars, cond } => {
                self.bound_vars(vars);
                self.text(" :| ");
                self.expr(cond);
            }
        }
    }

    fn match_expr(&mut self, scrutinee: &Expr, cases: &[ExprCase], braces: bool) {
        self.text("match ");
        self.rest(scrutinee);
        if braces {
            let inner = Context {
                bitwise: self.context.bitwise,
                ..Context::INNER
            };
            self.text(" ");
            self.braces(cases.is_empty(), |p| {
                for case in cases {
                    p.line();
                    p.case_expr(inner, case);
                }
            });
        } else {
            for case in cases {
                self.text(" ");
                self.case_expr(self.context, case);
            }
        }
    }

    fn case_expr(&mut self, context: Context, case: &ExprCase) {
        let ExprCase {
            attributes,
            pattern,
            body,
            span: _,
        } = case;
        self.text("case");
        self.attributes(attributes);
        self.text(" ");
        self.pattern(pattern);
        self.text(" => ");
        self.expr_in(context, body);
    }

    fn decreases_to(&mut self, from: &[Expr], to: &[Expr], allow_equal: bool) {
        let word = if allow_equal {
            " nonincreases to "
        } else {
            " decreases to "
        };
        if let ([from], [to]) = (from, to) {
            self.operand(from, Level::Iff, false);
            self.text(word);
            return self.operand(to, Level::Iff, true);
        }
        self.text("(");
        self.context = Context::INNER;
        for (i, e) in from.iter().enumerate() {
            self.text(if i > 0 { ", " } else { "" });
            self.operand(
                e,
                if i + 1 < from.len() {
                    Level::Top
                } else {
                    Level::Iff
                },
                i + 1 < from.len(),
            );
        }
        self.text(word);
        self.context = Context::CLAUSE;
        self.commas(to, |p, e| p.operand(e, Level::Iff, true));
        self.text(")");
    }
}
