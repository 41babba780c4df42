//! Lazily evaluated values: codatatypes, iterators, and functions that are partial or read the
//! heap.

use super::declarations::{Callable, Ctor, Data, In};
use super::statements::BodyContext;
use super::types::Type;
use super::{Generator, Home, Variable};

/// An iterator.
#[derive(Clone, Debug)]
pub(super) struct Iterator {
    home: Home,
    name: String,
    ins: Vec<Type>,
    yields: Vec<(String, Type)>,
}

impl Generator {
    /// Draws a codatatype, a function that constructs infinite values of it, and one that returns a
    /// finite prefix.
    pub(super) fn stream(&mut self) {
        let name = self.type_name("S");
        let elem = self.key_type(1);
        let (end, more) = (self.constructor_name(), self.constructor_name());
        let (head, tail) = (self.member_name("head"), self.member_name("tail"));
        let (d, home) = (self.data.len(), self.home);
        let own = Type::Data(d, vec![]);
        let shown = self.show(&elem);
        self.line(format!(
            "codatatype {name} = {end} | {more}({head}: {shown}, {tail}: {name})"
        ));
        let ctors = vec![
            Ctor {
                name: end.clone(),
                fields: vec![],
            },
            Ctor {
                name: more.clone(),
                fields: vec![(head, elem.clone()), (tail, own.clone())],
            },
        ];
        self.data.push(Data {
            home,
            name: name.clone(),
            params: vec![],
            ctors,
            equality: false,
            complete: true,
            failure: false,
            parents: vec![],
        });
        self.corecursive_function(&own, &elem, &name, &more);
        let take = self.value_name("F");
        let out = Type::seq(elem);
        let result = self.show(&out);
        self.line(format!("function {take}(n: nat, s: {name}): {result} {{"));
        self.line(format!("  if n == 0 then [] else match s {{ case {end} => [] case {more}(x, rest) => [x] + {take}(n - 1, rest) }}"));
        self.line("}");
        let ins = vec![("n", Type::Nat), ("s", own)]
            .into_iter()
            .map(|(n, ty)| In {
                name: n.into(),
                ty,
                default: false,
                ghost: false,
            });
        let ins = ins.collect();
        self.functions.push(Callable {
            home,
            name: take,
            receiver: None,
            params: vec![],
            ins,
            out,
            outs: vec![],
            fuel: true,
            heap: false,
        });
    }

    fn corecursive_function(&mut self, own: &Type, elem: &Type, name: &str, more: &str) {
        let function = self.value_name("F");
        let outer = std::mem::take(&mut self.scope);
        let (ins, body) = self.scoped(|g| {
            let mut ins = g.formals(&[]);
            ins.retain(|i| !i.ghost);
            ins.iter_mut().for_each(|i| i.default = false);
            let n = g.value_name("n");
            g.declare(&n, &Type::Int, false);
            // The recursive call is an argument of the constructor, so that it is delayed.
            let body = g.purely(|g| {
                let head = g.expr(elem, 2);
                let args: Vec<String> = ins.iter().map(|i| g.bounded(&i.ty, 1)).collect();
                let args: Vec<String> = args
                    .into_iter()
                    .zip(&ins)
                    .map(|(a, i)| if a.is_empty() { i.name.clone() } else { a })
                    .collect();
                let step = g.one(&["+ 1", "- 1", "+ 2", "% 3"]);
                let all: Vec<String> = std::iter::once(format!("{n} {step}")).chain(args).collect();
                let call = format!("{name}.{more}({head}, {function}({}))", all.join(", "));
                if g.chance(30) {
                    format!("if {n} > 5 then {} else {call}", g.literal(own))
                } else {
                    call
                }
            });
            ins.insert(
                0,
                In {
                    name: n,
                    ty: Type::Int,
                    default: false,
                    ghost: false,
                },
            );
            (ins, body)
        });
        self.scope = outer;
        let text = self.formals_text(&ins);
        self.line(format!("function {function}({text}): {name} {{"));
        self.line(format!("  {body}"));
        self.line("}");
        let (home, out) = (self.home, own.clone());
        self.functions.push(Callable {
            home,
            name: function,
            receiver: None,
            params: vec![],
            ins,
            out,
            outs: vec![],
            fuel: false,
            heap: false,
        });
    }

