//! Simplifies the end of a function: removes `return`, and types that the result's type implies.

use super::blocks::returned_variable;
use crate::rust::resolved::{Block, Expr, Function, Path, Stmt, VisitMut};

/// Rewrites `return e;` at the end of a function to `e`.
pub(super) fn without_return(f: &mut Function) {
    end_without_return(&mut f.body, f.signature.result.is_some());
}

/// Shortens the value of a function body that has one.
pub(super) fn value(body: &mut Block) {
    // A variable that is returned at once is inlined first: its value may itself end in `return`.
    returned_variable(body, true);
    end_without_return(body, true);
    shorten_end(body);
    Returns.block(body);
}

fn end_without_return(b: &mut Block, has_result: bool) {
    let Some(last) = b.stmts.pop() else { return };
    match last {
        // Without a result, nothing is left of it.
        Stmt::Run(Expr::Return(e)) | Stmt::Value(Expr::Return(e)) => {
            b.stmts.extend(e.map(|e| Stmt::Value(*e)))
        }
        // Nothing follows the statement, so each of its branches ends the function.
        Stmt::Run(mut e @ (Expr::If(_) | Expr::Match(..))) if !has_result || returns(&e) => {
            branch_without_return(&mut e, has_result);
            b.stmts.push(if has_result {
                Stmt::Value(e)
            } else {
                Stmt::Run(e)
            });
        }
        Stmt::Value(mut e @ (Expr::If(_) | Expr::Match(..))) => {
            branch_without_return(&mut e, has_result);
            b.stmts.push(Stmt::Value(e));
        }
        last @ (Stmt::Let(_) | Stmt::Run(_) | Stmt::Value(_) | Stmt::Space | Stmt::Fn(_)) => {
            b.stmts.push(last)
        }
    }
}

/// Whether each branch ends in `return`.
fn returns(e: &Expr) -> bool {
    match e.branches() {
        Some(branches) => branches.all(|b| b.end().is_some_and(returns), returns),
        // A branch that diverges has the type of the others' values.
        None => matches!(e, Expr::Return(Some(_))) || e.diverges(),
    }
}

fn branch_without_return(e: &mut Expr, has_result: bool) {
    if let Some(branches) = e.branches_mut() {
        branches.each(
            |b| end_without_return(b, has_result),
            |e| branch_without_return(e, has_result),
        );
    } else if let Expr::Return(value) = e {
        *e = value.take().map_or(Expr::block(Vec::new()), |value| *value);
    }
}

// ---- Types determined by the result -------------------------------------------------------------

/// Rewrites `Option::<Int>::None` to `Option::None` if the function's result determines the type.
fn shorten_end(b: &mut Block) {
    if let Some(Stmt::Value(last)) = b.stmts.last_mut() {
        shorten(last);
    }
}

fn shorten(e: &mut Expr) {
    // The expected type of a result determines type arguments; the same holds at the ends of
    // branches, and in the parts of tuples and fields.
    if let Some(branches) = e.branches_mut() {
        return branches.each(shorten_end, shorten);
    }
    match e {
        Expr::Tuple(es) => es.iter_mut().for_each(shorten),
        Expr::Path(p) => p.drop_type_arguments(),
        Expr::Struct { path, fields, .. } => {
            path.drop_type_arguments();
            fields.iter_mut().for_each(|(_, e)| shorten(e));
        }
        Expr::Call(c) => {
            let Expr::Path(p) = &mut c.func else { return };
            if c.args.is_empty() && is_empty_collection(p) {
                p.drop_type_arguments();
            } else if p.is(&["Rc", "new"]) {
                c.args.iter_mut().for_each(shorten);
            }
        }
        Expr::If(_)
        | Expr::Match(..)
        | Expr::Block { .. }
        | Expr::Loop(_)
        | Expr::Return(_)
        | Expr::Break(..)
        | Expr::Continue(_) => {}
        Expr::Name(_)
        | Expr::Take(_)
        | Expr::Literal(_)
        | Expr::Macro(_)
        | Expr::Method(_)
        | Expr::Field(..)
        | Expr::Index(..) => {}
        Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Reference { .. }
        | Expr::Cast(..)
        | Expr::Paren(_)
        | Expr::Array(_) => {}
        Expr::Range { .. }
        | Expr::Assign(_)
        | Expr::Update(..)
        | Expr::Ignored
        | Expr::Let(..)
        | Expr::Closure(_)
        | Expr::Await(_) => {}
    }
}

fn is_empty_collection(path: &Path) -> bool {
    ["Seq", "Set", "Multiset", "Map"]
        .iter()
        .any(|c| path.is(&[c, "new"]))
}

/// Shortens the values of early returns.
struct Returns;

impl VisitMut for Returns {
    fn expr(&mut self, e: &mut Expr) {
        // A `return` in a closure has the type of the closure.
        if let Expr::Return(Some(value)) = e {
            shorten(value)
        } else if !matches!(e, Expr::Closure(_)) {
            self.inside_expr(e)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tidied;
    use crate::rust::items;

    #[test]
    fn functions_end_in_their_value() {
        assert_eq!(
            tidied(items!(
                fn f() -> u8 {
                    let a = 1;
                    return a;
                }
            )),
            "fn f() -> u8 {\n    1\n}\n"
        );
        assert_eq!(
            tidied(items!(
                fn f(c: bool) -> u8 {
                    if c {
                        return 1;
                    } else {
                        return 2;
                    }
                }
            )),
            "fn f(c: bool) -> u8 {\n    if c { 1 } else { 2 }\n}\n"
        );
    }

    #[test]
    fn the_result_says_its_type() {
        assert_eq!(
            tidied(items!(
                fn f(c: bool) -> Option<u8> {
                    if c {
                        return Option::<u8>::None;
                    }
                    g(Option::<u8>::None);
                    Option::<u8>::None
                }
            )),
            "fn f(c: bool) -> Option<u8> {\n    if c {\n        return Option::None;\n    }\n    g(Option::<u8>::None);\n    Option::None\n}\n"
        );
    }
}
