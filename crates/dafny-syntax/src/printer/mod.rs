//! From the parsed tree back to Dafny text.
//!
//! Printing what the parser made and parsing that again gives the same tree, spans aside. A tree made by
//! other means gets the parentheses that its operators need.

mod declarations;
mod expressions;
mod literals;
mod statements;
mod types;

#[cfg(test)]
mod tests;

use super::ast::{Attribute, Expr, File, Pattern, Stmt, Type};

/// A whole file as text.
pub fn file_to_string(file: &File) -> String {
    let mut printer = Printer::new(Layout::Lines);
    printer.file(file);
    printer.out
}

/// An expression on one line.
pub fn expr_to_string(expr: &Expr) -> String {
    let mut printer = Printer::new(Layout::OneLine);
    printer.expr(expr);
    printer.out
}

/// A type on one line.
pub fn type_to_string(ty: &Type) -> String {
    let mut printer = Printer::new(Layout::OneLine);
    printer.ty(ty);
    printer.out
}

/// A pattern on one line.
pub fn pattern_to_string(pattern: &Pattern) -> String {
    let mut printer = Printer::new(Layout::OneLine);
    printer.pattern(pattern);
    printer.out
}

/// A statement on one line.
pub fn stmt_to_string(stmt: &Stmt) -> String {
    let mut printer = Printer::new(Layout::OneLine);
    printer.stmt(stmt);
    printer.out
}

/// Stack that one level of the tree needs at most, and what is allocated when it is short.
const RED_ZONE: usize = 128 * 1024;
const STACK_PIECE: usize = 2 * 1024 * 1024;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Everything on one line.
    OneLine,
    /// Declarations, statements and clauses on lines of their own.
    Lines,
}

/// What may stand at the place being printed without parentheses; the parser's modes, seen from the other side.
#[derive(Clone, Copy)]
struct Context {
    /// `call; e`.
    lemma: bool,
    /// `x => e`.
    lambda: bool,
    /// `&`, `|`, `^`.
    bitwise: bool,
}

impl Context {
    /// Between brackets.
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

    /// A line break, or a space where all is on one line.
    fn line(&mut self) {
        match self.layout {
            Layout::OneLine => {
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

    /// `{ … }` around lines; `{}` around nothing.
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

    /// Words each after a space, printed from `start` on, become words each before one.
    fn leading_space_to_end(&mut self, start: usize) {
        if self.out.len() > start {
            self.out.remove(start);
            self.text(" ");
        }
    }

    /// Goes one level down the tree.
    fn nested(&mut self, contents: impl FnOnce(&mut Self)) {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || contents(self));
    }

    /// Attributes in braces, each after a space.
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

    /// Attributes `@Name(args)`, each on its line.
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
