//! Datatype values, their components, and reads of the heap.

use super::Generator;
use super::declarations::Callable;
use super::types::Type;

impl Generator {
    /// Draws the application of a constructor, or a datatype value with a replaced field.
    pub(super) fn data_value(&mut self, d: usize, args: &[Type], depth: usize) -> String {
        let data = self.data[d].clone();
        if self.chance(30) {
            let ty = Type::Data(d, args.to_vec());
            let map: Vec<(String, Type)> = data
                .params
                .iter()
                .cloned()
                .zip(args.iter().cloned())
                .collect();
            let (c, value) = (self.below(data.ctors.len()), self.expr(&ty, depth));
            let ctor = &data.ctors[c];
            if let Some((field, field_type)) = self.pick(&ctor.fields) {
                let new = self.expr(&field_type.subst(&map), depth);
                return self.with_let(&ty, &value, |_, v| {
                    format!("if {v}.{}? then {v}.({field} := {new}) else {v}", ctor.name)
                });
            }
        }
        let c = self.below(data.ctors.len());
        self.construct(d, args, c, depth)
    }

    /// Draws the application of the `c`-th constructor. At depth 0, of the first one, which is not
    /// recursive.
    pub(super) fn construct(&mut self, d: usize, args: &[Type], c: usize, depth: usize) -> String {
        let data = self.data[d].clone();
        let ctor = &data.ctors[if depth == 0 { 0 } else { c }];
        let map: Vec<(String, Type)> = data
            .params
            .iter()
            .cloned()
            .zip(args.iter().cloned())
            .collect();
        // Type parameters that occur in no field cannot be inferred from the arguments.
        let infers = data.params.iter().all(|p| {
            ctor.fields
                .iter()
                .any(|(_, t)| t.any(&|t| *t == Type::Param(p.clone())))
        });
        let fields: Vec<String> = ctor
            .fields
            .iter()
            .map(|(_, t)| self.expr(&t.subst(&map), depth.saturating_sub(1)))
            .collect();
        let qualified = self.path(data.home, &data.name);
        let foreign = data.home.is_some() && data.home != self.home;
        let head = if foreign || self.chance(30) {
            format!("{qualified}.{}", ctor.name)
        } else {
            ctor.name.clone()
        };
        let text = if fields.is_empty() {
            head
        } else if self.chance(20) {
            // Named arguments may be in any order.
            let mut named: Vec<String> = ctor
                .fields
                .iter()
                .zip(&fields)
                .map(|((n, _), e)| format!("{n} := {e}"))
                .collect();
            named.reverse();
            format!("{head}({})", named.join(", "))
        } else {
            format!("{head}({})", fields.join(", "))
        };
        if infers {
            text
        } else {
            self.ascribed(&Type::Data(d, args.to_vec()), &text)
        }
    }

    /// Draws a field of a datatype value, guarded by a constructor test.
    pub(super) fn destructed(&mut self, ty: &Type, depth: usize) -> Option<String> {
        let mut found = Vec::new();
        for (d, data) in self
            .data
            .iter()
            .enumerate()
            .filter(|(_, data)| data.complete && self.sees(data.home))
        {
            for ctor in &data.ctors {
                for (field, field_type) in &ctor.fields {
                    let mut map = Vec::new();
                    if field_type.unify(ty, &mut map) {
                        found.push((d, ctor.name.clone(), field.clone(), map));
                    }
                }
            }
        }
        let (d, ctor, field, map) = self.pick(&found)?;
        let whole = self.instance(d, &map);
        if !self.arguments_fit(&map) {
            return None;
        }
        let (value, other) = (self.expr(&whole, depth), self.expr(ty, depth));
        Some(self.with_let(&whole, &value, |_, v| {
            format!("if {v}.{ctor}? then {v}.{field} else {other}")
        }))
    }

    fn instance(&mut self, d: usize, map: &[(String, Type)]) -> Type {
        let params = self.data[d].params.clone();
        let arg = |p: &String| {
            map.iter()
                .find(|(n, _)| n == p)
                .map_or(Type::Int, |(_, t)| t.clone())
        };
        Type::Data(d, params.iter().map(arg).collect())
    }

    /// Whether type parameters that require equality are mapped to types that have it.
    fn arguments_fit(&self, map: &[(String, Type)]) -> bool {
        map.iter().all(|(_, t)| self.has_equality(t))
    }

    pub(super) fn discriminated(&mut self, depth: usize) -> Option<String> {
        let ty = self.data_type(1)?;
        let Type::Data(d, _) = &ty else { return None };
        let ctors: Vec<String> = self.data[*d].ctors.iter().map(|c| c.name.clone()).collect();
        let ctor = self.pick(&ctors)?;
        Some(format!("{}.{ctor}?", self.expr(&ty, depth)))
    }

