//! Pieces of Rust with what is known of their ownership, and their printed form.
//!
//! A [`Code`] is an expression wrapped in an invisible group, so that pieces compose without parentheses; those that
//! precedence needs are put in when the whole is printed.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

/// Who owns the value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// A temporary: moving it is free.
    Owned,
    /// A place of the value's own type: moving out of it takes a clone.
    Place,
    /// A reference to the value.
    Ref,
}

/// A Rust expression.
#[derive(Clone, Debug)]
pub(super) struct Code {
    tokens: TokenStream,
    own: Own,
    /// The value's type is `Copy`.
    copy: bool,
    /// A place or reference that outlives the statement.
    stable: bool,
}

impl Code {
    /// A temporary.
    pub(super) fn owned(tokens: TokenStream, copy: bool) -> Self {
        Self { tokens, own: Own::Owned, copy, stable: false }
    }

    /// A variable.
    pub(super) fn place(tokens: TokenStream, copy: bool) -> Self {
        Self { tokens, own: Own::Place, copy, stable: true }
    }

    /// A variable that is a reference.
    pub(super) fn reference(tokens: TokenStream, copy: bool) -> Self {
        Self { tokens, own: Own::Ref, copy, stable: true }
    }

    /// A place or reference that lives as long as `root` does.
    pub(super) fn within(tokens: TokenStream, own: Own, copy: bool, root: &Code) -> Self {
        Self { tokens, own, copy, stable: root.stable }
    }

    /// Whether it owns its value.
    pub(super) fn own(&self) -> Own {
        self.own
    }

    /// Whether it may be bound by reference.
    pub(super) fn is_stable(&self) -> bool {
        self.stable
    }

