//! Questions about a contract as callables whose obligation an execution may violate.
//!
//! The parameters of a question are the inputs of the callable, followed by one or two alternative
//! results. A contract without effects becomes a lemma: its clauses are preconditions, and the
//! obligation is the postcondition. If the callable changes the heap, the question is a method with
//! the same frame: it writes the first alternative, assumes the postconditions, writes the second
//! one, assumes the postconditions again, and asserts the obligation. `old` refers to the state at
//! the entry of the method in both cases, as it does in the contract.
//!
//! Arrays and fields that are written have parameters with their final values. After the writes, the
//! method assumes that the state has these values, so that aliases cannot have several.

use dafny_resolve::typed::{
    Arena as _, ArrayInit, ArrowKind, Attribute, BinaryOp, Block, Body, Callable, CallableId,
    CallableKind, Clause, Domain, Expr, ExprKind, FieldId, Formal, Frame, Guard, Lambda, Literal,
    Local, LocalId, Program, Quantified, Rhs, Span, Spec, Stmt, StmtKind, Target, Type, VarBound,
};

use crate::contract::{Contract, Write, binary, elements, length, local, path};
use crate::substitution::Substitution;

/// The attribute of generated questions. No source program can contain it.
const QUESTION: &str = "of question";

/// A program to which questions about one contract are added.
pub(crate) struct Questions<'c, 'p> {
    pub(crate) contract: &'c Contract<'p>,
    /// The program with the questions.
    pub(crate) program: Program,
}

/// A question: a callable of the program.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The callable.
    pub(crate) callable: CallableId,
    /// The parameters of each alternative, with the names of what they stand for.
    pub(crate) alternatives: Vec<Vec<(LocalId, String)>>,
}

/// The questions for what only one clause rejects.
#[derive(Clone, Debug)]
pub(crate) struct Rejected {
    /// Asks for an example that all other clauses accept.
    pub(crate) by_all: Question,
    /// The same with the clauses that are defined without this one. `None` if these are all others.
    /// Its answer tells a redundant clause from one that others need to be defined.
    pub(crate) by_defined: Option<Question>,
}

/// Alternative results as parameters of a question.
pub(crate) struct Alternative {
    /// The parameters with the names of what they stand for.
    pub(crate) params: Vec<(LocalId, String)>,
    /// Conditions on the parameters before the writes.
    pub(crate) guards: Vec<Expr>,
    /// The writes, and the assumption that they have the values of the parameters.
    pub(crate) writes: Vec<Stmt>,
    /// The arrays that the writes allocate.
    allocated: Vec<Expr>,
    /// The parameters that are not compared, because callers do not see what they stand for.
    hidden: Vec<LocalId>,
    /// The results in terms of the parameters.
    pub(crate) substitution: Substitution,
}

impl Alternative {
    /// The condition that the result is the value of the definition of a function.
    pub(crate) fn defined_by(&self, program: &Program, definition: Option<Expr>) -> Option<Expr> {
        let (result, _) = self.params.first()?;
        let result = local(program, *result);
        Some(binary(BinaryOp::Eq, result, definition?, Type::Bool))
    }
}

impl<'c, 'p> Questions<'c, 'p> {
    pub(crate) fn new(contract: &'c Contract<'p>) -> Self {
        Self {
            contract,
            program: contract.program.clone(),
        }
    }

    /// Asks for inputs that satisfy the given preconditions.
    pub(crate) fn accepted_inputs(&mut self, requires: &[usize]) -> Question {
        let conditions = self.preconditions(requires);
        let target = self.boolean(false);
        self.lemma(Vec::new(), conditions, vec![target])
    }

    /// Asks for inputs that violate precondition `i` and satisfy the other ones.
    pub(crate) fn rejected_inputs(&mut self, i: usize) -> Rejected {
        let clauses = self.contract.requires();
        let target = clauses.get(i).map(|c| c.cond.clone());
        let target = target.unwrap_or_else(|| self.boolean(true));
        self.rejected(clauses, i, &mut |questions, others| {
            let conditions = questions.preconditions(others);
            questions.lemma(Vec::new(), conditions, vec![target.clone()])
        })
    }

