//! Removes unused code: initial values that are overwritten, variables that only specifications
//! use, and unreachable statements.

use super::moves;
use crate::rust::NAMELESS;
use crate::rust::resolved::{
    Block, Expr, Function, Let, LoopHead, MacroName, NameId, NameTable, Names, Pat, Stmt, Visit,
    VisitMut, bound, mentions,
};
use crate::rust::without_raw;
use dtest_sorted::SortedSet;

// ---- Statements ---------------------------------------------------------------------------------

/// Removes unreachable statements.
pub(super) fn unreachable(body: &mut Block) {
    Reached.block(body);
}

struct Reached;

impl VisitMut for Reached {
    fn block(&mut self, b: &mut Block) {
        self.inside_block(b);
        // Inner blocks first: a block whose end was cut may itself never end.
        let end = b.stmts.iter().position(|s| match s {
            Stmt::Run(e) | Stmt::Value(e) => never_ends(e),
            // With `else`, the value may be one that the pattern does not match.
            Stmt::Let(l) => l.or_else.is_none() && l.value.as_ref().is_some_and(never_ends),
            Stmt::Space | Stmt::Fn(_) => false,
        });
        let Some(end) = end else { return };
        b.stmts.truncate(end + 1);
        // A diverging initial value needs no variable.
        if let Some(Stmt::Let(l)) = b.stmts.last_mut()
            && let Some(value) = l.value.take()
        {
            b.stmts.pop();
            b.stmts.push(Stmt::Value(value));
        }
    }
}

/// Whether control never continues after the expression.
pub(super) fn never_ends(e: &Expr) -> bool {
    let block = |b: &Block| b.end().is_some_and(never_ends);
    if let Some(branches) = e.branches() {
        // Rust's analysis ignores the value of a literal condition.
        branches.all(block, never_ends)
    } else if let Expr::Block { label, block: b } = e {
        // A `break` continues after the block.
        block(b) && !is_left(b, label.as_deref())
    } else if let Expr::Loop(l) = e {
        l.head == LoopHead::Always && !is_left(&l.body, l.label.as_deref())
    } else {
        e.leaves()
    }
}

/// Whether statements leave the enclosing loop or block with this label, by the label or without
/// one.
fn is_left(b: &Block, label: Option<&str>) -> bool {
    struct Breaks<'l> {
        label: Option<&'l str>,
        loops: usize,
        found: bool,
    }
    impl Visit for Breaks<'_> {
        fn expr(&mut self, e: &Expr) {
            // A `break` without a label belongs to the innermost loop; closures have loops of their
            // own.
            let is_loop = matches!(e, Expr::Loop(_) | Expr::Closure(_));
            if let Expr::Break(to, _) = e {
                self.found |= match to {
                    Some(to) => self.label == Some(to.as_str()),
                    None => self.loops == 0,
                };
            }
            self.loops += usize::from(is_loop);
            self.inside_expr(e);
            self.loops -= usize::from(is_loop);
        }
    }
    let mut breaks = Breaks {
        label,
        loops: 0,
        found: false,
    };
    breaks.block(b);
    breaks.found
}

// ---- Values -------------------------------------------------------------------------------------

/// Removes values that are never read, and marks the names of variables that are never read.
pub(super) fn settle(f: &mut Function) {
    // Removing a value may make others unused, so the pass is repeated until nothing changes.
    loop {
        moves::mark_dead(f);
        let mut pass = Values {
            uses: Uses::of(&f.body),
            names: &f.names,
            changed: false,
        };
        pass.block(&mut f.body);
        if !pass.changed {
            break;
        }
    }
    // Names that are never read are marked by an underscore; marked names must not clash with
    // others.
    let uses = Uses::of(&f.body);
    let taken = uses
        .read
        .iter()
        .map(|&n| f.names.text(n).to_owned())
        .collect();
    // A parameter that is never read is marked, too: its caller passes it by position.
    let mut pass = Marks {
        uses: &uses,
        names: &mut f.names,
        taken,
        done: Names::new(),
    };
    f.signature.params.iter_mut().for_each(|(p, _)| pass.pat(p));
    pass.block(&mut f.body);
}

