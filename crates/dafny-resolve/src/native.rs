//! Value ranges and native types of newtypes over `int`.

use num_bigint::BigInt;
use num_integer::Integer;

use crate::typed::{
    Arena, AttributeArg, Attributes, BinaryOp, Control, Expr, ExprKind, FieldKind, Literal,
    LocalId, NativeType, Program, ShortCircuit, Term, Type, TypeDeclKind, TypeId, UnaryOp,
};
use dafny_source::diagnostic::Diagnostic;

use super::context::Context;

/// Fills in [`crate::typed::Constrained::range`] and [`crate::typed::Constrained::native`].
pub(super) fn select(cx: &mut Context) {
    let ids: Vec<TypeId> = cx.program.ids();
    for id in ids {
        if !matches!(cx.program[id].kind, TypeDeclKind::Newtype(_)) {
            continue;
        }
        let representation = cx.program.representation(&cx.self_type(id));
        if representation != Type::Int {
            let demanded = cx.program[id]
                .attribute("nativeType")
                .is_some_and(|a| a.args != [AttributeArg::Bool(false)]);
            if demanded && !matches!(representation, Type::Bv(_) | Type::Error) {
                let d = Diagnostic::error(
                    "resolve/native-type",
                    cx.program[id].span,
                    "only integers and bitvectors have native types",
                );
                cx.diagnostics.push(d.with_help("remove `{:nativeType}`"));
            }
            continue;
        }
        let range = bounds_of(&cx.program, id, 0).both();
        let native = native(cx, id, range.as_ref());
        if let TypeDeclKind::Newtype(c) = &mut cx.program[id].kind {
            c.range = range;
            c.native = native;
        }
    }
}

/// The native types in Dafny's order of preference, with their names in Dafny.
const NATIVE: [(&str, NativeType); 10] = [
    ("byte", NativeType::U8),
    ("sbyte", NativeType::I8),
    ("ushort", NativeType::U16),
    ("short", NativeType::I16),
    ("uint", NativeType::U32),
    ("int", NativeType::I32),
    ("ulong", NativeType::U64),
    ("long", NativeType::I64),
    ("udoublelong", NativeType::U128),
    ("doublelong", NativeType::I128),
];

fn native(cx: &mut Context, id: TypeId, range: Option<&(BigInt, BigInt)>) -> Option<NativeType> {
    // Step 1: the attribute may demand a native type, exclude it, or restrict the choice.
    let attribute = cx.program[id].attribute("nativeType").cloned();
    let mut choices: Vec<String> = Vec::new();
    let mut demanded = false;
    if let Some(attribute) = &attribute {
        demanded = true;
        for arg in &attribute.args {
            match arg {
                AttributeArg::Bool(false) => return None,
                AttributeArg::Bool(true) => {}
                AttributeArg::String(name)
                    if NATIVE.iter().any(|n| n.0 == name) || name == "number" =>
                {
                    choices.push(name.clone())
                }
                AttributeArg::String(name) => {
                    cx.error(
                        "resolve/native-type",
                        attribute.span,
                        format!(":nativeType '{name}' not known"),
                    );
                    return None;
                }
                AttributeArg::Int(_) | AttributeArg::Other(_) => {
                    cx.error(
                        "resolve/native-type",
                        attribute.span,
                        "unexpected :nativeType argument",
                    );
                    return None;
                }
            }
        }
    }
    // Step 2: the first type in Dafny's order that contains the range. An empty range fits
    // everywhere.
    let fits = |native: NativeType| {
        let (low, high) = native.range();
        range.is_some_and(|(l, h)| l >= h || (low <= *l && *h <= high + 1))
    };
    let chosen = |name: &str| choices.is_empty() || choices.iter().any(|c| c == name);
    let found = NATIVE
        .iter()
        .find(|(name, native)| chosen(name) && fits(*native))
        .map(|n| n.1);
    // Step 3: a demanded type that does not exist is an error, unless the constraint has one
    // already.
    let is_known = matches!(&cx.program[id].kind, TypeDeclKind::Newtype(c) if c.var.is_none() || c.constraint.is_some());
    if let (true, true, None) = (is_known, demanded, found)
        && choices.iter().all(|c| c != "number")
    {
        let d = Diagnostic::error(
            "resolve/native-type",
            cx.program[id].span,
            "Dafny's heuristics cannot find a compatible native type",
        );
        cx.diagnostics
            .push(d.with_help("write the constraint as `i: int | low <= i < high && …`"));
    }
    found
}

#[derive(Default)]
struct Bounds {
    low: Option<BigInt>,
    high: Option<BigInt>,
}

impl Bounds {
    fn both(self) -> Option<(BigInt, BigInt)> {
        Some((self.low?, self.high?))
    }

