//! Property tests: a random tree is printed as text that parses to the same tree, apart from
//! parentheses.

use num_bigint::BigInt;
use proptest::prelude::*;

use super::super::ast::*;
use super::super::erase::EraseSpans;
use super::super::parse;
use super::{expr_to_string, file_to_string};

const AT: Span = Span { start: 0, end: 0 };

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: AT }
}

fn bx(e: Expr) -> Box<Expr> {
    Box::new(e)
}

fn ident() -> impl Strategy<Value = Ident> {
    const WORDS: &[&str] = &[
        "x", "y'", "s?", "Foo", "a_b", "to", "old_", "least", "reveal_",
    ];
    proptest::sample::select(WORDS).prop_map(|w| Ident {
        name: Name::from(w),
        span: AT,
    })
}

fn named_type(name: Ident, args: Option<Vec<Type>>) -> Type {
    Type {
        kind: TypeKind::Named(vec![TypeSegment { name, args }]),
        span: AT,
    }
}

fn ty() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        ident().prop_map(|i| named_type(i, None)),
        proptest::sample::select(&["int", "bv8", "array2?", "ORDINAL"][..]).prop_map(|w| {
            named_type(
                Ident {
                    name: Name::from(w),
                    span: AT,
                },
                None,
            )
        }),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            (ident(), prop::collection::vec(inner.clone(), 1..3))
                .prop_map(|(i, args)| named_type(i, Some(args))),
            prop::collection::vec((any::<bool>(), inner.clone()), 2..4).prop_map(|c| Type {
                kind: TypeKind::Tuple(
                    c.into_iter()
                        .map(|(ghost, ty)| TupleComponent { ghost, ty })
                        .collect()
                ),
                span: AT,
            }),
            (
                proptest::sample::select(
                    &[ArrowKind::Total, ArrowKind::Partial, ArrowKind::General][..]
                ),
                prop::collection::vec(inner.clone(), 0..3),
                inner
            )
                .prop_map(|(kind, params, result)| Type {
                    kind: TypeKind::Arrow {
                        kind,
                        params,
                        result: Box::new(result)
                    },
                    span: AT
                }),
        ]
    })
}

fn literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        any::<bool>().prop_map(Literal::Bool),
        any::<u64>().prop_map(|n| Literal::Int(BigInt::from(n))),
        (any::<u32>(), -80i64..80).prop_map(|(d, exponent)| Literal::Real {
            digits: BigInt::from(d),
            exponent
        }),
        any::<char>().prop_map(|c| Literal::Char(u32::from(c))),
        prop::collection::vec(0u32..0x3000, 0..6).prop_map(|units| Literal::String {
            units,
            verbatim: false
        }),
        "[ -~]{0,6}".prop_map(|s| Literal::String {
            units: s.chars().map(u32::from).collect(),
            verbatim: true
        }),
        Just(Literal::Null),
    ]
}

fn binary_op() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp as B;
    let all = [
        B::Iff,
        B::Implies,
        B::Explies,
        B::And,
        B::Or,
        B::Eq,
        B::Ne,
        B::Lt,
        B::Le,
        B::Gt,
        B::Ge,
        B::In,
        B::NotIn,
        B::Disjoint,
        B::Shl,
        B::Shr,
        B::Add,
        B::Sub,
        B::Mul,
        B::Div,
        B::Mod,
        B::BitAnd,
        B::BitOr,
        B::BitXor,
    ];
    proptest::sample::select(all.to_vec())
}

fn bound_var() -> impl Strategy<Value = BoundVar> {
    (ident(), proptest::option::of(ty())).prop_map(|(name, ty)| BoundVar { name, ty })
}

fn quantified_vars(
    inner: impl Strategy<Value = Expr> + Clone + 'static,
) -> impl Strategy<Value = QuantifiedVars> {
    let optional = proptest::option::of(inner);
    let var = (bound_var(), optional.clone(), optional.clone()).prop_map(
        |(BoundVar { name, ty }, domain, range)| QuantifiedVar {
            name,
            ty,
            domain,
            range,
        },
    );
    prop::collection::vec(var, 1..3).prop_map(|mut vars| {
        let range = vars.last_mut().and_then(|v| v.range.take()).map(Box::new);
        QuantifiedVars {
            vars,
            attributes: Vec::new(),
            range,
        }
    })
}

