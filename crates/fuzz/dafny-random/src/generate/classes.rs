//! Classes and traits.
//!
//! The body of a member that overrides one of a trait calls only members declared before the trait,
//! so that dynamic dispatch cannot be cyclic.

use super::declarations::{Callable, In, generics};
use super::types::Type;
use super::{Generator, Home, Variable};

/// A class with one constructor, or a trait.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) home: Home,
    pub(super) name: String,
    pub(super) params: Vec<String>,
    /// The extended traits.
    pub(super) parents: Vec<Type>,
    /// The fields that it declares itself.
    pub(super) fields: Vec<Field>,
    pub(super) constructor: Option<String>,
    pub(super) ins: Vec<Type>,
    /// Whether objects can be created: the constructor has been declared.
    pub(super) complete: bool,
    pub(super) is_trait: bool,
    /// Whether its values are references.
    pub(super) heap: bool,
    /// Whether other modules may extend it.
    open: bool,
    /// The members without a body.
    abstracts: Vec<Abstract>,
    /// The numbers of functions, methods and classes declared before it.
    before: [usize; 3],
}

/// A field of a class.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) mutable: bool,
}

/// A member that classes have to implement.
#[derive(Clone, Debug)]
struct Abstract {
    name: String,
    ins: Vec<In>,
    out: Type,
    outs: Vec<(String, Type)>,
    is_method: bool,
}

impl Generator {
    /// Whether values of the type are objects.
    pub(super) fn is_reference(&self, ty: Option<&Type>) -> bool {
        matches!(ty, Some(Type::Class(c, ..)) if self.classes[*c].heap)
    }

    /// The type parameters of a receiver's type.
    pub(super) fn params_of(&self, ty: Option<&Type>) -> Vec<String> {
        match ty {
            Some(Type::Data(d, _)) => self.data[*d].params.clone(),
            Some(Type::Class(c, ..)) => self.classes[*c].params.clone(),
            _ => vec![],
        }
    }

    /// The type parameters of a class or datatype, with their arguments.
    pub(super) fn arguments_of(&self, ty: &Type) -> Vec<(String, Type)> {
        if let Type::Data(_, args) | Type::Class(_, args, _) = ty {
            self.params_of(Some(ty))
                .into_iter()
                .zip(args.iter().cloned())
                .collect()
        } else {
            vec![]
        }
    }

    /// All traits above a type, nearest first.
    pub(super) fn ancestors(&self, ty: &Type) -> Vec<Type> {
        let parents = if let Type::Class(c, ..) = ty {
            &self.classes[*c].parents
        } else if let Type::Data(d, _) = ty {
            &self.data[*d].parents
        } else {
            return vec![];
        };
        let map = self.arguments_of(ty);
        let parents: Vec<Type> = parents.iter().map(|p| p.subst(&map)).collect();
        let above: Vec<Type> = parents.iter().flat_map(|p| self.ancestors(p)).collect();
        parents.into_iter().chain(above).collect()
    }

    /// Whether a value of `ty` may be used as one of type `of` without a cast.
    pub(super) fn is_subtype(&self, ty: &Type, of: &Type) -> bool {
        let possible = |t: &Type| match (t, of) {
            (Type::Class(c, a, false), Type::Class(d, b, true)) => c == d && a == b,
            _ => t == of,
        };
        possible(ty)
            || (matches!(ty, Type::Class(_, _, false) | Type::Data(..))
                && self.ancestors(ty).iter().any(possible))
    }

    /// A datatype whose values have a trait that is no reference type.
    pub(super) fn implementer(&self, ty: &Type) -> Option<Type> {
        let Type::Class(c, _, false) = ty else {
            return None;
        };
        if self.classes[*c].heap {
            return None;
        }
        let all = self
            .data
            .iter()
            .enumerate()
            .filter(|(_, d)| d.complete && d.params.is_empty() && self.sees(d.home));
        all.map(|(d, _)| Type::Data(d, vec![]))
            .find(|d| self.is_subtype(d, ty))
    }

    pub(super) fn implementing_value(&mut self, ty: &Type) -> String {
        let Some(Type::Data(d, args)) = self.implementer(ty) else {
            return "null".into();
        };
        let value = self.construct(d, &args, 0, 0);
        self.ascribed(ty, &value)
    }