    fn at_least(&mut self, n: BigInt) {
        self.low = Some(self.low.take().map_or(n.clone(), |l| l.max(n)));
    }

    fn below(&mut self, n: BigInt) {
        self.high = Some(self.high.take().map_or(n.clone(), |h| h.min(n)));
    }

    /// Learns a bound from `left op right` with the variable on one side and a constant on the
    /// other.
    fn compare(
        &mut self,
        program: &Program,
        var: LocalId,
        left: &Expr,
        op: BinaryOp,
        right: &Expr,
    ) {
        let is_var = |e: &Expr| {
            matches!(&e.kind, ExprKind::Local(l) if *l == var)
                || matches!(&e.kind, ExprKind::Convert(inner) if matches!(inner.kind, ExprKind::Local(l) if l == var))
        };
        let one = || BigInt::from(1);
        if is_var(left) {
            let Some(n) = fold(program, right, 0) else {
                return;
            };
            if op == BinaryOp::Lt {
                self.below(n);
            } else if op == BinaryOp::Le {
                self.below(n + one());
            } else if op == BinaryOp::Gt {
                self.at_least(n + one());
            } else if op == BinaryOp::Ge {
                self.at_least(n);
            } else if op == BinaryOp::Eq {
                self.at_least(n.clone());
                self.below(n + one());
            }
        } else if is_var(right)
            && let Some(mirrored) = op.mirrored()
        {
            self.compare(program, var, right, mirrored, left);
        }
    }

    fn conjunct(&mut self, program: &Program, var: LocalId, e: &Expr) {
        match e.control() {
            Control::ShortCircuit {
                op: ShortCircuit::And,
                left,
                right,
            } => {
                self.conjunct(program, var, left);
                self.conjunct(program, var, right);
            }
            Control::Chain { first, rest } => {
                let mut left = first;
                for (op, right) in rest {
                    self.compare(program, var, left, *op, right);
                    left = right;
                }
            }
            Control::Strict => {
                if let ExprKind::Binary(op, a, b) = &e.kind {
                    self.compare(program, var, a, *op, b);
                }
            }
            Control::ShortCircuit {
                op: ShortCircuit::Or | ShortCircuit::Implies,
                ..
            }
            | Control::Not(_)
            | Control::Delayed(_) => {}
            Control::If { .. }
            | Control::IfBinding { .. }
            | Control::Match { .. }
            | Control::Let { .. } => {}
            Control::LetSuchThat { .. } | Control::LetOrFail(_) | Control::StmtExpr { .. } => {}
        }
    }
}

/// The bounds from the constraints of a type and of its bases.
fn bounds_of(program: &Program, id: TypeId, depth: u32) -> Bounds {
    let mut bounds = Bounds::default();
    let (TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c)) = &program[id].kind else {
        return bounds;
    };
    if let (Type::Named { decl, .. }, true) = (&c.base, depth < 100) {
        bounds = bounds_of(program, *decl, depth + 1);
    }
    if let (Some(var), Some(constraint)) = (c.var, &c.constraint) {
        bounds.conjunct(program, var, constraint);
    }
    bounds
}

/// Evaluates a constant integer expression.
fn fold(program: &Program, e: &Expr, depth: u32) -> Option<BigInt> {
    if depth > 200 {
        return None;
    }
    let fold = |e: &Expr| fold(program, e, depth + 1);
    match e.kind.term() {
        Term::Literal(Literal::Int(n)) => Some(n.clone()),
        Term::Unary(UnaryOp::Neg, inner) => Some(-fold(inner)?),
        Term::Convert(inner) => fold(inner),
        Term::Field(field) => match &program[field].kind {
            FieldKind::Const(Some(value)) => fold(value),
            FieldKind::Const(None) | FieldKind::Mutable | FieldKind::Destructor(_) => None,
        },
        Term::Binary(op, a, b) => {
            let (a, b) = (fold(a)?, fold(b)?);
            let zero = BigInt::from(0);
            if op == BinaryOp::Add {
                Some(a + b)
            } else if op == BinaryOp::Sub {
                Some(a - b)
            } else if op == BinaryOp::Mul {
                Some(a * b)
            } else if b == zero {
                None
            } else if op == BinaryOp::Div {
                // Euclidean division: the remainder is never negative.
                let (q, r) = a.div_mod_floor(&b);
                Some(if r < zero { q + 1 } else { q })
            } else if op == BinaryOp::Mod {
                let r = a.mod_floor(&b);
                Some(if r < zero { r - b } else { r })
            } else {
                None
            }
        }
        Term::Literal(
            Literal::Bool(_)
            | Literal::Real(_)
            | Literal::Char(_)
            | Literal::String(_)
            | Literal::Null,
        ) => None,
        Term::Unary(UnaryOp::Not | UnaryOp::BitNot, _) | Term::Local(_) | Term::Other => None,
    }
}
