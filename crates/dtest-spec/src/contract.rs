//! The contract of a callable, as questions see it.

use std::fmt;

use dafny_resolve::typed::visit::{self, Visit};
use dafny_resolve::typed::{
    BinaryOp, Body, BuiltinMember, Call, CallableId, CallableKind, Clause, Expr, ExprKind, FieldId,
    LocalId, Name, Program, Span, Stmt, StmtKind, Type, TypeDeclKind,
};
use dtest_ir::reason::OpenReason;

use crate::frame::Frames;
use crate::grids::Grid;
use crate::substitution::{Mentions, Substitution};

/// The reason why a question about a contract is not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// The types of the parameters or of the class differ, so that two contracts are not comparable.
    Signature,
    /// The contract relates two states, and is no contract of code that changes the first into the
    /// second.
    TwoStates,
    /// The frame has objects that are not named one by one.
    Frame,
    /// A result is an object whose state the contract may describe.
    ObjectResult,
    /// A result contains a function, and functions are not compared.
    FunctionResult,
    /// The postconditions speak of objects that the code allocates.
    Fresh,
    /// The callable is a constructor of a class with fields that no expression assigns.
    Constructor,
    /// A postcondition calls the function, which has no body, with other arguments.
    OwnCalls,
    /// Whether inputs are accepted is not known.
    Precondition,
    /// The question depends on the results of a callable without a body.
    Assumption(Name),
    /// The input cannot be written as an expression.
    Inputs,
    /// The search did not decide it.
    Search(OpenReason),
    /// No result was found for an input within the budget, and none was excluded.
    NoResult(String),
    /// No inputs were found, so that nothing was tried.
    NothingTried,
    /// No inputs satisfy the precondition.
    NoInputs,
    /// No result satisfies the postconditions, for any input.
    NoResults,
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signature => f.write_str("the types of the parameters or of the class differ"),
            Self::TwoStates => f.write_str("the contract relates two states of the heap"),
            Self::Frame => {
                f.write_str("the `modifies` clause does not name each object by an expression")
            }
            Self::ObjectResult => f.write_str("a result contains objects"),
            Self::FunctionResult => f.write_str("a result contains functions"),
            Self::Fresh => f.write_str("a postcondition speaks of newly allocated objects"),
            Self::Constructor => f.write_str("the fields of the new object cannot be assigned"),
            Self::OwnCalls => {
                f.write_str("a clause calls the function, which has no body, with other arguments")
            }
            Self::Precondition => {
                f.write_str("it is not known whether inputs satisfy the precondition")
            }
            Self::Assumption(callee) => {
                write!(
                    f,
                    "it depends on the results of `{callee}`, which has no body"
                )
            }
            Self::Inputs => f.write_str("the inputs contain objects or functions"),
            Self::Search(reason) => reason.fmt(f),
            Self::NoResult(input) => {
                write!(f, "no result was found for {input}, and none was excluded")
            }
            Self::NoResults => f.write_str("no result satisfies the postconditions"),
            Self::NoInputs => f.write_str("no input satisfies the precondition"),
            Self::NothingTried => f.write_str("no accepted input was found"),
        }
    }
}

/// A part of the heap that the callable may change.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    /// The elements of a one-dimensional array.
    Elements {
        /// The array, in the state before the call.
        array: Expr,
        /// The type of the elements.
        elem: Type,
        /// The condition, in the state before the call, under which they may change.
        when: Option<Expr>,
    },
    /// The elements of an array with several dimensions.
    Grid(Grid),
    /// A field of an object.
    Field {
        /// The object, in the state before the call.
        object: Expr,
        /// The field.
        field: FieldId,
        /// The type of the field.
        ty: Type,
        /// The condition, in the state before the call, under which it may change.
        when: Option<Expr>,
    },
    /// A field of a new object that refers to a new one-dimensional array.
    NewArray {
        /// The new object.
        object: Expr,
        /// The field.
        field: FieldId,
        /// The type of the elements.
        elem: Type,
    },
    /// A field of a new object: the set of all new objects of its type.
    NewObjects {
        /// The new object.
        object: Expr,
        /// The field.
        field: FieldId,
        /// The type of the field.
        ty: Type,
    },
}

