//! Resolves names: converts a tree with names as text to one in which every variable is a
//! [`NameId`].

use super::{
    Argument, Arm, Assign, Bind, Block, Call, Closure, Expr, FieldPat, FnItem, Function, Ident, If,
    Let, Loop, LoopHead, Macro, Method, NameId, NameTable, Pat, Path, Signature, Stmt,
};
use dtest_sorted::SortedMap;

/// Resolves the names of a function; `declared` tells which names the surrounding items declare.
pub(crate) fn resolve(f: FnItem, declared: &dyn Fn(&str) -> bool) -> Function {
    let mut resolver = Resolver {
        names: NameTable::default(),
        declared,
        scopes: Vec::new(),
        free: SortedMap::new(),
    };
    let FnItem { signature, body } = resolver.function(f);
    Function {
        names: resolver.names,
        signature,
        body,
    }
}

struct Resolver<'d> {
    names: NameTable,
    /// The names that the surrounding items declare.
    declared: &'d dyn Fn(&str) -> bool,
    /// The scopes, innermost last, with the variables that they declare.
    scopes: Vec<SortedMap<Ident, NameId>>,
    /// Names that the function does not declare.
    free: SortedMap<Ident, NameId>,
}

impl Resolver<'_> {
    /// Resolves a nested function, which sees no variables of the outer one.
    fn function(&mut self, f: FnItem) -> FnItem<NameId> {
        let (scopes, free) = (
            std::mem::replace(&mut self.scopes, vec![SortedMap::new()]),
            std::mem::take(&mut self.free),
        );
        let Signature {
            head,
            is_async,
            has_self,
            params,
            result,
        } = f.signature;
        let params = params
            .into_iter()
            .map(|(p, ty)| (self.pattern(p, false), ty))
            .collect();
        let body = self.block(f.body);
        (self.scopes, self.free) = (scopes, free);
        FnItem {
            signature: Signature {
                head,
                is_async,
                has_self,
                params,
                result,
            },
            body,
        }
    }

    fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(SortedMap::new());
        let out = f(self);
        self.scopes.pop();
        out
    }

    /// Resolves a name at its use.
    fn name(&mut self, name: Ident) -> NameId {
        if let Some(id) = self
            .scopes
            .iter()
            .rev()
            .find_map(|s| s.get(&name))
            .or_else(|| self.free.get(&name))
        {
            return *id;
        }
        let id = self.names.add(name.clone(), false);
        self.free.insert(name, id);
        id
    }

    // ---- Statements -----------------------------------------------------------------------------

    fn block(&mut self, b: Block) -> Block<NameId> {
        self.scoped(|r| Block {
            stmts: b.stmts.into_iter().map(|s| r.stmt(s)).collect(),
        })
    }

    fn stmt(&mut self, s: Stmt) -> Stmt<NameId> {
        match s {
            Stmt::Let(l) => Stmt::Let(Box::new(self.local(*l))),
            Stmt::Run(e) => Stmt::Run(self.expr(e)),
            Stmt::Value(e) => Stmt::Value(self.expr(e)),
            Stmt::Space => Stmt::Space,
            Stmt::Fn(f) => Stmt::Fn(Box::new(self.function(*f))),
        }
    }

    fn local(&mut self, l: Let) -> Let<NameId> {
        let Let {
            pat,
            ty,
            value,
            or_else,
            borrows,
            unassigned,
            is_dead,
        } = l;
        let value = value.map(|e| self.expr(e));
        let or_else = or_else.map(|e| self.expr(e));
        Let {
            pat: self.pattern(pat, true),
            ty,
            value,
            or_else,
            borrows,
            unassigned,
            is_dead,
        }
    }

    // ---- Expressions ----------------------------------------------------------------------------

    fn exprs(&mut self, es: Vec<Expr>) -> Vec<Expr<NameId>> {
        es.into_iter().map(|e| self.expr(e)).collect()
    }

    fn boxed(&mut self, e: Expr) -> Box<Expr<NameId>> {
        Box::new(self.expr(e))
    }

    fn maybe(&mut self, e: Option<Box<Expr>>) -> Option<Box<Expr<NameId>>> {
        e.map(|e| self.boxed(*e))
    }

    fn expr(&mut self, e: Expr) -> Expr<NameId> {
        match e {
            Expr::Name(n) => Expr::Name(self.name(n)),
            Expr::Take(n) => Expr::Take(self.name(n)),
            Expr::Path(p) => Expr::Path(self.path(p)),
            Expr::Literal(l) => Expr::Literal(l),
            Expr::Macro(m) => {
                let args = m.args.into_iter().map(|a| self.argument(a)).collect();
                Expr::Macro(Macro {
                    name: m.name,
                    in_brackets: m.in_brackets,
                    args,
                })
            }
            Expr::Call(c) => self.call(*c),
            Expr::Method(m) => self.method(*m),
            Expr::Field(e, member) => Expr::Field(self.boxed(*e), member),
            Expr::Index(e, index) => Expr::Index(self.boxed(*e), self.boxed(*index)),
            Expr::Unary(op, e) => Expr::Unary(op, self.boxed(*e)),
            Expr::Binary(op, left, right) => {
                Expr::Binary(op, self.boxed(*left), self.boxed(*right))
            }
            Expr::Update(op, place, value) => {
                Expr::Update(op, self.boxed(*place), self.boxed(*value))
            }
            Expr::Reference { mutable, of } => Expr::Reference {
                mutable,
                of: self.boxed(*of),
            },
            Expr::Cast(e, ty) => Expr::Cast(self.boxed(*e), ty),
            Expr::Paren(e) => Expr::Paren(self.boxed(*e)),
            Expr::Tuple(es) => Expr::Tuple(self.exprs(es)),
            Expr::Array(es) => Expr::Array(self.exprs(es)),
            Expr::Range {
                from,
                to,
                inclusive,
            } => Expr::Range {
                from: self.maybe(from),
                to: self.maybe(to),
                inclusive,
            },
            Expr::Struct { path, fields, rest } => {
                let fields = fields
                    .into_iter()
                    .map(|(member, e)| (member, self.expr(e)))
                    .collect();
                Expr::Struct {
                    path: self.path(path),
                    fields,
                    rest: self.maybe(rest),
                }
            }
            Expr::Assign(a) => {
                let Assign {
                    place,
                    value,
                    is_dead,
                } = *a;
                Expr::Assign(Box::new(Assign {
                    place: self.expr(place),
                    value: self.expr(value),
                    is_dead,
                }))
            }
            Expr::Ignored => Expr::Ignored,
            Expr::Block { label, block } => Expr::Block {
                label,
                block: self.block(block),
            },
            Expr::If(i) => self.branch(*i),
            Expr::Let(p, e) => {
                let e = self.boxed(*e);
                Expr::Let(Box::new(self.pattern(*p, true)), e)
            }
            Expr::Match(e, arms) => {
                let e = self.boxed(*e);
                Expr::Match(
                    e,
                    arms.into_iter()
                        .map(|a| self.scoped(|r| r.arm(a)))
                        .collect(),
                )
            }
            Expr::Loop(l) => self.looped(*l),
            Expr::Closure(c) => self.scoped(|r| r.closure(*c)),
            Expr::Await(e) => Expr::Await(self.boxed(*e)),
            Expr::Return(e) => Expr::Return(self.maybe(e)),
            Expr::Break(to, e) => Expr::Break(to, self.maybe(e)),
            Expr::Continue(to) => Expr::Continue(to),
        }
    }

    /// Resolves a call of a function. A call of `halt` diverges.
    fn call(&mut self, c: Call) -> Expr<NameId> {
        let func = self.expr(c.func);
        let halts = matches!(&func, Expr::Name(n) if self.names.text(*n) == "halt")
            || matches!(&func, Expr::Path(p) if p.is_library_function("halt"));
        Expr::Call(Box::new(Call {
            func,
            args: self.exprs(c.args),
            diverges: c.diverges || halts,
        }))
    }

    /// Resolves a call of a method.
    fn method(&mut self, m: Method) -> Expr<NameId> {
        Expr::Method(Box::new(Method {
            receiver: self.expr(m.receiver),
            changes: m.changes,
            name: m.name,
            generics: m.generics,
            args: self.exprs(m.args),
        }))
    }

    fn path(&self, path: Path) -> Path {
        let is_of_library = path
            .segments
            .first()
            .is_some_and(|s| !(self.declared)(&s.name));
        Path {
            is_of_library,
            ..path
        }
    }

    fn argument(&mut self, a: Argument) -> Argument<NameId> {
        match a {
            Argument::Value(e) => Argument::Value(self.expr(e)),
            Argument::Pair(key, value) => Argument::Pair(self.expr(key), self.expr(value)),
            Argument::Times(value, count) => Argument::Times(self.expr(value), self.expr(count)),
            Argument::Pattern(p) => Argument::Pattern(self.pattern(p, true)),
            Argument::Type(ty) => Argument::Type(ty),
        }
    }

    fn branch(&mut self, i: If) -> Expr<NameId> {
        let If { cond, then, els } = i;
        let (cond, then) = self.scoped(|r| (r.expr(cond), r.block(then)));
        let els = els.map(|e| self.expr(e));
        Expr::If(Box::new(If { cond, then, els }))
    }

    fn arm(&mut self, a: Arm) -> Arm<NameId> {
        let pat = self.pattern(a.pat, true);
        let guard = a.guard.map(|g| self.expr(g));
        Arm {
            pat,
            guard,
            body: self.expr(a.body),
        }
    }

    fn looped(&mut self, l: Loop) -> Expr<NameId> {
        let Loop { label, head, body } = l;
        self.scoped(|r| {
            let head = match head {
                LoopHead::Always => LoopHead::Always,
                LoopHead::While(cond) => LoopHead::While(r.expr(cond)),
                LoopHead::For(pat, values) => {
                    let values = r.expr(values);
                    LoopHead::For(r.pattern(pat, true), values)
                }
            };
            Expr::Loop(Box::new(Loop {
                label,
                head,
                body: r.block(body),
            }))
        })
    }

    fn closure(&mut self, c: Closure) -> Expr<NameId> {
        let params = c
            .params
            .into_iter()
            .map(|(p, ty)| (self.pattern(p, true), ty))
            .collect();
        Expr::Closure(Box::new(Closure {
            moves: c.moves,
            params,
            result: c.result,
            body: self.expr(c.body),
        }))
    }

    // ---- Patterns -------------------------------------------------------------------------------

    /// Resolves a pattern and brings its variables into scope; `is_local` tells whether the body
    /// declares them.
    fn pattern(&mut self, p: Pat, is_local: bool) -> Pat<NameId> {
        let mut binding = Binding {
            names: &mut self.names,
            found: SortedMap::new(),
            is_local,
        };
        let pat = binding.pattern(p);
        let found = binding.found;
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(found);
        }
        pat
    }
}

