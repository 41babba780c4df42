//! Statements and bodies.

use super::Generator;
use super::declarations::Callable;
use super::types::Type;
use crate::profile::Profile;

/// The context of a statement.
#[derive(Clone, Default)]
pub(super) struct BodyContext {
    /// The out-parameters.
    pub(super) outs: Vec<(String, Type)>,
    /// The labels of the enclosing loops, innermost last. Loops without a label have empty names.
    pub(super) loops: Vec<String>,
    /// The labels of the enclosing blocks that are no loops.
    pub(super) blocks: Vec<String>,
    /// The yield-parameters of an iterator.
    pub(super) yields: Vec<(String, Type)>,
    /// Whether `return` is allowed.
    pub(super) is_method: bool,
}

impl Generator {
    /// Draws the main method: statements, each followed by a print of its result.
    pub(super) fn main(&mut self) {
        self.block("method Main()", |g| {
            let size = g.shape.size;
            let fails_at = if g.shape.fails {
                Some(g.below(size))
            } else {
                None
            };
            g.body = BodyContext {
                is_method: true,
                ..BodyContext::default()
            };
            for i in 0..size {
                if fails_at == Some(i) {
                    g.failing_statement();
                }
                g.statement(3);
            }
            g.print_scope();
        });
    }

    /// Draws the body of a method with these out-parameters.
    pub(super) fn method_body(&mut self, outs: &[(String, Type)], size: usize) {
        let before = std::mem::replace(
            &mut self.body,
            BodyContext {
                outs: outs.to_vec(),
                is_method: true,
                ..BodyContext::default()
            },
        );
        for (name, ty) in outs {
            let value = self.expr(ty, 2);
            self.line(format!("{name} := {value};"));
            self.declare(name, ty, true);
        }
        for _ in 0..1 + self.below(size) {
            self.statement(2);
        }
        if self.chance(30) {
            self.print_scope();
        }
        self.body = before;
    }

    /// Prints all printable variables in scope.
    fn print_scope(&mut self) {
        let found = self.variables(|t| self.is_printable(t));
        for v in found.into_iter().filter(|v| v.module.is_none()) {
            self.line(format!("print {}, \"\\n\";", v.name));
        }
    }

    pub(super) fn statements(&mut self, count: usize, depth: usize) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    /// Draws a statement. `depth` limits the nesting of statements.
    fn statement(&mut self, depth: usize) {
        if !self.body.yields.is_empty() && self.chance(30) {
            return self.yield_statement();
        }
        // Modules cannot access the declarations for this.
        if self.shape.chooses && self.home.is_none() && depth > 0 && self.chance(30) {
            return self.choosing(depth - 1);
        }
        match self.below(if depth == 0 { 22 } else { 34 }) {
            0..=3 => self.print(),
            4..=7 => self.variable(),
            8..=10 => self.assignment(),
            11 => self.parallel(),
            12..=14 => self.method_call(),
            15 if self.chance(30) => self.iteration(),
            15 => self.object(),
            16 => self.array(),
            17 | 18 => self.heap_write(),
            19 if self.of_profile(Profile::Deterministic) => self.variable(),
            19 => self.such_that_statement(),
            20 if self.chance(40) => self.partial_function(),
            20 => self.checks(),
            21 => self.unwrapping(),
            22..=24 => self.if_statement(depth - 1),
            25 | 26 => self.for_loop(depth - 1),
            27 | 28 => self.while_loop(depth - 1),
            29 | 30 => self.match_statement(depth - 1),
            31 if self.of_profile(Profile::Deterministic) => self.if_statement(depth - 1),
            31 => self.alternatives(depth - 1),
            32 => self.jump(),
            _ => self.plain_block(depth - 1),
        }
    }

    /// Draws a block. With a label, it may contain a `break`.
    fn plain_block(&mut self, depth: usize) {
        let label = if self.chance(50) {
            self.value_name("l")
        } else {
            String::new()
        };
        let head = if label.is_empty() {
            String::new()
        } else {
            format!("label {label}:")
        };
        if !label.is_empty() {
            self.body.blocks.push(label);
        }
        let count = 1 + self.below(2);
        self.block(&head, |g| g.statements(count, depth));
        if !head.is_empty() {
            self.body.blocks.pop();
        }
    }

