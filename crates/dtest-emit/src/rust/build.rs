//! What the templates of `dtest-emit-macros` take in place of their splices, and constructors for what a template cannot say.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;

use super::{
    Argument, BinaryOp, Bind, Block, Carried, Expr, FieldPat, GenericArgument, Generics, Ident, If, Literal, Pat, Path, Segment, SelfType,
    Stmt, Stmts, Type, Unread,
};

/// A field of a struct expression.
pub(crate) type FieldValue = (String, Expr);
/// A parameter of a closure.
pub(crate) type Param = (Pat, Option<Type>);

// ---- Expressions -----------------------------------------------------------------------------------------------------

impl Expr {
    /// A literal: a number as it is written.
    pub(crate) fn number(text: impl ToString) -> Self {
        Self::Literal(Literal::Other(text.to_string()))
    }

    /// `name()`, of a variable as a receiver, an argument or an operand.
    pub(crate) fn name(text: &str) -> Self {
        Self::Name(Ident::new(text))
    }

    /// `a && b && …`; `true` for none.
    pub(crate) fn all(conditions: impl IntoIterator<Item = Self>) -> Self {
        let joined = conditions.into_iter().reduce(|a, b| Self::Binary(BinaryOp::And, Box::new(a), Box::new(b)));
        joined.unwrap_or(Self::Literal(Literal::Bool(true)))
    }

    /// `self || other`, where the other may be such an expression itself.
    pub(crate) fn or(self, other: Self) -> Self {
        match other {
            Self::Binary(BinaryOp::Or, first, last) => Self::Binary(BinaryOp::Or, Box::new(self.or(*first)), last),
            other => Self::Binary(BinaryOp::Or, Box::new(self), Box::new(other)),
        }
    }

    /// `a || b || …`; `false` for none.
    pub(crate) fn any(conditions: impl IntoIterator<Item = Self>) -> Self {
        let joined = conditions.into_iter().reduce(|a, b| Self::Binary(BinaryOp::Or, Box::new(a), Box::new(b)));
        joined.unwrap_or(Self::Literal(Literal::Bool(false)))
    }

