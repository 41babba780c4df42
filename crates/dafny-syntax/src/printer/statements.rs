//! Printing of statements, clauses and frames.

use super::super::ast::{
    Assign, Attribute, Block, CalcLine, CalcOp, Clause, ClauseKind, Expr, FailureKeyword,
    FrameExpr, Guard, GuardedCase, Ident, LocalVar, Pattern, Rhs, RhsKind, Spec, Stmt, StmtCase,
    StmtKind, Update, VarDecl,
};
use super::{Context, Layout, Printer};

impl Printer {
    pub(super) fn block(&mut self, block: &Block) {
        let is_empty = block.stmts.is_empty() && block.divided_at.is_none();
        self.braces(is_empty, |p| {
            for (i, stmt) in block.stmts.iter().enumerate() {
                if block.divided_at == Some(i) {
                    p.line();
                    p.text("new;");
                }
                p.line();
                p.stmt(stmt);
            }
            if block.divided_at.is_some_and(|at| at >= block.stmts.len()) {
                p.line();
                p.text("new;");
            }
        });
    }

    fn opt_block(&mut self, block: Option<&Block>) {
        if let Some(block) = block {
            self.text(" ");
            self.block(block);
        }
    }

    /// Prints ` by { … }`, or the semicolon.
    fn proof_or_semicolon(&mut self, proof: Option<&Block>) {
        match proof {
            None => self.text(";"),
            Some(proof) => {
                self.text(" by ");
                self.block(proof);
            }
        }
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        self.nested(|p| {
            for label in &stmt.labels {
                p.text("label ");
                p.text(&label.name);
                p.text(": ");
            }
            p.unlabelled(stmt);
        });
    }

    /// Prints a keyword and the attributes of the statement.
    fn keyword(&mut self, word: &str, attributes: &[Attribute]) {
        self.text(word);
        self.attributes(attributes);
    }

    fn unlabelled(&mut self, stmt: &Stmt) {
        let attributes = stmt.attributes.as_slice();
        match &stmt.kind {
            StmtKind::Block(block) => self.attributed_block(attributes, block),
            StmtKind::Assert { label, cond, by } => {
                self.assertion(attributes, label.as_ref(), cond.as_ref(), by.as_ref())
            }
            StmtKind::Assume(cond) => {
                self.keyword("assume", attributes);
                self.condition(Context::CLAUSE, cond.as_ref());
                self.text(";");
            }
            StmtKind::Expect { cond, message } => {
                self.expectation(attributes, cond.as_ref(), message.as_ref())
            }
            StmtKind::Print(values) => {
                self.text("print ");
                self.commas(values, |p, e| p.expr_in(Context::PLAIN, e));
                self.text(";");
            }
            StmtKind::VarDecl(_) | StmtKind::Update(_) => {
                self.update(stmt);
                self.text(";");
            }
            StmtKind::VarPattern {
                ghost,
                pattern,
                value,
            } => self.pattern_declaration(*ghost, pattern, value),
            StmtKind::If { guard, then, els } => {
                self.conditional(attributes, guard, then, els.as_deref())
            }
            StmtKind::IfCase(cases) => {
                self.keyword("if", attributes);
                self.text(" ");
                self.guarded_cases(cases);
            }
            StmtKind::While { guard, spec, body } => {
                self.keyword("while", attributes);
                self.text(" ");
                self.guard(guard);
                self.clauses(Context::PLAIN, spec);
                self.stmt_body(spec, body.as_ref());
            }
            StmtKind::WhileCase { spec, cases } => {
                self.keyword("while", attributes);
                self.clauses(Context::PLAIN, spec);
                self.before_body(spec);
                self.guarded_cases(cases);
            }
            StmtKind::For {
                index,
                ty,
                from,
                down,
                to,
                spec,
                body,
            } => {
                self.keyword("for", attributes);
                self.text(" ");
                self.text(&index.name);
                self.opt_type(ty.as_ref());
                self.text(" := ");
                self.expr_in(Context::CLAUSE, from);
                self.text(if *down { " downto " } else { " to " });
                match to {
                    Some(to) => self.expr_in(Context::CLAUSE, to),
                    None => self.text("*"),
                }
                self.clauses(Context::PLAIN, spec);
                self.stmt_body(spec, body.as_ref());
            }
            StmtKind::Forall { vars, spec, body } => {
                self.text("forall");
                if !vars.vars.is_empty() {
                    self.text(" ");
                    self.quantified_vars(Context::INNER, vars);
                }
                self.clauses(Context::PLAIN, spec);
                self.stmt_body(spec, body.as_ref());
            }
            StmtKind::Match {
                scrutinee,
                cases,
                braces,
            } => self.match_stmt(attributes, scrutinee, cases, *braces),
            StmtKind::Break {
                is_continue,
                count,
                label,
            } => self.jump(attributes, *is_continue, *count, label.as_ref()),
            StmtKind::Return(values) => {
                self.keyword("return", attributes);
                self.values(values);
            }
            StmtKind::Yield(values) => {
                self.text("yield");
                self.values(values);
            }
            StmtKind::Modify { frame, body } => self.modification(attributes, frame, body.as_ref()),
            StmtKind::Reveal(names) => {
                self.text("reveal ");
                self.commas(names, |p, e| p.expr_in(Context::PLAIN, e));
                self.text(";");
            }
            StmtKind::Hide(names) => {
                self.text("hide ");
                self.commas(names, |p, e| p.expr_in(Context::PLAIN, e));
                self.text(";");
            }
            StmtKind::Calc { op, lines } => self.calc(attributes, op.as_ref(), lines),
            StmtKind::Opaque { spec, body } => {
                self.text("opaque");
                self.clauses(Context::CLAUSE, spec);
                self.before_body(spec);
                self.block(body);
            }
            StmtKind::Skeleton => self.text("...;"),
            StmtKind::By { stmt, proof } => {
                self.update(stmt);
                self.proof_or_semicolon(Some(proof));
            }
        }
    }

