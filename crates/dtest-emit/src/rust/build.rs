//! Conversions for the splices of `dtest-emit-macros`' templates, and constructors for trees that
//! templates cannot express.

use super::{
    Argument, Arm, BinaryOp, Bind, Block, Expr, FieldPat, FnItem, GenericArgument, Generics, Ident,
    If, Literal, Macro, MacroName, Pat, Path, Segment, SelfType, Stmt, Stmts, Type,
};

/// A field of a struct expression.
pub(crate) type FieldValue = (String, Expr);
/// A parameter of a closure.
pub(crate) type Param = (Pat, Option<Type>);

// ---- Expressions --------------------------------------------------------------------------------

impl Expr {
    /// Creates a number literal from its text.
    pub(crate) fn number(text: impl ToString) -> Self {
        Self::Literal(Literal::Number(text.to_string()))
    }

    /// Creates a variable as a receiver, an argument or an operand.
    pub(crate) fn name(text: &str) -> Self {
        Self::Name(Ident::new(text))
    }

    /// Creates `a && b && …`; `true` for none.
    pub(crate) fn all(conditions: impl IntoIterator<Item = Self>) -> Self {
        let joined = conditions
            .into_iter()
            .reduce(|a, b| Self::Binary(BinaryOp::And, Box::new(a), Box::new(b)));
        joined.unwrap_or(Self::Literal(Literal::Bool(true)))
    }

    /// Creates `self || other`, where `other` may be a disjunction that is joined at the same level.
    pub(crate) fn or(self, other: Self) -> Self {
        if let Self::Binary(BinaryOp::Or, first, last) = other {
            Self::Binary(BinaryOp::Or, Box::new(self.or(*first)), last)
        } else {
            Self::Binary(BinaryOp::Or, Box::new(self), Box::new(other))
        }
    }

    /// Creates `a || b || …`; `false` for none.
    pub(crate) fn any(conditions: impl IntoIterator<Item = Self>) -> Self {
        let joined = conditions
            .into_iter()
            .reduce(|a, b| Self::Binary(BinaryOp::Or, Box::new(a), Box::new(b)));
        joined.unwrap_or(Self::Literal(Literal::Bool(false)))
    }

    /// Creates `format!(text)`.
    pub(crate) fn format(text: &str) -> Self {
        Self::Macro(Macro {
            name: MacroName::Format,
            in_brackets: false,
            args: vec![Argument::Value(text.into())],
        })
    }

    /// Creates `match value { arms }`.
    pub(crate) fn matching(value: Self, arms: Vec<Arm>) -> Self {
        Self::Match(Box::new(value), arms)
    }

    /// Creates `if cond { then } else els`.
    pub(crate) fn branch(cond: Self, then: Stmts, els: Option<Self>) -> Self {
        Self::If(Box::new(If {
            cond,
            then: Block { stmts: then },
            els,
        }))
    }

    /// Returns the only element, or a tuple of all.
    pub(crate) fn one_or_tuple(parts: Vec<Self>) -> Self {
        <[Self; 1]>::try_from(parts).map_or_else(Self::Tuple, |[one]| one)
    }