    fn print(&mut self) {
        let parts: Vec<String> = (0..1 + self.below(3))
            .map(|_| {
                let ty = self.printable_type(2);
                self.expr(&ty, 3)
            })
            .collect();
        self.line(format!("print {}, \"\\n\";", parts.join(", \" \", ")));
    }

    fn variable(&mut self) {
        if self.chance(15) {
            return self.late_variable();
        }
        if self.chance(10) {
            return self.pattern_variable();
        }
        let ty = self.local_type();
        let (value, name) = (self.grown(&ty, 3), self.value_name("x"));
        if value.is_empty() {
            return;
        }
        let annotation = if self.chance(50) {
            format!(": {}", self.show(&ty))
        } else {
            String::new()
        };
        self.line(format!("var {name}{annotation} := {value};"));
        self.declare(&name, &ty, true);
    }

    /// Draws the type of a local variable, which may be the type of an object in scope.
    fn local_type(&mut self) -> Type {
        let objects = self.variables(|t| matches!(t, Type::Class(..)));
        match self.pick(&objects) {
            Some(o)
                if self.is_reference(Some(&o.ty))
                    && self.body.loops.is_empty()
                    && self.chance(25) =>
            {
                match self.below(4) {
                    0 => Type::seq(o.ty),
                    1 => Type::set(o.ty),
                    2 => Type::Map(Box::new(o.ty), Box::new(Type::Int)),
                    _ => Type::Tuple(vec![o.ty, Type::Int]),
                }
            }
            _ => self.ty(2),
        }
    }

    /// Draws `var (a, b) := …;` or `var C(a, b) := …;`.
    fn pattern_variable(&mut self) {
        // Only a datatype with one constructor can be matched without a test.
        let is_single = |d: &usize| {
            self.data[*d].complete
                && self.data[*d].ctors.len() == 1
                && self.sees(self.data[*d].home)
        };
        let singles: Vec<usize> = (0..self.data.len()).filter(is_single).collect();
        let (ty, head, parts) = match self.pick(&singles) {
            Some(d) if self.chance(60) && !self.data[d].ctors[0].fields.is_empty() => {
                let data = self.data[d].clone();
                let args: Vec<Type> = data.params.iter().map(|_| self.key_type(0)).collect();
                let map: Vec<(String, Type)> = data
                    .params
                    .iter()
                    .cloned()
                    .zip(args.iter().cloned())
                    .collect();
                let parts = data.ctors[0]
                    .fields
                    .iter()
                    .map(|(_, t)| t.subst(&map))
                    .collect();
                (Type::Data(d, args), data.ctors[0].name.clone(), parts)
            }
            _ => {
                let parts = vec![self.ty(1), self.ty(1)];
                (Type::Tuple(parts.clone()), String::new(), parts)
            }
        };
        let value = self.grown(&ty, 2);
        let names: Vec<String> = parts
            .iter()
            .map(|_| {
                if self.chance(15) {
                    "_".into()
                } else {
                    self.value_name("x")
                }
            })
            .collect();
        self.line(format!("var {head}({}) := {value};", names.join(", ")));
        names
            .iter()
            .zip(&parts)
            .filter(|(n, _)| *n != "_")
            .for_each(|(n, t)| self.declare(n, t, true));
    }

    /// Draws a variable that is assigned after its declaration, on all paths.
    fn late_variable(&mut self) {
        let ty = self.ty(2);
        let name = self.value_name("x");
        let declared = format!("var {name}: {};", self.show(&ty));
        let (c, a, b) = (
            self.expr(&Type::Bool, 2),
            self.grown(&ty, 2),
            self.grown(&ty, 2),
        );
        self.line(declared);
        self.line(format!(
            "if {c} {{ {name} := {a}; }} else {{ {name} := {b}; }}"
        ));
        self.declare(&name, &ty, true);
    }

    /// Whether values of the type may grow in a loop.
    fn grows(ty: &Type) -> bool {
        ty.any(&|t| {
            matches!(
                t,
                Type::Seq(_)
                    | Type::Set(_)
                    | Type::Iset(_)
                    | Type::Multiset(_)
                    | Type::Map(..)
                    | Type::Imap(..)
                    | Type::Data(..)
                    | Type::Real
                    | Type::Arrow(..)
            )
        })
    }