    /// Draws a call with arguments. Type parameters that the result does not determine become
    /// simple types.
    pub(super) fn call(
        &mut self,
        callee: &Callable,
        mut map: Vec<(String, Type)>,
        depth: usize,
    ) -> Option<String> {
        for p in &callee.params {
            if !map.iter().any(|(n, _)| n == p) {
                let ty = self.key_type(0);
                map.push((p.clone(), ty));
            }
        }
        for p in self.params_of(callee.receiver.as_ref()) {
            if !map.iter().any(|(n, _)| *n == p) {
                map.push((p, Type::Int));
            }
        }
        let receiver = callee.receiver.as_ref().map(|t| t.subst(&map));
        let ins: Vec<Type> = callee.ins.iter().map(|i| i.ty.subst(&map)).collect();
        if !self.arguments_fit(&map) || !ins.iter().chain(&receiver).all(|t| self.can_be_had(t)) {
            return None;
        }
        let head = match &receiver {
            Some(ty) => format!("{}.{}", self.expr(ty, depth), callee.name),
            None => self.path(callee.home, &callee.name),
        };
        let mut args = Vec::new();
        for (i, ty) in ins.iter().enumerate() {
            if callee.fuel && i == 0 {
                args.push(self.below(4).to_string());
                continue;
            }
            let omits = callee.ins[i].default && (i + 1 == ins.len());
            if omits && self.chance(50) {
                continue;
            }
            let arg = self.expr(ty, depth);
            args.push(if callee.ins[i].default && self.chance(30) {
                format!("{} := {arg}", callee.ins[i].name)
            } else {
                arg
            });
        }
        let explicit = if !callee.params.is_empty() && self.chance(30) {
            let types: Vec<String> = callee
                .params
                .iter()
                .map(|p| {
                    map.iter()
                        .find(|(n, _)| n == p)
                        .map_or("int".into(), |(_, t)| self.show(t))
                })
                .collect();
            format!("<{}>", types.join(", "))
        } else {
            String::new()
        };
        Some(format!("{head}{explicit}({})", args.join(", ")))
    }

    /// Draws a read of a field of an object, or of an element or the length of an array.
    pub(super) fn heap_read(&mut self, ty: &Type, depth: usize) -> Option<String> {
        if self.pure {
            return None;
        }
        let arrays = self.variables(|t| matches!(t, Type::Array(..)));
        // Candidates with their guards. `$` stands for an index.
        let mut found = Vec::new();
        for a in &arrays {
            if let Type::Array(1, elem) = &a.ty {
                let elem_seq = Type::seq((**elem).clone());
                if let Type::Array(1, inner) = &**elem
                    && **inner == *ty
                {
                    let n = &a.name;
                    found.push((
                        format!("{n}.Length > 0 && {n}[0].Length > 0"),
                        format!("{n}[0][$ % {n}[0].Length]"),
                    ));
                }
                if **elem == *ty {
                    found.push((
                        format!("{}.Length > 0", a.name),
                        format!("{}[$ % {}.Length]", a.name, a.name),
                    ));
                } else if *ty == elem_seq {
                    found.push((format!("{}.Length > 1", a.name), format!("{}[1..]", a.name)));
                    found.push(("true".into(), format!("{}[..]", a.name)));
                } else if matches!(ty, Type::Int | Type::Nat) {
                    found.push(("true".into(), format!("{}.Length", a.name)));
                }
            } else if let Type::Array(2, elem) = &a.ty
                && **elem == *ty
            {
                let n = &a.name;
                found.push((
                    format!("{n}.Length0 > 0 && {n}.Length1 > 0"),
                    format!("{n}[$ % {n}.Length0, 0]"),
                ));
            }
        }
        for v in self.variables(|t| matches!(t, Type::Class(..))) {
            let Type::Class(_, _, nullable) = v.ty else {
                continue;
            };
            for field in self.fields_of(&v.ty).iter().filter(|f| f.ty == *ty) {
                let guard = if nullable {
                    format!("{} != null", v.name)
                } else {
                    "true".into()
                };
                found.push((guard, format!("{}.{}", v.name, field.name)));
            }
        }
        let (guard, read) = self.pick(&found)?;
        let index = self.expr(&Type::Int, depth);
        let read = read.replace('$', &index);
        if guard == "true" {
            return Some(read);
        }
        let other = self.leaf(ty);
        Some(format!("(if {guard} then {read} else {other})"))
    }
}
