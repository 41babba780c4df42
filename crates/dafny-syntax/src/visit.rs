//! Traversal of syntax trees, read-only ([`Visit`]) and mutable ([`VisitMut`]).
//!
//! A visitor overrides the methods for the nodes of interest, and continues below them with
//! [`Node::walk`] or [`Node::walk_mut`]. Children are visited in the order of the tree's fields,
//! which is source order except for attributes.

use num_bigint::BigInt;

use super::ast::{
    Anchors, Argument, ArrowKind, Assign, Attribute, BinaryOp, Block, BoundVar, CalcLine, CalcOp,
    Characteristics, ClassDecl, Clause, ClauseKind, ConstDecl, Constrained, Ctor, DatatypeDecl,
    Export, ExportId, Expr, ExprCase, ExprKind, FailureKeyword, FieldDecl, File, Formal, FrameExpr,
    FunctionDecl, FunctionKind, Guard, GuardedCase, Ident, Import, Include, IteratorDecl, Literal,
    LocalVar, Member, MethodDecl, MethodKind, Modifiers, ModuleBase, ModuleDecl, Name, NewtypeDecl,
    Pattern, PatternKind, QualifiedName, QuantifiedVar, QuantifiedVars, Rhs, RhsKind, Span, Spec,
    Stmt, StmtCase, StmtKind, TopDecl, TupleComponent, Type, TypeDecl, TypeKind, TypeParam,
    TypeSegment, UnaryOp, Update, VarDecl, Variance, Witness,
};

/// A visitor with one method for each kind of node. The default methods only traverse the children.
#[allow(missing_docs)] // a method is called at the nodes of its parameter's type
pub trait Visit<'t>: AsVisit<'t> {
    fn ident(&mut self, node: &'t Ident) {
        node.walk(self.as_visit());
    }
    fn attribute(&mut self, node: &'t Attribute) {
        node.walk(self.as_visit());
    }
    fn clause(&mut self, node: &'t Clause) {
        node.walk(self.as_visit());
    }
    fn ty(&mut self, node: &'t Type) {
        node.walk(self.as_visit());
    }
    fn block(&mut self, node: &'t Block) {
        node.walk(self.as_visit());
    }
    fn stmt(&mut self, node: &'t Stmt) {
        node.walk(self.as_visit());
    }
    fn guarded_case(&mut self, node: &'t GuardedCase) {
        node.walk(self.as_visit());
    }
    fn stmt_case(&mut self, node: &'t StmtCase) {
        node.walk(self.as_visit());
    }
    fn expr_case(&mut self, node: &'t ExprCase) {
        node.walk(self.as_visit());
    }
    fn formal(&mut self, node: &'t Formal) {
        node.walk(self.as_visit());
    }
    fn pattern(&mut self, node: &'t Pattern) {
        node.walk(self.as_visit());
    }
    fn expr(&mut self, node: &'t Expr) {
        node.walk(self.as_visit());
    }
    fn top_decl(&mut self, node: &'t TopDecl) {
        node.walk(self.as_visit());
    }
    fn member(&mut self, node: &'t Member) {
        node.walk(self.as_visit());
    }
}

/// A visitor that may change nodes. The default methods only traverse the children.
#[allow(missing_docs)]
pub trait VisitMut: AsVisitMut {
    fn span(&mut self, _: &mut Span) {}
    fn anchors(&mut self, _: &mut Anchors) {}
    fn ident(&mut self, node: &mut Ident) {
        node.walk_mut(self.as_visit_mut());
    }
    fn attribute(&mut self, node: &mut Attribute) {
        node.walk_mut(self.as_visit_mut());
    }
    fn clause(&mut self, node: &mut Clause) {
        node.walk_mut(self.as_visit_mut());
    }
    fn ty(&mut self, node: &mut Type) {
        node.walk_mut(self.as_visit_mut());
    }
    fn block(&mut self, node: &mut Block) {
        node.walk_mut(self.as_visit_mut());
    }
    fn stmt(&mut self, node: &mut Stmt) {
        node.walk_mut(self.as_visit_mut());
    }
    fn guarded_case(&mut self, node: &mut GuardedCase) {
        node.walk_mut(self.as_visit_mut());
    }
    fn stmt_case(&mut self, node: &mut StmtCase) {
        node.walk_mut(self.as_visit_mut());
    }
    fn expr_case(&mut self, node: &mut ExprCase) {
        node.walk_mut(self.as_visit_mut());
    }
    fn formal(&mut self, node: &mut Formal) {
        node.walk_mut(self.as_visit_mut());
    }
    fn pattern(&mut self, node: &mut Pattern) {
        node.walk_mut(self.as_visit_mut());
    }
    fn expr(&mut self, node: &mut Expr) {
        node.walk_mut(self.as_visit_mut());
    }
    fn top_decl(&mut self, node: &mut TopDecl) {
        node.walk_mut(self.as_visit_mut());
    }
    fn member(&mut self, node: &mut Member) {
        node.walk_mut(self.as_visit_mut());
    }
}