impl Write {
    /// The object or array, in the state before the call.
    pub(crate) fn object(&self) -> &Expr {
        match self {
            Self::Grid(Grid { array: object, .. })
            | Self::Elements { array: object, .. }
            | Self::Field { object, .. }
            | Self::NewArray { object, .. }
            | Self::NewObjects { object, .. } => object,
        }
    }

    /// The name in examples; `None` if the object has no name.
    pub(crate) fn name(&self, program: &Program) -> Option<String> {
        match self {
            Self::Elements { array, .. } => Some(format!("{}[..]", path(program, array)?)),
            Self::Grid(grid) => {
                let name = path(program, &grid.array)?;
                Some(format!("{name}{}", Grid::suffix(grid.dims as usize)))
            }
            Self::Field { object, field, .. } | Self::NewObjects { object, field, .. } => Some(
                format!("{}.{}", path(program, object)?, program[*field].name),
            ),
            Self::NewArray { object, field, .. } => Some(format!(
                "{}.{}[..]",
                path(program, object)?,
                program[*field].name
            )),
        }
    }

    /// Whether both may be the same part of the heap under two names.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Elements { elem: a, .. }, Self::Elements { elem: b, .. }) => a == b,
            (Self::Grid(a), Self::Grid(b)) => a.elem == b.elem && a.dims == b.dims,
            (Self::Field { field: a, .. }, Self::Field { field: b, .. }) => a == b,
            // New objects have no other names.
            (
                Self::Elements { .. }
                | Self::Grid(_)
                | Self::Field { .. }
                | Self::NewArray { .. }
                | Self::NewObjects { .. },
                _,
            ) => false,
        }
    }
}

/// A result of the callable.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    /// The out-parameter.
    pub(crate) local: LocalId,
    /// The name in examples.
    pub(crate) name: String,
    /// The type.
    pub(crate) ty: Type,
    /// The type of the elements, if the result is a one-dimensional array.
    pub(crate) array: Option<Type>,
}

/// The contract of a callable.
pub(crate) struct Contract<'p> {
    pub(crate) program: &'p Program,
    pub(crate) unit: CallableId,
    /// The results.
    pub(crate) outputs: Vec<Output>,
    /// The parts of the heap that may change, or the reason why they are not known.
    pub(crate) frames: Result<Frames, Undecided>,
}

impl<'p> Contract<'p> {
    /// Returns the contract of a callable.
    pub(crate) fn new(program: &'p Program, unit: CallableId) -> Self {
        let callable = &program[unit];
        let outputs = callable
            .outs
            .iter()
            .map(|f| {
                let local = &program[f.local];
                let array = array_of(program, &local.ty);
                let name = match f.unnamed {
                    true => "result".to_owned(),
                    false => local.name.to_string(),
                };
                Output {
                    local: f.local,
                    name,
                    ty: local.ty.clone(),
                    array,
                }
            })
            .collect();
        Self {
            program,
            unit,
            outputs,
            frames: Frames::new(program, unit),
        }
    }