/// The names that are read and the names that are assigned.
#[derive(Default)]
struct Uses {
    read: Names,
    stored: Names,
}

impl Uses {
    fn of(body: &Block) -> Self {
        let mut found = Self::default();
        found.block(body);
        found
    }
}

impl Visit for Uses {
    fn expr(&mut self, e: &Expr) {
        if let Expr::Name(n) | Expr::Take(n) = e {
            self.read.insert(*n);
        } else if let Expr::Assign(a) = e {
            // An assignment of the whole variable is no use of it; one of a part is.
            if let Expr::Name(n) = &a.place {
                self.stored.insert(*n);
            } else if let Expr::Tuple(places) = &a.place
                && places
                    .iter()
                    .all(|e| matches!(e, Expr::Name(_) | Expr::Ignored))
            {
                self.stored.extend(places.iter().flat_map(mentions));
            } else {
                self.expr(&a.place)
            }
            self.expr(&a.value);
        } else {
            self.inside_expr(e)
        }
    }
}

/// Whether evaluating an expression has no effect but its value: it calls no code of the program
/// and always terminates.
fn is_pure(e: &Expr, names: &NameTable) -> bool {
    // Arithmetic operators may fail (overflow, division by zero); comparisons cannot.
    let pure = |e: &Expr| is_pure(e, names);
    match e {
        Expr::Literal(_) | Expr::Path(_) | Expr::Name(_) | Expr::Take(_) => true,
        Expr::Reference { of: e, .. } | Expr::Unary(_, e) | Expr::Paren(e) | Expr::Field(e, _) => {
            pure(e)
        }
        Expr::Tuple(es) | Expr::Array(es) => es.iter().all(pure),
        Expr::Struct { fields, .. } => fields.iter().all(|(_, e)| pure(e)),
        Expr::Binary(op, a, b) => (op.is_lazy() || op.is_comparison()) && pure(a) && pure(b),
        // Other methods may be the program's, which may not terminate.
        Expr::Method(m) => m.name == "clone" && pure(&m.receiver),
        Expr::Call(c) => is_constructor(&c.func, names) && c.args.iter().all(pure),
        Expr::Macro(m) => {
            matches!(
                m.name,
                MacroName::Seq | MacroName::Set | MacroName::Map | MacroName::Multiset
            ) && m.args.iter().all(|a| a.as_value().is_some_and(pure))
        }
        Expr::Index(..)
        | Expr::Cast(..)
        | Expr::Range { .. }
        | Expr::Assign(_)
        | Expr::Update(..)
        | Expr::Ignored
        | Expr::Block { .. }
        | Expr::If(_)
        | Expr::Let(..)
        | Expr::Match(..)
        | Expr::Loop(_)
        | Expr::Closure(_)
        | Expr::Await(_)
        | Expr::Return(_)
        | Expr::Break(..)
        | Expr::Continue(_) => false,
    }
}

/// Whether a function only constructs values of the run-time library.
fn is_constructor(f: &Expr, names: &NameTable) -> bool {
    if let Expr::Name(n) = f {
        ["int", "real", "str", "ch"].contains(&names.text(*n))
    } else if let Expr::Path(p) = f {
        let is_null = p.last() == "null" && p.is_qualified()
            || p.is_of_library_type(&["Ref", "Array", "Dyn"], "null");
        let is_new = p.is_of_library_type(&["Seq", "Set", "Multiset", "Map", "Rc"], "new");
        // No member of a program has this name.
        is_new || is_null || p.last() == "dafny_default"
    } else {
        false
    }
}

/// Removes values that are never read.
struct Values<'f> {
    uses: Uses,
    names: &'f NameTable,
    changed: bool,
}

impl VisitMut for Values<'_> {
    fn block(&mut self, b: &mut Block) {
        self.inside_block(b);
        for s in std::mem::take(&mut b.stmts) {
            self.statement(s, &mut b.stmts);
        }
    }
}

