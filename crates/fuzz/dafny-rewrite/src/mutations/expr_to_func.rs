//! Extracts an expression to a new function, and replaces it by a call.
//!
//! The extracted part is chosen at random: each subexpression becomes a part of the body or a
//! parameter (figures 7.13 to 7.15 of the thesis), and equal parameters may be merged (7.20).
//! Well-definedness conditions become preconditions, and reads the frame (table 7.4, with divisors
//! and nullable references in addition).
//!
//! The hard part is evaluation under conditions: arguments are evaluated before the function. An
//! operand that is evaluated conditionally is extracted completely, provided that it is total or
//! can be made total by a safe wrapper (7.3.5). Otherwise the operator stays whole. An equal
//! existing function is called instead of a new one (7.18). An expression over `this` may become a
//! function of its class.
//!
//! Excluded are guards from which the verifier infers a measure, ranges of bound variables,
//! everything from which a compiler derives domains, quantified bodies (because of triggers),
//! bodies of extreme and two-state functions, and functions with `{:tailrecursion}`.

use dafny_resolve::typed::{
    self, BuiltinMember, CallableKind, CtorId, FieldKind, Type, TypeDeclKind, TypeId,
};
use dafny_syntax::ast::{
    self, BinaryOp, Clause, ClauseKind, Expr, ExprKind, File, FrameExpr, FunctionDecl,
    FunctionKind, Guard, Member, Modifiers, Name, Span, Spec, TopDecl, UnaryOp,
};
use dafny_syntax::erase::EraseSpans;
use dafny_syntax::visit::{Node, Visit, VisitMut};

use crate::build::{
    binary, boolean, call, chain, clause, expr, formal, ident, int, named_type, paren, select, var,
};
use crate::edit::{add_decl, replace_expr, replace_exprs};
use crate::mutation::{Place, Work};
use crate::names::Names;
use crate::random::Random;
use crate::scan::{Context, Look, module_span, scan};
use crate::types::Writer;

/// The expressions that can be extracted. Their types are no reference types.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    let mut find = Find {
        work,
        found: Vec::new(),
    };
    scan(work.file, work.facts, &mut find);
    find.found
}

struct Find<'w> {
    work: &'w Work<'w>,
    found: Vec<Place<'w>>,
}

impl<'w> Look<'w> for Find<'w> {
    fn expr(&mut self, cx: &Context<'w>, e: &'w Expr) -> bool {
        if cx.apart || cx.bound || cx.lambda || cx.proof || cx.measured || cx.before_new {
            return false;
        }
        let (facts, program) = (self.work.facts, self.work.facts.program);
        let Some(callable) = cx.callable.map(|c| &program[c]) else {
            return false;
        };
        let fits = match callable.kind {
            CallableKind::Function | CallableKind::Method | CallableKind::Lemma => {
                !callable.is_two_state
            }
            CallableKind::Constructor
            | CallableKind::TwostateFunction
            | CallableKind::LeastPredicate
            | CallableKind::GreatestPredicate => false,
        };
        if !fits
            || callable
                .attributes
                .iter()
                .any(|a| matches!(&*a.name, "tailrecursion" | "opaque" | "abstemious"))
        {
            return false;
        }
        let Some(typed) = facts.typed(e) else {
            return true;
        };
        let can_be_taken_apart = !matches!(e.kind, ExprKind::Paren(_))
            && is_compound(e)
            && !program.is_reference(&typed.ty);
        if can_be_taken_apart {
            let (work, cx) = (self.work, cx.clone());
            self.found.push(Place::new(e.span, move |rng, names| {
                extract(work, &cx, e, rng, names)
            }));
        }
        true
    }
}

pub(super) fn is_compound(e: &Expr) -> bool {
    matches!(
        &e.kind,
        ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Chain { .. }
            | ExprKind::Cardinality(_)
            | ExprKind::If { .. }
            | ExprKind::Select { .. }
    ) || matches!(&e.kind, ExprKind::Index { indices, .. } if indices.len() == 1)
}