/// Conversion to a trait object: the traversal is compiled once and not once for each visitor.
pub trait AsVisit<'t> {
    /// Returns the visitor as a trait object.
    fn as_visit(&mut self) -> &mut dyn Visit<'t>;
}

impl<'t, V: Visit<'t>> AsVisit<'t> for V {
    fn as_visit(&mut self) -> &mut dyn Visit<'t> {
        self
    }
}

/// Conversion of a mutable visitor to a trait object.
pub trait AsVisitMut {
    /// Returns the visitor as a trait object.
    fn as_visit_mut(&mut self) -> &mut dyn VisitMut;
}

impl<V: VisitMut> AsVisitMut for V {
    fn as_visit_mut(&mut self) -> &mut dyn VisitMut {
        self
    }
}

/// A node of the tree that can be traversed.
pub trait Node {
    /// Traverses the children of the node.
    fn walk<'t>(&'t self, visitor: &mut dyn Visit<'t>);
    /// Traverses the children of the node, which may be changed.
    fn walk_mut(&mut self, visitor: &mut dyn VisitMut);
    /// Passes the node to the visitor's method for it.
    fn accept<'t>(&'t self, visitor: &mut dyn Visit<'t>) {
        self.walk(visitor);
    }
    /// Passes the node to the visitor's method for it, which may change the node.
    fn accept_mut(&mut self, visitor: &mut dyn VisitMut) {
        self.walk_mut(visitor);
    }
}

/// The stack space, in bytes, that must remain before a level of the tree.
const RED_ZONE: usize = 64 * 1024;
const STACK_PIECE: usize = 1024 * 1024;

impl Node for Span {
    fn walk<'t>(&'t self, _: &mut dyn Visit<'t>) {}
    fn walk_mut(&mut self, visitor: &mut dyn VisitMut) {
        visitor.span(self);
    }
}

impl Node for Anchors {
    fn walk<'t>(&'t self, _: &mut dyn Visit<'t>) {}
    fn walk_mut(&mut self, visitor: &mut dyn VisitMut) {
        visitor.anchors(self);
    }
}

impl<T: Node> Node for Vec<T> {
    fn walk<'t>(&'t self, visitor: &mut dyn Visit<'t>) {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || {
            self.iter().for_each(|t| t.accept(visitor))
        });
    }
    fn walk_mut(&mut self, visitor: &mut dyn VisitMut) {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || {
            self.iter_mut().for_each(|t| t.accept_mut(visitor))
        });
    }
}

impl<T: Node> Node for Option<T> {
    fn walk<'t>(&'t self, visitor: &mut dyn Visit<'t>) {
        self.iter().for_each(|t| t.accept(visitor));
    }
    fn walk_mut(&mut self, visitor: &mut dyn VisitMut) {
        self.iter_mut().for_each(|t| t.accept_mut(visitor));
    }
}

impl<T: Node> Node for Box<T> {
    fn walk<'t>(&'t self, visitor: &mut dyn Visit<'t>) {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || (**self).accept(visitor));
    }
    fn walk_mut(&mut self, visitor: &mut dyn VisitMut) {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || (**self).accept_mut(visitor));
    }
}

impl<A: Node, B: Node> Node for (A, B) {
    fn walk<'t>(&'t self, visitor: &mut dyn Visit<'t>) {
        self.0.accept(visitor);
        self.1.accept(visitor);
    }
    fn walk_mut(&mut self, visitor: &mut dyn VisitMut) {
        self.0.accept_mut(visitor);
        self.1.accept_mut(visitor);
    }
}