    /// Asks for inputs with a result that satisfies the given postconditions.
    pub(crate) fn accepted_results(&mut self, ensures: &[usize]) -> Question {
        let target = self.boolean(false);
        self.with_results(&[], ensures, 1, |_, _| target)
    }

    /// Asks for inputs with a result that violates postcondition `i` and satisfies the other ones.
    pub(crate) fn rejected_results(&mut self, i: usize) -> Rejected {
        let clauses = self.contract.ensures();
        let clause = clauses.get(i).map(|c| c.cond.clone());
        let always = self.boolean(true);
        self.rejected(clauses, i, &mut |questions, others| {
            questions.with_results(&[], others, 1, |_, alternatives| {
                match (&clause, alternatives.first()) {
                    (Some(clause), Some(a)) => a.substitution.of(clause),
                    (None, _) | (_, None) => always.clone(),
                }
            })
        })
    }

    /// Asks with all other clauses, and without those that may be undefined without clause `i`.
    fn rejected(
        &mut self,
        clauses: &[Clause],
        i: usize,
        ask: &mut dyn FnMut(&mut Self, &[usize]) -> Question,
    ) -> Rejected {
        let others: Vec<usize> = (0..clauses.len()).filter(|j| *j != i).collect();
        let defined = self.others(clauses, i);
        let by_defined = (defined != others).then(|| ask(self, &defined));
        Rejected {
            by_all: ask(self, &others),
            by_defined,
        }
    }

    /// Asks for inputs with two results that differ.
    pub(crate) fn two_results(&mut self) -> Question {
        let all: Vec<usize> = (0..self.contract.ensures().len()).collect();
        let contract = self.contract;
        self.with_results(&[], &all, 2, |program, alternatives| {
            equal(contract, program, alternatives, &|e| e)
        })
    }

    /// Asks for inputs with two results that differ in more than the order of elements. `None` if no
    /// result has an order.
    pub(crate) fn two_results_up_to_order(&mut self) -> Option<Question> {
        let is_sequence = |ty: &Type| matches!(self.program.strip_subset(ty), Type::Seq(_));
        let has_order = self
            .contract
            .outputs
            .iter()
            .any(|o| o.array.is_some() || is_sequence(&o.ty))
            || self.contract.writes().iter().any(|w| match w {
                Write::Elements { .. } | Write::NewArray { .. } | Write::Grid(_) => true,
                Write::Field { ty, .. } => is_sequence(ty),
                Write::NewObjects { .. } => false,
            });
        if !has_order {
            return None;
        }
        let all: Vec<usize> = (0..self.contract.ensures().len()).collect();
        let contract = self.contract;
        Some(self.with_results(&[], &all, 2, |program, alternatives| {
            equal(contract, program, alternatives, &|e| unordered(program, e))
        }))
    }

    /// Asks for inputs for which the given results violate a postcondition. The results are
    /// expressions over the inputs, in the order of the outputs.
    pub(crate) fn refuted_witness(&mut self, results: &[Expr]) -> Question {
        let named: Vec<(LocalId, &Expr)> = self
            .contract
            .outputs
            .iter()
            .map(|o| o.local)
            .zip(results)
            .collect();
        let substitution = self.contract.substitution(|e| {
            let is_same = |l: &LocalId| matches!(e.kind, ExprKind::Local(own) if own == *l);
            let found = named.iter().find(|(l, _)| is_same(l));
            found.map(|(_, value)| (*value).clone())
        });
        let targets: Vec<Expr> = self
            .contract
            .ensures()
            .iter()
            .map(|c| substitution.of(&c.cond))
            .collect();
        let all: Vec<usize> = (0..self.contract.requires().len()).collect();
        let conditions = self.preconditions(&all);
        self.lemma(Vec::new(), conditions, targets)
    }