fn extract<'w>(
    work: &Work<'w>,
    cx: &Context<'w>,
    e: &Expr,
    rng: &mut Random,
    names: &mut Names,
) -> Option<File> {
    let program = work.facts.program;
    let callable = &program[cx.callable?];
    // An expression over `this` may become a member, unless the type adds contracts to members or
    // is a trait, whose members may be overridden.
    let owner = callable.owner.filter(|_| {
        !callable.is_static && matches!(cx.owner, Some(TopDecl::Class(_) | TopDecl::Datatype(_)))
    });
    let owner = owner.filter(|_| !cx.owner.is_some_and(has_autocontracts));
    let owner = owner.filter(|o| {
        !matches!(program[*o].kind, TypeDeclKind::Trait { .. })
            && speaks_of_this(work, e)
            && rng.flip()
    });
    let Taken {
        mut names,
        params,
        spec,
        body,
        result,
    } = take_apart(work, cx, e, owner, rng, names.clone())?;
    let name = names.fresh("F");
    let ghost = cx.ghost;
    let kind = if ghost || program.options.function_syntax == 4 {
        FunctionKind::Function
    } else {
        FunctionKind::FunctionMethod
    };
    let function = FunctionDecl {
        modifiers: Modifiers {
            ghost: ghost && program.options.function_syntax == 4,
            ..Modifiers::default()
        },
        kind,
        ghost,
        name: ident(&name),
        type_params: Vec::new(),
        k_type: None,
        ins: params
            .iter()
            .map(|p| formal(&p.name, p.ty.clone()))
            .collect(),
        result_name: None,
        result: Some(result),
        spec: Spec { clauses: spec },
        body: Some(body),
        by_method: None,
        is_refining: false,
        head: Span::default(),
        span: Span::default(),
    };
    let mut file = work.file.clone();
    let args = params.into_iter().map(|p| p.arg).collect();
    // Sometimes an equal function exists already: call it instead.
    let known = if owner.is_none() && rng.below(4) > 0 {
        existing(work, cx, &function)
    } else {
        None
    };
    if let Some(known) = known {
        return replace_expr(&mut file, e.span, |_| call(var(&known), args)).then_some(file);
    }
    let callee = if owner.is_some() {
        select(expr(ExprKind::This), &name)
    } else {
        var(&name)
    };
    let replaced = replace_expr(&mut file, e.span, |_| call(callee, args));
    let member = Member::Function(function);
    let added = match (owner, cx.owner) {
        (Some(_), Some(TopDecl::Class(d))) => add_member(&mut file, d.span, member),
        (Some(_), Some(TopDecl::Datatype(d))) => add_member(&mut file, d.span, member),
        (_, _) => add_decl(&mut file, module_span(cx), TopDecl::Member(member)),
    };
    (replaced && added).then_some(file)
}

/// An existing function of the module that equals the new one (figure 7.18 of the thesis) and whose
/// name is not hidden anywhere. The function must not contain the expression.
fn existing(work: &Work<'_>, cx: &Context<'_>, new: &FunctionDecl) -> Option<Name> {
    let program = work.facts.program;
    let is_around =
        |f: &FunctionDecl| matches!(cx.member, Some(Member::Function(g)) if g.span == f.span);
    let is_clear = |name: &Name| {
        let mut taken = program.locals.iter().map(|l| &l.name).chain(
            program
                .callables
                .iter()
                .filter(|c| c.owner.is_some())
                .map(|c| &c.name),
        );
        let mut fields = program
            .fields
            .iter()
            .filter(|f| f.owner.is_some())
            .map(|f| &f.name);
        !taken.any(|n| n == name) && !fields.any(|n| n == name)
    };
    let wanted = normal(new);
    cx.decls.iter().find_map(|d| match d {
        TopDecl::Member(Member::Function(f))
            if !is_around(f) && normal(f) == wanted && is_clear(&f.name.name) =>
        {
            Some(f.name.name.clone())
        }
        TopDecl::Member(_)
        | TopDecl::Module(_)
        | TopDecl::Import(_)
        | TopDecl::Export(_)
        | TopDecl::Class(_)
        | TopDecl::Datatype(_)
        | TopDecl::Newtype(_)
        | TopDecl::Type(_)
        | TopDecl::Iterator(_) => None,
    })
}