    /// A class or trait applied to types with equality.
    pub(super) fn class_type(&mut self, c: usize, nullable: bool) -> Type {
        let args = (0..self.classes[c].params.len())
            .map(|_| self.key_type(0))
            .collect();
        Type::Class(c, args, nullable)
    }

    /// The fields, including inherited ones.
    pub(super) fn fields_of(&self, ty: &Type) -> Vec<Field> {
        let own_fields = |ty: &Type| {
            let Type::Class(c, ..) = ty else {
                return vec![];
            };
            let map = self.arguments_of(ty);
            self.classes[*c]
                .fields
                .iter()
                .map(|f| Field {
                    ty: f.ty.subst(&map),
                    ..f.clone()
                })
                .collect::<Vec<_>>()
        };
        std::iter::once(ty.clone())
            .chain(self.ancestors(ty))
            .flat_map(|t| own_fields(&t))
            .collect()
    }

    /// Draws up to two traits that can be extended together.
    pub(super) fn parents(&mut self, heap: bool) -> Vec<Type> {
        let visible: Vec<usize> = (0..self.classes.len())
            .filter(|&c| {
                self.classes[c].is_trait
                    && self.sees(self.classes[c].home)
                    && (heap || !self.classes[c].heap)
            })
            .filter(|&c| self.classes[c].open || self.classes[c].home == self.home)
            .collect();
        let mut parents: Vec<Type> = Vec::new();
        for _ in 0..[0, 1, 1, 1, 2, 2][self.below(6)] {
            let Some(c) = self.pick(&visible) else { break };
            let args = (0..self.classes[c].params.len()).map(|_| {
                if self.params.is_empty() {
                    self.key_type(0)
                } else {
                    self.params[0].clone()
                }
            });
            let ty = Type::Class(c, args.collect(), false);
            let above: Vec<Type> = std::iter::once(ty.clone())
                .chain(self.ancestors(&ty))
                .collect();
            let taken: Vec<Type> = parents
                .iter()
                .flat_map(|p| std::iter::once(p.clone()).chain(self.ancestors(p)))
                .collect();
            let same = |a: &Type, b: &Type| matches!((a, b), (Type::Class(c, ..), Type::Class(d, ..)) if c == d);
            let names = |ts: &[Type]| {
                ts.iter()
                    .flat_map(|t| self.member_names(t))
                    .collect::<Vec<_>>()
            };
            // Parents must not share an ancestor or the name of a member.
            let (mine, theirs) = (names(&above), names(&taken));
            if !above.iter().any(|a| taken.iter().any(|b| same(a, b)))
                && !mine.iter().any(|n| theirs.contains(n))
            {
                parents.push(ty);
            }
        }
        parents
    }

    fn member_names(&self, ty: &Type) -> Vec<String> {
        let Type::Class(c, ..) = ty else {
            return vec![];
        };
        let of_it = |t: &Option<Type>| matches!(t, Some(Type::Class(d, ..)) if d == c);
        let members = self
            .functions
            .iter()
            .chain(&self.methods)
            .filter(|m| of_it(&m.receiver))
            .map(|m| m.name.clone());
        members
            .chain(self.classes[*c].fields.iter().map(|f| f.name.clone()))
            .collect()
    }

    fn new_class(&mut self, plain: &str, is_trait: bool, heap: bool) -> usize {
        let params: Vec<String> = if self.chance(70) {
            vec![]
        } else {
            vec!["T".into()]
        };
        self.params = params.iter().map(|p| Type::Param(p.clone())).collect();
        let before = [self.functions.len(), self.methods.len(), self.classes.len()];
        let (name, parents) = (self.type_name(plain), self.parents(heap));
        self.inherited_members(&parents);
        let (c, open) = (self.classes.len(), self.chance(50));
        self.classes.push(Class {
            home: self.home,
            name,
            params,
            parents,
            fields: vec![],
            constructor: None,
            ins: vec![],
            complete: false,
            is_trait,
            heap,
            open,
            abstracts: vec![],
            before,
        });
        c
    }

    /// Reserves the names of inherited members.
    pub(super) fn inherited_members(&mut self, parents: &[Type]) {
        self.inherited_names(parents)
            .iter()
            .for_each(|n| self.names.reserve(n));
    }