    /// Asks for a result that satisfies the given postconditions for one input, which is fixed by
    /// conditions.
    pub(crate) fn result_at(&mut self, input: &[Expr], ensures: &[usize]) -> Question {
        let target = self.boolean(false);
        self.with_results(input, ensures, 1, |_, _| target)
    }

    /// The clauses that a question about clause `i` assumes: the earlier ones, and the later ones
    /// that are defined without it.
    fn others(&self, clauses: &[Clause], i: usize) -> Vec<usize> {
        let is_defined =
            |c: &Clause| !dtest_desugar::may_be_undefined(self.contract.program, &c.cond);
        clauses
            .iter()
            .enumerate()
            .filter(|(j, c)| *j < i || *j > i && is_defined(c))
            .map(|(j, _)| j)
            .collect()
    }

    fn selected<'s>(&self, clauses: &'s [Clause], chosen: &[usize]) -> Vec<&'s Clause> {
        chosen.iter().filter_map(|i| clauses.get(*i)).collect()
    }

    fn preconditions(&self, chosen: &[usize]) -> Vec<Expr> {
        let clauses = self.selected(self.contract.requires(), chosen);
        clauses.into_iter().map(|c| c.cond.clone()).collect()
    }

    /// Adds a question with alternatives that satisfy the given postconditions, for inputs that
    /// satisfy further conditions. `target` returns the obligation.
    fn with_results(
        &mut self,
        input: &[Expr],
        ensures: &[usize],
        count: usize,
        target: impl FnOnce(&Program, &[Alternative]) -> Expr,
    ) -> Question {
        let all: Vec<usize> = (0..self.contract.requires().len()).collect();
        let mut requires = self.preconditions(&all);
        requires.extend(input.iter().cloned());
        let clauses = self.selected(self.contract.ensures(), ensures);
        let clauses: Vec<Clause> = clauses.into_iter().cloned().collect();
        // The body of a function is a part of what it promises.
        let promised = (&*clauses, self.contract.definition());
        self.asked(requires, promised, count, target)
    }

    /// Adds a question with alternatives that satisfy the given postconditions, and are the value of
    /// the definition if there is one.
    pub(crate) fn asked(
        &mut self,
        mut requires: Vec<Expr>,
        (clauses, definition): (&[Clause], Option<Expr>),
        count: usize,
        target: impl FnOnce(&Program, &[Alternative]) -> Expr,
    ) -> Question {
        requires.extend(self.contract.guards().iter().cloned());
        let alternatives: Vec<Alternative> = (1..=count).map(|k| self.alternative(k)).collect();
        let target = target(&self.program, &alternatives);
        let params = alternatives
            .iter()
            .flat_map(|a| a.params.iter().map(|(l, _)| *l))
            .collect();
        let question = if self.contract.is_pure() {
            for a in &alternatives {
                requires.extend(a.defined_by(&self.program, definition.clone()));
                requires.extend(clauses.iter().map(|c| a.substitution.of(&c.cond)));
            }
            self.lemma(params, requires, vec![target])
        } else {
            let mut stmts = Vec::new();
            for a in &alternatives {
                requires.extend(a.guards.iter().cloned());
                stmts.extend(a.writes.iter().cloned());
                stmts.extend(
                    clauses
                        .iter()
                        .map(|c| statement(StmtKind::Assume(a.substitution.of(&c.cond)), c.span)),
                );
            }
            let span = self.span();
            stmts.push(statement(
                StmtKind::Assert {
                    cond: target,
                    label: None,
                    by: None,
                },
                span,
            ));
            self.method(params, requires, stmts)
        };
        Question {
            alternatives: alternatives.into_iter().map(|a| a.params).collect(),
            ..question
        }
    }

    /// Declares the parameters of an alternative.
    fn alternative(&mut self, k: usize) -> Alternative {
        let outputs = self.contract.outputs.clone();
        let writes = self.contract.writes().to_vec();
        let mut alternative = Alternative {
            params: Vec::new(),
            guards: Vec::new(),
            writes: Vec::new(),
            allocated: Vec::new(),
            hidden: Vec::new(),
            substitution: Substitution::default(),
        };
        let mut observed = Vec::new();
        for write in &writes {
            let first = alternative.params.len();
            self.written(write, k, &mut alternative, &mut observed);
            if self.contract.is_representation(write) {
                let params = alternative.params.iter().skip(first);
                alternative.hidden.extend(params.map(|(l, _)| *l));
            }
        }
        let mut values: Vec<(LocalId, Expr)> = Vec::new();
        for output in &outputs {
            let value = match &output.array {
                Some(elem) => self.new_array(&output.name, elem, k, &mut alternative),
                None => {
                    let param = self.variable(&format!("{}'{k}", output.name), &output.ty);
                    alternative.params.push((param, output.name.clone()));
                    local(&self.program, param)
                }
            };
            values.push((output.local, value));
        }
        // Aliases are written several times; the parameters have the values of the final state.
        for is_param in observed {
            let span = self.span();
            alternative
                .writes
                .push(statement(StmtKind::Assume(is_param), span));
        }
        alternative.substitution = self.contract.substitution(|e| {
            let is_same = |l: &LocalId| matches!(e.kind, ExprKind::Local(own) if own == *l);
            values
                .iter()
                .find(|(l, _)| is_same(l))
                .map(|(_, v)| v.clone())
        });
        alternative
    }

    /// Declares the parameter for a part of the heap, and writes it.
    fn written(
        &mut self,
        write: &Write,
        k: usize,
        alternative: &mut Alternative,
        observed: &mut Vec<Expr>,
    ) {
        let span = self.span();
        match write {
            Write::Elements { array, elem, when } => {
                let Some(name) = path(&self.program, array) else {
                    return;
                };
                let ty = Type::Seq(Box::new(elem.clone()));
                let param = self.variable(&format!("{name}'{k}"), &ty);
                let contents = local(&self.program, param);
                let size = cardinality(&contents);
                let same = binary(BinaryOp::Eq, size, length(array), Type::Bool);
                alternative.guards.push(same);
                // The array is the one of the state at entry: an earlier write may change the field
                // that refers to it.
                let array = before(array);
                let index = self.variable("i", &Type::Int);
                let i = local(&self.program, index);
                let assigned = StmtKind::Assign {
                    declares: Vec::new(),
                    pairs: vec![(
                        Target::Element {
                            array: array.clone(),
                            indices: vec![i.clone()],
                        },
                        Rhs::Expr(index_of(&contents, i, elem)),
                    )],
                };
                let vars = self.range(index, length(&array));
                let all = statement(
                    StmtKind::Forall {
                        vars,
                        ensures: Vec::new(),
                        body: Some(block(vec![statement(assigned, span)], span)),
                    },
                    span,
                );
                alternative.writes.push(guarded(all, when.as_ref()));
                let state = elements(&array, elem);
                observed.push(binary(BinaryOp::Eq, state, contents, Type::Bool));
                alternative.params.push((param, format!("{name}[..]")));
            }
            Write::Field {
                object,
                field,
                ty,
                when,
            } => {
                let Some(name) = path(&self.program, object) else {
                    return;
                };
                let name = format!("{name}.{}", self.program[*field].name);
                let param = self.variable(&format!("{name}'{k}"), ty);
                let value = local(&self.program, param);
                let object = before(object);
                let assigned = StmtKind::Assign {
                    declares: Vec::new(),
                    pairs: vec![(
                        Target::Field {
                            object: object.clone(),
                            field: *field,
                        },
                        Rhs::Expr(value.clone()),
                    )],
                };
                let assigned = statement(assigned, span);
                alternative.writes.push(guarded(assigned, when.as_ref()));
                let state = state_of(object, *field, ty);
                observed.push(binary(BinaryOp::Eq, state, value, Type::Bool));
                alternative.params.push((param, name));
            }
            Write::Grid(grid) => self.write_grid(grid, k, alternative, observed),
            Write::NewArray {
                object,
                field,
                elem,
            } => {
                let Some(name) = write.name(&self.program) else {
                    return;
                };
                let name = name.trim_end_matches("[..]").to_owned();
                let array = self.new_array(&name, elem, k, alternative);
                alternative.allocated.push(array.clone());
                let assigned = assigned(object, *field, array, span);
                alternative.writes.push(assigned);
            }
            Write::NewObjects { object, field, ty } => {
                let Type::Set { elem, .. } = self.program.strip_subset(ty) else {
                    return;
                };
                let is_element = |e: &&Expr| {
                    let elem = self.program.strip_subset(&elem);
                    matches!(elem, Type::Object { .. }) || elem == self.program.strip_subset(&e.ty)
                };
                let objects = std::iter::once(object).chain(&alternative.allocated);
                let objects = objects.filter(is_element).cloned().collect();
                let set = Expr {
                    kind: ExprKind::SetDisplay(objects),
                    ty: ty.clone(),
                    span,
                };
                let assigned = assigned(object, *field, set, span);
                alternative.writes.push(assigned);
            }
        }
    }

    /// Declares the parameter for the elements of a result, allocates the result, and returns it.
    fn new_array(
        &mut self,
        name: &str,
        elem: &Type,
        k: usize,
        alternative: &mut Alternative,
    ) -> Expr {
        let span = self.span();
        let contents = self.variable(&format!("{name}'{k}"), &Type::Seq(Box::new(elem.clone())));
        let contents_expr = local(&self.program, contents);
        let allocation = self.allocation(contents_expr, elem);
        let ty = Type::Array {
            dims: 1,
            nullable: false,
            elem: Box::new(elem.clone()),
        };
        let array = self.variable(name, &ty);
        let allocated = StmtKind::Assign {
            declares: vec![array],
            pairs: vec![(Target::Local(array), allocation)],
        };
        alternative.writes.push(statement(allocated, span));
        alternative.params.push((contents, format!("{name}[..]")));
        local(&self.program, array)
    }

    /// Returns the allocation of an array with the elements of a sequence.
    pub(crate) fn allocation(&mut self, contents: Expr, elem: &Type) -> Rhs {
        let span = self.span();
        let index = self.variable("i", &Type::Int);
        let i = local(&self.program, index);
        let size = cardinality(&contents);
        let range = in_range(&i, size.clone());
        let body = index_of(&contents, i, elem);
        let init = Expr {
            kind: ExprKind::Lambda(Box::new(Lambda {
                params: vec![index],
                has_type: vec![true],
                requires: vec![clause(range, span)],
                reads: Vec::new(),
                body,
            })),
            ty: Type::Arrow {
                kind: ArrowKind::Partial,
                params: vec![Type::Int],
                result: Box::new(elem.clone()),
            },
            span,
        };
        Rhs::NewArray {
            elem: elem.clone(),
            dims: vec![size],
            init: ArrayInit::Function(init),
        }
    }

    /// Declares `0 <= var < end` as the range of a bound variable.
    fn range(&self, var: LocalId, end: Expr) -> Quantified {
        let span = self.span();
        let zero = Expr {
            kind: ExprKind::Literal(Literal::Int(0.into())),
            ty: Type::Int,
            span,
        };
        Quantified {
            vars: vec![var],
            range: Some(Box::new(in_range(&local(&self.program, var), end.clone()))),
            bounds: Some(vec![VarBound {
                var,
                domain: Domain::IntRange {
                    low: Some(Box::new(zero)),
                    high: Some(Box::new(end)),
                },
            }]),
            span,
        }
    }

    pub(crate) fn variable(&mut self, name: &str, ty: &Type) -> LocalId {
        let span = self.span();
        self.program.add(Local {
            name: name.into(),
            ty: ty.clone(),
            ghost: false,
            mutable: false,
            inferred: false,
            span,
        })
    }

    fn boolean(&self, value: bool) -> Expr {
        Expr {
            kind: ExprKind::Literal(Literal::Bool(value)),
            ty: Type::Bool,
            span: self.span(),
        }
    }

    fn span(&self) -> Span {
        self.contract.program[self.contract.unit].span
    }

    /// Adds a lemma without effects.
    pub(crate) fn lemma(
        &mut self,
        params: Vec<LocalId>,
        requires: Vec<Expr>,
        ensures: Vec<Expr>,
    ) -> Question {
        let spec = Spec {
            requires: clauses(requires),
            ensures: clauses(ensures),
            ..Spec::default()
        };
        self.add(CallableKind::Lemma, params, spec, Vec::new())
    }

    /// Adds a method that may write the parts of the heap that the callable may change.
    fn method(&mut self, params: Vec<LocalId>, requires: Vec<Expr>, stmts: Vec<Stmt>) -> Question {
        let writes = self.contract.writes();
        let modifies = writes.iter().map(|w| Frame {
            object: Some(w.object().clone()),
            field: None,
            star: false,
            span: self.span(),
        });
        let modifies = modifies.collect();
        let spec = Spec {
            requires: clauses(requires),
            modifies,
            ..Spec::default()
        };
        self.add(CallableKind::Method, params, spec, stmts)
    }

    fn add(
        &mut self,
        kind: CallableKind,
        params: Vec<LocalId>,
        spec: Spec,
        stmts: Vec<Stmt>,
    ) -> Question {
        let unit = &self.contract.program[self.contract.unit];
        let inputs = unit.ins.iter().map(|f| Formal::new(f.local));
        let number = self.program.callables.len();
        let callable = Callable {
            name: format!("{}.question{number}", unit.name).into(),
            kind,
            is_predicate: false,
            is_two_state: false,
            ghost: false,
            opaque: false,
            ins: inputs.chain(params.into_iter().map(Formal::new)).collect(),
            outs: Vec::new(),
            spec,
            body: Body::Block(block(stmts, unit.span)),
            overrides: Vec::new(),
            attributes: vec![Attribute {
                name: QUESTION.into(),
                args: Vec::new(),
                span: unit.span,
            }],
            doc: None,
            ..unit.clone()
        };
        Question {
            callable: self.program.add(callable),
            alternatives: Vec::new(),
        }
    }
}

