//! The features of a program that trigger known bugs of Dafny 4.11.0, in its front end or a
//! backend: predicates that replace a version of Dafny that is not available to the tests.
//! `docs/found-in-dafny-4.11.md` has each bug with a program.

use dafny_random::Profile;
use dafny_resolve::typed::{self, Arena, CallableKind, Type};
use dafny_rewrite::Subject;
use dafny_rewrite::facts::Facts;
use dafny_syntax::ast::{
    Assign, BinaryOp, BoundVar, ConstDecl, DatatypeDecl, Expr, ExprKind, Guard, Ident, Literal,
    Member, MethodDecl, MethodKind, NewtypeDecl, QuantifiedVars, Stmt, StmtKind, TopDecl, TypeKind,
    UnaryOp, Update, VarDecl, Witness,
};
use dafny_syntax::visit::{Node, Visit};
use num_bigint::BigInt;

/// A known bug.
pub struct Bug {
    /// Its number in the documentation and in the report.
    pub number: u32,
    /// The profile whose programs show it.
    pub profile: Profile,
    /// The number of tokens of the program in the report.
    pub tokens: usize,
    /// Whether a program has the features that trigger it.
    pub shows: fn(&Subject) -> bool,
}

/// The bugs that were found in 400 random programs.
pub const BUGS: [Bug; 18] = [
    Bug {
        number: 1,
        profile: Profile::All,
        tokens: 31,
        shows: |s| find(s).binding_guard,
    },
    Bug {
        number: 2,
        profile: Profile::Known,
        tokens: 17,
        shows: |s| find(s).backslash,
    },
    Bug {
        number: 3,
        profile: Profile::All,
        tokens: 49,
        shows: default_with_arrow,
    },
    Bug {
        number: 4,
        profile: Profile::All,
        tokens: 67,
        shows: |s| find(s).wide_bits,
    },
    Bug {
        number: 5,
        profile: Profile::All,
        tokens: 40,
        shows: |s| find(s).rotated_operator,
    },
    Bug {
        number: 6,
        profile: Profile::All,
        tokens: 62,
        shows: |s| find(s).destructor_default,
    },
    Bug {
        number: 7,
        profile: Profile::All,
        tokens: 56,
        shows: |s| find(s).parameter_self,
    },
    Bug {
        number: 8,
        profile: Profile::All,
        tokens: 64,
        shows: |s| find(s).out_in_constraint,
    },
    Bug {
        number: 9,
        profile: Profile::All,
        tokens: 49,
        shows: |s| find(s).narrow_rotation,
    },
    Bug {
        number: 10,
        profile: Profile::Bitvectors,
        tokens: 53,
        shows: |s| find(s).far_shift,
    },
    Bug {
        number: 11,
        profile: Profile::All,
        tokens: 51,
        shows: |s| find(s).native_rotation,
    },
    Bug {
        number: 12,
        profile: Profile::Known,
        tokens: 30,
        shows: |s| find(s).untyped_constant,
    },
    Bug {
        number: 14,
        profile: Profile::Known,
        tokens: 30,
        shows: |s| find(s).nested_choice,
    },
    Bug {
        number: 17,
        profile: Profile::Known,
        tokens: 48,
        shows: |s| find(s).bound_range,
    },
    Bug {
        number: 21,
        profile: Profile::All,
        tokens: 28,
        shows: |s| find(s).unused_variable,
    },
    Bug {
        number: 22,
        profile: Profile::All,
        tokens: 31,
        shows: |s| find(s).bits_with_witness,
    },
    Bug {
        number: 23,
        profile: Profile::All,
        tokens: 36,
        shows: |s| find(s).constant_overflow,
    },
    Bug {
        number: 24,
        profile: Profile::All,
        tokens: 2077,
        shows: |s| find(s).domain_match,
    },
];