/// A function without its name and with numbered parameters, for comparison. No text contains such
/// names, and extracted bodies bind no variables.
fn normal(f: &FunctionDecl) -> Member {
    let mut f = f.clone();
    let names: Vec<Option<Name>> = f
        .ins
        .iter()
        .map(|i| i.name.as_ref().map(|n| n.name.clone()))
        .collect();
    let mut number = |e: &Expr| {
        let ExprKind::Name {
            name,
            type_args: None,
        } = &e.kind
        else {
            return None;
        };
        let at = names.iter().position(|n| n.as_ref() == Some(&name.name))?;
        Some(var(&format!("#{at}")))
    };
    replace_exprs(&mut f.spec, &mut number);
    replace_exprs(&mut f.body, &mut number);
    for (at, formal) in f.ins.iter_mut().enumerate() {
        formal.name = Some(ident(&format!("#{at}")));
    }
    f.name = ident("");
    f.modifiers.doc = None;
    if f.kind == FunctionKind::Predicate {
        (f.kind, f.result) = (FunctionKind::Function, Some(named_type("bool", Vec::new())));
    }
    let mut normal = Member::Function(f);
    normal.erase_spans();
    normal
}

/// Whether members of the type get `requires Valid()`, which need not hold where the expression is
/// evaluated (reference manual, "{:autocontracts}").
fn has_autocontracts(owner: &TopDecl) -> bool {
    let attributes = if let TopDecl::Class(class) = owner {
        class.modifiers.attributes.as_slice()
    } else {
        &[]
    };
    attributes
        .iter()
        .any(|a| matches!(&*a.name.name, "autocontracts" | "AutoContracts"))
}

fn add_member(file: &mut File, place: Span, member: Member) -> bool {
    struct Add(Span, Option<Member>);
    impl VisitMut for Add {
        fn top_decl(&mut self, node: &mut TopDecl) {
            match node {
                TopDecl::Module(m) => m.decls.walk_mut(self),
                TopDecl::Class(d) if d.span == self.0 => d.members.extend(self.1.take()),
                TopDecl::Datatype(d) if d.span == self.0 => d.members.extend(self.1.take()),
                TopDecl::Class(_)
                | TopDecl::Datatype(_)
                | TopDecl::Import(_)
                | TopDecl::Export(_)
                | TopDecl::Newtype(_)
                | TopDecl::Type(_)
                | TopDecl::Iterator(_)
                | TopDecl::Member(_) => {}
            }
        }
    }
    let mut add = Add(place, Some(member));
    file.decls.walk_mut(&mut add);
    add.1.is_none()
}

/// Whether an expression mentions the receiver, explicitly or by the unqualified name of a member.
fn speaks_of_this(work: &Work<'_>, e: &Expr) -> bool {
    struct This<'a, 'w>(&'a Work<'w>, bool);
    impl<'t> Visit<'t> for This<'_, '_> {
        fn expr(&mut self, node: &'t Expr) {
            let known = self.0.facts.typed(node).map(|t| &t.kind);
            self.1 |= matches!(node.kind, ExprKind::This)
                || matches!(known, Some(typed::ExprKind::Field { object: Some(o), .. }) if matches!(node.kind, ExprKind::Name { .. }) && matches!(o.kind, typed::ExprKind::This));
            node.walk(self);
        }
    }
    let mut this = This(work, false);
    e.accept(&mut this);
    this.1
}

pub(super) struct Param {
    pub(super) name: Name,
    pub(super) ty: ast::Type,
    pub(super) arg: Expr,
}

/// An extracted expression, over parameters.
pub(super) struct Taken {
    /// The names of the program, including new ones.
    pub(super) names: Names,
    pub(super) params: Vec<Param>,
    /// The well-definedness conditions and the frame.
    pub(super) spec: Vec<Clause>,
    pub(super) body: Expr,
    /// The type of the expression, without constraints.
    pub(super) result: ast::Type,
}

/// Extracts an expression. The result becomes a member of the type `owner`, if any.
pub(super) fn take_apart<'w>(
    work: &Work<'w>,
    cx: &Context<'w>,
    e: &Expr,
    owner: Option<TypeId>,
    rng: &mut Random,
    names: Names,
) -> Option<Taken> {
    let writer = Writer { work, cx, owner };
    let result = writer.write(&work.facts.program.strip_subset(&work.facts.typed(e)?.ty))?;
    let mut make = Make {
        work,
        writer,
        owner,
        rng,
        names,
        params: Vec::new(),
        spec: Vec::new(),
    };
    let body = make.apart(e, false)?;
    let Make {
        names,
        params,
        spec,
        ..
    } = make;
    Some(Taken {
        names,
        params,
        spec,
        body,
        result,
    })
}