    pub(super) fn inherited_names(&self, parents: &[Type]) -> Vec<String> {
        let above = parents
            .iter()
            .flat_map(|p| std::iter::once(p.clone()).chain(self.ancestors(p)));
        above.flat_map(|t| self.member_names(&t)).collect()
    }

    fn own_type(&self, c: usize) -> Type {
        Type::Class(
            c,
            self.classes[c]
                .params
                .iter()
                .map(|p| Type::Param(p.clone()))
                .collect(),
            false,
        )
    }

    fn head_of(&self, c: usize, keyword: &str) -> String {
        let class = &self.classes[c];
        let mut parents: Vec<String> = class.parents.iter().map(|p| self.show(p)).collect();
        if class.is_trait && class.heap && self.general_traits {
            parents.push("object".into());
        }
        let extends = if parents.is_empty() {
            String::new()
        } else {
            format!(" extends {}", parents.join(", "))
        };
        let attribute = if class.is_trait && class.open {
            "{:termination false} "
        } else {
            ""
        };
        format!(
            "{keyword} {attribute}{}{}{extends}",
            class.name,
            generics(&class.params)
        )
    }

    fn draw_fields(&mut self, c: usize, count: usize) {
        for _ in 0..count {
            let own = self.own_type(c);
            let ty = if let Type::Class(c, args, _) = own
                && self.chance(15)
            {
                Type::Class(c, args, true)
            } else {
                self.field_type()
            };
            let (name, mutable) = (self.member_name("f"), self.chance(70));
            self.classes[c].fields.push(Field { name, ty, mutable });
        }
    }

    fn field_type(&mut self) -> Type {
        let params = self.params.clone();
        match self.pick(&params) {
            Some(p) if self.chance(50) => p,
            _ => self.printable_type(1),
        }
    }

    fn show_fields(&mut self, c: usize) {
        for f in self.classes[c].fields.clone() {
            let (keyword, ty) = (if f.mutable { "var" } else { "const" }, self.show(&f.ty));
            self.line(format!("{keyword} {}: {ty}", f.name));
        }
    }

    /// Brings `this` and the fields into scope, inside members.
    fn members_in_scope(&mut self, c: usize) {
        let own = self.own_type(c);
        for f in self.fields_of(&own) {
            let name = if self.chance(40) {
                format!("this.{}", f.name)
            } else {
                f.name.clone()
            };
            self.scope.push(Variable {
                name,
                ty: f.ty.clone(),
                mutable: f.mutable,
                heap: true,
                module: None,
            });
        }
        self.scope.push(Variable {
            name: "this".into(),
            ty: own,
            mutable: false,
            heap: false,
            module: None,
        });
    }

    pub(super) fn class(&mut self) {
        let c = self.new_class("Class", false, true);
        let outer = std::mem::take(&mut self.scope);
        let count = 1 + self.below(3);
        self.draw_fields(c, count);
        let head = self.head_of(c, "class");
        self.block(&head, |g| {
            g.show_fields(c);
            g.scoped(|g| g.constructor(c));
            g.classes[c]
                .constructor
                .clone()
                .iter()
                .for_each(|name| g.names.reserve(name));
            g.members_in_scope(c);
            g.implementations(&g.own_type(c));
            for _ in 0..g.below(3) {
                g.function(Some(g.own_type(c)));
            }
            for _ in 0..g.below(3) {
                g.method(Some(g.own_type(c)));
            }
        });
        self.scope = outer;
        self.params.clear();
    }

