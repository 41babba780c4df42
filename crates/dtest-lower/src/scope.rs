//! The variables of the declaration being lowered, and the captures of lambdas.
//!
//! Each function, procedure, contract or lambda has a [`Scope`]. [`Scopes::look_up`] resolves a
//! variable through the enclosing scopes and captures it in every lambda on the way.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Lowerer, build};
use dafny_resolve::typed::{LocalId, Type, TypeParamId};
use dafny_source::Span;
use dtest_ir::reason::Construct;
use dtest_ir::{Expr, Var, VarInfo};

/// The variables of a function, procedure, contract or lambda.
#[derive(Default)]
struct Scope {
    vars: Vec<VarInfo>,
    /// Variables that keep their value while a statement that reads them is executed.
    fixed: FxHashSet<Var>,
    locals: FxHashMap<LocalId, Var>,
    this: Option<Var>,
    /// For lambdas: pairs of the own variable and the enclosing scope's, in the order of first use.
    captures: Vec<(Var, Var)>,
}

impl Scope {
    fn add(&mut self, info: VarInfo) -> Var {
        self.vars.push(info);
        Var(self.vars.len() as u32 - 1)
    }

    fn info(&self, var: Var) -> Option<&VarInfo> {
        self.vars.get(var.0 as usize)
    }
}

/// The result of closing the scope of a lambda.
pub(super) struct Closed {
    pub(super) vars: Vec<VarInfo>,
    /// The lambda's own variables for captured values.
    pub(super) inner: Vec<Var>,
    /// The captured variables of the enclosing scope.
    pub(super) outer: Vec<Var>,
}

/// The key of a look-up through the scopes.
#[derive(Clone, Copy)]
enum Key {
    This,
    Local(LocalId),
}

/// The scope of the current declaration, followed by those of the lambdas around the current place.
#[derive(Default)]
pub(super) struct Scopes {
    scopes: Vec<Scope>,
    /// The type parameters of the declaration.
    type_params: Vec<TypeParamId>,
}

impl Scopes {
    /// Creates the scope of a declaration.
    pub(super) fn new(type_params: Vec<TypeParamId>) -> Self {
        Self {
            scopes: vec![Scope::default()],
            type_params,
        }
    }

    /// Ends the declaration and returns its variables.
    pub(super) fn close(&mut self) -> Vec<VarInfo> {
        self.scopes.pop().map(|s| s.vars).unwrap_or_default()
    }

    pub(super) fn type_params(&self) -> &[TypeParamId] {
        &self.type_params
    }

    /// Whether the current place is in a lambda.
    pub(super) fn is_in_lambda(&self) -> bool {
        self.scopes.len() > 1
    }

    /// Opens the scope of a lambda.
    pub(super) fn open_lambda(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// Closes the scope of the innermost lambda.
    pub(super) fn close_lambda(&mut self) -> Closed {
        let scope = self.scopes.pop().unwrap_or_default();
        let (inner, outer) = scope.captures.iter().copied().unzip();
        Closed {
            vars: scope.vars,
            inner,
            outer,
        }
    }

    fn info(&self, var: Var) -> Option<&VarInfo> {
        self.scopes.last().and_then(|s| s.info(var))
    }

    /// Whether a variable of the innermost scope keeps its value.
    fn is_fixed(&self, var: Var) -> bool {
        self.scopes.last().is_some_and(|s| s.fixed.contains(&var))
    }

    /// Returns the innermost scope.
    fn innermost(&mut self) -> Option<&mut Scope> {
        self.scopes.last_mut()
    }

    /// Adds a variable to the innermost scope.
    fn add(&mut self, info: VarInfo) -> Var {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        self.scopes.last_mut().map_or(Var(0), |s| s.add(info))
    }

    /// Returns the variable of the innermost scope for `key`.
    fn find(&mut self, key: Key) -> Option<Var> {
        self.look_up(self.scopes.len(), key)
    }

    /// Looks `key` up in the first `depth` scopes, and captures it in every lambda on the way.
    fn look_up(&mut self, depth: usize, key: Key) -> Option<Var> {
        let level = depth.checked_sub(1)?;
        let scope = self.scopes.get(level)?;
        let found = match key {
            Key::This => scope.this,
            Key::Local(l) => scope.locals.get(&l).copied(),
        };
        if found.is_some() {
            return found;
        }
        let outer = self.look_up(level, key)?;
        let info = self.scopes.get(level.checked_sub(1)?)?.info(outer)?.clone();
        let scope = self.scopes.get_mut(level)?;
        let inner = scope.add(info);
        scope.captures.push((inner, outer));
        match key {
            Key::This => scope.this = Some(inner),
            Key::Local(l) => {
                scope.locals.insert(l, inner);
            }
        }
        Some(inner)
    }
}

impl Lowerer<'_> {
    /// Declares a variable that the source does not name.
    pub(super) fn temp(&mut self, name: &str, ty: Type, span: Span) -> Var {
        self.scopes.add(VarInfo {
            name: name.into(),
            ty,
            ghost: !self.evaluation.is_executed,
            definite: false,
            inferred: false,
            span,
        })
    }