/// The construction of a function.
struct Make<'a, 'w> {
    work: &'a Work<'w>,
    writer: Writer<'a, 'w>,
    /// The type in which the function is declared.
    owner: Option<TypeId>,
    rng: &'a mut Random,
    names: Names,
    params: Vec<Param>,
    spec: Vec<Clause>,
}

impl Make<'_, '_> {
    /// Converts a part of the expression to a part of the body. `total`: whether it is evaluated
    /// under a condition. It then must not add preconditions, and no argument with preconditions
    /// may be evaluated for it.
    fn part(&mut self, e: &Expr, total: bool) -> Option<Expr> {
        let e = e.without_parens();
        if matches!(e.kind, ExprKind::Literal(_)) {
            return Some(bare(e));
        }
        let is_leaf = self.work.facts.local(e).is_some() || matches!(e.kind, ExprKind::This);
        if let Some(own) = self.own(e, total) {
            return Some(own);
        }
        if is_leaf || (!total && self.rng.below(3) == 0) {
            return self.param(e);
        }
        if is_compound(e) {
            let (params, spec) = (self.params.len(), self.spec.len());
            if let Some(apart) = self.apart(e, total) {
                return Some(apart);
            }
            self.params.truncate(params);
            self.spec.truncate(spec);
        }
        if total { None } else { self.param(e) }
    }

    /// Converts a field of the receiver in a member function.
    fn own(&mut self, e: &Expr, total: bool) -> Option<Expr> {
        self.owner?;
        let typed::ExprKind::Field {
            object: Some(object),
            field,
            ..
        } = &self.work.facts.typed(e)?.kind
        else {
            return matches!(e.kind, ExprKind::This).then(|| expr(ExprKind::This));
        };
        if !matches!(object.kind, typed::ExprKind::This) {
            return None;
        }
        let known = &self.work.facts.program[*field];
        let this = || expr(ExprKind::This);
        match &known.kind {
            FieldKind::Mutable if total => None,
            FieldKind::Mutable => {
                self.reads(this(), Some(&known.name));
                Some(select(this(), &known.name))
            }
            FieldKind::Const(_) => Some(select(this(), &known.name)),
            FieldKind::Destructor(ctors) => self.destructor(this(), &known.name, ctors, total),
        }
    }

    /// Makes the whole expression a parameter.
    fn param(&mut self, e: &Expr) -> Option<Expr> {
        let typed = self.work.facts.typed(e)?;
        if quantifies(e) {
            return None;
        }
        let known = self
            .params
            .iter()
            .find(|p| without_spans(&p.arg) == without_spans(e))
            .map(|p| p.name.clone());
        if let Some(name) = known.filter(|_| self.rng.below(4) > 0) {
            return Some(var(&name));
        }
        let ty = self.writer.write(&typed.ty)?;
        let wish = if let ExprKind::Name { name, .. } = &e.kind {
            name.name.to_string()
        } else {
            "p".to_owned()
        };
        let name = self.names.fresh(&wish);
        self.params.push(Param {
            name: name.clone(),
            ty,
            arg: e.clone(),
        });
        Some(var(&name))
    }

