//! Branches, loops and jumps → Rust.

use proc_macro2::TokenStream;
use quote::quote;

use super::body::Body;
use super::code::{Own, ident, lifetime, without_raw};
use super::convention::Translated;
use super::names::snake_case;
use super::rep::Rep;
use super::rep::primitive;
use super::rust::marks;
use super::stmt::flat;
use dafny_resolve::typed::{
    Block, BreakTarget, Expr, ExprKind, Guard, GuardedCase, Literal, Name, Quantified, Rhs, Stmt, StmtKind, Target,
};

/// What a jump may leave or repeat.
#[derive(Debug, Clone)]
pub(super) enum Jump {
    /// A loop: its labels in Dafny, its label in Rust.
    Loop(Vec<Name>, String),
    /// A labelled statement.
    Labelled(Vec<Name>, String),
    /// A labelled block of ours: jumps across it need a label.
    Block,
}

impl Body<'_, '_, '_> {
    /// `while guard { … }`.
    pub(super) fn while_loop(&mut self, guard: &Guard, body: Option<&Block>, s: &Stmt) -> Translated<TokenStream> {
        let body = body.ok_or_else(|| self.scope.unsupported(s.span, "a loop without a body"))?;
        let head = match guard {
            Guard::Expr(e) if matches!(e.kind, ExprKind::Literal(Literal::Bool(true))) => quote!(loop),
            Guard::Expr(e) => {
                let cond = self.value(e)?;
                quote!(while #cond)
            }
            Guard::Star => quote!(while false),
            Guard::Binding(vars) => {
                let found = self.find(vars)?;
                let pattern = self.found_pattern(vars);
                quote!(while let #pattern = #found)
            }
        };
        self.looped(s, head, |b| b.block(body, false))
    }

    /// `for index := from to to { … }` and its other forms.
    pub(super) fn for_loop(&mut self, s: &Stmt) -> Translated<TokenStream> {
        let StmtKind::For { index, from, down, to, body, .. } = &s.kind else { return Ok(TokenStream::new()) };

        let body = body.as_ref().ok_or_else(|| self.scope.unsupported(s.span, "a loop without a body"))?;
        let ty = self.scope.ground.program[*index].ty.clone();
        // Values, not references: the body may assign what they are taken from.
        let end = |b: &mut Self, e: &Expr| if matches!(e.kind, ExprKind::Literal(_)) { b.index(e) } else { b.value(e) };
        let from_code = end(self, from)?;
        let to_code = to.as_ref().map(|t| end(self, t)).transpose()?;
        let name = self.declare(*index, Own::Place);
        let iterator = match (self.rep(&ty), to_code) {
            (Rep::Int, to) => {
                let range = self.scope.runtime(match (down, to.is_some()) {
                    (false, true) => "range",
                    (true, true) => "range_down",
                    (false, false) => "range_from",
                    (true, false) => "range_down_from",
                });
                let ends = if *down { [to, Some(from_code)] } else { [Some(from_code), to] };
                let ends = ends.iter().flatten();
                quote!(#range(#(#ends),*))
            }
            (Rep::Native(_), Some(to)) if *down => quote!((#to..#from_code).rev()),
            (Rep::Native(_), Some(to)) => quote!(#from_code..#to),
            // The loop has to be left before its index leaves its type.
            (Rep::Native(native), None) => {
                let native = ident(primitive(native));
                if *down { quote!((#native::MIN..#from_code).rev()) } else { quote!(#from_code..=#native::MAX) }
            }
            _ => return Err(self.scope.unsupported(s.span, "a `for` loop over a type that is not an integer type")),
        };
        self.looped(s, quote!(for #name in #iterator), |b| b.block(body, false))
    }

    pub(super) fn if_stmt(&mut self, guard: &Guard, then: &Block, els: Option<&Stmt>, at_end: bool) -> Translated<TokenStream> {
        let found = match guard {
            Guard::Binding(vars) => Some(self.find(vars)?),
            Guard::Expr(_) | Guard::Star => None,
        };
        let head = match guard {
            Guard::Expr(e) => {
                let cond = self.value(e)?;
                quote!(if #cond)
            }
            // As compiled Dafny chooses: what can be left out is.
            Guard::Star => {
                let taken = els.is_some();
                quote!(if #taken)
            }
            Guard::Binding(vars) => {
                let pattern = self.found_pattern(vars);
                quote!(if let #pattern = #found)
            }
        };
        let then = self.block(then, at_end)?;
        let els = match els.filter(|e| !e.ghost) {
            None => TokenStream::new(),
            Some(e) => {
                let inner = match &e.kind {
                    StmtKind::Block(b) if e.labels.is_empty() => self.block(b, at_end)?,
                    _ => {
                        self.at_end = at_end;
                        self.stmt(e)?
                    }
                };
                if matches!(e.kind, StmtKind::If { .. }) && e.labels.is_empty() {
                    quote!(else #inner)
                } else if inner.is_empty() {
                    TokenStream::new()
                } else {
                    quote!(else { #inner })
                }
            }
        };
        Ok(quote!(#head { #then } #els))
    }

    pub(super) fn guarded(&mut self, cases: &[GuardedCase], none: TokenStream, at_end: bool) -> Translated<TokenStream> {
        let mut branches = Vec::new();
        for case in cases {
            let head = match &case.guard {
                Guard::Expr(e) => self.value(e)?,
                Guard::Star => quote!(true),
                Guard::Binding(vars) => {
                    let found = self.find(vars)?;
                    let pattern = self.found_pattern(vars);
                    quote!(let #pattern = #found)
                }
            };
            let body = self.block(&case.body, at_end)?;
            branches.push((head, body));
        }
        Ok(branches.into_iter().rev().fold(none, |rest, (head, body)| quote!(if #head { #body } else #rest)))
    }

    pub(super) fn looped(
        &mut self,
        s: &Stmt,
        head: TokenStream,
        body: impl FnOnce(&mut Self) -> Translated<TokenStream>,
    ) -> Translated<TokenStream> {
        let name = self.label(&s.labels);
        self.jumps.push(Jump::Loop(s.labels.clone(), name.clone()));
        let inner = body(self);
        self.jumps.pop();
        let inner = inner?;
        if self.labels_used.contains(&name) {
            let label = lifetime(&name);
            Ok(quote!(#label: #head { #inner }))
        } else {
            Ok(quote!(#head { #inner }))
        }
    }

    /// A label in Rust: as in Dafny where it has a name.
    pub(super) fn label(&mut self, labels: &[Name]) -> String {
        let word = labels.first().map_or_else(|| "outer".to_owned(), |l| snake_case(l));
        let word = if word.starts_with(|c: char| c.is_ascii_digit()) { format!("l{word}") } else { word };
        // Unlike a variable, a label cannot be a keyword in any spelling.
        let word = if ident(&word).to_string().starts_with("r#") { format!("{word}_") } else { word };
        without_raw(&self.make_up(&word).to_string()).to_owned()
    }

    pub(super) fn jump(&mut self, is_continue: bool, target: &BreakTarget, s: &Stmt) -> Translated<TokenStream> {
        let (mut loops, mut crossed, mut found) = (0u32, false, None);
        for jump in self.jumps.iter().rev() {
            match (jump, target) {
                (Jump::Loop(labels, name) | Jump::Labelled(labels, name), BreakTarget::Label(l)) if labels.contains(l) => {
                    let innermost = loops == 0 && !crossed && matches!(jump, Jump::Loop(..));
                    found = Some((name.clone(), innermost));
                    break;
                }
                (Jump::Loop(_, name), BreakTarget::Loops(n)) => {
                    loops += 1;
                    if loops == *n {
                        found = Some((name.clone(), loops == 1 && !crossed));
                        break;
                    }
                }
                (Jump::Loop(..), BreakTarget::Label(_)) => loops += 1,
                (Jump::Block, _) | (Jump::Labelled(..), _) => crossed = true,
            }
        }
        let Some((name, plain)) = found else {
            return Err(self.scope.unsupported(s.span, "a jump out of what is around"));
        };
        let keyword = ident_word(is_continue);
        if plain {
            return Ok(quote!(#keyword;));
        }
        let label = lifetime(&name);
        self.labels_used.push(name);
        Ok(quote!(#keyword #label;))
    }

    /// `forall x | P { a[x] := e; }`: all values first, then all stores.
    pub(super) fn forall(&mut self, vars: &Quantified, body: &Block, s: &Stmt) -> Translated<TokenStream> {
        let stmts = flat(&body.stmts);
        let [Stmt { kind: StmtKind::Assign { declares, pairs }, .. }] = stmts.as_slice() else {
            if stmts.is_empty() {
                return Ok(TokenStream::new());
            }
            return Err(self.scope.unsupported(s.span, "a `forall` statement with this body"));
        };
        let ([(target, Rhs::Expr(value))], true) = (pairs.as_slice(), declares.is_empty()) else {
            return Err(self.scope.unsupported(s.span, "a `forall` statement with this body"));
        };
        let updates = self.make_up("updates");
        let mut store = TokenStream::new();
        let filling = self.loops(vars, &mut |b| {
            let v = b.value(value)?;
            match target {
                Target::Element { array, indices } => {
                    let array = b.value(array)?;
                    let mut at = Vec::new();
                    for i in indices {
                        at.push(b.value(i)?);
                    }
                    let at = match at.as_slice() {
                        [one] => one.clone(),
                        many => quote!((#(#many),*)),
                    };
                    store = quote!(for (array, index, value) in #updates { array.set(index, value); });
                    let changed = marks::changed(&updates);
                    Ok(quote!(#changed.push((#array, #at, #v));))
                }
                Target::Field { object, field } => {
                    let object = b.value(object)?;
                    let name = ident(b.scope.ground.names.field(*field));
                    store = quote!(for (object, value) in #updates { object.#name.set(value); });
                    let changed = marks::changed(&updates);
                    Ok(quote!(#changed.push((#object, #v));))
                }
                Target::Local(_) | Target::Discard(_) => Err(b.scope.unsupported(s.span, "a `forall` statement with this body")),
            }
        })?;
        Ok(quote!({ let mut #updates = std::vec::Vec::new(); #filling #store }))
    }
}

fn ident_word(is_continue: bool) -> TokenStream {
    if is_continue { quote!(continue) } else { quote!(break) }
}