/// Returns the condition that the parameters of two alternatives are equal, each after `view`.
/// Objects are not compared: which of them a field refers to is not visible without its contents.
fn equal(
    contract: &Contract<'_>,
    program: &Program,
    alternatives: &[Alternative],
    view: &dyn Fn(Expr) -> Expr,
) -> Expr {
    let [first, second] = alternatives else {
        return truth(Span::default());
    };
    let pairs = first.params.iter().zip(&second.params);
    pairs
        .filter(|((a, _), _)| {
            !first.hidden.contains(a) && !contract.contains_reference(&program[*a].ty)
        })
        .map(|((a, _), (b, _))| {
            let (a, b) = (view(local(program, *a)), view(local(program, *b)));
            binary(BinaryOp::Eq, a, b, Type::Bool)
        })
        .reduce(|all, next| binary(BinaryOp::And, all, next, Type::Bool))
        .unwrap_or_else(|| truth(Span::default()))
}

/// Returns the multiset of the elements of a sequence; other values as they are.
fn unordered(program: &Program, e: Expr) -> Expr {
    let Type::Seq(elem) = program.strip_subset(&e.ty) else {
        return e;
    };
    let span = e.span;
    Expr {
        kind: ExprKind::MultisetFrom(Box::new(e)),
        ty: Type::Multiset(elem),
        span,
    }
}