    /// Draws an expression to assign. In a loop, its value stays small.
    fn grown(&mut self, ty: &Type, depth: usize) -> String {
        if self.body.loops.is_empty() {
            return self.expr(ty, depth);
        }
        self.bounded(ty, depth)
    }

    /// Draws an expression whose value does not grow by repeated evaluation.
    pub(super) fn bounded(&mut self, ty: &Type, depth: usize) -> String {
        if matches!(ty, Type::Int | Type::Nat) {
            return format!("({}) % 1000003", self.expr(ty, depth));
        }
        if !Self::grows(ty) {
            return self.expr(ty, depth);
        }
        self.scoped(|g| {
            g.scope.retain(|v| !Self::grows(&v.ty) && !v.heap);
            if g.can_be_had(ty) {
                g.purely(|g| g.expr(ty, depth))
            } else {
                String::new()
            }
        })
    }

    fn assignment(&mut self) {
        let targets: Vec<_> = self
            .variables(|_| true)
            .into_iter()
            .filter(|v| v.mutable)
            .collect();
        let Some(target) = self.pick(&targets) else {
            return self.print();
        };
        let value = if target.heap {
            self.bounded(&target.ty, 2)
        } else {
            self.grown(&target.ty, 3)
        };
        if !value.is_empty() {
            self.line(format!("{} := {value};", target.name));
        }
    }

    /// Draws `a, b := …, …` with distinct variables.
    fn parallel(&mut self) {
        let targets: Vec<_> = self
            .variables(|t| !Self::grows(t))
            .into_iter()
            .filter(|v| v.mutable && !v.heap)
            .collect();
        let Some(a) = self.pick(&targets) else {
            return self.variables_at_once();
        };
        let others: Vec<_> = targets.into_iter().filter(|v| v.name != a.name).collect();
        let Some(b) = self.pick(&others) else {
            return self.variables_at_once();
        };
        let values = if a.ty == b.ty && self.chance(60) {
            format!("{}, {}", b.name, a.name)
        } else {
            format!("{}, {}", self.grown(&a.ty, 2), self.grown(&b.ty, 2))
        };
        self.line(format!("{}, {} := {values};", a.name, b.name));
    }

    fn variables_at_once(&mut self) {
        let types = [self.ty(1), self.ty(1)];
        let values = types.each_ref().map(|t| self.grown(t, 2));
        let names = types.each_ref().map(|_| self.value_name("x"));
        self.line(format!(
            "var {} := {};",
            names.join(", "),
            values.join(", ")
        ));
        names
            .iter()
            .zip(&types)
            .for_each(|(n, t)| self.declare(n, t, true));
    }

    fn method_call(&mut self) {
        let nested = !self.body.loops.is_empty();
        let found: Vec<Callable> = self
            .methods
            .iter()
            .filter(|m| self.sees(m.home))
            .cloned()
            .collect();
        let Some(callee) = self.pick(&found) else {
            return self.print();
        };
        let mut map = Vec::new();
        if let Some(text) = self.call_into(&callee, &mut map, if nested { 1 } else { 2 }) {
            self.bind_results(
                &callee
                    .outs
                    .iter()
                    .map(|t| t.subst(&map))
                    .collect::<Vec<_>>(),
                &text,
            );
        }
    }

    /// Draws a call. Returns it with the type arguments.
    fn call_into(
        &mut self,
        callee: &Callable,
        map: &mut Vec<(String, Type)>,
        depth: usize,
    ) -> Option<String> {
        let outer = self.params_of(callee.receiver.as_ref());
        for p in callee.params.iter().chain(&outer) {
            let ty = self.key_type(0);
            map.push((p.clone(), ty));
        }
        self.call(callee, map.clone(), depth)
    }

    fn bind_results(&mut self, outs: &[Type], call: &str) {
        if outs.is_empty() {
            return self.line(format!("{call};"));
        }
        let names: Vec<String> = outs
            .iter()
            .map(|_| {
                if self.chance(10) {
                    "_".into()
                } else {
                    self.value_name("x")
                }
            })
            .collect();
        self.line(format!("var {} := {call};", names.join(", ")));
        names
            .iter()
            .zip(outs)
            .filter(|(n, _)| *n != "_")
            .for_each(|(n, t)| self.declare(n, t, true));
    }