    /// Converts the subexpressions and rebuilds the expression.
    fn apart(&mut self, e: &Expr, total: bool) -> Option<Expr> {
        let facts = self.work.facts;
        match &e.kind {
            ExprKind::Unary(op, a) => {
                let same = match op {
                    UnaryOp::Not => self.is(a, &|t| matches!(t, Type::Bool | Type::Bv(_))),
                    UnaryOp::Neg => {
                        self.is(a, &|t| matches!(t, Type::Int | Type::Real | Type::Bv(_)))
                    }
                };
                let a = if same {
                    self.part(a, total)?
                } else {
                    return None;
                };
                Some(expr(ExprKind::Unary(*op, Box::new(a))))
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, total),
            ExprKind::Chain { first, rest } => {
                let head = self.part(first, total)?;
                let mut operands = Vec::new();
                for (i, (op, operand)) in rest.iter().enumerate() {
                    if !self.is_comparison(*op, operand) {
                        return None;
                    }
                    // Operands after the second are evaluated only if the first link holds.
                    operands.push((*op, self.part(operand, total || i > 0)?));
                }
                Some(chain(head, operands))
            }
            ExprKind::Cardinality(a) => {
                Some(expr(ExprKind::Cardinality(Box::new(self.part(a, total)?))))
            }
            ExprKind::If { guard, then, els } => {
                let Guard::Expr(cond) = &**guard else {
                    return None;
                };
                let cond = self.part(cond, total)?;
                // Each branch is evaluated conditionally.
                let (then, els) = (self.part(then, true)?, self.part(els, true)?);
                Some(expr(ExprKind::If {
                    guard: Box::new(Guard::Expr(cond)),
                    then: Box::new(then),
                    els: Box::new(els),
                }))
            }
            ExprKind::Index { object, indices } => match indices.as_slice() {
                [at] => self.index(object, at, total),
                _other => None,
            },
            ExprKind::Select { object, member, .. } => {
                self.selected(&facts.typed(e)?.kind, object, &member.name, total)
            }
            ExprKind::Literal(_)
            | ExprKind::This
            | ExprKind::Name { .. }
            | ExprKind::DatatypeUpdate { .. }
            | ExprKind::Call { .. }
            | ExprKind::Slice { .. }
            | ExprKind::SliceLengths { .. }
            | ExprKind::Update { .. }
            | ExprKind::Prefix { .. }
            | ExprKind::PrefixEq { .. }
            | ExprKind::As(..)
            | ExprKind::Is(..)
            | ExprKind::Paren(_)
            | ExprKind::Tuple(_)
            | ExprKind::SeqDisplay(_)
            | ExprKind::SetDisplay { .. }
            | ExprKind::MultisetDisplay(_)
            | ExprKind::MultisetFrom(_)
            | ExprKind::MapDisplay { .. }
            | ExprKind::SeqConstruct { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::MapComp { .. }
            | ExprKind::Quantifier { .. }
            | ExprKind::Lambda { .. }
            | ExprKind::Match { .. }
            | ExprKind::Let { .. }
            | ExprKind::LetSuchThat { .. }
            | ExprKind::LetOrFail { .. }
            | ExprKind::StmtExpr { .. }
            | ExprKind::Old { .. }
            | ExprKind::Fresh { .. }
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged { .. }
            | ExprKind::Assigned(_)
            | ExprKind::Wildcard
            | ExprKind::DecreasesTo { .. }
            | ExprKind::Error => None,
        }
    }

    /// Converts `object.member`, where the member has this kind.
    fn selected(
        &mut self,
        kind: &typed::ExprKind,
        object: &Expr,
        member: &Name,
        total: bool,
    ) -> Option<Expr> {
        if let typed::ExprKind::Field {
            object: Some(_),
            field,
            ..
        } = kind
        {
            let known = &self.work.facts.program[*field];
            match &known.kind {
                FieldKind::Mutable if total => None,
                FieldKind::Mutable => {
                    let o = self.object(object, total)?;
                    self.reads(o.clone(), Some(&known.name));
                    Some(select(o, member))
                }
                FieldKind::Const(_) => {
                    let o = self.object(object, total)?;
                    Some(select(o, member))
                }
                FieldKind::Destructor(ctors) => {
                    let o = self.part(object, total)?;
                    self.destructor(o, member, ctors, total)
                }
            }
        } else if matches!(
            kind,
            typed::ExprKind::Builtin {
                member: BuiltinMember::ArrayLength(_),
                ..
            }
        ) {
            Some(select(self.object(object, total)?, member))
        } else if let typed::ExprKind::CtorTest { .. }
        | typed::ExprKind::TupleField { .. }
        | typed::ExprKind::Builtin {
            member: BuiltinMember::Keys | BuiltinMember::Values | BuiltinMember::Floor,
            ..
        } = kind
        {
            Some(select(self.part(object, total)?, member))
        } else {
            None
        }
    }

    /// Converts a reference that must not be null.
    fn object(&mut self, e: &Expr, total: bool) -> Option<Expr> {
        let ty = &self.work.facts.typed(e)?.ty;
        let nullable = matches!(ty, Type::Named { nullable, .. } | Type::Array { nullable, .. } | Type::Object { nullable } if *nullable);
        if total && nullable {
            return None;
        }
        let o = self.part(e, total)?;
        if nullable {
            self.requires(binary(
                BinaryOp::Ne,
                o.clone(),
                expr(ExprKind::Literal(ast::Literal::Null)),
            ));
        }
        Some(o)
    }

    fn destructor(&mut self, o: Expr, name: &str, ctors: &[CtorId], total: bool) -> Option<Expr> {
        let program = self.work.facts.program;
        let all = match &program[program[*ctors.first()?].datatype].kind {
            TypeDeclKind::Datatype { ctors, .. } => ctors.len(),
            TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => return None,
        };
        if ctors.len() < all {
            if total {
                return None;
            }
            let tests = ctors
                .iter()
                .map(|c| select(o.clone(), &format!("{}?", program[*c].name)));
            self.requires(tests.reduce(|a, b| binary(BinaryOp::Or, a, b))?);
        }
        Some(select(o, name))
    }

    fn index(&mut self, object: &Expr, at: &Expr, total: bool) -> Option<Expr> {
        let ty = self
            .work
            .facts
            .program
            .strip_subset(&self.work.facts.typed(object)?.ty);
        let whole = |o: Expr, i: Expr| {
            expr(ExprKind::Index {
                object: Box::new(o),
                indices: vec![i],
            })
        };
        let below =
            |i: &Expr, n: Expr| chain(int(0), vec![(BinaryOp::Le, i.clone()), (BinaryOp::Lt, n)]);
        if matches!(ty, Type::Multiset(_)) {
            let (o, i) = (self.part(object, total)?, self.part(at, total)?);
            Some(whole(o, i))
        } else if let Type::Seq(elem) = &ty
            && self.is(at, &|t| *t == Type::Int)
        {
            // A total function needs a value for indices out of range.
            let other = if total { Some(some_value(elem)?) } else { None };
            let (o, i) = (self.part(object, total)?, self.part(at, total)?);
            let is_there = below(&i, expr(ExprKind::Cardinality(Box::new(o.clone()))));
            Some(self.given(is_there, whole(o, i), other))
        } else if let Type::Map { value, .. } = ty {
            let other = if total {
                Some(some_value(&value)?)
            } else {
                None
            };
            let (o, i) = (self.part(object, total)?, self.part(at, total)?);
            let is_there = binary(BinaryOp::In, i.clone(), o.clone());
            Some(self.given(is_there, whole(o, i), other))
        } else if matches!(ty, Type::Array { dims: 1, .. })
            && !total
            && self.is(at, &|t| *t == Type::Int)
        {
            // An element of an array needs a precondition and a frame.
            let (o, i) = (self.object(object, total)?, self.part(at, total)?);
            self.requires(below(&i, select(o.clone(), "Length")));
            self.reads(o.clone(), None);
            Some(whole(o, i))
        } else {
            None
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, total: bool) -> Option<Expr> {
        let number = |t: &Type| matches!(t, Type::Int | Type::Real | Type::Bv(_));
        // Whether the right operand is evaluated only for some values of the left one.
        let conditional = match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => true,
            BinaryOp::Iff => false,
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::In
            | BinaryOp::NotIn
            | BinaryOp::Disjoint => {
                if !self.is_comparison(op, b)
                    || !self.is_comparison(op, a) && !matches!(op, BinaryOp::In | BinaryOp::NotIn)
                {
                    return None;
                }
                false
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let collection = |t: &Type| {
                    matches!(
                        t,
                        Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) | Type::Map { .. }
                    )
                };
                if !self.is(a, &|t| number(t) || collection(t)) {
                    return None;
                }
                false
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                if !self.is(a, &|t| matches!(t, Type::Bv(_))) {
                    return None;
                }
                false
            }
            BinaryOp::Div | BinaryOp::Mod => {
                if !self.is(a, &|t| matches!(t, Type::Int | Type::Real)) {
                    return None;
                }
                // The divisor must not be zero: by a precondition or, where none is allowed, by a
                // safe wrapper.
                let zero = if self.is(a, &|t| *t == Type::Real) {
                    real_zero()
                } else {
                    int(0)
                };
                let (a, b) = (self.part(a, total)?, self.part(b, total)?);
                if total {
                    return Some(safe(
                        binary(BinaryOp::Ne, b.clone(), zero.clone()),
                        binary(op, a, b),
                        zero,
                    ));
                }
                self.requires(binary(BinaryOp::Ne, b.clone(), zero));
                return Some(binary(op, a, b));
            }
            BinaryOp::Explies | BinaryOp::Shl | BinaryOp::Shr => return None,
        };
        let a = self.part(a, total)?;
        let b = self.part(b, total || conditional)?;
        Some(binary(op, a, b))
    }