    /// Converts statements to one expression: their value, or a block.
    pub(crate) fn of_stmts(mut stmts: Vec<Stmt>) -> Self {
        match stmts.pop() {
            Some(Stmt::Value(value)) if stmts.is_empty() => value,
            last => {
                stmts.extend(last);
                Self::Block {
                    label: None,
                    block: Block { stmts },
                }
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

impl From<bool> for Expr {
    fn from(value: bool) -> Self {
        Self::Literal(Literal::Bool(value))
    }
}

impl From<char> for Expr {
    fn from(c: char) -> Self {
        Self::Literal(Literal::Char(c))
    }
}

/// A string literal.
impl From<&str> for Expr {
    fn from(text: &str) -> Self {
        Self::Literal(Literal::Text(text.to_owned()))
    }
}

/// A string literal.
impl From<String> for Expr {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<Type> for Argument {
    fn from(ty: Type) -> Self {
        Self::Type(ty)
    }
}

impl From<Expr> for Argument {
    fn from(e: Expr) -> Self {
        Self::Value(e)
    }
}

// ---- Statements ---------------------------------------------------------------------------------

/// Conversion to statements.
pub(crate) trait IntoStmts {
    /// Appends the statements.
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

/// The expression becomes the value of the block, or its last statement.
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

impl IntoStmts for FnItem {
    fn add_to(self, stmts: &mut Vec<Stmt>) {
        stmts.push(Stmt::Fn(Box::new(self)));
    }
}

// ---- Patterns -----------------------------------------------------------------------------------

impl Pat {
    /// Returns the only element, or a tuple of all.
    pub(crate) fn one_or_tuple(parts: impl IntoIterator<Item = impl Into<Self>>) -> Self {
        let parts: Vec<Self> = parts.into_iter().map(Into::into).collect();
        <[Self; 1]>::try_from(parts).map_or_else(Self::Tuple, |[one]| one)
    }

    /// Creates a variable.
    pub(crate) fn variable(name: &Ident, mutable: bool) -> Self {
        Self::Bind(Bind {
            name: name.clone(),
            by_ref: false,
            mutable,
            inner: None,
        })
    }
}

impl Arm {
    /// Creates `pattern => body`.
    pub(crate) fn new(pat: Pat, body: impl Into<Expr>) -> Self {
        Self {
            pat,
            guard: None,
            body: body.into(),
        }
    }
}

impl FieldPat {
    /// Creates `member: pattern`, or the short form `member` if the pattern is a variable with that
    /// name.
    pub(crate) fn new(member: &Ident, pat: Pat) -> Self {
        let is_short = matches!(&pat, Pat::Bind(Bind { name, inner: None, .. }) if name == member);
        Self {
            member: member.to_string(),
            pat,
            is_short,
        }
    }
}

/// A field that is bound to a variable with its name.
impl From<&Ident> for FieldPat {
    fn from(name: &Ident) -> Self {
        Self::new(name, name.into())
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

// ---- Paths and types ----------------------------------------------------------------------------

impl Path {
    /// Creates a path from a prefix, with generic arguments after its last segment.
    pub(crate) fn start(start: impl Into<Path>, generics: Generics) -> Self {
        let mut path = start.into();
        if let Some(last) = path
            .segments
            .last_mut()
            .filter(|_| generics != Generics::None)
        {
            last.generics = generics;
        }
        path
    }

    /// Creates `a::b::c`.
    pub(crate) fn of(names: impl IntoIterator<Item = Ident>) -> Self {
        let segments = names.into_iter().map(|n| Segment {
            name: n.to_string(),
            generics: Generics::None,
        });
        Self {
            qself: None,
            has_leading_colons: false,
            segments: segments.collect(),
            is_of_library: false,
        }
    }

    /// Creates `<T>`, or `<T as …`, in which the next `of_trait` segments are those of the trait.
    pub(crate) fn of_type(ty: Type, of_trait: usize) -> Self {
        let qself = Some(Box::new(SelfType { ty, of_trait }));
        Self {
            qself,
            has_leading_colons: false,
            segments: Vec::new(),
            is_of_library: false,
        }
    }

    /// Creates `<T as Trait>`.
    pub(crate) fn of_type_as(ty: Type, of_trait: impl Into<Path>) -> Self {
        let path = of_trait.into();
        Self {
            qself: Some(Box::new(SelfType {
                ty,
                of_trait: path.segments.len(),
            })),
            ..path
        }
    }

    /// Appends a segment `name::<…>`.
    pub(crate) fn then(mut self, name: impl ToString, generics: Generics) -> Self {
        self.segments.push(Segment {
            name: name.to_string(),
            generics,
        });
        self
    }

    /// Adds generic arguments to the last segment.
    pub(crate) fn with(self, generics: Generics) -> Self {
        Self::start(self, generics)
    }

    /// Adds a leading `::`.
    pub(crate) fn rooted(self) -> Self {
        Self {
            has_leading_colons: true,
            ..self
        }
    }

    /// Returns the name if the path consists of one segment.
    fn into_name(self) -> Result<Ident, Self> {
        match self.segments.as_slice() {
            [
                Segment {
                    name,
                    generics: Generics::None,
                },
            ] if self.qself.is_none() && !self.has_leading_colons => Ok(Ident::new(name)),
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
    /// Creates generic arguments, if there are any.
    pub(crate) fn of(arguments: Vec<GenericArgument>) -> Self {
        if arguments.is_empty() {
            Self::None
        } else {
            Self::Arguments(arguments)
        }
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

impl From<&Path> for Type {
    fn from(path: &Path) -> Self {
        Self::Path(path.clone())
    }
}

impl From<&Ident> for Type {
    fn from(name: &Ident) -> Self {
        Self::Path(name.into())
    }
}

impl From<Ident> for Type {
    fn from(name: Ident) -> Self {
        Self::Path(name.into())
    }
}

impl Type {
    /// Whether the type contains a generic type with arguments.
    pub(crate) fn has_arguments(&self) -> bool {
        match self {
            Self::Path(p) => {
                p.qself.is_some() || p.segments.iter().any(|s| s.generics != Generics::None)
            }
            Self::Reference { of, .. } | Self::Array(of, _) | Self::Slice(of) => of.has_arguments(),
            Self::Tuple(types) => types.iter().any(Self::has_arguments),
            Self::Dyn(_) => true,
            Self::Infer => false,
        }
    }

    /// Returns the only element, or a tuple of all.
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
    use crate::passes::print_expr as printed;
    use crate::rust::{
        Attribute, Ident, Stmts, Type, expr, items, pat, path, resolve, resolved, stmts, ty,
    };

    #[test]
    fn a_template_is_written_as_its_text() {
        let template = items! {
            fn f<T: A>(x: &T, r#match: u8) -> u8 {
                let Point { a, b: (ref mut c, _), .. } = <T as A>::new::<Vec<&'a mut u8>, Rc<dyn Fn(A, [u8; 3]) -> B>>(x, -1);
                let [d, e]: [u8; 2] = [0, 1];
                let Some(&n) = a.get(..=c) else { unreachable!("no {}", 1) };
                'outer: while !e && d < n {
                    c.0 += seq![d; 9][1] as u8;
                    if (a | c) == 1 {
                        continue 'outer;
                    } else if d == 2 {
                        break;
                    }
                    dunit::offer!(cast, this, d);
                }
                let s = Point { a: a, x: r#match, ..Point::default() };
                *s.a = g(suspend().await, move |y: u8, _| -> u8 { y });
                (a, _) = (map![a => b], 1..2);
                match s {
                    Point { a: 1 | 2, .. } if a => return 3,
                    _ => matches!(s, Point { .. }),
                }
            }
        };
        let text = "\
fn f<T: A>(x: &T, r#match: u8) -> u8 {
    let Point { a, b: (ref mut c, _), .. } = <T as A>::new::<
        Vec<&'a mut u8>,
        Rc<dyn Fn(A, [u8; 3]) -> B>,
    >(x, -1);
    let [d, e]: [u8; 2] = [0, 1];
    let Some(&n) = a.get(..=c) else { unreachable!(\"no {}\", 1) };
    'outer: while !e && d < n {
        c.0 += seq![d; 9][1] as u8;
        if (a | c) == 1 {
            continue 'outer;
        } else if d == 2 {
            break;
        }
        dunit::offer!(cast, this, d);
    }
    let s = Point {
        a,
        x: r#match,
        ..Point::default()
    };
    *s.a = g(suspend().await, move |y: u8, _| -> u8 { y });
    (a, _) = (map![a => b], 1..2);
    match s {
        Point { a: 1 | 2, .. } if a => return 3,
        _ => matches!(s, Point { .. }),
    }
}
";
        let untouched = template
            .into_iter()
            .map(|i| i.map(&mut |f| resolve(f, &|_| false)))
            .collect();
        assert_eq!(crate::rust::print::print_items(untouched), text);
    }

    #[test]
    fn items_are_written_as_their_text() {
        let doc = vec![Attribute::Doc(" A pair.".into())];
        let template = items! {
            #[#..doc]
            #[derive(Clone, dmock::Mock)]
            #[mock(default = 1)]
            pub struct Pair<T: 'static> {
                pub a: T,
                #[doc(hidden)]
                b: u8,
            }
            struct Wrapper(pub Int);
            enum Choice {
                A,
                B { x: Int },
            }
            pub trait Shape<T>: Dynamic + Other<T> {
                fn area(&self, by: &Int) -> Int;
            }
            impl<T: Value> Shape<T> for Pair<T> {
                fn area(&self, by: &Int) -> Int {
                    by.clone()
                }
            }
            impl dyn Shape<u8> {
                async fn run() {}
            }
            pub type Alias = Wrapper;
            mod m {
                fn f() {}
            }
        };
        let text = "\
/// A pair.
#[derive(Clone, dmock::Mock)]
#[mock(default = 1)]
pub struct Pair<T: 'static> {
    pub a: T,
    #[doc(hidden)]
    b: u8,
}
struct Wrapper(pub Int);
enum Choice {
    A,
    B { x: Int },
}
pub trait Shape<T>: Dynamic + Other<T> {
    fn area(&self, by: &Int) -> Int;
}
impl<T: Value> Shape<T> for Pair<T> {
    fn area(&self, by: &Int) -> Int {
        by.clone()
    }
}
impl dyn Shape<u8> {
    async fn run() {}
}
pub type Alias = Wrapper;
mod m {
    fn f() {}
}
";
        let items: Vec<resolved::Item> = crate::passes::tidy(template, &Default::default());
        assert_eq!(crate::rust::print::print_items(items), text);
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
        assert_eq!(
            printed(&expr!(f(#..args, 1, (#..args), [#..args]))),
            "f(a, b, 1, (a, b), [a, b])"
        );
        assert_eq!(
            printed(&expr!(#&&tests && !(#||tests))),
            "a == b && (c || d) && !(a == b || (c || d))"
        );
        let (none, one) = (Vec::<Type>::new(), [ty!(u8)]);
        assert_eq!(
            printed(&expr!(A::<#..none>::new::<#..one>())),
            "A::new::<u8>()"
        );
        let (names, more) = (&[Ident::new("a"), Ident::new("b")], stmts!(f(); g();));
        let all: Stmts = stmts!(let c = x; #..more h(#..names, c));
        assert_eq!(
            printed(&expr!(|#..names| { #..all })),
            "|a, b| {\n    let c = x;\n    f();\n    g();\n    h(a, b, c)\n}"
        );
    }

    #[test]
    fn paths_and_types_go_on() {
        let (path, member, of) = (&path!(dunit::A), Ident::new("m"), &ty!(Seq<u8>));
        assert_eq!(
            printed(&expr!(#path::<#of>::#member)),
            "dunit::A::<Seq<u8>>::m"
        );
        assert_eq!(
            printed(&expr!(<#of as #path>::m(1 as #path<8>))),
            "<Seq<u8> as dunit::A>::m(1 as dunit::A<8>)"
        );
        let inner = pat!(#path::B { m: 2, .. });
        assert_eq!(
            printed(&expr!(match x { #inner => 1, })),
            "match x {\n    dunit::A::B { m: 2, .. } => 1,\n}"
        );
    }

    #[test]
    fn labels_have_names() {
        let label = "outer";
        assert_eq!(
            printed(&expr!(#'label: loop { f(|| 1); break #'label; })),
            "'outer: loop {\n    f(|| 1);\n    break 'outer;\n}"
        );
    }
}