    fn object(&mut self) {
        let visible: Vec<usize> = (0..self.classes.len())
            .filter(|&c| self.classes[c].complete && self.sees(self.classes[c].home))
            .collect();
        let Some(c) = self.pick(&visible) else {
            return self.array();
        };
        let class = self.classes[c].clone();
        let ty = self.class_type(c, false);
        let ins: Vec<Type> = class
            .ins
            .iter()
            .map(|t| t.subst(&self.arguments_of(&ty)))
            .collect();
        let args = self.list(&ins, 2, "(", ")");
        let path = self.show(&ty);
        let constructor = class
            .constructor
            .map_or(path.clone(), |n| format!("{path}.{n}"));
        let name = self.value_name("o");
        // Sometimes the variable has the type of a trait.
        let parents = self.ancestors(&ty);
        let known = self
            .pick(&parents)
            .filter(|_| self.chance(30))
            .unwrap_or_else(|| ty.clone());
        let annotation = if known == ty {
            String::new()
        } else {
            format!(": {}", self.show(&known))
        };
        self.line(format!(
            "var {name}{annotation} := new {constructor}{args};"
        ));
        self.declare(&name, &known, true);
    }

    fn array(&mut self) {
        let name = self.value_name("arr");
        let elem = self.printable_type(1);
        let elem = if self.can_be_had(&elem) {
            elem
        } else {
            Type::Int
        };
        // Sometimes draw an array of existing arrays.
        let arrays = self.variables(|t| matches!(t, Type::Array(..)));
        let elem = self
            .pick(&arrays)
            .filter(|_| self.chance(20))
            .map_or(elem, |a| a.ty);
        let shown = self.show(&elem);
        if self.chance(25) {
            let (n, m) = (self.below(3), 1 + self.below(3));
            let initial = self.array_function(&elem, 2);
            self.line(format!("var {name} := new {shown}[{n}, {m}]({initial});"));
            return self.declare(&name, &Type::Array(2, Box::new(elem)), true);
        }
        match self.below(3) {
            0 => {
                let values: Vec<String> = (0..1 + self.below(3))
                    .map(|_| self.expr(&elem, 1))
                    .collect();
                self.line(format!(
                    "var {name} := new {shown}[] [{}];",
                    values.join(", ")
                ));
            }
            1 if matches!(
                elem,
                Type::Int
                    | Type::Bool
                    | Type::Nat
                    | Type::Real
                    | Type::Bv(_)
                    | Type::Seq(_)
                    | Type::Set(_)
            ) =>
            {
                let n = self.below(5);
                self.line(format!("var {name} := new {shown}[{n}];"));
                let (i, value) = (self.value_name("i"), self.expr(&elem, 1));
                self.line(format!("for {i} := 0 to {n} {{ {name}[{i}] := {value}; }}"));
            }
            _ => {
                let initial = self.array_function(&elem, 1);
                let n = self.below(5);
                self.line(format!("var {name} := new {shown}[{n}]({initial});"));
            }
        }
        self.declare(&name, &Type::Array(1, Box::new(elem)), true);
    }

    fn array_function(&mut self, elem: &Type, dims: usize) -> String {
        self.scoped(|g| {
            let names: Vec<String> = (0..dims).map(|_| g.value_name("i")).collect();
            names.iter().for_each(|n| g.declare(n, &Type::Nat, false));
            let body = g.purely(|g| g.expr(elem, 2));
            if dims == 1 {
                format!("{} => {body}", names[0])
            } else {
                format!("({}) => {body}", names.join(", "))
            }
        })
    }

