//! The printer, from the syntax tree back to Dafny text.
//!
//! Printing a parsed tree and parsing the result returns the same tree, apart from spans. A tree
//! that was constructed by a program gets the parentheses that its operators need.

mod declarations;
mod expressions;
mod literals;
mod precedence;
mod statements;
mod types;

#[cfg(test)]
mod tests;

use super::ast::{Attribute, Expr, File, Pattern, Stmt, Type};

/// Prints a whole file.
pub fn file_to_string(file: &File) -> String {
    let mut printer = Printer::new(Layout::Lines);
    printer.file(file);
    printer.out
}

/// Prints an expression on one line.
pub fn expr_to_string(expr: &Expr) -> String {
    let mut printer = Printer::new(Layout::OneLine);
    printer.expr(expr);
    printer.out
}

/// Prints a type on one line.
pub fn type_to_string(ty: &Type) -> String {
    let mut printer = Printer::new(Layout::OneLine);
    printer.ty(ty);
    printer.out
}

/// Prints a pattern on one line.
pub fn pattern_to_string(pattern: &Pattern) -> String {
    let mut printer = Printer::new(Layout::OneLine);
    printer.pattern(pattern);
    printer.out
}

/// Prints a statement on one line.
pub fn stmt_to_string(stmt: &Stmt) -> String {
    let mut printer = Printer::new(Layout::OneLine);
    printer.stmt(stmt);
    printer.out
}

/// The stack space, in bytes, that must remain before printing a level of the tree.
const RED_ZONE: usize = 128 * 1024;
const STACK_PIECE: usize = 2 * 1024 * 1024;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Everything on one line.
    OneLine,
    /// Declarations, statements and clauses on separate lines.
    Lines,
}

/// The expressions that may be printed without parentheses at the current place. Corresponds to the
/// parser's modes.
#[derive(Clone, Copy)]
struct Context {
    /// Whether `call; e` may be printed.
    lemma: bool,
    /// Whether `x => e` may be printed.
    lambda: bool,
    /// Whether `&`, `|` and `^` may be printed.
    bitwise: bool,
}

impl Context {
    /// Inside brackets.
    const INNER: Context = Context {
        lemma: true,
        lambda: true,
        bitwise: true,
    };
    /// Before a semicolon.
    const PLAIN: Context = Context {
        lemma: false,
        ..Context::INNER
    };
    /// In a clause of a contract.
    const CLAUSE: Context = Context {
        lambda: false,
        ..Context::PLAIN
    };
}

struct Printer {
    out: String,
    indent: usize,
    layout: Layout,
    context: Context,
}

impl Printer {
    fn new(layout: Layout) -> Self {
        Self {
            out: String::new(),
            indent: 0,
            layout,
            context: Context::INNER,
        }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Prints a line break, or a space in one-line mode.
    fn line(&mut self) {
        match self.layout {
            Layout::OneLine => {
                // One-line mode separates with a single space.
                if !self.out.is_empty() && !self.out.ends_with([' ', '{', '(', '[']) {
                    self.out.push(' ');
                }
            }
            Layout::Lines => {
                self.out.push('\n');
                for _ in 0..self.indent {
                    self.out.push_str("  ");
                }
            }
        }
    }

    /// Prints `{ … }` around lines, or `{}`.
    fn braces(&mut self, is_empty: bool, contents: impl FnOnce(&mut Self)) {
        if is_empty {
            return self.text("{}");
        }
        self.text("{");
        if self.layout == Layout::OneLine {
            self.text(" ");
        }
        self.indent += 1;
        contents(self);
        self.indent -= 1;
        self.line();
        self.text("}");
    }

    fn separated<T>(&mut self, items: &[T], separator: &str, mut item: impl FnMut(&mut Self, &T)) {
        for (i, it) in items.iter().enumerate() {
            if i > 0 {
                self.text(separator);
            }
            item(self, it);
        }
    }

    fn commas<T>(&mut self, items: &[T], item: impl FnMut(&mut Self, &T)) {
        self.separated(items, ", ", item);
    }

    /// Moves the space after each word printed since `start` before it.
    fn leading_space_to_end(&mut self, start: usize) {
        if self.out.len() > start {
            self.out.remove(start);
            self.text(" ");
        }
    }

    /// Prints one level deeper in the tree.
    fn nested(&mut self, contents: impl FnOnce(&mut Self)) {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || contents(self));
    }

    /// Prints attributes in braces, each after a space.
    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes.iter().filter(|a| !a.at) {
            self.text(" {:");
            self.text(&attribute.name.name);
            for (i, arg) in attribute.args.iter().enumerate() {
                self.text(if i == 0 { " " } else { ", " });
                self.expr(&arg.value);
            }
            self.text("}");
        }
    }

    /// Prints `@Name(args)` attributes, each on its own line.
    fn at_attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes.iter().filter(|a| a.at) {
            self.text("@");
            self.text(&attribute.name.name);
            match attribute.args.as_slice() {
                [only] if attribute.name.name.is_empty() => self.expr(&only.value),
                [] => {}
                args => self.arguments(args),
            }
            self.line();
        }
    }
}
