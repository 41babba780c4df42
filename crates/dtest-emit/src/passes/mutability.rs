//! Restricts `mut` to variables that are changed after their declaration.

use super::moves;
use crate::rust::resolved::{Function, Names, Pat, VisitMut};

/// Removes `mut` from variables that do not change.
pub(super) fn settle(f: &mut Function) {
    let changed = moves::changed(f);
    Mutability { changed }.block(&mut f.body);
}

struct Mutability {
    changed: Names,
}

impl VisitMut for Mutability {
    fn pat(&mut self, p: &mut Pat) {
        if let Pat::Bind(b) = p {
            b.mutable &= b.by_ref || self.changed.contains(&b.name);
        }
        self.inside_pat(p);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tidied;
    use crate::rust::items;

    #[test]
    fn mut_stands_where_a_variable_changes() {
        assert_eq!(
            tidied(items!(
                fn f() {
                    let mut a = 1;
                    let mut b = 1;
                    h(b);
                    b = 2;
                    g(a, b);
                }
            )),
            "fn f() {\n    let a = 1;\n    let mut b = 1;\n    h(b);\n    b = 2;\n    g(a, b);\n}\n"
        );
    }

    #[test]
    fn a_call_needs_mut_only_where_it_changes_its_receiver() {
        assert_eq!(
            tidied(items!(
                fn f() {
                    let mut a = g();
                    let mut b = g();
                    a.push(1);
                    a.take();
                    (&mut b).push(1);
                    h(a, b);
                }
            )),
            "fn f() {\n    let a = g();\n    let mut b = g();\n    a.push(1);\n    a.take();\n    b.push(1);\n    h(a, b);\n}\n"
        );
    }
}