/// Resolves one pattern, whose alternatives bind the same variables.
struct Binding<'r> {
    names: &'r mut NameTable,
    found: SortedMap<Ident, NameId>,
    is_local: bool,
}

impl Binding<'_> {
    fn patterns(&mut self, ps: Vec<Pat>) -> Vec<Pat<NameId>> {
        ps.into_iter().map(|p| self.pattern(p)).collect()
    }

    fn pattern(&mut self, p: Pat) -> Pat<NameId> {
        match p {
            Pat::Wild => Pat::Wild,
            Pat::Bind(b) => Pat::Bind(self.bind(b)),
            Pat::Tuple(ps) => Pat::Tuple(self.patterns(ps)),
            Pat::Slice(ps) => Pat::Slice(self.patterns(ps)),
            Pat::TupleStruct(path, ps) => Pat::TupleStruct(path, self.patterns(ps)),
            Pat::Struct {
                path,
                fields,
                has_rest,
            } => {
                let fields = fields.into_iter().map(|f| FieldPat {
                    member: f.member,
                    is_short: f.is_short,
                    pat: self.pattern(f.pat),
                });
                Pat::Struct {
                    path,
                    fields: fields.collect(),
                    has_rest,
                }
            }
            Pat::Or(ps) => Pat::Or(self.patterns(ps)),
            Pat::Reference(p) => Pat::Reference(Box::new(self.pattern(*p))),
            Pat::Path(path) => Pat::Path(path),
            Pat::Literal(l) => Pat::Literal(l),
        }
    }

    fn bind(&mut self, b: Bind) -> Bind<NameId> {
        let name = match self.found.get(&b.name) {
            Some(known) => *known,
            None => self.names.add(b.name.clone(), self.is_local),
        };
        self.found.insert(b.name, name);
        let inner = b.inner.map(|p| Box::new(self.pattern(*p)));
        Bind {
            name,
            by_ref: b.by_ref,
            mutable: b.mutable,
            inner,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rust::print::print_items;
    use crate::rust::{FnItem, function, resolve, resolved};

    /// Resolves a function and numbers its variables.
    fn numbered(f: FnItem) -> String {
        let mut f = resolve(f, &|_| false);
        for (i, name) in f.names.declared().into_iter().enumerate() {
            let numbered = format!("{}{}", f.names.text(name), i + 1);
            f.names.rename(name, &numbered);
        }
        print_items(vec![resolved::Item::Fn(f)])
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn a_name_stands_for_the_variable_in_whose_scope_it_is() {
        assert_eq!(
            numbered(function!(
                fn f(x: u8) -> u8 {
                    let x = x;
                    g(x);
                    {
                        let x = h(x);
                        x
                    };
                    x
                }
            )),
            "fn f(x: u8) -> u8 { let x1 = x; g(x1); { let x2 = h(x1); x2 }; x1 }"
        );
        assert_eq!(
            numbered(function!(
                fn f() {
                    match a {
                        A { x } => x,
                        B(x) if x => expect!(x.y, x),
                        C(x) | D(x) => x,
                        _ => x,
                    }
                }
            )),
            "fn f() { match a { A { x: x1 } => x1, B(x2) if x2 => expect!(x2.y, x2), C(x3) | D(x3) => x3, _ => x, } }"
        );
        assert_eq!(
            numbered(function!(
                fn f() {
                    if let Some(x) = x
                        && x
                    {
                        x
                    } else {
                        h(|x| x)
                    }
                }
            )),
            "fn f() { if let Some(x1) = x && x1 { x1 } else { h(|x2| x2) } }"
        );
        assert_eq!(
            numbered(function!(
                fn f() {
                    for x in x {
                        g(x);
                    }
                    while let A(x) = x {
                        g(x);
                    }
                    x
                }
            )),
            "fn f() { for x1 in x { g(x1); } while let A(x2) = x { g(x2); } x }"
        );
    }

    #[test]
    fn a_function_within_a_function_sees_none_of_its_variables() {
        assert_eq!(
            numbered(function!(
                fn f() {
                    let x = 1;
                    fn g(y: u8) -> u8 {
                        let x = y;
                        x + z
                    }
                    let z = 2;
                    g(x)
                }
            )),
            "fn f() { let x1 = 1; fn g(y: u8) -> u8 { let x2 = y; x2 + z } let z3 = 2; g(x1) }"
        );
    }
}