    fn constructor(&mut self, c: usize) {
        let params = self.classes[c].params.clone();
        let mut ins = self.formals(&params);
        ins.retain(|i| !i.ghost);
        let name = if self.chance(30) {
            Some(self.member_name("Make"))
        } else {
            None
        };
        let text: Vec<String> = ins
            .iter()
            .map(|i| format!("{}: {}", i.name, self.show(&i.ty)))
            .collect();
        let head = format!(
            "constructor{}({})",
            name.as_ref().map_or(String::new(), |n| format!(" {n}")),
            text.join(", ")
        );
        let fields = self.fields_of(&self.own_type(c));
        self.block(&head, |g| {
            for f in &fields {
                let value = g.purely(|g| g.expr(&f.ty, 2));
                let target = if g.chance(70) {
                    format!("this.{}", f.name)
                } else {
                    f.name.clone()
                };
                // A parameter may have the name of the field.
                let target = if g.scope.iter().any(|v| v.name == f.name) {
                    format!("this.{}", f.name)
                } else {
                    target
                };
                g.line(format!("{target} := {value};"));
            }
            if g.chance(40) {
                g.line("new;");
                for f in &fields {
                    let name = format!("this.{}", f.name);
                    g.scope.push(Variable {
                        name,
                        ty: f.ty.clone(),
                        mutable: f.mutable,
                        heap: true,
                        module: None,
                    });
                }
                g.method_body(&[], 2);
            }
        });
        self.classes[c].constructor = name;
        self.classes[c].ins = ins.into_iter().map(|i| i.ty).collect();
        self.classes[c].complete = true;
    }

    pub(super) fn trait_declaration(&mut self) {
        let heap = !self.general_traits || self.chance(40);
        let c = self.new_class("Trait", true, heap);
        let outer = std::mem::take(&mut self.scope);
        let count = if heap { self.below(3) } else { 0 };
        self.draw_fields(c, count);
        let head = self.head_of(c, "trait");
        self.block(&head, |g| {
            g.show_fields(c);
            g.members_in_scope(c);
            // A trait may implement inherited members.
            for _ in 0..1 + g.below(2) {
                g.abstract_member(c, true);
            }
            if heap && g.chance(60) {
                g.abstract_member(c, false);
            }
            for _ in 0..g.below(3) {
                g.function(Some(g.own_type(c)));
            }
            for _ in 0..g.below(2) {
                g.method(Some(g.own_type(c)));
            }
        });
        self.scope = outer;
        self.params.clear();
    }

    /// Declares a member without a body, which can be called from here on.
    fn abstract_member(&mut self, c: usize, is_function: bool) {
        let (heap, own) = (self.classes[c].heap, self.own_type(c));
        let name = self.member_name(if is_function { "g" } else { "m" });
        let (ins, out, outs) = self.scoped(|g| {
            let mut ins = g.formals(&[]);
            ins.retain(|i| !i.ghost);
            ins.iter_mut().for_each(|i| i.default = false);
            let out = g.result_type();
            let outs: Vec<(String, Type)> = if is_function {
                vec![]
            } else {
                (0..g.below(3))
                    .map(|_| (g.value_name("r"), g.result_type()))
                    .collect()
            };
            (ins, out, outs)
        });
        let text = self.formals_text(&ins);
        let head = self.head_of_member(
            &name,
            &text,
            if is_function { Ok(&out) } else { Err(&outs) },
            heap,
        );
        self.line(head);
        let types = outs.iter().map(|(_, t)| t.clone()).collect();
        let callable = Callable {
            home: self.home,
            name: name.clone(),
            receiver: Some(own),
            params: vec![],
            ins: ins.clone(),
            out: out.clone(),
            outs: types,
            fuel: false,
            heap,
        };
        if is_function {
            self.functions.push(callable)
        } else {
            self.methods.push(callable)
        }
        self.classes[c].abstracts.push(Abstract {
            name,
            ins,
            out,
            outs,
            is_method: !is_function,
        });
    }

    fn result_type(&mut self) -> Type {
        let ty = self.ty(1);
        if ty.any(&|t| matches!(t, Type::Param(_))) {
            Type::Int
        } else {
            ty
        }
    }

    /// The head of a function with its result, or of a method with its results.
    fn head_of_member(
        &self,
        name: &str,
        ins: &str,
        results: Result<&Type, &Vec<(String, Type)>>,
        heap: bool,
    ) -> String {
        match results {
            Ok(out) => format!(
                "function {name}({ins}): {}{}",
                self.show(out),
                if heap { " reads this" } else { "" }
            ),
            Err(outs) => {
                let results: Vec<String> = outs
                    .iter()
                    .map(|(n, t)| format!("{n}: {}", self.show(t)))
                    .collect();
                let returns = if outs.is_empty() {
                    String::new()
                } else {
                    format!(" returns ({})", results.join(", "))
                };
                format!(
                    "method {name}({ins}){returns}{}",
                    if heap { " modifies this" } else { "" }
                )
            }
        }
    }