/// Returns the value of a part of the heap. `None` for an array with several dimensions, of which no
/// expression has all elements.
pub(crate) fn state(write: &Write) -> Option<Expr> {
    let value = match write {
        Write::Grid(_) => return None,
        Write::Elements { array, elem, .. } => elements(&before(array), elem),
        Write::Field {
            object, field, ty, ..
        }
        | Write::NewObjects { object, field, ty } => state_of(before(object), *field, ty),
        Write::NewArray {
            object,
            field,
            elem,
        } => {
            let ty = Type::Array {
                dims: 1,
                nullable: false,
                elem: Box::new(elem.clone()),
            };
            elements(&state_of(before(object), *field, &ty), elem)
        }
    };
    Some(value)
}

fn state_of(object: Expr, field: FieldId, ty: &Type) -> Expr {
    let span = object.span;
    Expr {
        kind: ExprKind::Field {
            object: Some(Box::new(object)),
            discarded: None,
            field,
            type_args: Vec::new(),
        },
        ty: ty.clone(),
        span,
    }
}

/// Returns the assignment of a field.
fn assigned(object: &Expr, field: FieldId, value: Expr, span: Span) -> Stmt {
    let target = Target::Field {
        object: before(object),
        field,
    };
    let kind = StmtKind::Assign {
        declares: Vec::new(),
        pairs: vec![(target, Rhs::Expr(value))],
    };
    statement(kind, span)
}