    /// Prints a block with the attributes of the statement.
    fn attributed_block(&mut self, attributes: &[Attribute], block: &Block) {
        self.attributes(attributes);
        if !attributes.is_empty() {
            self.text(" ");
        }
        self.block(block);
    }

    /// Prints an `assert` with its label and its proof.
    fn assertion(
        &mut self,
        attributes: &[Attribute],
        label: Option<&Ident>,
        cond: Option<&Expr>,
        by: Option<&Block>,
    ) {
        self.keyword("assert", attributes);
        if let Some(label) = label {
            self.text(" ");
            self.text(&label.name);
            self.text(":");
        }
        self.condition(Context::PLAIN, cond);
        self.proof_or_semicolon(by);
    }

    /// Prints an `expect`.
    fn expectation(
        &mut self,
        attributes: &[Attribute],
        cond: Option<&Expr>,
        message: Option<&Expr>,
    ) {
        self.keyword("expect", attributes);
        self.condition(Context::PLAIN, cond);
        if let Some(message) = message {
            self.text(", ");
            self.expr_in(Context::PLAIN, message);
        }
        self.text(";");
    }

    /// Prints a declaration of the variables of a pattern.
    fn pattern_declaration(&mut self, ghost: bool, pattern: &Pattern, value: &Expr) {
        self.text(if ghost { "ghost var " } else { "var " });
        self.pattern(pattern);
        self.text(" := ");
        self.expr_in(Context::PLAIN, value);
        self.text(";");
    }

    /// Prints an `if` with its alternative, which may be another `if`.
    fn conditional(
        &mut self,
        attributes: &[Attribute],
        guard: &Guard,
        then: &Block,
        els: Option<&Stmt>,
    ) {
        self.keyword("if", attributes);
        self.text(" ");
        self.guard(guard);
        self.text(" ");
        self.block(then);
        if let Some(els) = els {
            self.text(" else");
            if els.attributes.is_empty() || !matches!(els.kind, StmtKind::Block(_)) {
                self.text(" ");
            }
            self.stmt(els);
        }
    }

    /// Prints a `match`; its braces are optional.
    fn match_stmt(
        &mut self,
        attributes: &[Attribute],
        scrutinee: &Expr,
        cases: &[StmtCase],
        braces: bool,
    ) {
        self.keyword("match", attributes);
        self.text(" ");
        self.expr(scrutinee);
        if braces {
            self.text(" ");
            self.braces(cases.is_empty(), |p| p.stmt_cases(cases));
        } else {
            self.stmt_cases(cases);
        }
    }

    /// Prints `break` or `continue`. `break break continue` has a count of three.
    fn jump(
        &mut self,
        attributes: &[Attribute],
        is_continue: bool,
        count: u32,
        label: Option<&Ident>,
    ) {
        let breaks = if is_continue {
            count.saturating_sub(1)
        } else {
            count
        };
        let mut words = vec!["break"; breaks as usize];
        if is_continue {
            words.push("continue");
        }
        self.keyword(&words.join(" "), attributes);
        if let Some(label) = label {
            self.text(" ");
            self.text(&label.name);
        }
        self.text(";");
    }