    pub(super) fn iterator(&mut self) {
        let name = self.type_name("Iter");
        let outer = std::mem::take(&mut self.scope);
        let (ins, yields) = self.scoped(|g| {
            let mut ins = g.formals(&[]);
            ins.retain(|i| !i.ghost);
            ins.iter_mut().for_each(|i| i.default = false);
            let yields: Vec<(String, Type)> = (0..1 + g.below(2))
                .map(|_| (format!("y{}", g.names.number()), g.printable_type(1)))
                .collect();
            let text = g.formals_text(&ins);
            let results: Vec<String> = yields
                .iter()
                .map(|(n, t)| format!("{n}: {}", g.show(t)))
                .collect();
            g.block(
                &format!("iterator {name}({text}) yields ({})", results.join(", ")),
                |g| {
                    let context = BodyContext {
                        yields: yields.clone(),
                        ..BodyContext::default()
                    };
                    let before = std::mem::replace(&mut g.body, context);
                    for (name, ty) in &yields {
                        let value = g.expr(ty, 2);
                        g.line(format!("{name} := {value};"));
                        // Yield-parameters are fields of the iterator.
                        g.scope.push(Variable {
                            name: name.clone(),
                            ty: ty.clone(),
                            mutable: true,
                            heap: true,
                            module: None,
                        });
                    }
                    for _ in 0..1 + g.below(3) {
                        g.statements(1, 2);
                        g.yield_statement();
                    }
                    g.body = before;
                },
            );
            (ins, yields)
        });
        self.scope = outer;
        let ins = ins.into_iter().map(|i| i.ty).collect();
        self.iterators.push(Iterator {
            home: self.home,
            name,
            ins,
            yields,
        });
    }

    pub(super) fn yield_statement(&mut self) {
        let yields = self.body.yields.clone();
        let values: Vec<String> = yields.iter().map(|(_, t)| self.bounded(t, 2)).collect();
        if self.chance(40) || values.iter().any(String::is_empty) {
            return self.line("yield;");
        }
        self.line(format!("yield {};", values.join(", ")));
    }

    /// Draws the creation of an iterator, and some calls of `MoveNext`.
    pub(super) fn iteration(&mut self) {
        let visible: Vec<Iterator> = self
            .iterators
            .iter()
            .filter(|i| self.sees(i.home))
            .cloned()
            .collect();
        let Some(it) = self.pick(&visible) else {
            return self.partial_function();
        };
        let args = self.list(&it.ins, 1, "(", ")");
        let (name, more) = (self.value_name("it"), self.value_name("more"));
        let path = self.path(it.home, &it.name);
        self.line(format!("var {name} := new {path}{args};"));
        self.line(format!("var {more} := {name}.MoveNext();"));
        let (i, times) = (self.value_name("i"), 1 + self.below(5));
        self.line(format!("for {i} := 0 to {times} {{"));
        let shown: Vec<String> = it
            .yields
            .iter()
            .map(|(y, _)| format!("{name}.{y}"))
            .collect();
        self.line(format!("  if {more} {{"));
        self.line(format!("    print {}, \"\\n\";", shown.join(", \" \", ")));
        self.line(format!("    {more} := {name}.MoveNext();"));
        self.line("  }");
        self.line("}");
        self.line(format!("print {more}, \"\\n\";"));
    }

    /// Draws a function with a precondition or one that reads objects, and calls of it.
    pub(super) fn partial_function(&mut self) {
        let (f, a) = (self.value_name("f"), self.value_name("a"));
        let out = self.printable_type(1);
        let objects = self.variables(|t| {
            matches!(t, Type::Array(1, _))
                || matches!(t, Type::Class(_, _, false)) && self.is_reference(Some(t))
        });
        let objects: Vec<_> = objects
            .into_iter()
            .filter(|v| !v.mutable || v.name != "this")
            .collect();
        let reads = self
            .pick(&objects)
            .filter(|v| !v.name.contains('.') && self.chance(50));
        let body = self.scoped(|g| {
            // A lambda captures values, not the heap.
            g.scope.retain(|v| !v.heap);
            if let Some(r) = &reads {
                g.scope.retain(|v| {
                    v.name == r.name || !matches!(v.ty, Type::Array(..) | Type::Class(..))
                });
            }
            g.declare(&a, &Type::Int, false);
            if reads.is_some() {
                g.expr(&out, 2)
            } else {
                g.purely(|g| g.expr(&out, 2))
            }
        });
        let (arrow, clause) = match &reads {
            Some(r) => ("~>", format!(" reads {}", r.name)),
            None => ("-->", format!(" requires {a} > 0")),
        };
        let shown = self.show(&out);
        self.line(format!(
            "var {f}: int {arrow} {shown} := ({a}: int){clause} => {body};"
        ));
        let argument = 1 + self.below(4);
        self.line(format!("print {f}({argument}), \"\\n\";"));
        if self.chance(40) {
            let g = self.value_name("f");
            self.line(format!("var {g} := [{f}, {f}];"));
            self.line(format!("print {g}[1]({argument}), |{g}|, \"\\n\";"));
        }
    }
}