/// Whether an out-parameter starts as a tuple or datatype value that contains a function.
fn default_with_arrow(subject: &Subject) -> bool {
    let program = subject.program();
    let has_function = |ty: &Type| {
        let is_compound = matches!(ty, Type::Tuple(_) | Type::Named { .. });
        is_compound && ty.any(&mut |t| matches!(t, Type::Arrow { .. }))
    };
    Arena::<typed::CallableId>::ids(program)
        .into_iter()
        .map(|id| &program[id])
        .any(|c| {
            c.kind == CallableKind::Method
                && !c.ghost
                && c.outs.iter().any(|o| has_function(&program[o.local].ty))
        })
}

/// The features that are found in one walk over the program.
#[derive(Default)]
struct Found {
    binding_guard: bool,
    backslash: bool,
    wide_bits: bool,
    rotated_operator: bool,
    destructor_default: bool,
    parameter_self: bool,
    out_in_constraint: bool,
    narrow_rotation: bool,
    far_shift: bool,
    native_rotation: bool,
    untyped_constant: bool,
    nested_choice: bool,
    bound_range: bool,
    unused_variable: bool,
    bits_with_witness: bool,
    constant_overflow: bool,
    domain_match: bool,
}

struct Search<'a> {
    facts: Facts<'a>,
    /// Constructors with arguments.
    constructors: Vec<&'a str>,
    /// Out-parameters of the enclosing method, if there are several.
    outs: Vec<&'a str>,
    in_type: bool,
    found: Found,
}

fn find(subject: &Subject) -> Found {
    let mut constructors = Constructors(Vec::new());
    subject.file().decls.walk(&mut constructors);
    let facts = subject.facts();
    let mut search = Search {
        facts,
        constructors: constructors.0,
        outs: Vec::new(),
        in_type: false,
        found: Found::default(),
    };
    subject.file().decls.walk(&mut search);
    search.found
}

struct Constructors<'t>(Vec<&'t str>);

impl<'t> Visit<'t> for Constructors<'t> {
    fn top_decl(&mut self, node: &'t TopDecl) {
        if let TopDecl::Datatype(d) = node {
            self.0.extend(
                d.ctors
                    .iter()
                    .filter(|c| !c.formals.is_empty())
                    .map(|c| &*c.name.name),
            );
        }
        node.walk(self);
    }
}

/// Whether an expression below a node satisfies a predicate.
fn any<T: Node>(node: &T, is: &dyn Fn(&Expr) -> bool) -> bool {
    struct Any<'a>(&'a dyn Fn(&Expr) -> bool, bool);
    impl<'t> Visit<'t> for Any<'_> {
        fn expr(&mut self, node: &'t Expr) {
            self.1 |= (self.0)(node);
            node.walk(self);
        }
    }
    let mut any = Any(is, false);
    node.accept(&mut any);
    any.1
}

fn names<T: Node>(node: &T, name: &Ident) -> bool {
    any(
        node,
        &|e| matches!(&e.kind, ExprKind::Name { name: n, .. } if n.name == name.name),
    )
}

fn is_choice(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::LetSuchThat { .. })
}

fn number(e: &Expr) -> Option<BigInt> {
    match &e.without_parens().kind {
        ExprKind::Literal(Literal::Int(n)) => Some(n.clone()),
        ExprKind::As(e, _) => number(e),
        _other => None,
    }
}

/// Returns the result of an operator before truncation, for two operands that the Go compiler
/// evaluates.
fn computed(op: BinaryOp, a: &BigInt, b: &BigInt) -> Option<BigInt> {
    match op {
        BinaryOp::Add => Some(a + b),
        BinaryOp::Sub => Some(a - b),
        BinaryOp::Mul => Some(a * b),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        _other => None,
    }
}

/// Returns the width of the unsigned Go type for this number of bits.
fn native_width(width: u32) -> Option<u32> {
    [8, 16, 32, 64].into_iter().find(|n| width <= *n)
}

impl<'a> Search<'a> {
    fn width(&self, e: &Expr) -> Option<u32> {
        match self.facts.program.representation(&self.facts.typed(e)?.ty) {
            Type::Bv(n) => Some(n),
            _other => None,
        }
    }

    fn guard(&mut self, guard: &Guard) {
        if let Guard::Expr(e) = guard {
            self.found.binding_guard |= is_choice(e.without_parens());
        }
    }