    /// The preconditions.
    pub(crate) fn requires(&self) -> &'p [Clause] {
        &self.program[self.unit].spec.requires
    }

    /// The postconditions.
    pub(crate) fn ensures(&self) -> &'p [Clause] {
        &self.program[self.unit].spec.ensures
    }

    /// The parts of the heap that questions change; none if they are not known.
    pub(crate) fn writes(&self) -> &[Write] {
        self.frames.as_ref().map_or(&[], |f| &f.writes)
    }

    /// Conditions on the inputs of questions about results.
    pub(crate) fn guards(&self) -> &[Expr] {
        self.frames.as_ref().map_or(&[], |f| &f.guards)
    }

    /// The inputs and results that questions cover, if these are not all.
    pub(crate) fn limits(&self, ensures: &[Clause]) -> Vec<String> {
        let mut limits = self
            .frames
            .as_ref()
            .map_or(Vec::new(), |f| f.limits.clone());
        if self.has_fresh(ensures) && !self.frames.as_ref().is_ok_and(|f| f.allocates) {
            limits.push("final states without new objects".to_owned());
        }
        if self.has_old_arrays(ensures) {
            limits.push("results that are new arrays".to_owned());
        }
        limits
    }

    /// The reason why the absence of results is not known if questions find none.
    pub(crate) fn is_partial(&self) -> Option<Undecided> {
        if self.has_fresh(self.ensures()) {
            return Some(Undecided::Fresh);
        }
        let is_complete = self.frames.as_ref().is_ok_and(Frames::is_complete);
        (!is_complete).then_some(Undecided::Frame)
    }

    /// The source range of the name, which stands for the questions too.
    pub(crate) fn span(&self) -> Span {
        self.program[self.unit].span
    }

    /// Whether the callable initializes a new object.
    pub(crate) fn is_constructor(&self) -> bool {
        self.program[self.unit].kind == CallableKind::Constructor
    }

    /// Whether the end of the body may be reached only because something is assumed: by an `assume`,
    /// by a loop without a body, or by the contract of a callee, which need not be implementable.
    pub(crate) fn rests_on_assumptions(&self) -> bool {
        let mut search = Assumptions {
            program: self.program,
            callees: vec![self.unit],
            found: self.program[self.unit].spec.decreases_star,
        };
        let mut next = 0;
        while let Some(id) = search.callees.get(next).copied() {
            next += 1;
            let callable = &self.program[id];
            // The contract of the callable itself is what its body is proved to satisfy.
            let is_assumed =
                matches!(callable.body, Body::None) || !callable.spec.ensures.is_empty();
            search.found |= id != self.unit && is_assumed;
            match &callable.body {
                Body::None => {}
                Body::Expr(e) => search.expr(e),
                Body::Block(block) => search.block(block),
                Body::ByMethod(e, block) => {
                    search.expr(e);
                    search.block(block);
                }
            }
            if search.found {
                return true;
            }
        }
        false
    }

    /// Whether a call changes nothing that exists before it, so that results are values.
    pub(crate) fn is_pure(&self) -> bool {
        self.is_one_state()
            && !self.has_fresh(self.ensures())
            && self.outputs.iter().all(|o| o.array.is_none())
    }

    /// Whether a call changes nothing that exists before it.
    fn is_one_state(&self) -> bool {
        self.frames.as_ref().is_ok_and(|f| f.writes.is_empty())
    }

    /// Whether a part of the heap that may change is not compared: fields that refer to objects.
    pub(crate) fn has_hidden_parts(&self) -> bool {
        let is_hidden = |w: &Write| match w {
            Write::Elements { elem, .. }
            | Write::NewArray { elem, .. }
            | Write::Grid(Grid { elem, .. }) => self.contains_reference(elem),
            Write::Field { ty, .. } | Write::NewObjects { ty, .. } => self.contains_reference(ty),
        };
        let mut writes = self.writes().iter();
        writes.any(|w| is_hidden(w) || self.is_representation(w))
    }

    /// Whether a part of the heap represents a state that callers know by a ghost field: an array or
    /// object in a set of the frame, or of a constructed object, whose class has such a field.
    pub(crate) fn is_representation(&self, write: &Write) -> bool {
        let is_inner = match write {
            Write::Elements { when, .. }
            | Write::Field { when, .. }
            | Write::Grid(Grid { when, .. }) => when.is_some(),
            Write::NewArray { .. } => true,
            Write::NewObjects { .. } => false,
        };
        let Some(owner) = self.program[self.unit].owner else {
            return false;
        };
        let mut fields = self.program[owner].fields.iter();
        is_inner
            && fields.any(|f| {
                let field = &self.program[*f];
                field.ghost && !self.contains_reference(&field.ty)
            })
    }

    /// Whether callers know the body, which is then the best description of the result.
    pub(crate) fn is_transparent(&self) -> bool {
        let callable = &self.program[self.unit];
        callable.kind.is_function() && !callable.opaque && !matches!(callable.body, Body::None)
    }

    /// Whether there are results that only the contract describes.
    pub(crate) fn leaves_results(&self) -> bool {
        self.has_visible_parts() && !self.is_transparent()
    }

    /// The call of the function with its own parameters, if callers know its body.
    pub(crate) fn definition(&self) -> Option<Expr> {
        self.is_transparent().then(|| self.call_of(self.unit))?
    }

    /// The call of the function, or of another version of it, with its own parameters.
    pub(crate) fn call_of(&self, callee: CallableId) -> Option<Expr> {
        let callable = &self.program[self.unit];
        let this = || {
            let owner = callable.owner?;
            let args = self.program[owner].type_params.iter();
            let args = args.map(|p| Type::Param(*p)).collect();
            Some(Box::new(Expr {
                kind: ExprKind::This,
                ty: Type::named(owner, args),
                span: callable.span,
            }))
        };
        let call = Call {
            callee,
            receiver: if callable.is_static { None } else { this() },
            discarded: None,
            type_args: self
                .program
                .all_type_params(self.unit)
                .into_iter()
                .map(Type::Param)
                .collect(),
            args: callable
                .ins
                .iter()
                .map(|f| local(self.program, f.local))
                .collect(),
            at_label: None,
            is_static_dispatch: false,
            is_corecursive: false,
        };
        Some(Expr {
            kind: ExprKind::Call(call),
            ty: self.outputs.first()?.ty.clone(),
            span: callable.span,
        })
    }

    /// Whether there is something to compare: a result, or a part of the heap that may change.
    pub(crate) fn has_visible_parts(&self) -> bool {
        let is_visible = |w: &Write| match w {
            Write::Elements { elem, .. }
            | Write::NewArray { elem, .. }
            | Write::Grid(Grid { elem, .. }) => !self.contains_reference(elem),
            Write::Field { ty, .. } | Write::NewObjects { ty, .. } => !self.contains_reference(ty),
        };
        !self.outputs.is_empty() || self.writes().iter().any(is_visible)
    }

    /// Whether the results of one input have the size of the input, so that a claim on one input
    /// within bounds leaves out no larger results: numbers, and elements of arrays that exist.
    pub(crate) fn has_results_without_size(&self) -> bool {
        let is_scalar = |ty: &Type| {
            matches!(
                self.program.strip_subset(ty),
                Type::Bool | Type::Char | Type::Int | Type::Real | Type::Bv(_)
            )
        };
        let is_sized = |w: &Write| match w {
            Write::Elements { elem, .. } | Write::Grid(Grid { elem, .. }) => is_scalar(elem),
            Write::Field { ty, .. } => is_scalar(ty),
            // New arrays have any length.
            Write::NewArray { .. } | Write::NewObjects { .. } => false,
        };
        self.outputs.iter().all(|o| is_scalar(&o.ty))
            && self.frames.is_ok()
            && self.writes().iter().all(is_sized)
    }

    /// Returns the reason why no question about results can be asked, if there is one.
    pub(crate) fn obstacle(&self) -> Option<Undecided> {
        self.obstacle_with(self.ensures())
    }

    /// [`Self::obstacle`] with other postconditions.
    pub(crate) fn obstacle_with(&self, ensures: &[Clause]) -> Option<Undecided> {
        let callable = &self.program[self.unit];
        if callable.is_two_state {
            return Some(Undecided::TwoStates);
        }
        match &self.frames {
            Err(reason) => return Some(reason.clone()),
            // Nothing that is compared changes, but something changes.
            Ok(frames) if !self.has_visible_parts() => {
                if !frames.is_complete() {
                    return Some(Undecided::Frame);
                }
                if !frames.writes.is_empty() {
                    return Some(Undecided::ObjectResult);
                }
            }
            Ok(_) => {}
        }
        for output in &self.outputs {
            if output.array.is_none() && self.contains_reference(&output.ty) {
                return Some(Undecided::ObjectResult);
            }
            let is_arrow = &mut |ty: &Type| matches!(ty, Type::Arrow { .. });
            if output.ty.any(is_arrow) {
                return Some(Undecided::FunctionResult);
            }
        }
        if callable.kind.is_function()
            && matches!(callable.body, Body::None)
            && ensures.iter().any(|c| self.calls_otherwise(&c.cond))
        {
            return Some(Undecided::OwnCalls);
        }
        None
    }

    /// Returns the reason why the contribution of a clause cannot be asked for, if there is one.
    pub(crate) fn obstacle_of(&self, clause: &Clause) -> Option<Undecided> {
        // The arrays of questions are always new.
        Mentions::of(&clause.cond)
            .has_fresh
            .then_some(Undecided::Fresh)
    }

    /// Whether a result is an array that need not be new, by these postconditions.
    fn has_old_arrays(&self, ensures: &[Clause]) -> bool {
        let is_new = |local: LocalId| {
            let conditions = ensures.iter().flat_map(|c| conjuncts(&c.cond));
            conditions.into_iter().any(|e| {
                if let ExprKind::Fresh { expr, .. } = &e.kind {
                    matches!(expr.kind, ExprKind::Local(l) if l == local)
                } else {
                    false
                }
            })
        };
        self.outputs
            .iter()
            .any(|o| o.array.is_some() && !is_new(o.local))
    }

    /// Whether values of the type may contain references.
    pub(crate) fn contains_reference(&self, ty: &Type) -> bool {
        ty.any(&mut |part| match part {
            Type::Array { .. } | Type::Object { .. } => true,
            Type::Named { decl, .. } => match &self.program[*decl].kind {
                TypeDeclKind::Class | TypeDeclKind::Iterator(_) => true,
                TypeDeclKind::Trait { is_reference } => *is_reference,
                TypeDeclKind::Datatype { .. } => !self.program[*decl].characteristics.no_new,
                TypeDeclKind::Subset(c) | TypeDeclKind::Newtype(c) => {
                    self.contains_reference(&c.base)
                }
                TypeDeclKind::Abstract => false,
            },
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Param(_)
            | Type::Error => false,
        })
    }

    /// Whether a clause speaks of new objects that are no results.
    pub(crate) fn has_fresh(&self, clauses: &[Clause]) -> bool {
        clauses.iter().any(|c| self.has_unknown_fresh(&c.cond))
    }

    /// Whether the expression has `fresh` of anything but a result that is a new array.
    fn has_unknown_fresh(&self, e: &Expr) -> bool {
        struct Search<'c, 'p> {
            contract: &'c Contract<'p>,
            found: bool,
        }
        impl<'t> Visit<'t> for Search<'_, '_> {
            fn expr(&mut self, e: &'t Expr) {
                if let ExprKind::Fresh { expr, .. } = &e.kind {
                    let is_new = |l: LocalId| {
                        let outputs = &self.contract.outputs;
                        outputs.iter().any(|o| o.local == l && o.array.is_some())
                    };
                    self.found |= !matches!(expr.kind, ExprKind::Local(l) if is_new(l));
                }
                visit::walk_expr(self, e);
            }
        }
        let mut search = Search {
            contract: self,
            found: false,
        };
        search.expr(e);
        search.found
    }

    /// Whether the clause calls the function itself with other arguments than its parameters.
    fn calls_otherwise(&self, e: &Expr) -> bool {
        let substitution = self.substitution(|o| Some(o.clone()));
        Mentions::of(&substitution.of(e))
            .callees
            .contains(&self.unit)
    }

    /// Returns the substitution of each result by an expression.
    pub(crate) fn substitution(&self, replacement: impl Fn(&Expr) -> Option<Expr>) -> Substitution {
        let callable = &self.program[self.unit];
        let replaced = |o: &Output| {
            let own = local(self.program, o.local);
            replacement(&own).map(|e| (o.local, e))
        };
        let locals: std::collections::BTreeMap<LocalId, Expr> =
            self.outputs.iter().filter_map(replaced).collect();
        let own = callable
            .outs
            .first()
            .filter(|_| callable.kind.is_function())
            .and_then(|out| {
                let result = locals.get(&out.local)?.clone();
                let params = callable.ins.iter().map(|f| f.local).collect();
                Some((self.unit, params, result))
            });
        Substitution {
            locals,
            own,
            is_one_state: self.is_one_state(),
            is_receiver_new: self.is_constructor(),
        }
    }
}

