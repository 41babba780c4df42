//! Erasing the spans of a tree, so that trees from different texts can be compared.

use num_bigint::BigInt;

use super::ast::{
    Anchors, Argument, ArrowKind, Assign, Attribute, BinaryOp, Block, BoundVar, CalcLine, CalcOp, Characteristics, ClassDecl, Clause,
    ClauseKind, ConstDecl, Constrained, Ctor, DatatypeDecl, Export, ExportId, Expr, ExprCase, ExprKind, FailureKeyword, FieldDecl, File,
    Formal, FrameExpr, FunctionDecl, FunctionKind, Guard, GuardedCase, Ident, Import, Include, IteratorDecl, Literal, LocalVar, Member,
    MethodDecl, MethodKind, Modifiers, ModuleBase, ModuleDecl, Name, NewtypeDecl, Pattern, PatternKind, QualifiedName, QuantifiedVar,
    QuantifiedVars, Rhs, RhsKind, Span, Spec, Stmt, StmtCase, StmtKind, TopDecl, TupleComponent, Type, TypeDecl, TypeKind, TypeParam,
    TypeSegment, UnaryOp, Update, VarDecl, Variance, Witness,
};

/// A part of the tree whose spans can be set to nothing.
pub trait EraseSpans {
    /// Sets every span within to the empty one.
    fn erase_spans(&mut self);
}

/// Stack that one level of the tree needs at most, and what is allocated when it is short.
const RED_ZONE: usize = 64 * 1024;
const STACK_PIECE: usize = 1024 * 1024;

impl EraseSpans for Span {
    fn erase_spans(&mut self) {
        *self = Span::default();
    }
}

impl EraseSpans for Anchors {
    fn erase_spans(&mut self) {
        self.0.clear();
    }
}

impl<T: EraseSpans> EraseSpans for Vec<T> {
    fn erase_spans(&mut self) {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || self.iter_mut().for_each(T::erase_spans));
    }
}

impl<T: EraseSpans> EraseSpans for Option<T> {
    fn erase_spans(&mut self) {
        self.iter_mut().for_each(T::erase_spans);
    }
}

impl<T: EraseSpans> EraseSpans for Box<T> {
    fn erase_spans(&mut self) {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || (**self).erase_spans());
    }
}

impl<A: EraseSpans, B: EraseSpans> EraseSpans for (A, B) {
    fn erase_spans(&mut self) {
        self.0.erase_spans();
        self.1.erase_spans();
    }
}

macro_rules! without_spans {
    ($($ty:ty),* $(,)?) => { $(impl EraseSpans for $ty { fn erase_spans(&mut self) {} })* };
}

without_spans!(
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

macro_rules! structs {
    ($($name:ident { $($field:ident),* $(,)? })*) => {
        $(impl EraseSpans for $name {
            fn erase_spans(&mut self) {
                let Self { $($field),* } = self;
                $($field.erase_spans();)*
            }
        })*
    };
}

macro_rules! enums {
    ($($name:ident { $($variant:ident $(($($item:ident),*))? $({$($field:ident),* $(,)?})?,)* })*) => {
        $(impl EraseSpans for $name {
            fn erase_spans(&mut self) {
                match self {
                    $(Self::$variant $(($($item),*))? $({$($field),*})? => {
                        $($($item.erase_spans();)*)?
                        $($($field.erase_spans();)*)?
                    })*
                }
            }
        })*
    };
}

structs! {
    Ident { name, span }
    File { includes, decls, anchors, span }
    Include { path, span }
    Modifiers { attributes, is_abstract, ghost, is_static, opaque, replaceable, doc }
    Attribute { name, at, args, span }
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
        modifiers, kind, name, type_params, k_type, ins, result_name, result, spec, body, by_method, is_refining, head, span,
    }
    Formal { attributes, name, ty, ghost, is_new, older, nameonly, default, span }
    Spec { clauses }
    Clause { kind, is_yield, attributes, label, span }
    FrameExpr { object, field, span }
    Type { kind, span }
    TupleComponent { ghost, ty }
    TypeSegment { name, args }
    Block { stmts, divided_at, span }
    Stmt { labels, attributes, kind, span }
    GuardedCase { attributes, guard, body, span }
    StmtCase { attributes, pattern, body, span }
    VarDecl { ghost, vars, init }
    LocalVar { attributes, name, ty }
    Update { lhs, assign }
    Rhs { attributes, kind, span }
    CalcLine { expr, op, hints }
    QuantifiedVars { vars, attributes, range }
    QuantifiedVar { name, ty, domain, range }
    BoundVar { name, ty }
    Pattern { kind, span }
    Expr { kind, span }
    Argument { name, value }
    ExprCase { attributes, pattern, body, span }
}

enums! {
    TopDecl {
        Module(a), Import(a), Export(a), Class(a), Datatype(a), Newtype(a), Type(a), Iterator(a), Member(a),
    }
    Member { Field(a), Const(a), Method(a), Function(a), }
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