    /// Draws an assignment to an element or a field.
    fn heap_write(&mut self) {
        let arrays = self.variables(|t| matches!(t, Type::Array(..)));
        let objects = self.variables(|t| matches!(t, Type::Class(_, _, false)));
        if let Some(o) = self.pick(&objects).filter(|_| self.chance(50)) {
            let fields: Vec<_> = self
                .fields_of(&o.ty)
                .into_iter()
                .filter(|f| f.mutable)
                .collect();
            let Some(field) = self.pick(&fields) else {
                return self.print();
            };
            let value = self.bounded(&field.ty, 2);
            if !value.is_empty() {
                self.line(format!("{}.{} := {value};", o.name, field.name));
            }
            return;
        }
        let Some(a) = self.pick(&arrays) else {
            return self.array();
        };
        let Type::Array(dims, elem) = &a.ty else {
            return;
        };
        let (elem, name) = (elem.clone(), a.name);
        // Indices are reduced modulo the length, and empty arrays are excluded.
        if *dims == 2 {
            let (index, value) = (self.expr(&Type::Nat, 1), self.bounded(&elem, 2));
            if !value.is_empty() {
                self.line(format!(
                    "if {name}.Length0 > 0 && {name}.Length1 > 0 {{ {name}[{index} % {name}.Length0, {name}.Length1 - 1] := {value}; }}"
                ));
            }
            return;
        }
        match self.below(4) {
            0 => {
                // Swap two elements.
                let (i, j) = (self.expr(&Type::Nat, 1), self.expr(&Type::Nat, 1));
                self.block(&format!("if {name}.Length > 1"), |g| {
                    let (x, y) = (g.value_name("i"), g.value_name("j"));
                    g.line(format!(
                        "var {x}, {y} := {i} % {name}.Length, {j} % {name}.Length;"
                    ));
                    g.line(format!(
                        "{name}[{x}], {name}[{y}] := {name}[{y}], {name}[{x}];"
                    ));
                });
            }
            1 => {
                // A `forall` statement reads all elements before it assigns one, which mirroring
                // shows.
                let i = self.value_name("i");
                let value = self.scoped(|g| {
                    g.declare(&i, &Type::Nat, false);
                    g.bounded(&elem, 1)
                });
                let condition = self
                    .one(&["", " && $ % 2 == 0", " && $ > 0"])
                    .replace('$', &i);
                let mirrored = format!("{name}[{name}.Length - 1 - {i}]");
                let value = if value.is_empty() || self.chance(50) {
                    mirrored
                } else {
                    value
                };
                let end = format!("{name}.Length");
                let binds = self.of_profile(Profile::Known) && self.chance(50);
                let end = if binds {
                    self.with_let(&Type::Int, &end, |_, n| n.to_owned())
                } else {
                    end
                };
                self.line(format!(
                    "forall {i} | 0 <= {i} < {end}{condition} {{ {name}[{i}] := {value}; }}"
                ));
            }
            _ => {
                let (index, value) = (self.expr(&Type::Int, 2), self.bounded(&elem, 2));
                if !value.is_empty() {
                    self.line(format!(
                        "if {name}.Length > 0 {{ {name}[{index} % {name}.Length] := {value}; }}"
                    ));
                }
            }
        }
    }

    fn such_that_statement(&mut self) {
        // Dafny 4.11 rejects nested choices here.
        self.choosing = !self.of_profile(Profile::Known);
        let (ty, range) = self.inhabited_range(2);
        self.choosing = false;
        let name = self.value_name("s");
        self.line(format!("var {name} :| {};", range.replace('$', &name)));
        self.declare(&name, &ty, true);
    }

    /// Draws assertions that hold, and ghost code.
    fn checks(&mut self) {
        let ty = self.key_type(1);
        let e = self.expr(&ty, 2);
        match self.below(4) {
            0 => self.line(format!("expect {e} == {e};")),
            1 => self.line(format!("expect {e} == {e}, \"never printed\";")),
            2 => self.line(format!("assert {e} == {e};")),
            _ => {
                let name = self.value_name("ghosted");
                self.line(format!("ghost var {name} := {e};"));
            }
        }
    }

    /// Draws a `:-` statement, where it is allowed.
    fn unwrapping(&mut self) {
        let Some((_, Type::Data(d, _))) = self.body.outs.first().cloned() else {
            return self.expecting();
        };
        if !self.data[d].failure {
            return self.expecting();
        }
        let inner = self.key_type(1);
        let ty = Type::Data(d, vec![inner.clone()]);
        let (value, name) = (self.grown(&ty, 2), self.value_name("u"));
        if value.is_empty() {
            return;
        }
        self.line(format!("var {name} :- {value};"));
        self.declare(&name, &inner, true);
    }