impl Values<'_> {
    fn statement(&mut self, s: Stmt, out: &mut Vec<Stmt>) {
        match s {
            Stmt::Let(l) => self.local(*l, out),
            Stmt::Run(Expr::Assign(a)) | Stmt::Value(Expr::Assign(a))
                if a.is_dead && matches!(a.place, Expr::Name(n) if self.uses.read.contains(&n)) =>
            {
                // The value is still evaluated if that may fail or have an effect.
                self.changed = true;
                if !is_pure(&a.value, self.names) {
                    out.push(evaluated(a.value, None));
                }
            }
            s @ (Stmt::Run(_) | Stmt::Value(_) | Stmt::Space | Stmt::Fn(_)) => out.push(s),
        }
    }

    /// Simplifies a declaration, or removes it.
    fn local(&mut self, mut l: Let, out: &mut Vec<Stmt>) {
        let Some(&name) = bound(&l.pat).first() else {
            return out.push(Stmt::Let(Box::new(l)));
        };
        let (used, stored) = (
            self.uses.read.contains(&name),
            self.uses.stored.contains(&name),
        );
        // Only a specification used the variable.
        if l.unassigned && !used && !stored {
            return;
        }
        // The value is overwritten before it is read. The declaration stays, and may move to the
        // next value.
        if l.is_dead && stored && (used || l.unassigned) {
            self.changed = true;
            if let Some(value) = l.value.take().filter(|v| !is_pure(v, self.names)) {
                // No other code may determine its type.
                out.push(evaluated(value, l.ty.clone()));
            }
            l.unassigned = true;
        }
        out.push(Stmt::Let(Box::new(l)));
    }
}

/// `let _ = e;`
fn evaluated(e: Expr, ty: Option<crate::rust::resolved::Type>) -> Stmt {
    Stmt::Let(Box::new(Let::new(Pat::Wild, ty, e)))
}

// ---- Names --------------------------------------------------------------------------------------

/// Renames variables that are never read, so that the name shows it.
struct Marks<'u> {
    uses: &'u Uses,
    names: &'u mut NameTable,
    /// The names in use in the function.
    taken: SortedSet<String>,
    /// The variables that are renamed.
    done: Names,
}

impl Marks<'_> {
    fn is_unused(&self, p: &Pat) -> bool {
        matches!(p, Pat::Bind(b) if b.inner.is_none() && self.is_unused_name(b.name))
    }

    fn is_unused_name(&self, name: NameId) -> bool {
        // Constructors without arguments look like variables in patterns.
        let is_variable =
            without_raw(self.names.text(name)).starts_with(|c: char| c.is_lowercase());
        is_variable && !self.uses.read.contains(&name)
    }

    /// Whether neither the program nor the generated code uses the declared variable by name.
    fn is_nameless(&self, l: &Let) -> bool {
        let word = bound(&l.pat)
            .first()
            .is_some_and(|&n| self.names.text(n).starts_with(NAMELESS));
        word && l.ty.is_none() && self.is_unused(&l.pat) && l.value.is_some()
    }

    /// Replaces unused variables by `_` in patterns of a `match`.
    fn left_out(&self, p: &mut Pat) {
        struct LeftOut<'m, 'u>(&'m Marks<'u>);
        impl VisitMut for LeftOut<'_, '_> {
            fn pat(&mut self, p: &mut Pat) {
                self.inside_pat(p);
                if self.0.is_unused(p) {
                    *p = Pat::Wild;
                }
                if let Pat::Struct {
                    fields, has_rest, ..
                } = p
                {
                    let before = fields.len();
                    fields.retain(|f| f.pat != Pat::Wild);
                    *has_rest |= fields.len() < before;
                }
            }
        }
        LeftOut(self).pat(p);
    }
}