    /// Declares a local variable in the innermost scope.
    pub(super) fn bind(&mut self, local: LocalId) -> Var {
        let name = self.program[local].name.clone();
        self.bind_as(local, &name)
    }

    /// Declares a local variable under another name.
    pub(super) fn bind_as(&mut self, local: LocalId, name: &str) -> Var {
        let l = &self.program[local];
        let definite = !self.program.may_be_unassigned(local);
        let var = self.scopes.add(VarInfo {
            name: name.into(),
            ty: l.ty.clone(),
            ghost: l.ghost,
            definite,
            inferred: l.inferred,
            span: l.span,
        });
        let fixed = !l.mutable;
        if let Some(scope) = self.scopes.innermost() {
            scope.locals.insert(local, var);
            if fixed {
                scope.fixed.insert(var);
            }
        }
        var
    }

    /// Restores the variable of a local.
    pub(super) fn rebind(&mut self, local: LocalId, var: Var) {
        if let Some(scope) = self.scopes.innermost() {
            scope.locals.insert(local, var);
        }
    }

    pub(super) fn declare_receiver(&mut self, info: VarInfo) -> Var {
        let var = self.scopes.add(info);
        if let Some(scope) = self.scopes.innermost() {
            scope.this = Some(var);
            scope.fixed.insert(var);
        }
        var
    }

    /// Returns the variable of a local; declares it if no binder has done so, as for variables of
    /// statements.
    pub(super) fn local(&mut self, local: LocalId) -> Var {
        match self.scopes.find(Key::Local(local)) {
            Some(var) => var,
            None => self.bind(local),
        }
    }

    /// Returns the variable of a local that is in scope.
    pub(super) fn known_local(&mut self, local: LocalId) -> Option<Var> {
        self.scopes.find(Key::Local(local))
    }

    /// Returns `this` as an expression.
    pub(super) fn this(&mut self, span: Span) -> Expr {
        match self.scopes.find(Key::This) {
            Some(var) => self.var(var, span),
            None => build::unsupported(Construct::ThisOutside, Type::Error, span),
        }
    }

    /// Returns a variable as an expression.
    pub(super) fn var(&self, var: Var, span: Span) -> Expr {
        let ty = self.info(var).map_or(Type::Error, |i| i.ty.clone());
        build::expr(dtest_ir::ExprKind::Var(var), ty, span)
    }

    pub(super) fn info(&self, var: Var) -> Option<&VarInfo> {
        self.scopes.info(var)
    }

    /// Whether an expression is a variable that keeps its value.
    pub(super) fn is_fixed(&self, e: &Expr) -> bool {
        matches!(e.kind, dtest_ir::ExprKind::Var(v) if self.scopes.is_fixed(v))
    }
}