/// A search for assumptions in bodies.
struct Assumptions<'p> {
    program: &'p Program,
    /// The callables whose bodies are searched, each once.
    callees: Vec<CallableId>,
    found: bool,
}

impl<'t> Visit<'t> for Assumptions<'_> {
    fn expr(&mut self, e: &'t Expr) {
        if let ExprKind::FunctionRef { callee, .. } = &e.kind {
            self.found |= matches!(self.program[*callee].body, Body::None);
        }
        visit::walk_expr(self, e);
    }

    fn stmt(&mut self, s: &'t Stmt) {
        self.found |= matches!(
            s.kind,
            StmtKind::Assume(_)
                | StmtKind::Expect { .. }
                | StmtKind::SuchThat { assume: true, .. }
                | StmtKind::While { body: None, .. }
                | StmtKind::For { body: None, .. }
                | StmtKind::Forall { body: None, .. }
        );
        visit::walk_stmt(self, s);
    }

    fn call(&mut self, c: &'t Call) {
        if !self.callees.contains(&c.callee) {
            self.callees.push(c.callee);
        }
        visit::walk_call(self, c);
    }
}

/// Returns the element type of a one-dimensional array that is not nullable.
pub(crate) fn array_of(program: &Program, ty: &Type) -> Option<Type> {
    if let Type::Array {
        dims: 1,
        nullable: false,
        elem,
    } = program.strip_subset(ty)
    {
        Some(*elem)
    } else {
        None
    }
}