fn pattern() -> impl Strategy<Value = Pattern> {
    let path = || {
        ident().prop_map(|i| QualifiedName {
            segments: vec![i],
            span: AT,
        })
    };
    let name = (path(), proptest::option::of(ty())).prop_map(|(path, ty)| Pattern {
        kind: PatternKind::Name { path, ty },
        span: AT,
    });
    name.prop_recursive(2, 6, 3, move |inner| {
        let many = prop::collection::vec(inner, 0..3);
        prop_oneof![
            many.clone().prop_map(|p| Pattern {
                kind: PatternKind::Tuple(p),
                span: AT
            }),
            (path(), many).prop_map(|(path, args)| Pattern {
                kind: PatternKind::Ctor { path, args },
                span: AT
            }),
        ]
    })
}

fn statement(inner: impl Strategy<Value = Expr> + Clone + 'static) -> impl Strategy<Value = Stmt> {
    let stmt = |kind| Stmt {
        labels: Vec::new(),
        attributes: Vec::new(),
        kind,
        span: AT,
    };
    let call = |callee: Ident, args: Vec<Expr>| {
        let callee = bx(expr(ExprKind::Name {
            name: callee,
            type_args: None,
        }));
        let args = args
            .into_iter()
            .map(|value| Argument { name: None, value })
            .collect();
        expr(ExprKind::Call {
            callee,
            at_label: None,
            args,
        })
    };
    prop_oneof![
        inner.clone().prop_map(move |e| stmt(StmtKind::Assert {
            label: None,
            cond: Some(e),
            by: None
        })),
        inner
            .clone()
            .prop_map(move |e| stmt(StmtKind::Assume(Some(e)))),
        (inner.clone(), inner.clone()).prop_map(move |(e, m)| stmt(StmtKind::Expect {
            cond: Some(e),
            message: Some(m)
        })),
        (ident(), prop::collection::vec(inner, 0..3)).prop_map(move |(f, args)| {
            let rhs = Rhs {
                attributes: Vec::new(),
                kind: RhsKind::Expr(call(f, args)),
                span: AT,
            };
            stmt(StmtKind::Update(Update {
                lhs: Vec::new(),
                assign: Assign::Rhs(vec![rhs]),
            }))
        }),
    ]
}