    /// Whether a comparison of such operands has the same meaning in every context: numbers,
    /// characters, collections, values of declared types.
    fn is_comparison(&self, op: BinaryOp, operand: &Expr) -> bool {
        let ordered = |t: &Type| {
            matches!(
                t,
                Type::Int
                    | Type::Real
                    | Type::Char
                    | Type::Bv(_)
                    | Type::Seq(_)
                    | Type::Set { .. }
                    | Type::Multiset(_)
            )
        };
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            self.is(operand, &|t| !matches!(t, Type::Arrow { .. } | Type::Error))
        } else if matches!(
            op,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        ) {
            self.is(operand, &ordered)
        } else if matches!(op, BinaryOp::In | BinaryOp::NotIn | BinaryOp::Disjoint) {
            self.is(operand, &|t| {
                matches!(
                    t,
                    Type::Seq(_) | Type::Set { .. } | Type::Multiset(_) | Type::Map { .. }
                )
            })
        } else {
            false
        }
    }

    /// Whether the type of an expression, without constraints, satisfies `wanted`.
    fn is(&self, e: &Expr, wanted: &dyn Fn(&Type) -> bool) -> bool {
        self.work
            .facts
            .typed(e)
            .is_some_and(|t| wanted(&self.work.facts.program.strip_subset(&t.ty)))
    }

    /// Adds a well-definedness condition of a value: as a precondition or, where none is allowed,
    /// by a choice between the value and another one.
    fn given(&mut self, cond: Expr, value: Expr, other: Option<Expr>) -> Expr {
        match other {
            Some(other) => safe(cond, value, other),
            None => {
                self.requires(cond);
                value
            }
        }
    }

    fn requires(&mut self, cond: Expr) {
        self.add(ClauseKind::Requires(cond));
    }

    fn reads(&mut self, object: Expr, field: Option<&Name>) {
        let field = field.map(|f| ident(f));
        self.add(ClauseKind::Reads(vec![FrameExpr {
            object: Some(object),
            field,
            span: Span::default(),
        }]));
    }

    fn add(&mut self, kind: ClauseKind) {
        if !self.spec.iter().any(|c| c.kind == kind) {
            self.spec.push(clause(kind));
        }
    }
}

