//! Guards a statement by an `if` whose condition is always true: a call of an opaque function,
//! whose postcondition is known but not its body.

use dafny_syntax::ast::{
    Attribute, BinaryOp, ClauseKind, File, FunctionDecl, FunctionKind, Member, Modifiers, Name,
    Span, Spec, Stmt, StmtKind, TopDecl, Type,
};

use super::find::{has_labels, in_lists};
use crate::build::{
    binary, block, call, clause, expr, formal, ident, if_then, int, named_type, paren, var,
};
use crate::driver::Dialect;
use crate::edit::{add_decl, replace_stmt};
use crate::mutation::{Place, Work};
use crate::names::Names;
use crate::random::Random;
use crate::scan::{Context, module_span};

/// The statements that declare nothing for later statements.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    in_lists(work, |cx, stmts, at| {
        let s = stmts.get(at)?;
        let declares = matches!(
            s.kind,
            StmtKind::VarDecl(_)
                | StmtKind::VarPattern { .. }
                | StmtKind::Reveal(_)
                | StmtKind::Hide(_)
        );
        // Later code may refer to a label.
        if declares || has_labels(s) {
            return None;
        }
        let cx = cx.clone();
        Some(Place::new(s.span, move |rng, names| {
            change(work, &cx, s, rng, names)
        }))
    })
}

fn change(
    work: &Work<'_>,
    cx: &Context<'_>,
    s: &Stmt,
    rng: &mut Random,
    names: &mut Names,
) -> Option<File> {
    let name = names.fresh("Always");
    let mut file = work.file.clone();
    let holds = call(var(&name), vec![int(rng.below(100) as i64)]);
    let replaced = replace_stmt(&mut file, s.span, |old| {
        vec![if_then(holds, block(vec![old]))]
    });
    let added = add_decl(
        &mut file,
        module_span(cx),
        TopDecl::Member(Member::Function(always(work, &name, names))),
    );
    (replaced && added).then_some(file)
}

/// Builds `opaque function Always(n: int): bool ensures Always(n) { n % 2 == 0 || n % 2 == 1 }`.
fn always(work: &Work<'_>, name: &Name, names: &mut Names) -> FunctionDecl {
    let n = names.fresh("n");
    let rest = |r: i64| {
        binary(
            BinaryOp::Eq,
            paren(binary(BinaryOp::Mod, var(&n), int(2))),
            int(r),
        )
    };
    let bool_type: Type = named_type("bool", vec![]);
    let is_new = work.facts.program.options.function_syntax == 4;
    let opaque = Attribute {
        name: ident("opaque"),
        at: false,
        args: Vec::new(),
        span: Span::default(),
    };
    // Dafny 4 has a keyword, older versions have an attribute.
    let by_word = work.dialect == Dialect::Four;
    FunctionDecl {
        modifiers: Modifiers {
            opaque: by_word,
            attributes: if by_word { Vec::new() } else { vec![opaque] },
            ..Modifiers::default()
        },
        kind: if is_new {
            FunctionKind::Function
        } else {
            FunctionKind::FunctionMethod
        },
        ghost: false,
        name: ident(name),
        type_params: Vec::new(),
        k_type: None,
        ins: vec![formal(&n, named_type("int", vec![]))],
        result_name: None,
        result: Some(bool_type),
        spec: Spec {
            clauses: vec![clause(ClauseKind::Ensures(call(var(name), vec![var(&n)])))],
        },
        body: Some(expr(dafny_syntax::ast::ExprKind::Binary(
            BinaryOp::Or,
            Box::new(rest(0)),
            Box::new(rest(1)),
        ))),
        by_method: None,
        is_refining: false,
        head: Span::default(),
        span: Span::default(),
    }
}
