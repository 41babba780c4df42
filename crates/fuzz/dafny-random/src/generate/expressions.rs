//! Expressions of a requested type.

use super::types::Type;
use super::{Generator, Variable};

/// The declaration of bound variables, a condition that bounds them, and their names with types.
type Binder = (String, Option<String>, Vec<(String, Type)>);

impl Generator {
    /// Draws an expression of the type. The type must have a literal, or a variable in scope.
    pub(super) fn expr(&mut self, ty: &Type, depth: usize) -> String {
        let empty = matches!(ty, Type::Seq(t) | Type::Set(t) | Type::Iset(t) | Type::Multiset(t) if !self.can_be_had(t))
            || matches!(ty, Type::Map(k, v) | Type::Imap(k, v) if !self.can_be_had(k) || !self.can_be_had(v));
        if depth == 0 || empty || self.chance(12) {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        if self.chance(40)
            && let Some(e) = self.any_type_form(ty, depth)
        {
            return e;
        }
        match ty {
            Type::Bool => self.boolean(depth),
            Type::Char => self.character(depth),
            Type::Int | Type::Nat | Type::Real | Type::Bv(_) | Type::Range(_) => {
                self.number(ty, depth)
            }
            Type::Seq(elem) => self.sequence(elem, depth),
            Type::Set(elem) => self.set(elem, depth),
            Type::Multiset(elem) => self.multiset(elem, depth),
            Type::Map(key, value) => self.map(key, value, depth),
            Type::Iset(elem) => self.iset(elem, depth),
            Type::Imap(key, value) => self.imap(key, value, depth),
            Type::Tuple(ts) => self.list(ts, depth, "(", ")"),
            Type::Data(d, ts) => self.data_value(*d, ts, depth),
            Type::Arrow(ins, out) => self.lambda(ins, out, depth),
            Type::Class(..) => self.downcast(ty, depth).unwrap_or_else(|| self.leaf(ty)),
            Type::Array(..) | Type::Param(_) => self.leaf(ty),
        }
    }

    /// Draws a list of expressions between brackets.
    pub(super) fn list(&mut self, types: &[Type], depth: usize, open: &str, close: &str) -> String {
        let all: Vec<String> = types.iter().map(|t| self.expr(t, depth)).collect();
        format!("{open}{}{close}", all.join(", "))
    }

    /// Whether an expression of the type can be drawn here.
    pub(super) fn can_be_had(&self, ty: &Type) -> bool {
        self.has_literal(ty) || !self.holders(ty).is_empty()
    }

    /// The variables of the type in scope.
    fn holders(&self, ty: &Type) -> Vec<Variable> {
        self.variables(|t| self.is_subtype(t, ty))
    }

    /// Draws a variable or a literal.
    pub(super) fn leaf(&mut self, ty: &Type) -> String {
        let variables = self.holders(ty);
        let prefers = !self.has_literal(ty) || self.chance(70);
        if prefers && let Some(v) = self.pick(&variables) {
            return v.name;
        }
        self.literal(ty)
    }

    /// Draws a literal. It is ascribed its type if inference would find another one.
    pub(super) fn literal(&mut self, ty: &Type) -> String {
        match ty {
            Type::Bool => self.one(&["true", "false"]).into(),
            Type::Char => self.character_literal(),
            Type::Int | Type::Nat | Type::Real | Type::Bv(_) | Type::Range(_) => {
                self.number_literal(ty)
            }
            Type::Seq(elem) if **elem == Type::Char => self.string_literal(),
            Type::Seq(elem) => self.display(ty, elem, 0, "[", "]"),
            Type::Set(elem) => self.display(ty, elem, 0, "{", "}"),
            Type::Multiset(elem) => self.display(ty, elem, 0, "multiset{", "}"),
            Type::Map(key, value) => self.map_display("map", key, value, 0),
            Type::Iset(elem) => self.display(ty, elem, 0, "iset{", "}"),
            Type::Imap(key, value) => self.map_display("imap", key, value, 0),
            Type::Tuple(ts) => self.list(ts, 0, "(", ")"),
            Type::Data(d, ts) => self.construct(*d, ts, 0, 0),
            Type::Arrow(ins, out) => self.lambda(ins, out, 0),
            Type::Class(_, _, true) => self.ascribed(ty, "null"),
            Type::Class(_, _, false) if self.implementer(ty).is_some() => {
                self.implementing_value(ty)
            }
            Type::Class(_, _, false) | Type::Array(..) | Type::Param(_) => self
                .holders(ty)
                .first()
                .map_or_else(|| format!("/* no {} */", self.show(ty)), |v| v.name.clone()),
        }
    }

    /// Ascribes the type to a text whose inferred type may differ.
    pub(super) fn ascribed(&mut self, ty: &Type, text: &str) -> String {
        let name = self.value_name("e");
        format!("(var {name}: {} := {text}; {name})", self.show(ty))
    }

    /// Draws `(var x := value; body)` with `x` in scope of the body.
    pub(super) fn with_let(
        &mut self,
        ty: &Type,
        value: &str,
        body: impl FnOnce(&mut Self, &str) -> String,
    ) -> String {
        self.scoped(|g| {
            let name = g.value_name("v");
            let annotation = if g.chance(40) {
                format!(": {}", g.show(ty))
            } else {
                String::new()
            };
            g.declare(&name, ty, false);
            let body = body(g, &name);
            format!("(var {name}{annotation} := {value}; {body})")
        })
    }

    /// Draws an expression form that is possible for every type: a conditional, a binding, a
    /// component, a call.
    fn any_type_form(&mut self, ty: &Type, depth: usize) -> Option<String> {
        match self.below(16) {
            0 | 1 => {
                let (c, a, b) = (
                    self.expr(&Type::Bool, depth),
                    self.expr(ty, depth),
                    self.expr(ty, depth),
                );
                Some(format!("(if {c} then {a} else {b})"))
            }
            2 => {
                let bound = self.ty(1);
                let value = self.expr(&bound, depth);
                Some(self.with_let(&bound, &value, |g, _| g.expr(ty, depth)))
            }
            3 => Some(self.tuple_let(ty, depth)),
            4 | 5 => Some(self.match_expression(ty, depth)),
            6 => Some(self.element(ty, depth)),
            7 => self.looked_up(ty, depth),
            8 if self.chance(40) => self.based(ty, depth),
            8 => self.component(ty, depth),
            9 => self.destructed(ty, depth),
            10..=12 => self.function_call(ty, depth),
            13 => self.applied(ty, depth),
            14 if !self.choosing => Some(self.such_that(ty, depth)),
            _ => self.heap_read(ty, depth),
        }
    }

    fn tuple_let(&mut self, ty: &Type, depth: usize) -> String {
        let parts = [self.ty(1), self.ty(1)];
        let value = self.list(&parts, depth, "(", ")");
        self.scoped(|g| {
            let names = parts.each_ref().map(|_| g.value_name("p"));
            names
                .iter()
                .zip(&parts)
                .for_each(|(n, t)| g.declare(n, t, false));
            let body = g.expr(ty, depth);
            format!("(var ({}) := {value}; {body})", names.join(", "))
        })
    }

    /// Draws `var x :| …; …` with a condition that has a solution.
    fn such_that(&mut self, ty: &Type, depth: usize) -> String {
        let (bound, range) = self.inhabited_range(depth);
        self.scoped(|g| {
            let name = g.value_name("s");
            g.declare(&name, &bound, false);
            let body = g.expr(ty, depth);
            format!("(var {name} :| {}; {body})", range.replace('$', &name))
        })
    }

    /// Draws a condition on `$` that holds for some value, and the type of `$`.
    pub(super) fn inhabited_range(&mut self, depth: usize) -> (Type, String) {
        match self.below(3) {
            0 => {
                let (low, more) = (self.below(9) as i64 - 4, self.below(4) as i64);
                let divisor = if more > 1 && self.chance(50) {
                    " && $ % 2 == 0"
                } else {
                    ""
                };
                (Type::Int, format!("{low} <= $ <= {}{divisor}", low + more))
            }
            1 => {
                let elem = self.key_type(1);
                let (first, second) = (self.expr(&elem, depth), self.expr(&elem, 0));
                let brackets = self.one(&["{}", "[]"]);
                (
                    elem,
                    format!("$ in {}{first}, {second}{}", &brackets[..1], &brackets[1..]),
                )
            }
            _ => {
                let elem = self.key_type(0);
                let value = self.expr(&elem, depth);
                (elem, format!("$ == {value}"))
            }
        }
    }

    /// Draws a `match` over a datatype, a tuple or literals.
    fn match_expression(&mut self, ty: &Type, depth: usize) -> String {
        let scrutinee = self.scrutinee_type();
        let value = self.expr(&scrutinee, depth);
        let arms = self.arms(&scrutinee);
        let mut text = format!("(match {value} {{");
        for (pattern, bound) in arms {
            let body = self.scoped(|g| {
                bound.iter().for_each(|(n, t)| g.declare(n, t, false));
                g.expr(ty, depth)
            });
            text.push_str(&format!(" case {pattern} => {body}"));
        }
        text + " })"
    }

    pub(super) fn scrutinee_type(&mut self) -> Type {
        match self.below(6) {
            0 => Type::Int,
            1 => Type::Bool,
            2 => Type::Tuple(vec![
                self.data_type(1).unwrap_or(Type::Bool),
                self.simple_type(),
            ]),
            3 => self.simple_type(),
            _ => self.data_type(1).unwrap_or(Type::string()),
        }
    }

    /// Draws exhaustive patterns, each with its variables.
    pub(super) fn arms(&mut self, ty: &Type) -> Vec<(String, Vec<(String, Type)>)> {
        let mut arms = Vec::new();
        let exhaustive = if let Type::Data(d, ts) = ty
            && self.chance(65)
        {
            for c in 0..self.data[*d].ctors.len() {
                let mut bound = Vec::new();
                let pattern = self.ctor_pattern(*d, ts, c, 0, &mut bound);
                arms.push((pattern, bound));
            }
            true
        } else if matches!(ty, Type::Bool) && self.chance(50) {
            arms.extend(["true", "false"].map(|b| (b.to_owned(), vec![])));
            true
        } else {
            for _ in 0..1 + self.below(2) {
                if self.chance(20) {
                    let both = [self.closed_pattern(ty), self.closed_pattern(ty)];
                    arms.push((both.join(" | "), vec![]));
                } else {
                    let mut bound = Vec::new();
                    let pattern = self.pattern(ty, 2, &mut bound);
                    arms.push((pattern, bound));
                }
            }
            false
        };
        // The last arm matches all remaining values.
        if !exhaustive {
            if self.chance(50) {
                arms.push(("_".into(), vec![]));
            } else {
                let name = self.value_name("o");
                arms.push((name.clone(), vec![(name, ty.clone())]));
            }
        }
        arms
    }

    /// Draws a pattern, and adds its variables to `bound`.
    fn pattern(&mut self, ty: &Type, depth: usize, bound: &mut Vec<(String, Type)>) -> String {
        if depth == 0 || self.chance(30) {
            return self.binding_pattern(ty, bound);
        }
        if let Type::Data(d, ts) = ty {
            let c = self.below(self.data[*d].ctors.len());
            self.ctor_pattern(*d, ts, c, depth - 1, bound)
        } else if let Type::Tuple(ts) = ty {
            let parts: Vec<String> = ts
                .iter()
                .map(|t| self.pattern(t, depth - 1, bound))
                .collect();
            format!("({})", parts.join(", "))
        } else {
            match self.literal_pattern(ty) {
                Some(literal) => literal,
                None => self.binding_pattern(ty, bound),
            }
        }
    }

    fn binding_pattern(&mut self, ty: &Type, bound: &mut Vec<(String, Type)>) -> String {
        if self.chance(25) {
            return "_".into();
        }
        let name = self.value_name("p");
        bound.push((name.clone(), ty.clone()));
        name
    }

    /// Draws a pattern without variables.
    fn closed_pattern(&mut self, ty: &Type) -> String {
        if let Type::Data(d, _) = ty {
            let c = self.below(self.data[*d].ctors.len());
            let ctor = self.data[*d].ctors[c].clone();
            let all = vec!["_"; ctor.fields.len()].join(", ");
            if ctor.fields.is_empty() {
                ctor.name
            } else {
                format!("{}({all})", ctor.name)
            }
        } else if let Type::Tuple(ts) = ty {
            let parts: Vec<String> = ts.iter().map(|t| self.closed_pattern(t)).collect();
            format!("({})", parts.join(", "))
        } else {
            self.literal_pattern(ty).unwrap_or("_".into())
        }
    }

    fn literal_pattern(&mut self, ty: &Type) -> Option<String> {
        Some(match ty {
            Type::Bool => self.one(&["true", "false"]).into(),
            Type::Int => self.one(&["0", "1", "2", "-1", "7"]).into(),
            Type::Nat => self.one(&["0", "1", "2"]).into(),
            Type::Char => self.character_literal(),
            Type::Seq(elem) if **elem == Type::Char => self.string_literal(),
            Type::Real => self.one(&["0.0", "1.0", "-1.5"]).into(),
            Type::Bv(_) => self.one(&["0", "1"]).into(),
            Type::Range(_)
            | Type::Seq(_)
            | Type::Set(_)
            | Type::Multiset(_)
            | Type::Map(..)
            | Type::Iset(_)
            | Type::Imap(..)
            | Type::Tuple(_)
            | Type::Data(..)
            | Type::Class(..)
            | Type::Array(..)
            | Type::Arrow(..)
            | Type::Param(_) => return None,
        })
    }

    fn ctor_pattern(
        &mut self,
        d: usize,
        ts: &[Type],
        c: usize,
        depth: usize,
        bound: &mut Vec<(String, Type)>,
    ) -> String {
        let data = self.data[d].clone();
        let map: Vec<(String, Type)> = data
            .params
            .iter()
            .cloned()
            .zip(ts.iter().cloned())
            .collect();
        let parts: Vec<String> = data.ctors[c]
            .fields
            .iter()
            .map(|(_, t)| self.pattern(&t.subst(&map), depth, bound))
            .collect();
        if parts.is_empty() {
            data.ctors[c].name.clone()
        } else {
            format!("{}({})", data.ctors[c].name, parts.join(", "))
        }
    }

    fn component(&mut self, ty: &Type, depth: usize) -> Option<String> {
        let found = self.variables(|t| matches!(t, Type::Tuple(ts) if ts.contains(ty)));
        if let Some(v) = self.pick(&found)
            && let Type::Tuple(ts) = &v.ty
        {
            return ts
                .iter()
                .position(|t| t == ty)
                .map(|i| format!("{}.{i}", v.name));
        }
        let (other, i) = (self.simple_type(), self.below(2));
        let types = if i == 0 {
            [ty.clone(), other]
        } else {
            [other, ty.clone()]
        };
        Some(format!("{}.{i}", self.list(&types, depth, "(", ")")))
    }

    /// Draws the application of a function value.
    fn applied(&mut self, ty: &Type, depth: usize) -> Option<String> {
        let found = self.variables(|t| matches!(t, Type::Arrow(_, out) if **out == *ty));
        if let Some(v) = self.pick(&found)
            && let Type::Arrow(ins, _) = &v.ty
        {
            return Some(format!("{}{}", v.name, self.list(ins, depth, "(", ")")));
        }
        let plain = matches!(
            ty,
            Type::Bool | Type::Real | Type::Int | Type::Bv(_) | Type::Char
        );
        if !plain {
            return None;
        }
        let ins = vec![self.simple_type()];
        let lambda = self.lambda(&ins, ty, depth);
        Some(format!("{lambda}{}", self.list(&ins, depth, "(", ")")))
    }

    /// Draws a lambda or the name of a function.
    fn lambda(&mut self, ins: &[Type], out: &Type, depth: usize) -> String {
        let named: Vec<String> = self
            .functions
            .iter()
            .filter(|f| {
                f.receiver.is_none()
                    && !f.heap
                    && !f.fuel
                    && f.params.is_empty()
                    && self.sees(f.home)
            })
            .filter(|f| {
                f.out == *out
                    && f.ins.iter().map(|i| &i.ty).eq(ins)
                    && !f.ins.iter().any(|i| i.ghost)
            })
            .map(|f| self.path(f.home, &f.name))
            .collect();
        if self.chance(40)
            && let Some(name) = self.pick(&named)
        {
            return name;
        }
        self.scoped(|g| {
            // Inner names may be equal, but parameters must be distinct.
            let names: Vec<String> = ins.iter().map(|_| g.inner_name("a")).collect();
            let mut distinct = names.clone();
            distinct.sort();
            distinct.dedup();
            let names = if distinct.len() == names.len() {
                names
            } else {
                ins.iter().map(|_| g.value_name("a")).collect()
            };
            names
                .iter()
                .zip(ins)
                .for_each(|(n, t)| g.declare(n, t, false));
            let body = g.purely(|g| g.expr(out, depth));
            let params: Vec<String> = names
                .iter()
                .zip(ins)
                .map(|(n, t)| format!("{n}: {}", g.show(t)))
                .collect();
            format!("(({}) => {body})", params.join(", "))
        })
    }

    fn boolean(&mut self, depth: usize) -> String {
        match self.below(16) {
            0..=2 => {
                let objects = self.variables(|t| self.is_reference(Some(t)));
                let ty = match self.pick(&objects) {
                    Some(o) if self.chance(40) => o.ty,
                    _ => self.key_type(1),
                };
                let op = self.one(&["==", "!="]);
                format!("({} {op} {})", self.expr(&ty, depth), self.expr(&ty, depth))
            }
            3 | 4 => {
                let ty = self.ordered_type();
                let op = self.one(&["<", "<=", ">", ">="]);
                format!("({} {op} {})", self.expr(&ty, depth), self.expr(&ty, depth))
            }
            5 => self.chain(depth),
            6 | 7 => {
                let op = self.one(&["&&", "||", "==>", "<==>", "<=="]);
                format!(
                    "({} {op} {})",
                    self.expr(&Type::Bool, depth),
                    self.expr(&Type::Bool, depth)
                )
            }
            8 => format!("!{}", self.expr(&Type::Bool, depth)),
            9 | 10 => self.membership(depth),
            11 => self.collection_comparison(depth),
            12 | 13 => self.quantifier(depth),
            14 if self.chance(40) => self.type_test(depth).unwrap_or_else(|| "false".into()),
            14 => self.discriminated(depth).unwrap_or_else(|| "true".into()),
            _ => {
                let subsets: Vec<usize> = (0..self.ranges.len())
                    .filter(|&r| {
                        !self.ranges[r].newtype
                            && self.ranges[r].base.is_int()
                            && self.sees(self.ranges[r].home)
                    })
                    .collect();
                match self.pick(&subsets) {
                    Some(r) => format!(
                        "({} is {})",
                        self.expr(&Type::Int, depth),
                        self.show(&Type::Range(r))
                    ),
                    None => format!("({} is nat)", self.expr(&Type::Int, depth)),
                }
            }
        }
    }

    pub(super) fn ordered_type(&mut self) -> Type {
        let ty = self.simple_type();
        if self.is_ordered(&ty) { ty } else { Type::Int }
    }

    fn chain(&mut self, depth: usize) -> String {
        let ty = self.ordered_type();
        let ops: &[&str] = match self.below(3) {
            0 => &["<", "<=", "=="],
            1 => &[">", ">=", "=="],
            _ => &["==", "=="],
        };
        let mut text = format!("({}", self.expr(&ty, depth));
        for _ in 0..2 + self.below(2) {
            let op = self.one(ops);
            text.push_str(&format!(" {op} {}", self.expr(&ty, depth)));
        }
        text + ")"
    }

    fn quantifier(&mut self, depth: usize) -> String {
        let (declared, range, bound) = self.binder(depth);
        let body = self.scoped(|g| {
            bound.iter().for_each(|(n, t)| g.declare(n, t, false));
            g.expr(&Type::Bool, depth)
        });
        let (word, op) = if self.chance(50) {
            ("forall", "==>")
        } else {
            ("exists", "&&")
        };
        match range {
            Some(range) if self.chance(50) => format!("({word} {declared} :: {range} {op} {body})"),
            Some(range) => format!("({word} {declared} | {range} :: {body})"),
            None => format!("({word} {declared} :: {body})"),
        }
    }

    /// Draws bound variables: their declaration, a condition that bounds them, and their names with
    /// types.
    pub(super) fn binder(&mut self, depth: usize) -> Binder {
        match self.below(11) {
            9 => self.range_binder(),
            10 => self.enum_binder(),
            0..=2 => self.int_binder(depth),
            3 => {
                let (i, j) = (self.value_name("i"), self.value_name("j"));
                // The bounds of each variable mention no later one. Dafny would replace such bounds
                // by those of the later variable, and an equation in the body (`j == i`) could take
                // their place.
                let range = if self.chance(50) {
                    format!("0 <= {i} < 3 && {i} < {j} <= 4")
                } else {
                    format!("0 <= {i} <= {j} < 3 && {i} < 3")
                };
                (
                    format!("{i}, {j}"),
                    Some(range),
                    vec![(i, Type::Int), (j, Type::Int)],
                )
            }
            4 => {
                let name = self.value_name("b");
                (format!("{name}: bool"), None, vec![(name, Type::Bool)])
            }
            5 => {
                let (a, b) = (self.key_type(0), self.key_type(0));
                let (x, y) = (self.value_name("x"), self.value_name("y"));
                let (s, t) = (
                    self.expr(&Type::set(a.clone()), depth.min(1)),
                    self.expr(&Type::seq(b.clone()), depth.min(1)),
                );
                (
                    format!("{x} <- {s}, {y} <- {t}"),
                    None,
                    vec![(x, a), (y, b)],
                )
            }
            _ => self.collection_binder(depth),
        }
    }

    /// Draws a variable of a small range type.
    fn range_binder(&mut self) -> Binder {
        let small = |r: &usize| {
            let range = &self.ranges[*r];
            range.base.is_int()
                && range.high.saturating_sub(range.low) <= 256
                && self.sees(range.home)
        };
        let found: Vec<usize> = (0..self.ranges.len()).filter(small).collect();
        let ty = self.pick(&found).map_or(Type::Bool, Type::Range);
        let name = self.value_name("n");
        let shown = self.show(&ty);
        let range = match (&ty, self.chance(50)) {
            (Type::Range(r), true) => {
                Some(format!("({} as int) < {}", name, self.ranges[*r].low + 3))
            }
            _ => None,
        };
        (format!("{name}: {shown}"), range, vec![(name, ty)])
    }

    /// Draws a variable of a datatype without fields.
    fn enum_binder(&mut self) -> Binder {
        let is_enum = |d: &usize| {
            let data = &self.data[*d];
            data.complete
                && data.params.is_empty()
                && self.sees(data.home)
                && data.ctors.iter().all(|c| c.fields.is_empty())
        };
        let found: Vec<usize> = (0..self.data.len()).filter(is_enum).collect();
        let ty = self
            .pick(&found)
            .map_or(Type::Bool, |d| Type::Data(d, vec![]));
        let name = self.value_name("d");
        (
            format!("{name}: {}", self.show(&ty)),
            None,
            vec![(name, ty)],
        )
    }

    /// Draws an integer between bounds.
    fn int_binder(&mut self, depth: usize) -> Binder {
        let (name, low, more) = (
            self.value_name("i"),
            self.below(7) as i64 - 3,
            self.below(5) as i64,
        );
        let declared = if self.chance(50) {
            format!("{name}: int")
        } else {
            name.clone()
        };
        let high = if self.chance(30) {
            format!("{low} + {} % 4", self.expr(&Type::Nat, depth.min(1)))
        } else {
            (low + more).to_string()
        };
        (
            declared,
            Some(format!("{low} <= {name} < {high}")),
            vec![(name, Type::Int)],
        )
    }

    /// Draws an element of a collection.
    fn collection_binder(&mut self, depth: usize) -> Binder {
        let elem = self.key_type(1);
        let domain = match self.below(4) {
            0 => Type::seq(elem.clone()),
            1 => Type::Multiset(Box::new(elem.clone())),
            2 => Type::Map(Box::new(elem.clone()), Box::new(Type::Int)),
            _ => Type::set(elem.clone()),
        };
        let (name, s) = (self.value_name("x"), self.expr(&domain, depth));
        if self.chance(30) {
            return (format!("{name} <- {s}"), None, vec![(name, elem)]);
        }
        let declared = if self.chance(50) {
            format!("{name}: {}", self.show(&elem))
        } else {
            name.clone()
        };
        (declared, Some(format!("{name} in {s}")), vec![(name, elem)])
    }

    /// Draws a call of a function with this result type.
    fn function_call(&mut self, ty: &Type, depth: usize) -> Option<String> {
        let found: Vec<usize> = (0..self.functions.len())
            .filter(|&f| {
                let callee = &self.functions[f];
                self.sees(callee.home)
                    && !(callee.heap && self.pure)
                    && callee.out.unify(ty, &mut Vec::new())
            })
            .collect();
        let f = self.pick(&found)?;
        let callee = self.functions[f].clone();
        let mut map = Vec::new();
        callee.out.unify(ty, &mut map);
        self.call(&callee, map, depth)
    }
}