    /// Draws a `:- expect` statement with a success value.
    fn expecting(&mut self) {
        let Some(Type::Data(d, args)) = self.failure_instance() else {
            return self.print();
        };
        let name = self.value_name("u");
        let value = self.construct(d, &args, 0, 1);
        self.line(format!("var {name} :- expect {value};"));
        self.declare(&name, &args[0], true);
    }

    fn if_statement(&mut self, depth: usize) {
        let count = 1 + self.below(2);
        if self.chance(15) && !self.of_profile(Profile::Deterministic) {
            let (ty, range) = self.inhabited_range(1);
            let name = self.value_name("b");
            let head = format!("if {name} :| {}", range.replace('$', &name));
            self.block(&head, |g| {
                g.declare(&name, &ty, false);
                g.statements(count, depth);
            });
        } else {
            let c = self.expr(&Type::Bool, 2);
            self.block(&format!("if {c}"), |g| g.statements(count, depth));
        }
        if self.chance(30) {
            let c = self.expr(&Type::Bool, 1);
            let last = self.lines.pop().unwrap_or_default();
            self.block(&format!("{} else if {c}", last.trim_start()), |g| {
                g.statements(1, depth)
            });
        }
        if self.chance(40) {
            let last = self.lines.pop().unwrap_or_default();
            self.block(&format!("{} else", last.trim_start()), |g| {
                g.statements(count, depth)
            });
        }
    }

    /// Draws the head of a loop, sometimes with a label.
    fn labelled(&mut self) -> (String, String) {
        if self.chance(30) {
            let label = self.value_name("l");
            (format!("label {label}: "), label)
        } else {
            (String::new(), String::new())
        }
    }

    fn in_loop(&mut self, label: String, head: &str, inside: impl FnOnce(&mut Self)) {
        self.body.loops.push(label);
        self.block(head, inside);
        self.body.loops.pop();
    }

    fn for_loop(&mut self, depth: usize) {
        let (prefix, label) = self.labelled();
        let (low, more) = (self.below(5) as i64 - 2, self.below(4) as i64);
        let high = low + more;
        let name = self.value_name("i");
        let e = self.expr(&Type::Int, 1);
        let head = match self.below(4) {
            0 => format!("{prefix}for {name} := {high} downto {low}"),
            1 => format!("{prefix}for {name} := {low} to {low} + {e} % 4"),
            2 => format!("{prefix}for {name}: int := {low} to {high}"),
            _ => format!("{prefix}for {name} := {low} to {high}"),
        };
        self.in_loop(label, &head, |g| {
            g.declare(&name, &Type::Int, false);
            let count = 1 + g.below(2);
            g.statements(count, depth);
        });
    }

    fn while_loop(&mut self, depth: usize) {
        let (prefix, label) = self.labelled();
        let name = self.value_name("n");
        let start = self.below(4);
        let down = self.chance(50);
        let (first, guard, step) = if down {
            (
                start,
                format!("{name} > 0"),
                format!("{name} := {name} - 1;"),
            )
        } else {
            (
                0,
                format!("{name} < {start}"),
                format!("{name} := {name} + 1;"),
            )
        };
        let also = if self.chance(25) {
            format!(" && {}", self.expr(&Type::Bool, 1))
        } else {
            String::new()
        };
        self.line(format!("var {name} := {first};"));
        let decreases = if down {
            format!(" decreases {name}")
        } else {
            format!(" decreases {start} - {name}")
        };
        let cases = also.is_empty() && self.chance(15) && !self.of_profile(Profile::Deterministic);
        let head = if cases {
            format!("{prefix}while{decreases}")
        } else {
            format!("{prefix}while {guard}{also}{decreases}")
        };
        self.in_loop(label, &head, |g| {
            if cases {
                // Alternatives: the loop ends when no guard holds.
                g.line(format!("case {guard} && {name} % 2 == 0 => {step}"));
                g.line(format!("case {guard} && {name} % 2 != 0 => {step}"));
                g.indent += 1;
                g.print();
                g.indent -= 1;
            } else {
                g.line(step);
                g.declare(&name, &Type::Int, false);
                let count = 1 + g.below(2);
                g.statements(count, depth);
            }
        });
        self.declare(&name, &Type::Int, false);
    }