/// Returns a write that is executed under a condition on the state at entry.
pub(crate) fn guarded(write: Stmt, when: Option<&Expr>) -> Stmt {
    let Some(when) = when else {
        return write;
    };
    let span = write.span;
    let kind = StmtKind::If {
        guard: Guard::Expr(before(when)),
        then: block(vec![write], span),
        els: None,
    };
    statement(kind, span)
}

pub(crate) fn truth(span: Span) -> Expr {
    Expr {
        kind: ExprKind::Literal(Literal::Bool(true)),
        ty: Type::Bool,
        span,
    }
}

pub(crate) fn before(e: &Expr) -> Expr {
    // Variables have one value in both states.
    if matches!(e.kind, ExprKind::This | ExprKind::Local(_)) {
        return e.clone();
    }
    Expr {
        kind: ExprKind::Old {
            label: None,
            expr: Box::new(e.clone()),
        },
        ty: e.ty.clone(),
        span: e.span,
    }
}

pub(crate) fn cardinality(e: &Expr) -> Expr {
    Expr {
        kind: ExprKind::Cardinality(Box::new(e.clone())),
        ty: Type::Int,
        span: e.span,
    }
}

pub(crate) fn index_of(sequence: &Expr, index: Expr, elem: &Type) -> Expr {
    let span = sequence.span;
    Expr {
        kind: ExprKind::Index {
            object: Box::new(sequence.clone()),
            indices: vec![index],
        },
        ty: elem.clone(),
        span,
    }
}

pub(crate) fn in_range(index: &Expr, end: Expr) -> Expr {
    let span = index.span;
    Expr {
        kind: ExprKind::Chain {
            first: Box::new(Expr {
                kind: ExprKind::Literal(Literal::Int(0.into())),
                ty: Type::Int,
                span,
            }),
            rest: vec![(BinaryOp::Le, index.clone()), (BinaryOp::Lt, end)],
        },
        ty: Type::Bool,
        span,
    }
}

pub(crate) fn statement(kind: StmtKind, span: Span) -> Stmt {
    Stmt {
        kind,
        labels: Vec::new(),
        ghost: false,
        span,
    }
}

pub(crate) fn block(stmts: Vec<Stmt>, span: Span) -> Block {
    Block {
        stmts,
        divided_at: None,
        division: None,
        span,
    }
}

pub(crate) fn clause(cond: Expr, span: Span) -> Clause {
    Clause {
        cond,
        label: None,
        span,
    }
}

fn clauses(conditions: Vec<Expr>) -> Vec<Clause> {
    conditions
        .into_iter()
        .map(|e| {
            let span = e.span;
            clause(e, span)
        })
        .collect()
}