impl VisitMut for Marks<'_> {
    fn pat(&mut self, p: &mut Pat) {
        let Pat::Bind(b) = p else {
            return self.inside_pat(p);
        };
        if !self.is_unused_name(b.name) || !self.done.insert(b.name) {
            return;
        }
        let mut new = format!("_{}", without_raw(self.names.text(b.name)));
        while !self.taken.insert(new.clone()) {
            new.push('_');
        }
        self.names.rename(b.name, &new);
    }

    fn expr(&mut self, e: &mut Expr) {
        if let Expr::Let(p, _) = e {
            self.left_out(p);
        } else if let Expr::Match(_, arms) = e {
            arms.iter_mut().for_each(|a| self.left_out(&mut a.pat));
        }
        self.inside_expr(e);
    }

    fn stmt(&mut self, s: &mut Stmt) {
        if let Stmt::Let(l) = s {
            if self.is_nameless(l) {
                // A call whose result is unused is a statement.
                let is_call = matches!(
                    l.value,
                    Some(Expr::Call(_) | Expr::Method(_) | Expr::Macro(_) | Expr::Take(_))
                );
                match l.value.take_if(|_| is_call) {
                    Some(call) => *s = Stmt::Run(call),
                    None => l.pat = Pat::Wild,
                }
            } else if matches!(l.pat, Pat::Struct { .. } | Pat::TupleStruct(..)) {
                self.left_out(&mut l.pat);
            }
        }
        self.inside_stmt(s);
    }
}

#[cfg(test)]
mod tests {
    use crate::rust::{Stmts, items, stmts};

    fn tidied(body: Stmts) -> String {
        let text = super::super::tidied(items!(fn f(a: u8, b: u8) -> u8 { #..body }));
        text.replace('\n', " ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn values_that_are_overwritten_are_not_written() {
        assert_eq!(
            tidied(stmts!(let mut x = 1; loop { x = g(a, b); if x > 1 { return x; } })),
            "fn f(a: u8, b: u8) -> u8 { let mut x; loop { x = g(a, b); if x > 1 { return x; } } }"
        );
        assert_eq!(
            tidied(stmts!(let mut x = g(a); x = b; x)),
            "fn f(a: u8, b: u8) -> u8 { let _ = g(a); b }"
        );
        assert_eq!(
            tidied(stmts!(let mut x: u8 = g(a); x = b; x)),
            "fn f(a: u8, b: u8) -> u8 { let _: u8 = g(a); b }"
        );
        assert_eq!(
            tidied(stmts!(let mut x: Ref<u8> = Ref::null(); x = b; x)),
            "fn f(_a: u8, b: u8) -> u8 { b }"
        );
        assert_eq!(
            tidied(stmts!(let mut x = a; while h(b) { x = x + 1; } x)),
            "fn f(a: u8, b: u8) -> u8 { let mut x = a; while h(b) { x = x + 1; } x }"
        );
        assert_eq!(
            tidied(stmts!(let mut x = a; let y = g(x); x = b; y)),
            "fn f(a: u8, _b: u8) -> u8 { let x = a; g(x) }"
        );
    }

    #[test]
    fn variables_that_are_never_read_say_so() {
        assert_eq!(
            tidied(stmts!(let x = g(a); b)),
            "fn f(a: u8, b: u8) -> u8 { let _x = g(a); b }"
        );
        assert_eq!(
            tidied(stmts!(match a {
                A { x, y } => y,
                B(z) => b,
            })),
            "fn f(a: u8, b: u8) -> u8 { match a { A { y, .. } => y, B(_) => b, } }"
        );
        assert_eq!(
            tidied(stmts!(let (x, y) = g(a, b); for i in r() { h(|z| x); } x)),
            "fn f(a: u8, b: u8) -> u8 { let (x, _y) = g(a, b); for _i in r() { h(|_z| x); } x }"
        );
    }

    #[test]
    fn unreachable_code_is_left_out() {
        assert_eq!(
            tidied(stmts!(#[unassigned] let mut x = 0; if a { return 1; } else { return b; } x)),
            "fn f(a: u8, b: u8) -> u8 { if a { 1 } else { b } }"
        );
        assert_eq!(
            tidied(stmts!(loop { if a { break; } } b)),
            "fn f(a: u8, b: u8) -> u8 { loop { if a { break; } } b }"
        );
    }
}