    fn match_statement(&mut self, depth: usize) {
        let ty = self.scrutinee_type();
        let value = self.expr(&ty, 2);
        let arms = self.arms(&ty);
        let braces = self.chance(50);
        self.line(format!("match {value}{}", if braces { " {" } else { "" }));
        for (pattern, bound) in arms {
            self.line(format!("case {pattern} =>"));
            self.indent += 1;
            self.scoped(|g| {
                bound.iter().for_each(|(n, t)| g.declare(n, t, false));
                let count = 1 + g.below(2);
                g.statements(count, depth);
            });
            self.indent -= 1;
        }
        if braces {
            self.line("}");
        } else {
            // Without braces, the following statement would belong to the last case.
            let first = self
                .lines
                .iter()
                .rposition(|l| l.trim_start().starts_with("match ") && !l.ends_with('{'));
            if let Some(first) = first {
                let indent = "  ".repeat(self.indent);
                self.lines[first] = format!("{indent}{{ {}", self.lines[first].trim_start());
            }
            self.line("}");
        }
    }

    /// Draws `if { case … }` with a guard that always holds.
    fn alternatives(&mut self, depth: usize) {
        let c = self.expr(&Type::Bool, 2);
        self.line("if {");
        for guard in [c.clone(), format!("!({c})")] {
            self.line(format!("case {guard} =>"));
            self.indent += 1;
            self.scoped(|g| g.statements(1, depth));
            self.indent -= 1;
        }
        self.line("}");
    }

    /// Draws a conditional `break`, `continue` or `return`.
    fn jump(&mut self) {
        let c = self.expr(&Type::Bool, 2);
        let blocks = self.body.blocks.clone();
        if let Some(label) = self.pick(&blocks).filter(|_| self.chance(60)) {
            return self.line(format!("if {c} {{ break {label}; }}"));
        }
        let jump = match self.body.loops.clone().as_slice() {
            [] if !self.body.is_method => return,
            [] => {
                let outs = self.body.outs.clone();
                if outs.is_empty() || self.chance(30) {
                    "return;".into()
                } else {
                    let values: Vec<String> = outs.iter().map(|(_, t)| self.expr(t, 2)).collect();
                    format!("return {};", values.join(", "))
                }
            }
            loops => {
                let word = self.one(&["break", "continue"]);
                let labels: Vec<&String> = loops.iter().filter(|l| !l.is_empty()).collect();
                match self.pick(&labels) {
                    Some(label) if self.chance(60) => format!("{word} {label};"),
                    _ if loops.len() > 1 && self.chance(30) => format!("break {word};"),
                    _ => format!("{word};"),
                }
            }
        };
        self.line(format!("if {c} {{ {jump} }}"));
    }

    /// Draws a statement that halts the program.
    fn failing_statement(&mut self) {
        match self.below(5) {
            0 => {
                let (elem, name) = (self.printable_type(0), self.value_name("s"));
                let s = self.expr(&Type::seq(elem), 2);
                self.line(format!("var {name} := {s};"));
                self.line(format!("print {name}[|{name}|];"));
            }
            1 => {
                let e = self.expr(&Type::Int, 2);
                let name = self.value_name("z");
                self.line(format!("var {name} := {e};"));
                self.line(format!("print 7 / ({name} - {name});"));
            }
            2 => {
                let (value, name) = (
                    self.expr(&Type::Map(Box::new(Type::Int), Box::new(Type::Bool)), 2),
                    self.value_name("m"),
                );
                self.line(format!("var {name} := {value};"));
                self.line(format!("print ({name} - {{3}})[3];"));
            }
            3 => {
                let e = self.expr(&Type::string(), 2);
                let c = self.expr(&Type::Bool, 2);
                self.line(format!("expect !(({c}) == ({c})), \"stops: \" + {e};"));
            }
            _ => {
                let ty = self.key_type(1);
                let e = self.expr(&ty, 2);
                self.line(format!("expect {e} != {e};"));
            }
        }
    }
}