    /// An expression that yields the value itself.
    pub(super) fn owned_value(&self) -> TokenStream {
        let t = &self.grouped();
        match (self.own, self.copy) {
            (Own::Owned, _) | (Own::Place, true) => t.clone(),
            (Own::Ref, true) => group(quote!(*#t)),
            (Own::Place | Own::Ref, false) => group(quote!(#t.clone())),
        }
    }

    /// An expression that yields a reference to the value.
    pub(super) fn borrowed(&self) -> TokenStream {
        let t = &self.grouped();
        match self.own {
            Own::Owned | Own::Place => group(quote!(&#t)),
            Own::Ref => t.clone(),
        }
    }

    /// An operand of an operator that takes values and references alike.
    pub(super) fn operand(&self) -> TokenStream {
        let t = &self.grouped();
        match (self.own, self.copy) {
            (Own::Owned, _) | (Own::Place, true) => t.clone(),
            (Own::Place, false) => group(quote!(&#t)),
            (Own::Ref, true) => group(quote!(*#t)),
            (Own::Ref, false) => t.clone(),
        }
    }

    /// A place or temporary of the value's own type that is only looked at: a side of a comparison, a condition.
    pub(super) fn looked_at(&self) -> TokenStream {
        let t = &self.grouped();
        match self.own {
            Own::Owned | Own::Place => t.clone(),
            Own::Ref => group(quote!(*#t)),
        }
    }

    /// The receiver of a method that takes `&self`.
    pub(super) fn receiver(&self) -> TokenStream {
        self.grouped()
    }

    fn grouped(&self) -> TokenStream {
        group(self.tokens.clone())
    }
}

/// Tokens held together.
pub(super) fn group(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Group(_)), None) => tokens,
        _ => TokenTree::Group(Group::new(Delimiter::None, tokens)).into(),
    }
}

/// An identifier; raw where it is a keyword of Rust.
pub(super) fn ident(name: &str) -> Ident {
    // A keyword since the edition of 2024.
    if name == "gen" {
        return Ident::new_raw(name, Span::call_site());
    }
    match syn::parse_str::<Ident>(name) {
        Ok(plain) => plain,
        Err(_) if matches!(name, "self" | "Self" | "super" | "crate" | "_") => Ident::new(&format!("{name}_"), Span::call_site()),
        Err(_) => syn::parse_str::<Ident>(&format!("r#{name}")).unwrap_or_else(|_| Ident::new("unnamed", Span::call_site())),
    }
}

/// A lifetime such as `'outer`.
pub(super) fn lifetime(name: &str) -> syn::Lifetime {
    syn::Lifetime::new(&format!("'{name}"), Span::call_site())
}

/// A literal without a suffix.
pub(super) fn number(digits: &str) -> TokenStream {
    // A negative number as one token, so that nothing comes between the sign and the digits.
    if let Ok(n) = digits.parse::<i64>() {
        return TokenTree::from(proc_macro2::Literal::i64_unsuffixed(n)).into();
    }
    digits.parse().unwrap_or_default()
}

/// The tokens without invisible groups. Fails where they are no items of Rust, which is a bug of the translation.
pub(super) fn items(tokens: TokenStream) -> Result<Vec<syn::Item>, String> {
    let mut file: syn::File = syn::parse2(tokens).map_err(|e| e.to_string())?;
    syn::visit_mut::visit_file_mut(&mut Ungroup, &mut file);
    Ok(file.items)
}

/// Items as text.
pub(super) fn print_items(items: Vec<syn::Item>) -> String {
    prettyplease::unparse(&syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items })
}

/// Items as text, with an empty line between them and between the members of an `impl`.
pub(super) fn print_spaced(items: Vec<syn::Item>) -> String {
    let mut out = String::new();
    for item in items {
        let is_use = matches!(item, syn::Item::Use(_));
        let text = print_items(vec![item]);
        let continues_uses = is_use && out.ends_with(";\n");
        if !out.is_empty() && !continues_uses {
            out.push('\n');
        }
        let mut ended = false;
        for line in text.lines() {
            let member = line.strip_prefix("    ").is_some_and(|l| l.starts_with("///") || l.starts_with("pub fn") || l.starts_with("#["));
            if ended && member {
                out.push('\n');
            }
            ended = line == "    }";
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// An expression as text, on one line where `rustfmt` would put it so.
pub(super) fn print_expr(tokens: &TokenStream) -> Result<String, String> {
    let items = items(quote!(fn f() { let x = #tokens; }))?;
    let text = print_items(items);
    let inner = text.trim().strip_prefix("fn f() {").and_then(|t| t.strip_suffix('}')).unwrap_or("").trim();
    let value = inner.strip_prefix("let x =").and_then(|t| t.strip_suffix(';')).unwrap_or("").trim();
    let lines: Vec<&str> = value.lines().map(|l| l.strip_prefix("    ").unwrap_or(l)).collect();
    Ok(lines.join("\n"))
}

/// Statements as lines of text, without indentation.
pub(super) fn print_stmts(tokens: &TokenStream) -> Result<Vec<String>, String> {
    let text = print_items(items(quote!(fn f() { #tokens }))?);
    let inner = text.trim().strip_prefix("fn f() {").and_then(|t| t.strip_suffix('}')).unwrap_or("");
    Ok(inner.lines().filter(|l| !l.trim().is_empty()).map(|l| l.strip_prefix("    ").unwrap_or(l).to_owned()).collect())
}

struct Ungroup;

impl syn::visit_mut::VisitMut for Ungroup {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        while let syn::Expr::Group(g) = e {
            *e = (*g.expr).clone();
        }
        syn::visit_mut::visit_expr_mut(self, e);
    }

    fn visit_type_mut(&mut self, t: &mut syn::Type) {
        while let syn::Type::Group(g) = t {
            *t = (*g.elem).clone();
        }
        syn::visit_mut::visit_type_mut(self, t);
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        let mut out = TokenStream::new();
        for argument in arguments(m.tokens.clone()) {
            // `dafny_print!` marks what is statically a string.
            let (mark, rest) = match argument.clone().into_iter().next() {
                Some(TokenTree::Ident(i)) if i == "text" && argument.clone().into_iter().count() > 1 => {
                    (Some(i), argument.clone().into_iter().skip(1).collect())
                }
                _ => (None, argument.clone()),
            };
            let Ok(mut e) = syn::parse2::<syn::Expr>(rest) else { return };
            self.visit_expr_mut(&mut e);
            let comma = (!out.is_empty()).then(|| quote!(,));
            out = quote!(#out #comma #mark #e);
        }
        m.tokens = signed(out);
    }
}

/// With a minus sign at the start of an argument put together with its number: the printer knows no signs in macros.
fn signed(tokens: TokenStream) -> TokenStream {
    let (mut out, mut starts) = (TokenStream::new(), true);
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let next = match (&tree, trees.peek()) {
            (TokenTree::Punct(p), Some(TokenTree::Literal(l))) if starts && p.as_char() == '-' => {
                format!("-{l}").parse::<proc_macro2::Literal>().ok()
            }
            _ => None,
        };
        starts = matches!(&tree, TokenTree::Punct(p) if p.as_char() == ',');
        match (next, tree) {
            (Some(literal), _) => {
                trees.next();
                out.extend([TokenTree::Literal(literal)]);
            }
            (None, TokenTree::Group(g)) => out.extend([TokenTree::Group(Group::new(g.delimiter(), signed(g.stream())))]),
            (None, tree) => out.extend([tree]),
        }
    }
    out
}

/// The arguments of a macro, between commas.
fn arguments(tokens: TokenStream) -> Vec<TokenStream> {
    let mut out = vec![TokenStream::new()];
    for t in tokens {
        if matches!(&t, TokenTree::Punct(p) if p.as_char() == ',') {
            out.push(TokenStream::new());
        } else if let Some(last) = out.last_mut() {
            last.extend([t]);
        }
    }
    out.retain(|a| !a.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_stand_where_precedence_needs_them() {
        let sum = group(quote!(a + b));
        assert_eq!(print_expr(&quote!(#sum * c)).unwrap(), "(a + b) * c");
        assert_eq!(print_expr(&quote!(#sum + c)).unwrap(), "a + b + c");
        assert_eq!(print_expr(&quote!(#sum.len())).unwrap(), "(a + b).len()");
        assert_eq!(print_expr(&quote!(&#sum)).unwrap(), "&(a + b)");
        assert_eq!(print_expr(&quote!(seq![#sum * c, x.len()])).unwrap(), "seq![(a + b) * c, x.len()]");
        assert_eq!(print_expr(&quote!(x as u8 < y)).unwrap_or_default(), "");
    }

    #[test]
    fn keywords_become_raw_identifiers() {
        assert_eq!(ident("match").to_string(), "r#match");
        assert_eq!(ident("self").to_string(), "self_");
        assert_eq!(ident("size").to_string(), "size");
    }
}
