//! Conditions that fix an input: equalities of parameters, elements and fields with values.

use dafny_resolve::typed::{BinaryOp, Expr, ExprKind, Literal, LocalId, Span, Type};
use dtest_interp::Inputs;
use dtest_ir as ir;
use dtest_value::{Contents, Heap, ObjectId, Value};

use crate::contract::{Contract, binary, elements, length, local};
use crate::examples::arguments;
use crate::questions::Question;
use crate::values;

/// Returns conditions that only the given input of the question satisfies, up to the identity of
/// objects; `None` if some part of it has no expression.
pub(crate) fn pins(
    program: &ir::Program,
    contract: &Contract<'_>,
    question: &Question,
    inputs: &Inputs,
) -> Option<Vec<Expr>> {
    let mut pins = Pins {
        program,
        heap: &inputs.heap,
        span: contract.span(),
        known: Vec::new(),
        conditions: Vec::new(),
    };
    let is_result = |local: LocalId| {
        let mut results = question.alternatives.iter().flatten();
        results.any(|(r, _)| *r == local)
    };
    for (parameter, ty, value) in arguments(program, question, inputs) {
        let path = match parameter {
            Some(parameter) if is_result(parameter) => continue,
            Some(parameter) => local(&program.typed, parameter),
            // The fields of a new object are not part of the input.
            None if contract.is_constructor() => continue,
            None => Expr {
                kind: ExprKind::This,
                ty: ty.clone(),
                span: pins.span,
            },
        };
        pins.pin(path, value, &ty)?;
    }
    Some(pins.conditions)
}

struct Pins<'a> {
    program: &'a ir::Program,
    heap: &'a Heap,
    span: Span,
    /// The objects with an expression for each.
    known: Vec<(ObjectId, Expr)>,
    conditions: Vec<Expr>,
}

impl Pins<'_> {
    fn pin(&mut self, path: Expr, value: &Value, ty: &Type) -> Option<()> {
        let Value::Ref(id) = value else {
            let value = values::expression(&self.program.typed, value, ty, self.span)?;
            self.add(BinaryOp::Eq, path, value);
            return Some(());
        };
        // An alias equals the object, and different objects differ.
        if let Some((_, known)) = self.known.iter().find(|(known, _)| known == id) {
            let known = known.clone();
            self.add(BinaryOp::Eq, path, known);
            return Some(());
        }
        for (_, other) in self.known.clone() {
            if other.ty == path.ty {
                self.add(BinaryOp::Ne, path.clone(), other);
            }
        }
        self.known.push((*id, path.clone()));
        let object = self.heap.objects.get(id.0 as usize)?;
        match (
            &object.contents,
            self.program.typed.representation(&object.ty),
        ) {
            (Contents::Elements(all), Type::Array { dims: 1, elem, .. }) => {
                let known: Vec<Value> = all.iter().cloned().collect::<Option<_>>()?;
                let count = Expr {
                    kind: ExprKind::Literal(Literal::Int(known.len().into())),
                    ty: Type::Int,
                    span: self.span,
                };
                self.add(BinaryOp::Eq, length(&path), count);
                let ty = Type::Seq(elem.clone());
                let contents =
                    values::expression(&self.program.typed, &Value::seq(known), &ty, self.span)?;
                self.add(BinaryOp::Eq, elements(&path, &elem), contents);
                Some(())
            }
            (Contents::Fields(fields), Type::Named { decl, args, .. }) => {
                let substitution = self.program.typed.substitution(decl, &args);
                for (field, value) in fields.iter() {
                    let ty = self.program.typed[*field].ty.subst(&substitution);
                    let part = Expr {
                        kind: ExprKind::Field {
                            object: Some(Box::new(path.clone())),
                            discarded: None,
                            field: *field,
                            type_args: Vec::new(),
                        },
                        ty: ty.clone(),
                        span: self.span,
                    };
                    self.pin(part, value, &ty)?;
                }
                Some(())
            }
            (_, _) => None,
        }
    }

    fn add(&mut self, op: BinaryOp, left: Expr, right: Expr) {
        self.conditions.push(binary(op, left, right, Type::Bool));
    }
}