/// Builds the safe wrapper `(if cond then value else other)` of the thesis (7.3.5). The condition
/// holds whenever the original expression is evaluated.
fn safe(cond: Expr, value: Expr, other: Expr) -> Expr {
    let guard = Box::new(Guard::Expr(cond));
    paren(expr(ExprKind::If {
        guard,
        then: Box::new(value),
        els: Box::new(other),
    }))
}

/// A literal of a type without constraints.
fn some_value(ty: &Type) -> Option<Expr> {
    if matches!(ty, Type::Int) {
        Some(int(0))
    } else if matches!(ty, Type::Bool) {
        Some(boolean(false))
    } else {
        None
    }
}

fn real_zero() -> Expr {
    expr(ExprKind::Literal(ast::Literal::Real {
        digits: 0.into(),
        exponent: -1,
    }))
}

fn bare(e: &Expr) -> Expr {
    without_spans(e)
}

fn without_spans(e: &Expr) -> Expr {
    let mut e = e.clone();
    e.erase_spans();
    e
}

/// Whether an expression binds variables over which the verifier quantifies.
fn quantifies(e: &Expr) -> bool {
    struct Binders(bool);
    impl<'t> Visit<'t> for Binders {
        fn expr(&mut self, node: &'t Expr) {
            self.0 |= matches!(
                node.kind,
                ExprKind::Quantifier { .. }
                    | ExprKind::SetComp { .. }
                    | ExprKind::MapComp { .. }
                    | ExprKind::LetSuchThat { .. }
                    | ExprKind::Lambda { .. }
                    | ExprKind::Old { .. }
                    | ExprKind::StmtExpr { .. }
            );
            node.walk(self);
        }
    }
    let mut binders = Binders(false);
    e.accept(&mut binders);
    binders.0
}