    fn binders<T: Node>(&mut self, vars: &QuantifiedVars, rest: &[&T]) {
        let is_unused = |name: &Ident| {
            let of_vars = vars
                .vars
                .iter()
                .any(|v| v.domain.iter().chain(&v.range).any(|e| names(e, name)));
            !of_vars
                && !vars.range.iter().any(|e| names(&**e, name))
                && !rest.iter().any(|e| names(*e, name))
        };
        self.found.unused_variable |= vars
            .vars
            .iter()
            .any(|v| v.domain.is_none() && is_unused(&v.name));
    }

    fn binary(&mut self, whole: &Expr, op: BinaryOp, a: &Expr, b: &Expr) {
        let Some(width) = [whole, a, b].into_iter().find_map(|e| self.width(e)) else {
            return;
        };
        match op {
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                self.found.wide_bits |= width >= 32
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                self.found.far_shift |= number(b).is_some_and(|n| n >= BigInt::from(128))
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let value = || computed(op, &self.constant(a)?, &self.constant(b)?);
                let above = native_width(width).map(|n| BigInt::from(1) << n);
                let overflows = above
                    .zip(value())
                    .is_some_and(|(above, v)| v < BigInt::ZERO || v >= above);
                self.found.constant_overflow |= overflows;
            }
            _other => {}
        }
    }

    /// Returns the value of a bitvector expression that the Go compiler evaluates.
    fn constant(&self, e: &Expr) -> Option<BigInt> {
        match &e.without_parens().kind {
            ExprKind::Binary(op, a, b) => {
                let cut = BigInt::from(1) << self.width(e)?;
                Some(((computed(*op, &self.constant(a)?, &self.constant(b)?)? % &cut) + &cut) % cut)
            }
            _other => number(e),
        }
    }

    fn rotation(&mut self, object: &Expr) {
        let is_operator = |e: &Expr| {
            matches!(
                &e.without_parens().kind,
                ExprKind::Binary(..) | ExprKind::Unary(UnaryOp::Not, _)
            )
        };
        self.found.rotated_operator |= is_operator(object);
        let width = self.width(object);
        self.found.narrow_rotation |= matches!(width, Some(8 | 16));
        self.found.native_rotation |= matches!(width, Some(8 | 16 | 32 | 64));
    }

    fn datatype(&mut self, d: &DatatypeDecl) {
        let mut formals = d.ctors.iter().flat_map(|c| &c.formals);
        self.found.destructor_default |=
            formals.any(|f| f.name.as_ref().is_some_and(|n| &*n.name == "default"));
    }

    fn newtype(&mut self, n: &NewtypeDecl) {
        let Some(definition) = &n.definition else {
            return;
        };
        let base = definition.base.as_ref().map(|t| &t.kind);
        let is_bits = matches!(base, Some(TypeKind::Named(path)) if path.last().is_some_and(|s| s.name.name.starts_with("bv")));
        self.found.bits_with_witness |=
            is_bits && matches!(definition.witness, Witness::Compiled(_));
    }

    fn const_decl(&mut self, c: &ConstDecl) {
        let is_made = |e: &Expr| match &e.kind {
            ExprKind::Call { callee, .. } => match &callee.kind {
                ExprKind::Name { name, .. } => self.constructors.contains(&&*name.name),
                ExprKind::Select { member, .. } => self.constructors.contains(&&*member.name),
                _other => false,
            },
            _other => false,
        };
        self.found.untyped_constant |=
            c.ty.is_none() && c.value.as_ref().is_some_and(|v| any(v, &is_made));
    }

    fn method(&mut self, m: &'a MethodDecl) {
        let is_member = self.in_type
            && !m.modifiers.is_static
            && matches!(m.kind, MethodKind::Method | MethodKind::Constructor);
        let is_self =
            |f: &dafny_syntax::ast::Formal| f.name.as_ref().is_some_and(|n| &*n.name == "self");
        self.found.parameter_self |= is_member && m.ins.iter().any(is_self);
        self.outs = if m.outs.len() > 1 {
            m.outs
                .iter()
                .filter_map(|f| f.name.as_ref())
                .map(|n| &*n.name)
                .collect()
        } else {
            Vec::new()
        };
    }
}