fn expression() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        literal().prop_map(|l| expr(ExprKind::Literal(l))),
        ident().prop_map(|name| expr(ExprKind::Name {
            name,
            type_args: None
        })),
        Just(expr(ExprKind::This)),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        let list = |range: std::ops::Range<usize>| prop::collection::vec(inner.clone(), range);
        let operators = prop_oneof![
            // A name before `<` could be parsed as a name with type arguments, so Dafny requires
            // parentheses.
            4 => (binary_op(), boxed(), boxed()).prop_map(|(op, l, r)| {
                let l = if op == BinaryOp::Lt { bx(expr(ExprKind::Paren(l))) } else { l };
                expr(ExprKind::Binary(op, l, r))
            }),
            1 => (boxed(), list(2..4)).prop_map(|(first, rest)| {
                let rest = rest.into_iter().map(|e| (BinaryOp::Le, e)).collect();
                expr(ExprKind::Chain { first, rest })
            }),
            1 => (prop_oneof![Just(UnaryOp::Not), Just(UnaryOp::Neg)], boxed()).prop_map(|(op, e)| expr(ExprKind::Unary(op, e))),
            1 => (boxed(), ty()).prop_map(|(e, t)| expr(ExprKind::Paren(bx(expr(ExprKind::As(e, t)))))),
            1 => (boxed(), boxed(), boxed()).prop_map(|(limit, left, right)| expr(ExprKind::PrefixEq { negated: false, limit, left, right })),
            1 => boxed().prop_map(|e| expr(ExprKind::Cardinality(e))),
        ];
        let suffixes = prop_oneof![
            (boxed(), ident()).prop_map(|(object, member)| expr(ExprKind::Select { object, member, type_args: None })),
            (boxed(), list(0..3)).prop_map(|(callee, args)| {
                let args = args.into_iter().map(|value| Argument { name: None, value }).collect();
                expr(ExprKind::Call { callee, at_label: None, args })
            }),
            (boxed(), list(1..3)).prop_map(|(object, indices)| expr(ExprKind::Index { object, indices })),
            (boxed(), proptest::option::of(boxed()), proptest::option::of(boxed()))
                .prop_map(|(object, from, to)| expr(ExprKind::Slice { object, from, to })),
            (boxed(), boxed(), boxed()).prop_map(|(object, key, value)| expr(ExprKind::Update { object, key, value })),
            (boxed(), ident(), inner.clone()).prop_map(|(object, f, v)| expr(ExprKind::DatatypeUpdate { object, updates: vec![(f, v)] })),
        ];
        let displays = prop_oneof![
            list(0..3).prop_map(|e| expr(ExprKind::SeqDisplay(e))),
            (any::<bool>(), list(0..3)).prop_map(|(infinite, elements)| expr(ExprKind::SetDisplay { infinite, elements })),
            list(0..3).prop_map(|e| expr(ExprKind::MultisetDisplay(e))),
            prop::collection::vec((any::<bool>(), inner.clone()), 2..4).prop_map(|e| expr(ExprKind::Tuple(e))),
            prop::collection::vec((inner.clone(), inner.clone()), 0..3).prop_map(|pairs| expr(ExprKind::MapDisplay { infinite: false, pairs })),
            boxed().prop_map(|e| expr(ExprKind::Old { label: None, expr: e })),
            (boxed(), boxed()).prop_map(|(len, init)| expr(ExprKind::SeqConstruct { elem: None, len, init })),
        ];
        let endless = prop_oneof![
            (any::<bool>(), quantified_vars(inner.clone()), boxed())
                .prop_map(|(forall, vars, body)| expr(ExprKind::Quantifier { forall, vars, body })),
            (any::<bool>(), quantified_vars(inner.clone()), boxed())
                .prop_map(|(infinite, vars, term)| expr(ExprKind::SetComp { infinite, vars, term: Some(term) })),
            (quantified_vars(inner.clone()), proptest::option::of(boxed()), boxed())
                .prop_map(|(vars, key, value)| expr(ExprKind::MapComp { infinite: false, vars, key, value })),
            (prop::collection::vec(bound_var(), 0..3), boxed())
                .prop_map(|(params, body)| expr(ExprKind::Lambda { params, spec: Spec::default(), body })),
            (inner.clone(), boxed(), boxed())
                .prop_map(|(g, then, els)| expr(ExprKind::If { guard: Box::new(Guard::Expr(g)), then, els })),
            (any::<bool>(), pattern(), inner.clone(), boxed())
                .prop_map(|(ghost, p, v, body)| expr(ExprKind::Let { ghost, patterns: vec![p], values: vec![v], body })),
            (bound_var(), boxed(), boxed()).prop_map(|(v, cond, body)| {
                expr(ExprKind::LetSuchThat { ghost: false, vars: vec![v], attributes: Vec::new(), cond, body })
            }),
            (boxed(), prop::collection::vec((pattern(), inner.clone()), 1..3), any::<bool>()).prop_map(|(scrutinee, cases, braces)| {
                let cases = cases.into_iter().map(|(pattern, body)| ExprCase { attributes: Vec::new(), pattern, body, span: AT });
                let e = expr(ExprKind::Match { scrutinee, cases: cases.collect(), braces });
                // Without braces, the cases of an enclosing `match` would be parsed as cases of
                // this one.
                if braces { e } else { expr(ExprKind::Paren(bx(e))) }
            }),
            (statement(inner.clone()), boxed()).prop_map(|(s, body)| expr(ExprKind::StmtExpr { stmt: Box::new(s), body })),
        ];
        prop_oneof![4 => operators, 2 => suffixes, 2 => displays, 3 => endless]
    })
}