    /// Prints a `modify`.
    fn modification(
        &mut self,
        attributes: &[Attribute],
        frame: &[FrameExpr],
        body: Option<&Block>,
    ) {
        self.keyword("modify", attributes);
        self.text(" ");
        if frame.is_empty() {
            self.text("...");
        }
        self.commas(frame, |p, f| p.frame_expr(Context::PLAIN, f));
        match body {
            None => self.text(";"),
            Some(_) => self.opt_block(body),
        }
    }

    fn condition(&mut self, context: Context, cond: Option<&Expr>) {
        self.text(" ");
        match cond {
            Some(cond) => self.expr_in(context, cond),
            None => self.text("..."),
        }
    }

    /// Prints an assignment or declaration, without the end of the statement.
    fn update(&mut self, stmt: &Stmt) {
        if let StmtKind::Update(Update { lhs, assign }) = &stmt.kind {
            self.commas(lhs, Self::object);
            let start = self.out.len();
            match assign {
                Assign::Rhs(rhs) if lhs.is_empty() => self.commas(rhs, Self::rhs),
                Assign::Rhs(_) | Assign::SuchThat { .. } | Assign::Failure { .. } => {
                    self.assign(assign, &stmt.attributes)
                }
            }
            if lhs.is_empty() && self.out.get(start..).is_some_and(|t| t.starts_with(' ')) {
                self.out.remove(start);
            }
        } else if let StmtKind::VarDecl(VarDecl { ghost, vars, init }) = &stmt.kind {
            self.text(if *ghost { "ghost var" } else { "var" });
            self.separated(
                vars,
                ",",
                |p,
                 LocalVar {
                     attributes,
                     name,
                     ty,
                 }| {
                    p.attributes(attributes);
                    p.text(" ");
                    p.text(&name.name);
                    p.opt_type(ty.as_ref());
                },
            );
            match init {
                Some(init) => self.assign(init, &stmt.attributes),
                None => self.attributes(&stmt.attributes),
            }
        } else {
            self.unlabelled(stmt);
        }
    }

    fn assign(&mut self, assign: &Assign, attributes: &[Attribute]) {
        match assign {
            Assign::Rhs(rhs) => {
                self.attributes(attributes);
                self.text(" := ");
                self.commas(rhs, Self::rhs);
            }
            Assign::SuchThat { assume, cond } => {
                if *assume {
                    self.text(" :| assume");
                    self.attributes(attributes);
                    self.text(" ");
                } else {
                    self.attributes(attributes);
                    self.text(" :| ");
                }
                self.expr_in(Context::PLAIN, cond);
            }
            Assign::Failure { keyword, rhs } => {
                if keyword.is_none() {
                    self.attributes(attributes);
                }
                self.text(" :- ");
                if let Some(keyword) = keyword {
                    self.text(match keyword {
                        FailureKeyword::Expect => "expect",
                        FailureKeyword::Assert => "assert",
                        FailureKeyword::Assume => "assume",
                    });
                    self.attributes(attributes);
                    self.text(" ");
                }
                for (i, rhs) in rhs.iter().enumerate() {
                    self.text(if i > 0 { ", " } else { "" });
                    self.rhs_in(
                        if i > 0 {
                            Context::PLAIN
                        } else {
                            Context::CLAUSE
                        },
                        rhs,
                    );
                }
            }
        }
    }

    fn values(&mut self, values: &[Rhs]) {
        if !values.is_empty() {
            self.text(" ");
            self.commas(values, Self::rhs);
        }
        self.text(";");
    }

    fn rhs(&mut self, rhs: &Rhs) {
        self.rhs_in(Context::PLAIN, rhs);
    }

    fn rhs_in(&mut self, context: Context, rhs: &Rhs) {
        match &rhs.kind {
            RhsKind::Expr(e) => self.expr_in(context, e),
            RhsKind::Havoc => self.text("*"),
            RhsKind::New { ty, args } => {
                self.text("new ");
                self.ty(ty);
                if let Some(args) = args {
                    self.arguments(args);
                }
            }
            RhsKind::NewArray {
                elem,
                dims,
                init,
                elements,
            } => {
                self.text("new ");
                if let Some(elem) = elem {
                    self.ty(elem);
                }
                self.text("[");
                self.commas(dims, Self::expr);
                self.text("]");
                if let Some(init) = init {
                    self.text("(");
                    self.expr(init);
                    self.text(")");
                }
                if let Some(elements) = elements {
                    self.text(" [");
                    self.commas(elements, Self::expr);
                    self.text("]");
                }
            }
        }
        self.attributes(&rhs.attributes);
    }