    /// Draws bodies of all members that a type inherits without a body.
    pub(super) fn implementations(&mut self, ty: &Type) {
        for parent in self.ancestors(ty) {
            let Type::Class(t, ..) = parent else { continue };
            let map = self.arguments_of(&parent);
            for member in self.classes[t].abstracts.clone() {
                let subst = |i: &In| In {
                    ty: i.ty.subst(&map),
                    ..i.clone()
                };
                let ins: Vec<In> = member.ins.iter().map(subst).collect();
                let outs: Vec<(String, Type)> = member
                    .outs
                    .iter()
                    .map(|(n, t)| (n.clone(), t.subst(&map)))
                    .collect();
                self.older_than(t, |g| {
                    g.implementation(
                        &Abstract {
                            ins,
                            outs,
                            out: member.out.subst(&map),
                            ..member.clone()
                        },
                        g.classes[t].heap,
                    )
                });
            }
        }
    }

    /// Runs `inside` with only those functions, methods and classes available that were declared
    /// before a trait.
    fn older_than(&mut self, t: usize, inside: impl FnOnce(&mut Self)) {
        let [f, m, c] = self.classes[t].before;
        let (functions, methods) = (self.functions.split_off(f), self.methods.split_off(m));
        let complete: Vec<bool> = self.classes[c..]
            .iter_mut()
            .map(|c| std::mem::replace(&mut c.complete, false))
            .collect();
        inside(self);
        self.functions.extend(functions);
        self.methods.extend(methods);
        self.classes[c..]
            .iter_mut()
            .zip(complete)
            .for_each(|(c, complete)| c.complete = complete);
    }

    fn implementation(&mut self, member: &Abstract, heap: bool) {
        let text = self.formals_text(&member.ins);
        let results = if member.is_method {
            Err(&member.outs)
        } else {
            Ok(&member.out)
        };
        let head = self.head_of_member(&member.name, &text, results, heap);
        self.block(&head, |g| {
            for i in &member.ins {
                g.declare(&i.name, &i.ty, false);
            }
            if member.is_method {
                return g.method_body(&member.outs, 2);
            }
            let body = if heap {
                g.expr(&member.out, 2)
            } else {
                g.purely(|g| g.expr(&member.out, 2))
            };
            g.line(body);
        });
    }

    /// Draws a type test on a value of a trait.
    pub(super) fn type_test(&mut self, depth: usize) -> Option<String> {
        let (v, below) = self.trait_value(|_| true)?;
        let also = if self.chance(30) {
            format!(" && {}", self.expr(&Type::Bool, depth))
        } else {
            String::new()
        };
        Some(format!("(({v} is {}){also})", self.show(&below)))
    }

    /// Draws a downcast of a value known as a trait.
    pub(super) fn downcast(&mut self, ty: &Type, _depth: usize) -> Option<String> {
        if !self.can_be_had(ty) || self.chance(50) {
            return None;
        }
        let (v, below) = self.trait_value(|t| t == ty)?;
        let (shown, other) = (self.show(&below), self.leaf(ty));
        Some(format!(
            "(if {v} is {shown} then {v} as {shown} else {other})"
        ))
    }

    /// A variable with a trait as its type, and a subtype of the trait without type parameters.
    fn trait_value(&mut self, wanted: impl Fn(&Type) -> bool) -> Option<(String, Type)> {
        let classes = self
            .classes
            .iter()
            .enumerate()
            .filter(|(_, c)| !c.is_trait && c.params.is_empty() && self.sees(c.home));
        let data = self
            .data
            .iter()
            .enumerate()
            .filter(|(_, d)| d.params.is_empty() && d.complete && self.sees(d.home));
        let below: Vec<Type> = classes
            .map(|(c, _)| Type::Class(c, vec![], false))
            .chain(data.map(|(d, _)| Type::Data(d, vec![])))
            .filter(|t| wanted(t))
            .collect();
        let mut found = Vec::new();
        for v in self.variables(|t| matches!(t, Type::Class(_, _, false))) {
            found.extend(
                below
                    .iter()
                    .filter(|b| **b != v.ty && self.is_subtype(b, &v.ty))
                    .map(|b| (v.name.clone(), b.clone())),
            );
        }
        self.pick(&found)
    }
}