macro_rules! leaves {
    ($($ty:ty),* $(,)?) => { $(impl Node for $ty {
        fn walk<'t>(&'t self, _: &mut dyn Visit<'t>) {}
        fn walk_mut(&mut self, _: &mut dyn VisitMut) {}
    })* };
}

leaves!(
    bool,
    u32,
    i64,
    usize,
    String,
    Name,
    BigInt,
    Characteristics,
    Variance,
    ModuleBase,
    MethodKind,
    FunctionKind,
    ArrowKind,
    FailureKeyword,
    UnaryOp,
    BinaryOp,
    Literal,
);

/// Implements [`Node::accept`] for types with a visitor method.
macro_rules! shown_to {
    ($hook:ident) => {
        fn accept<'t>(&'t self, visitor: &mut dyn Visit<'t>) {
            visitor.$hook(self);
        }
        fn accept_mut(&mut self, visitor: &mut dyn VisitMut) {
            visitor.$hook(self);
        }
    };
}

macro_rules! structs {
    ($($name:ident $(as $hook:ident)? { $($field:ident),* $(,)? })*) => {
        $(impl Node for $name {
            fn walk<'t>(&'t self, visitor: &mut dyn Visit<'t>) {
                let Self { $($field),* } = self;
                $($field.accept(visitor);)*
            }
            fn walk_mut(&mut self, visitor: &mut dyn VisitMut) {
                let Self { $($field),* } = self;
                $($field.accept_mut(visitor);)*
            }
            $(shown_to!($hook);)?
        })*
    };
}

macro_rules! enums {
    ($($name:ident $(as $hook:ident)? { $($variant:ident $(($($item:ident),*))? $({$($field:ident),* $(,)?})?,)* })*) => {
        $(impl Node for $name {
            fn walk<'t>(&'t self, visitor: &mut dyn Visit<'t>) {
                match self {
                    $(Self::$variant $(($($item),*))? $({$($field),*})? => {
                        $($($item.accept(visitor);)*)?
                        $($($field.accept(visitor);)*)?
                    })*
                }
            }
            fn walk_mut(&mut self, visitor: &mut dyn VisitMut) {
                match self {
                    $(Self::$variant $(($($item),*))? $({$($field),*})? => {
                        $($($item.accept_mut(visitor);)*)?
                        $($($field.accept_mut(visitor);)*)?
                    })*
                }
            }
            $(shown_to!($hook);)?
        })*
    };
}

structs! {
    Ident as ident { name, span }
    File { includes, decls, anchors, is_prebuilt, span }
    Include { path, span }
    Modifiers { attributes, is_abstract, ghost, is_static, opaque, replaceable, doc }
    Attribute as attribute { name, at, args, span }
    QualifiedName { segments, span }
    ModuleDecl { modifiers, name, base, decls, span }
    Import { opened, alias, is_abstract, target, exports, span }
    Export { name, extends, provides, reveals, provides_all, reveals_all, is_refining, span }
    ExportId { prefix, name }
    TypeParam { name, variance, characteristics, bounds }
    ClassDecl { is_trait, modifiers, name, type_params, extends, members, is_refining, span }
    DatatypeDecl { co, modifiers, name, type_params, extends, ctors, members, is_refining, span }
    Ctor { modifiers, name, formals, span }
    NewtypeDecl { modifiers, name, type_params, extends, definition, members, is_refining, span }
    Constrained { var, base, constraint, witness }
    TypeDecl { modifiers, name, characteristics, type_params, extends, definition, members, is_refining, span }
    IteratorDecl { modifiers, name, type_params, ins, yields, spec, body, is_refining, span }
    FieldDecl { modifiers, name, ty, span }
    ConstDecl { modifiers, name, ty, value, is_refining, span }
    MethodDecl { modifiers, kind, name, type_params, k_type, ins, outs, spec, body, is_refining, head, span }
    FunctionDecl {
        modifiers, kind, ghost, name, type_params, k_type, ins, result_name, result, spec, body, by_method, is_refining, head, span,
    }
    Formal as formal { attributes, name, ty, ghost, is_new, older, nameonly, default, span }
    Spec { clauses }
    Clause as clause { kind, is_yield, attributes, label, span }
    FrameExpr { object, field, span }
    Type as ty { kind, span }
    TupleComponent { ghost, ty }
    TypeSegment { name, args }
    Block as block { stmts, divided_at, division, span }
    Stmt as stmt { labels, attributes, kind, span }
    GuardedCase as guarded_case { attributes, guard, body, span }
    StmtCase as stmt_case { attributes, pattern, body, span }
    VarDecl { ghost, vars, init }
    LocalVar { attributes, name, ty }
    Update { lhs, assign }
    Rhs { attributes, kind, span }
    CalcLine { expr, op, hints }
    QuantifiedVars { vars, attributes, range }
    QuantifiedVar { name, ty, domain, range }
    BoundVar { name, ty }
    Pattern as pattern { kind, span }
    Expr as expr { kind, span }
    Argument { name, value }
    ExprCase as expr_case { attributes, pattern, body, span }
}

