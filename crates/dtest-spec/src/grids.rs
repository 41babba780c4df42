//! Arrays with several dimensions as parts of the heap that a callable may change.
//!
//! No expression has all elements of such an array. Their final values are a parameter of the
//! question: a sequence of sequences, whose lengths are those of the array.

use dafny_resolve::typed::{
    BinaryOp, BuiltinMember, Domain, Expr, ExprKind, Literal, LocalId, Quantified, Rhs, Stmt,
    StmtKind, Target, Type, VarBound,
};

use crate::contract::{binary, local, path};
use crate::questions::{
    Alternative, Questions, before, block, cardinality, guarded, in_range, index_of, statement,
};

/// An array with several dimensions.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// The array, in the state before the call.
    pub(crate) array: Expr,
    /// The type of the elements.
    pub(crate) elem: Type,
    /// The number of dimensions.
    pub(crate) dims: u32,
    /// The condition, in the state before the call, under which the elements may change.
    pub(crate) when: Option<Expr>,
}

impl Grid {
    /// The type of the sequence that has the elements below `depth` dimensions.
    fn rows(&self, depth: u32) -> Type {
        (depth..self.dims).fold(self.elem.clone(), |ty, _| Type::Seq(Box::new(ty)))
    }

    /// The text after the name of the array that stands for all elements.
    pub(crate) fn suffix(dims: usize) -> String {
        format!("[{}]", vec![".."; dims].join(", "))
    }
}

/// A length of an array.
fn length(array: &Expr, dimension: u32) -> Expr {
    Expr {
        kind: ExprKind::Builtin {
            member: BuiltinMember::ArrayLength(dimension),
            object: Box::new(array.clone()),
        },
        ty: Type::Int,
        span: array.span,
    }
}

impl Questions<'_, '_> {
    /// Declares the parameter for the elements of an array with several dimensions, and writes it.
    /// `observed` gets the condition that the array has the elements.
    pub(crate) fn write_grid(
        &mut self,
        grid: &Grid,
        k: usize,
        alternative: &mut Alternative,
        observed: &mut Vec<Expr>,
    ) {
        let Some(name) = path(&self.program, &grid.array) else {
            return;
        };
        let param = self.variable(&format!("{name}'{k}"), &grid.rows(0));
        let contents = local(&self.program, param);
        // The lengths in each depth are those of the array.
        for depth in 0..grid.dims {
            let vars = self.indices(depth);
            let row = self.element_of(grid, &contents, &vars);
            let same = binary(
                BinaryOp::Eq,
                cardinality(&row),
                length(&grid.array, depth),
                Type::Bool,
            );
            let condition = self.for_all(&grid.array, vars, same);
            alternative.guards.push(condition);
        }
        // The array is the one of the state at entry: an earlier write may change the field that
        // refers to it.
        let array = before(&grid.array);
        let vars = self.indices(grid.dims);
        let element = self.element_of(grid, &contents, &vars);
        let span = array.span;
        let assigned = StmtKind::Assign {
            declares: Vec::new(),
            pairs: vec![(
                Target::Element {
                    array: array.clone(),
                    indices: self.locals(&vars),
                },
                Rhs::Expr(element),
            )],
        };
        let all: Stmt = statement(
            StmtKind::Forall {
                vars: self.quantified(&array, vars, true),
                ensures: Vec::new(),
                body: Some(block(vec![statement(assigned, span)], span)),
            },
            span,
        );
        alternative.writes.push(guarded(all, grid.when.as_ref()));
        let vars = self.indices(grid.dims);
        let element = self.element_of(grid, &contents, &vars);
        let now = Expr {
            kind: ExprKind::Index {
                object: Box::new(array.clone()),
                indices: self.locals(&vars),
            },
            ty: grid.elem.clone(),
            span,
        };
        let same = binary(BinaryOp::Eq, now, element, Type::Bool);
        observed.push(self.for_all(&array, vars, same));
        let name = format!("{name}{}", Grid::suffix(grid.dims as usize));
        alternative.params.push((param, name));
    }

    /// Declares indices.
    fn indices(&mut self, count: u32) -> Vec<LocalId> {
        (0..count)
            .map(|i| self.variable(&format!("i{i}"), &Type::Int))
            .collect()
    }

    fn locals(&self, vars: &[LocalId]) -> Vec<Expr> {
        vars.iter().map(|v| local(&self.program, *v)).collect()
    }

    /// The element, or the row, of nested sequences at some indices.
    fn element_of(&self, grid: &Grid, contents: &Expr, vars: &[LocalId]) -> Expr {
        let indices = self.locals(vars);
        (1..)
            .zip(indices)
            .fold(contents.clone(), |row, (depth, i)| {
                index_of(&row, i, &grid.rows(depth))
            })
    }

    /// The condition for all indices of an array.
    fn for_all(&self, array: &Expr, vars: Vec<LocalId>, condition: Expr) -> Expr {
        if vars.is_empty() {
            return condition;
        }
        let span = condition.span;
        let vars = self.quantified(array, vars, false);
        let range = self.in_array(array, &vars.vars);
        let body = match range {
            Some(range) => binary(BinaryOp::Implies, range, condition, Type::Bool),
            None => condition,
        };
        Expr {
            kind: ExprKind::Quantifier {
                forall: true,
                vars,
                body: Box::new(body),
            },
            ty: Type::Bool,
            span,
        }
    }

    /// The condition that indices are in the array.
    fn in_array(&self, array: &Expr, vars: &[LocalId]) -> Option<Expr> {
        let ranges = (0..).zip(vars);
        let ranges = ranges.map(|(d, v)| in_range(&local(&self.program, *v), length(array, d)));
        ranges.reduce(|all, next| binary(BinaryOp::And, all, next, Type::Bool))
    }

    /// Indices of an array as bound variables.
    fn quantified(&self, array: &Expr, vars: Vec<LocalId>, has_range: bool) -> Quantified {
        let zero = Expr {
            kind: ExprKind::Literal(Literal::Int(0.into())),
            ty: Type::Int,
            span: array.span,
        };
        let bounds = (0..).zip(&vars).map(|(d, var)| VarBound {
            var: *var,
            domain: Domain::IntRange {
                low: Some(Box::new(zero.clone())),
                high: Some(Box::new(length(array, d))),
            },
        });
        let bounds = bounds.collect();
        let range = self.in_array(array, &vars).filter(|_| has_range);
        Quantified {
            range: range.map(Box::new),
            bounds: Some(bounds),
            span: array.span,
            vars,
        }
    }
}