/// The tree in debug format without the program's parentheses, so that trees can be compared.
fn skeleton(e: &Expr) -> String {
    let text = format!("{e:?}");
    let mut rest = text.as_str();
    let mut out = String::new();
    let mut closing = Vec::new();
    // `Expr { kind: Paren(Expr { …inner… }), span: 0..0 }` becomes `Expr { …inner… }`.
    const OPEN: &str = "Expr { kind: Paren(";
    const CLOSE: &str = "), span: 0..0 }";
    let mut depth = 0usize;
    let mut quoted = false;
    while let Some(c) = rest.chars().next() {
        if !quoted && rest.starts_with(OPEN) {
            closing.push(depth);
            rest = &rest[OPEN.len()..];
            continue;
        }
        if !quoted && closing.last() == Some(&depth) && rest.starts_with(CLOSE) {
            closing.pop();
            rest = &rest[CLOSE.len()..];
            continue;
        }
        match c {
            '"' => quoted = !quoted,
            '(' | '{' | '[' if !quoted => depth += 1,
            ')' | '}' | ']' if !quoted => depth -= 1,
            _ => {}
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_expressions_print_and_parse_to_equal_trees(e in expression()) {
        let one_line = expr_to_string(&e);
        prop_assert!(!one_line.contains('\n'), "{}", one_line);
        let text = format!("const c := ({one_line})");
        let (mut file, diagnostics) = parse(0, &text);
        prop_assert!(diagnostics.is_empty(), "{}\n{:?}", text, diagnostics);
        prop_assert_eq!(file_to_string(&file).split_whitespace().collect::<String>(), text.split_whitespace().collect::<String>());
        file.erase_spans();
        match file.decls.as_slice() {
            [TopDecl::Member(Member::Const(ConstDecl { value: Some(again), .. }))] => {
                prop_assert!(skeleton(again) == skeleton(&e), "{}\n{}\n{}", text, skeleton(again), skeleton(&e));
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }

    #[test]
    fn comments_are_printed_as_documentation_that_is_read_as_the_same(
        lines in prop::collection::vec("[/* a\\t\"é]{0,6}", 1..4),
        block in "[/* a\n]{0,6}",
    ) {
        let above: String = lines.iter().map(|l| format!("//{l}\n")).collect();
        // A text that does not form one whole comment cannot be documentation.
        let block = format!("/** {block} */");
        let is_comment = crate::lexer::lex(0, &format!("{block}\nx")).tokens.len() == 2;
        for before in [above, if is_comment { block } else { String::new() }] {
            let text = format!("{before} method A()\nmethod B()\n");
            let (file, diagnostics) = parse(0, &text);
            prop_assert_eq!(diagnostics, []);
            let printed = file_to_string(&file);
            let (again, diagnostics) = parse(0, &printed);
            prop_assert_eq!(diagnostics, [], "{}", printed);
            prop_assert_eq!(file.decls.len(), again.decls.len(), "{}", printed);
            let doc = |f: &File| match f.decls.first() {
                Some(TopDecl::Member(Member::Method(m))) => m.modifiers.doc.clone(),
                _ => None,
            };
            prop_assert_eq!(doc(&file), doc(&again), "{}", printed);
        }
    }

    #[test]
    fn random_types_print_and_parse_to_equal_trees(t in ty()) {
        let text = format!("type T = {}", super::type_to_string(&t));
        let (mut file, diagnostics) = parse(0, &text);
        prop_assert!(diagnostics.is_empty(), "{}\n{:?}", text, diagnostics);
        file.erase_spans();
        match file.decls.as_slice() {
            [TopDecl::Type(TypeDecl { definition: Some(Constrained { base: Some(again), .. }), .. })] => prop_assert_eq!(again, &t),
            other => prop_assert!(false, "{other:?}"),
        }
    }
}