enums! {
    TopDecl as top_decl {
        Module(a), Import(a), Export(a), Class(a), Datatype(a), Newtype(a), Type(a), Iterator(a), Member(a),
    }
    Member as member { Field(a), Const(a), Method(a), Function(a), }
    Witness { Default, Star, Compiled(a), Ghost(a), }
    ClauseKind { Requires(a), Ensures(a), Invariant(a), Reads(a), Modifies(a), Decreases(a), }
    TypeKind { Named(a), Tuple(a), Arrow { kind, params, result }, }
    StmtKind {
        Block(a),
        Assert { label, cond, by },
        Assume(a),
        Expect { cond, message },
        Print(a),
        VarDecl(a),
        VarPattern { ghost, pattern, value },
        Update(a),
        If { guard, then, els },
        IfCase(a),
        While { guard, spec, body },
        WhileCase { spec, cases },
        For { index, ty, from, down, to, spec, body },
        Forall { vars, spec, body },
        Match { scrutinee, cases, braces },
        Break { is_continue, count, label },
        Return(a),
        Yield(a),
        Modify { frame, body },
        Reveal(a),
        Hide(a),
        Calc { op, lines },
        Opaque { spec, body },
        Skeleton,
        By { stmt, proof },
    }
    Guard { Expr(a), Star, Binding { vars, cond }, Skeleton, }
    Assign { Rhs(a), SuchThat { assume, cond }, Failure { keyword, rhs }, }
    RhsKind { Expr(a), Havoc, New { ty, args }, NewArray { elem, dims, init, elements }, }
    CalcOp { Binary(a), PrefixEq(a), }
    PatternKind { Name { path, ty }, Ctor { path, args }, Tuple(a), Literal(a), Or(a), }
    ExprKind {
        Literal(a),
        This,
        Name { name, type_args },
        Select { object, member, type_args },
        DatatypeUpdate { object, updates },
        Call { callee, at_label, args },
        Index { object, indices },
        Slice { object, from, to },
        SliceLengths { object, lengths, rest },
        Update { object, key, value },
        Prefix { object, limit },
        Unary(a, b),
        Binary(a, b, c),
        Chain { first, rest },
        PrefixEq { negated, limit, left, right },
        As(a, b),
        Is(a, b),
        Cardinality(a),
        Paren(a),
        Tuple(a),
        SeqDisplay(a),
        SetDisplay { infinite, elements },
        MultisetDisplay(a),
        MultisetFrom(a),
        MapDisplay { infinite, pairs },
        SeqConstruct { elem, len, init },
        SetComp { infinite, vars, term },
        MapComp { infinite, vars, key, value },
        Quantifier { forall, vars, body },
        Lambda { params, spec, body },
        If { guard, then, els },
        Match { scrutinee, cases, braces },
        Let { ghost, patterns, values, body },
        LetSuchThat { ghost, vars, attributes, cond, body },
        LetOrFail { ghost, pattern, value, body },
        StmtExpr { stmt, body },
        Old { label, expr },
        Fresh { label, expr },
        Allocated(a),
        Unchanged { label, frame },
        Assigned(a),
        Wildcard,
        DecreasesTo { from, to, allow_equal },
        Error,
    }
}