impl<'a> Visit<'a> for Search<'a> {
    fn top_decl(&mut self, node: &'a TopDecl) {
        match node {
            TopDecl::Datatype(d) => self.datatype(d),
            TopDecl::Newtype(n) => self.newtype(n),
            TopDecl::Module(_)
            | TopDecl::Import(_)
            | TopDecl::Export(_)
            | TopDecl::Class(_)
            | TopDecl::Type(_)
            | TopDecl::Iterator(_)
            | TopDecl::Member(_) => {}
        }
        let before = self.in_type;
        self.in_type = matches!(
            node,
            TopDecl::Class(_) | TopDecl::Datatype(_) | TopDecl::Newtype(_)
        );
        node.walk(self);
        self.in_type = before;
    }

    fn member(&mut self, node: &'a Member) {
        match node {
            Member::Const(c) => self.const_decl(c),
            Member::Method(m) => self.method(m),
            Member::Function(_) | Member::Field(_) => {}
        }
        node.walk(self);
        self.outs.clear();
    }

    fn stmt(&mut self, node: &'a Stmt) {
        match &node.kind {
            StmtKind::If { guard, .. } | StmtKind::While { guard, .. } => self.guard(guard),
            StmtKind::Update(Update {
                assign: Assign::SuchThat { cond, .. },
                ..
            })
            | StmtKind::VarDecl(VarDecl {
                init: Some(Assign::SuchThat { cond, .. }),
                ..
            }) => {
                self.found.nested_choice |= any(cond, &is_choice);
            }
            StmtKind::Forall { vars, .. } => {
                let is_binder = |e: &Expr| {
                    is_choice(e) || matches!(e.kind, ExprKind::Let { .. } | ExprKind::Match { .. })
                };
                self.found.bound_range |= vars.range.iter().any(|r| any(&**r, &is_binder));
            }
            _other => {}
        }
        node.walk(self);
    }

    fn expr(&mut self, node: &'a Expr) {
        match &node.kind {
            ExprKind::Literal(Literal::String {
                units,
                verbatim: true,
            }) => self.found.backslash |= units.last() == Some(&u32::from('\\')),
            ExprKind::Binary(op, a, b) => self.binary(node, *op, a, b),
            ExprKind::Call { callee, .. } => {
                if let ExprKind::Select { object, member, .. } = &callee.kind
                    && matches!(&*member.name, "RotateLeft" | "RotateRight")
                {
                    self.rotation(object);
                }
            }
            ExprKind::LetSuchThat { cond, vars, .. } => {
                let is_own = |n: &Ident| vars.iter().any(|v: &BoundVar| v.name.name == n.name);
                let is_out = |e: &Expr| matches!(&e.kind, ExprKind::Name { name, .. } if !is_own(name) && self.outs.contains(&&*name.name));
                self.found.out_in_constraint |= any(&**cond, &is_out);
            }
            ExprKind::Quantifier { vars, body, .. } => self.binders(vars, &[&**body]),
            ExprKind::SetComp {
                vars,
                term: Some(term),
                ..
            } => self.binders(vars, &[&**term]),
            ExprKind::MapComp {
                vars, key, value, ..
            } => {
                let parts: Vec<&Expr> = key.iter().map(|k| &**k).chain([&**value]).collect();
                self.binders(vars, &parts);
                let is_match =
                    |e: &Expr| matches!(&e.without_parens().kind, ExprKind::Match { .. });
                let over_match = |e: &Expr| match &e.kind {
                    ExprKind::Quantifier { vars, .. } => vars
                        .vars
                        .iter()
                        .filter_map(|v| v.domain.as_ref())
                        .any(is_match),
                    _other => false,
                };
                self.found.domain_match |= vars.range.iter().any(|r| any(&**r, &over_match));
            }
            _other => {}
        }
        node.walk(self);
    }
}