    /// Prints `{ case … }`.
    fn guarded_cases(&mut self, cases: &[GuardedCase]) {
        self.braces(cases.is_empty(), |p| {
            for GuardedCase {
                attributes,
                guard,
                body,
                span: _,
            } in cases
            {
                p.line();
                p.keyword("case", attributes);
                p.text(" ");
                match guard {
                    Guard::Expr(e) => p.expr_in(
                        Context {
                            lambda: false,
                            ..Context::INNER
                        },
                        e,
                    ),
                    Guard::Star | Guard::Binding { .. } | Guard::Skeleton => p.guard(guard),
                }
                p.text(" =>");
                p.case_body(body);
            }
        });
    }

    fn stmt_cases(&mut self, cases: &[StmtCase]) {
        for StmtCase {
            attributes,
            pattern,
            body,
            span: _,
        } in cases
        {
            self.line();
            self.keyword("case", attributes);
            self.text(" ");
            self.pattern(pattern);
            self.text(" =>");
            self.case_body(body);
        }
    }

    fn case_body(&mut self, body: &[Stmt]) {
        self.indent += 1;
        for stmt in body {
            self.line();
            self.stmt(stmt);
        }
        self.indent -= 1;
    }

    fn calc(&mut self, attributes: &[Attribute], op: Option<&CalcOp>, lines: &[CalcLine]) {
        self.keyword("calc", attributes);
        self.text(" ");
        if let Some(op) = op {
            self.calc_op(op);
            self.text(" ");
        }
        self.braces(lines.is_empty(), |p| {
            for CalcLine { expr, op, hints } in lines {
                p.line();
                p.expr_in(Context::PLAIN, expr);
                p.text(";");
                if op.is_some() || !hints.is_empty() {
                    p.line();
                }
                if let Some(op) = op {
                    p.calc_op(op);
                }
                for (i, hint) in hints.iter().enumerate() {
                    if i > 0 || op.is_some() {
                        p.text(" ");
                    }
                    p.stmt(hint);
                }
            }
        });
    }

    fn calc_op(&mut self, op: &CalcOp) {
        match op {
            CalcOp::Binary(op) => self.text(op.as_str()),
            CalcOp::PrefixEq(limit) => {
                self.text("==#[");
                self.expr(limit);
                self.text("]");
            }
        }
    }

    /// Prints clauses, each on its own line below the construct.
    pub(super) fn clauses(&mut self, context: Context, spec: &Spec) {
        self.indent += 1;
        for clause in &spec.clauses {
            self.line();
            self.clause(context, clause);
        }
        self.indent -= 1;
    }

    /// Prints the separator between the last clause and a body.
    pub(super) fn before_body(&mut self, spec: &Spec) {
        if spec.clauses.is_empty() || self.layout == Layout::OneLine {
            self.text(" ");
        } else {
            self.line();
        }
    }

    pub(super) fn body(&mut self, spec: &Spec, body: Option<&Block>) {
        if let Some(body) = body {
            self.before_body(spec);
            self.block(body);
        }
    }

    /// Prints the body of a loop or `forall` statement. Without a body, the last clause needs a
    /// semicolon, because the next statement may begin with a parenthesis.
    fn stmt_body(&mut self, spec: &Spec, body: Option<&Block>) {
        if body.is_none() && !spec.clauses.is_empty() {
            self.text(";");
        }
        self.body(spec, body);
    }

    pub(super) fn clause(&mut self, context: Context, clause: &Clause) {
        if clause.is_yield {
            self.text("yield ");
        }
        self.text(match &clause.kind {
            ClauseKind::Requires(_) => "requires",
            ClauseKind::Ensures(_) => "ensures",
            ClauseKind::Invariant(_) => "invariant",
            ClauseKind::Reads(_) => "reads",
            ClauseKind::Modifies(_) => "modifies",
            ClauseKind::Decreases(_) => "decreases",
        });
        self.attributes(&clause.attributes);
        self.text(" ");
        if let Some(label) = &clause.label {
            self.text(&label.name);
            self.text(": ");
        }
        match &clause.kind {
            ClauseKind::Requires(e) | ClauseKind::Ensures(e) | ClauseKind::Invariant(e) => {
                self.expr_in(context, e)
            }
            ClauseKind::Reads(frame) | ClauseKind::Modifies(frame) => {
                self.commas(frame, |p, f| p.frame_expr(context, f))
            }
            ClauseKind::Decreases(es) => self.commas(es, |p, e| p.expr_in(context, e)),
        }
    }

    pub(super) fn frame_expr(&mut self, context: Context, frame: &FrameExpr) {
        if let Some(object) = &frame.object {
            self.expr_in(context, object);
        }
        if let Some(field) = &frame.field {
            self.text("`");
            self.text(&field.name);
        }
    }
}
