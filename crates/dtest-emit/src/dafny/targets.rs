//! The targets of Dafny's compiler, and constructs that a backend of Dafny 4.11.0 is known to
//! compute or compile wrongly (`docs/found-in-dafny-4.11.md`).

use dafny_resolve::typed::visit::{self, Visit};
use dafny_resolve::typed::{
    BinaryOp, BuiltinMember, CallableId, Domain, Expr, ExprKind, Literal, Program, Quantified,
    Type, TypeDeclKind,
};

/// A backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// The C# backend.
    Cs,
    /// The Python backend.
    Py,
    /// The JavaScript backend.
    Js,
    /// The Java backend.
    Java,
    /// The Go backend.
    Go,
    /// The Rust backend.
    Rs,
}

impl Target {
    /// Returns the name on Dafny's command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cs => "cs",
            Self::Py => "py",
            Self::Js => "js",
            Self::Java => "java",
            Self::Go => "go",
            Self::Rs => "rs",
        }
    }
}

/// Returns the reason why a backend is known to miscompile a unit: the first construct with a known
/// bug in the code that the unit reaches (`callables`).
pub fn known_bug(
    program: &Program,
    target: Target,
    unit: CallableId,
    callables: &[CallableId],
) -> Option<&'static str> {
    let mut finder = Finder {
        program,
        target,
        found: None,
    };
    // Tests execute only the contract of the unit.
    for clause in &program[unit].spec.ensures {
        finder.expr(&clause.cond);
    }
    for &id in callables {
        visit::walk_body(&mut finder, &program[id].body);
        for formal in program[id].ins.iter().chain(&program[id].outs) {
            finder.of_type(&program[formal.local].ty);
            let is_method = program[id].owner.is_some() && !program[id].is_static;
            if target == Target::Py && is_method && &*program[formal.local].name == "self" {
                finder.find("Python does not compile a parameter named `self` of a member");
            }
        }
    }
    finder.found
}

struct Finder<'p> {
    program: &'p Program,
    target: Target,
    found: Option<&'static str>,
}

impl Finder<'_> {
    fn find(&mut self, reason: &'static str) {
        self.found.get_or_insert(reason);
    }

    fn width(&self, ty: &Type) -> Option<u32> {
        if let Type::Bv(n) = self.program.representation(ty) {
            Some(n)
        } else {
            None
        }
    }

    /// Finds bugs of the declarations that a type mentions.
    fn of_type(&mut self, ty: &Type) {
        let program = self.program;
        let target = self.target;
        let mut has_default = false;
        ty.any(&mut |t| {
            if let Type::Named { decl, .. } = t
                && let TypeDeclKind::Datatype { ctors, .. } = &program[*decl].kind
            {
                let fields = ctors.iter().flat_map(|c| &program[*c].fields);
                has_default |= fields.into_iter().any(|f| &*program[*f].name == "default");
            }
            false
        });
        if has_default && target == Target::Py {
            self.find("Python loses the value of a destructor named `default`");
        }
        if target == Target::Rs && ty.any(&mut |t| program.representation(t) == Type::Real) {
            self.find("Rust has no real numbers");
        }
    }
}

impl<'t> Visit<'t> for Finder<'_> {
    fn ty(&mut self, ty: &'t Type) {
        self.of_type(ty);
    }

    fn expr(&mut self, e: &'t Expr) {
        let width = self.width(&e.ty);
        match (&e.kind, self.target) {
            (
                ExprKind::Binary(BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor, ..),
                Target::Js,
            ) if width.is_some_and(|w| w >= 32) => {
                self.find("JavaScript computes `&`, `|` and `^` of 32 bits and more wrongly");
            }
            (ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, ..), Target::Java)
                if width.is_some_and(|w| w > 128) =>
            {
                self.find("Java computes shifts by 128 and more wrongly");
            }
            (
                ExprKind::Builtin {
                    member: BuiltinMember::RotateLeft | BuiltinMember::RotateRight,
                    object,
                },
                target,
            ) => {
                let width = self.width(&object.ty);
                match target {
                    Target::Py
                        if matches!(object.kind, ExprKind::Binary(..) | ExprKind::Unary(..)) =>
                    {
                        self.find("Python computes rotations of an operator expression wrongly");
                    }
                    Target::Java if matches!(width, Some(8 | 16)) => {
                        self.find("Java computes rotations of 8 and 16 bits wrongly");
                    }
                    Target::Go if matches!(width, Some(8 | 16 | 32 | 64)) => {
                        self.find("Go divides by zero in rotations of 8, 16, 32 and 64 bits");
                    }
                    Target::Cs
                    | Target::Py
                    | Target::Js
                    | Target::Java
                    | Target::Go
                    | Target::Rs => {}
                }
            }
            (ExprKind::Literal(Literal::Char(c)), Target::Rs) if *c > 0xFFFF => {
                self.find("Rust does not compile characters beyond the basic plane");
            }
            (ExprKind::Literal(Literal::Real(_)), Target::Rs) => {
                self.find("Rust has no real numbers")
            }
            (_, _) => {}
        }
        visit::walk_expr(self, e);
    }

    fn quantified(&mut self, q: &'t Quantified) {
        let is_char_range = q.bounds.iter().flatten().any(|b| {
            matches!(b.domain, Domain::IntRange { .. } | Domain::AllValues(_))
                && self.program.representation(&self.program[b.var].ty) == Type::Char
        });
        if self.target == Target::Java && is_char_range {
            self.find("Java does not compile quantifiers over ranges of characters");
        }
        visit::walk_quantified(self, q);
    }
}