/// Returns the text of an expression that is a chain of fields from `this` or a variable.
pub(crate) fn path(program: &Program, e: &Expr) -> Option<String> {
    if matches!(e.kind, ExprKind::This) {
        Some("this".to_owned())
    } else if let ExprKind::Local(local) = &e.kind {
        Some(program[*local].name.to_string())
    } else if let ExprKind::Field {
        object: Some(object),
        field,
        ..
    } = &e.kind
    {
        Some(format!(
            "{}.{}",
            path(program, object)?,
            program[*field].name
        ))
    } else {
        None
    }
}

/// Returns a variable as an expression.
pub(crate) fn local(program: &Program, id: LocalId) -> Expr {
    Expr {
        kind: ExprKind::Local(id),
        ty: program[id].ty.clone(),
        span: program[id].span,
    }
}

/// Returns a binary operation.
pub(crate) fn binary(op: BinaryOp, left: Expr, right: Expr, ty: Type) -> Expr {
    let span = left.span;
    Expr {
        kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
        ty,
        span,
    }
}

/// Returns the length of an array.
pub(crate) fn length(array: &Expr) -> Expr {
    Expr {
        kind: ExprKind::Builtin {
            member: BuiltinMember::ArrayLength(0),
            object: Box::new(array.clone()),
        },
        ty: Type::Int,
        span: array.span,
    }
}

/// Returns the elements of an array as a sequence.
pub(crate) fn elements(array: &Expr, elem: &Type) -> Expr {
    Expr {
        kind: ExprKind::Slice {
            object: Box::new(array.clone()),
            from: None,
            to: None,
        },
        ty: Type::Seq(Box::new(elem.clone())),
        span: array.span,
    }
}

/// The conjuncts of a condition.
pub(crate) fn conjuncts(e: &Expr) -> Vec<&Expr> {
    if let ExprKind::Binary(BinaryOp::And, left, right) = &e.kind {
        [conjuncts(left), conjuncts(right)].concat()
    } else {
        vec![e]
    }
}