    /// `format!(text)`: a macro of Rust's, which the printer lays out by itself.
    pub(crate) fn format(text: &str) -> Self {
        Self::Foreign(Carried(Box::new(syn::parse_quote!(format!(#text)))), BTreeSet::new())
    }

    /// `if cond { then } else els`
    pub(crate) fn branch(cond: Self, then: Stmts, els: Option<Self>) -> Self {
        Self::If(Box::new(If { cond, then: Block { stmts: then }, els }))
    }

    /// The one that there is, or a tuple.
    pub(crate) fn one_or_tuple(parts: Vec<Self>) -> Self {
        <[Self; 1]>::try_from(parts).map_or_else(Self::Tuple, |[one]| one)
    }

    /// Statements as one expression: the value that they are, or a block.
    pub(crate) fn of_stmts(mut stmts: Vec<Stmt>) -> Self {
        match stmts.pop() {
            Some(Stmt::Value(value)) if stmts.is_empty() => value,
            last => {
                stmts.extend(last);
                Self::Block { label: None, block: Block { stmts } }
            }
        }
    }
}

impl From<&Expr> for Expr {
    fn from(e: &Expr) -> Self {
        e.clone()
    }
}

impl From<Ident> for Expr {
    fn from(name: Ident) -> Self {
        Self::Name(name)
    }
}

impl From<&Ident> for Expr {
    fn from(name: &Ident) -> Self {
        Self::Name(name.clone())
    }
}

impl From<Path> for Expr {
    fn from(path: Path) -> Self {
        match path.into_name() {
            Ok(name) => Self::Name(name),
            Err(path) => Self::Path(path),
        }
    }
}

impl From<&Path> for Expr {
    fn from(path: &Path) -> Self {
        path.clone().into()
    }
}

impl Literal {
    /// `'c'`
    pub(crate) fn character(c: char) -> Self {
        Self::Other(proc_macro2::Literal::character(c).to_string())
    }
}

impl From<bool> for Expr {
    fn from(value: bool) -> Self {
        Self::Literal(Literal::Bool(value))
    }
}

impl From<char> for Expr {
    fn from(c: char) -> Self {
        Self::Literal(Literal::character(c))
    }
}

/// A text.
impl From<&str> for Expr {
    fn from(text: &str) -> Self {
        Self::number(proc_macro2::Literal::string(text))
    }
}

/// A text.
impl From<String> for Expr {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<Expr> for Argument {
    fn from(e: Expr) -> Self {
        Self::Value(e)
    }
}

// ---- Statements ------------------------------------------------------------------------------------------------------

/// What stands for statements.
pub(crate) trait IntoStmts {
    /// Adds them to others.
    fn add_to(self, stmts: &mut Vec<Stmt>);
}

impl IntoStmts for Stmt {
    fn add_to(self, stmts: &mut Vec<Stmt>) {
        stmts.push(self);
    }
}

impl IntoStmts for Vec<Stmt> {
    fn add_to(self, stmts: &mut Vec<Stmt>) {
        stmts.extend(self);
    }
}

impl IntoStmts for Option<Stmt> {
    fn add_to(self, stmts: &mut Vec<Stmt>) {
        stmts.extend(self);
    }
}

/// The value of a block, or an expression that ends as a block does.
impl IntoStmts for Expr {
    fn add_to(self, stmts: &mut Vec<Stmt>) {
        stmts.push(Stmt::Value(self));
    }
}

impl IntoStmts for &Expr {
    fn add_to(self, stmts: &mut Vec<Stmt>) {
        stmts.push(Stmt::Value(self.clone()));
    }
}

impl IntoStmts for Ident {
    fn add_to(self, stmts: &mut Vec<Stmt>) {
        stmts.push(Stmt::Value(self.into()));
    }
}

/// An item.
impl IntoStmts for TokenStream {
    fn add_to(self, stmts: &mut Vec<Stmt>) {
        if !self.is_empty() {
            stmts.push(Stmt::Unread(Unread(self)));
        }
    }
}

// ---- Patterns --------------------------------------------------------------------------------------------------------

impl Pat {
    /// The one that there is, or a tuple.
    pub(crate) fn one_or_tuple(parts: impl IntoIterator<Item = impl Into<Self>>) -> Self {
        let parts: Vec<Self> = parts.into_iter().map(Into::into).collect();
        <[Self; 1]>::try_from(parts).map_or_else(Self::Tuple, |[one]| one)
    }

    /// A variable.
    pub(crate) fn variable(name: &Ident, mutable: bool) -> Self {
        Self::Bind(Bind { name: name.clone(), by_ref: false, mutable, inner: None })
    }
}

impl FieldPat {
    /// `member: pattern`, or `member` where the pattern is a variable of that name.
    pub(crate) fn new(member: &Ident, pat: Pat) -> Self {
        let is_short = matches!(&pat, Pat::Bind(Bind { name, inner: None, .. }) if name == member);
        Self { member: member.to_string(), pat, is_short }
    }
}

impl From<Ident> for Pat {
    fn from(name: Ident) -> Self {
        Self::variable(&name, false)
    }
}

impl From<&Ident> for Pat {
    fn from(name: &Ident) -> Self {
        Self::variable(name, false)
    }
}

impl From<&Pat> for Pat {
    fn from(p: &Pat) -> Self {
        p.clone()
    }
}

impl From<Pat> for Param {
    fn from(p: Pat) -> Self {
        (p, None)
    }
}

impl From<Ident> for Param {
    fn from(name: Ident) -> Self {
        (name.into(), None)
    }
}

impl From<&Ident> for Param {
    fn from(name: &Ident) -> Self {
        (name.into(), None)
    }
}

// ---- Paths and types -------------------------------------------------------------------------------------------------

impl Path {
    /// A path that starts as another one does, or with a name, and with these arguments behind it.
    pub(crate) fn start(start: impl Into<Path>, generics: Generics) -> Self {
        let mut path = start.into();
        if let Some(last) = path.segments.last_mut().filter(|_| generics != Generics::None) {
            last.generics = generics;
        }
        path
    }

    /// `a::b::c`
    pub(crate) fn of(names: impl IntoIterator<Item = Ident>) -> Self {
        let segments = names.into_iter().map(|n| Segment { name: n.to_string(), generics: Generics::None });
        Self { qself: None, has_leading_colons: false, segments: segments.collect(), is_of_library: false }
    }

    /// `<T>`, or `<T as …`, of which the next `of_trait` names are the trait's.
    pub(crate) fn of_type(ty: Type, of_trait: usize) -> Self {
        let qself = Some(Box::new(SelfType { ty, of_trait }));
        Self { qself, has_leading_colons: false, segments: Vec::new(), is_of_library: false }
    }

    /// `<T as Trait>`
    pub(crate) fn of_type_as(ty: Type, of_trait: impl Into<Path>) -> Self {
        let path = of_trait.into();
        Self { qself: Some(Box::new(SelfType { ty, of_trait: path.segments.len() })), ..path }
    }

    /// `….name::<…>`
    pub(crate) fn then(mut self, name: impl ToString, generics: Generics) -> Self {
        self.segments.push(Segment { name: name.to_string(), generics });
        self
    }

    /// With `::` before it.
    pub(crate) fn rooted(self) -> Self {
        Self { has_leading_colons: true, ..self }
    }

    /// The name that is all of it.
    fn into_name(self) -> Result<Ident, Self> {
        match self.segments.as_slice() {
            [Segment { name, generics: Generics::None }] if self.qself.is_none() && !self.has_leading_colons => Ok(Ident::new(name)),
            _ => Err(self),
        }
    }
}

impl From<&str> for Path {
    fn from(name: &str) -> Self {
        Self::of([Ident::new(name)])
    }
}

impl From<&Ident> for Path {
    fn from(name: &Ident) -> Self {
        Self::of([name.clone()])
    }
}

impl From<Ident> for Path {
    fn from(name: Ident) -> Self {
        Self::of([name])
    }
}

impl From<&Path> for Path {
    fn from(path: &Path) -> Self {
        path.clone()
    }
}

impl Generics {
    /// These arguments, if there are any.
    pub(crate) fn of(arguments: Vec<GenericArgument>) -> Self {
        if arguments.is_empty() { Self::None } else { Self::Arguments(arguments) }
    }
}

impl From<Type> for GenericArgument {
    fn from(ty: Type) -> Self {
        Self::Type(ty)
    }
}

impl From<Ident> for GenericArgument {
    fn from(name: Ident) -> Self {
        Self::Type(name.into())
    }
}

impl From<&Ident> for GenericArgument {
    fn from(name: &Ident) -> Self {
        name.clone().into()
    }
}

impl From<&Type> for GenericArgument {
    fn from(ty: &Type) -> Self {
        Self::Type(ty.clone())
    }
}

impl From<u32> for GenericArgument {
    fn from(number: u32) -> Self {
        Self::Const(number.to_string())
    }
}

impl From<usize> for GenericArgument {
    fn from(number: usize) -> Self {
        Self::Const(number.to_string())
    }
}

impl From<Path> for Type {
    fn from(path: Path) -> Self {
        Self::Path(path)
    }
}

impl From<Ident> for Type {
    fn from(name: Ident) -> Self {
        Self::Path(name.into())
    }
}

impl Type {
    /// Whether a generic type with its arguments is in it.
    pub(crate) fn has_arguments(&self) -> bool {
        match self {
            Self::Path(p) => p.qself.is_some() || p.segments.iter().any(|s| s.generics != Generics::None),
            Self::Reference { of, .. } | Self::Array(of, _) | Self::Slice(of) => of.has_arguments(),
            Self::Tuple(types) => types.iter().any(Self::has_arguments),
            Self::Dyn(_) | Self::Impl(_) => true,
            Self::Infer => false,
        }
    }

    /// The one that there is, or a tuple.
    pub(crate) fn one_or_tuple(types: Vec<Self>) -> Self {
        <[Self; 1]>::try_from(types).map_or_else(Self::Tuple, |[one]| one)
    }
}

impl From<&Type> for Type {
    fn from(ty: &Type) -> Self {
        ty.clone()
    }
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens, quote};

    use super::super::read;
    use crate::rust::{Expr, Ident, Stmts, Type, expr, pat, path, stmts, ty};

    /// The text of an expression as it is printed.
    fn printed(e: &Expr) -> String {
        crate::print::print_expr(&e.to_token_stream()).unwrap()
    }

    #[test]
    fn a_template_is_what_is_read_of_its_text() {
        macro_rules! is_what_is_read {
            ($($template:tt)*) => {
                assert_eq!(expr!($($template)*), read::expression(quote!($($template)*)).unwrap());
            };
        }
        is_what_is_read!(f::<u8>(x, -1, !a && b || c, "text", 'c', &mut d, *e));
        is_what_is_read!(<T as A>::new::<Vec<&'a mut u8>, Rc<dyn Fn(A, [u8; 3]) -> B>>((a.b.0[1..=c], d[..]), (e)));
        is_what_is_read!(x.iter().map(move |(a, _), b: &Int| -> u8 { a as u8 }).collect::<Seq<_>>());
        is_what_is_read!(match x {
            A::B { a, c: (ref mut d, [e, ..]), .. } if a == 1 => {
                x += 1;
            }
            C(1 | -2) | D => return 3,
            &f => unreachable!("none"),
            g @ true => async move { s().await },
            _ => {}
        });
        is_what_is_read!('l: while let Some(&x) = y
            && z
        {
            if a {
                break 'l;
            } else if b {
                continue 'l;
            }
        });
        is_what_is_read!({
            let mut a: Seq<Bv<8>> = seq![1; 3];
            let Some(b) = map![a => b] else { panic!("x") };
            for i in 0..n {
                (a, _) = (b, [i, i]);
            }
            (&mut a).push('c');
            loop {}
            P { a: 1, ..q }
        });
    }

    #[test]
    fn splices_are_held_together() {
        let (sum, name) = (expr!(x + y), &Ident::new("z"));
        assert_eq!(printed(&expr!(#sum * #name.len())), "(x + y) * z.len()");
        assert_eq!(printed(&expr!(#name.#name(#name))), "z.z(z)");
    }

    #[test]
    fn lists_are_spread() {
        let (args, tests) = (&[expr!(a), expr!(b)], [expr!(a == b), expr!(c || d)]);
        assert_eq!(printed(&expr!(f(#..args, 1, (#..args), [#..args]))), "f(a, b, 1, (a, b), [a, b])");
        assert_eq!(printed(&expr!(#&&tests && !(#||tests))), "a == b && (c || d) && !(a == b || (c || d))");
        let (none, one) = (Vec::<Type>::new(), [ty!(u8)]);
        assert_eq!(printed(&expr!(A::<#..none>::new::<#..one>())), "A::new::<u8>()");
        let (names, more) = (&[Ident::new("a"), Ident::new("b")], stmts!(f(); g();));
        let all: Stmts = stmts!(let c = x; #..more h(#..names, c));
        assert_eq!(printed(&expr!(|#..names| { #..all })), "|a, b| {\n    let c = x;\n    f();\n    g();\n    h(a, b, c)\n}");
    }

    #[test]
    fn paths_and_types_go_on() {
        let (path, member, of) = (&path!(dunit::A), Ident::new("m"), &ty!(Seq<u8>));
        assert_eq!(printed(&expr!(#path::<#of>::#member)), "dunit::A::<Seq<u8>>::m");
        assert_eq!(printed(&expr!(<#of as #path>::m(1 as #path<8>))), "<Seq<u8> as dunit::A>::m(1 as dunit::A<8>)");
        let inner = pat!(#path::B { m: 2, .. });
        assert_eq!(printed(&expr!(match x { #inner => 1, })), "match x {\n    dunit::A::B { m: 2, .. } => 1,\n}");
    }

    #[test]
    fn labels_have_names() {
        let label = "outer";
        assert_eq!(printed(&expr!(#'label: loop { f(|| 1); break #'label; })), "'outer: loop {\n    f(|| 1);\n    break 'outer;\n}");
    }
}
