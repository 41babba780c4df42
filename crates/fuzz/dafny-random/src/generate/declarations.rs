//! Declarations: types, constants, functions, methods and classes, in modules.

use super::types::Type;
use super::{Generator, Home, Variable};
use crate::profile::Profile;

/// A datatype.
#[derive(Clone, Debug)]
pub(super) struct Data {
    pub(super) home: Home,
    pub(super) name: String,
    pub(super) params: Vec<String>,
    pub(super) ctors: Vec<Ctor>,
    /// Whether its values can be compared if those of its type arguments can.
    pub(super) equality: bool,
    /// Whether it has been declared completely.
    pub(super) complete: bool,
    /// Whether it is failure-compatible.
    pub(super) failure: bool,
    /// The extended traits.
    pub(super) parents: Vec<Type>,
}

/// A constructor. The first one of a datatype does not mention the datatype.
#[derive(Clone, Debug)]
pub(super) struct Ctor {
    pub(super) name: String,
    pub(super) fields: Vec<(String, Type)>,
}

/// A function or a method.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) home: Home,
    pub(super) name: String,
    pub(super) receiver: Option<Type>,
    pub(super) params: Vec<String>,
    pub(super) ins: Vec<In>,
    /// The result of a function.
    pub(super) out: Type,
    /// The results of a method.
    pub(super) outs: Vec<Type>,
    /// Whether the first parameter bounds the recursion.
    pub(super) fuel: bool,
    /// Whether it reads the heap.
    pub(super) heap: bool,
}

#[derive(Clone, Debug)]
pub(super) struct In {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) default: bool,
    /// Whether it is ghost, so that compiled code does not call it.
    pub(super) ghost: bool,
}

impl Generator {
    /// Draws all declarations except `Main`.
    pub(super) fn declarations(&mut self) {
        let modules = [0, 0, 0, 1, 1, 2][self.below(6)];
        for m in 0..modules {
            let name = self.name_of_module(m);
            self.modules.push(name.clone());
            self.home = Some(m);
            let earlier = self.modules[..m].to_vec();
            let refined = self.chance(25);
            // Names stay reserved, because the top level may open the module.
            self.line(if refined {
                format!("abstract module Of{name} {{")
            } else {
                format!("module {name} {{")
            });
            self.indent += 1;
            earlier
                .iter()
                .for_each(|e| self.line(format!("import {e}")));
            let open = if refined {
                self.open_functions()
            } else {
                vec![]
            };
            let count = 2 + self.shape.size / 8;
            self.items(count);
            if refined {
                self.indent -= 1;
                self.line("}");
                self.line(format!("module {name} refines Of{name} {{"));
                self.indent += 1;
                self.close_functions(&open);
                self.items(1);
            }
            self.indent -= 1;
            self.line("}");
        }
        self.home = None;
        self.opened = self.chance(50);
        if self.opened {
            for m in self.modules.clone() {
                self.line(format!("import opened {m}"));
            }
        }
        let count = 3 + self.shape.size / 3;
        self.items(count);
    }

    fn name_of_module(&mut self, m: usize) -> String {
        if self.chance(15) {
            ["core", "crate_", "Std"][m % 3].into()
        } else {
            format!("M{m}")
        }
    }

    fn items(&mut self, count: usize) {
        let start = self.lines.len();
        let mut chunks = Vec::new();
        for _ in 0..count {
            let first = self.lines.len();
            if !self.favoured_item() {
                self.item();
            }
            chunks.push(self.lines[first..].to_vec());
        }
        // Shuffle the declarations, whose order does not matter in Dafny.
        for i in (1..chunks.len()).rev() {
            let j = self.below(i + 1);
            chunks.swap(i, j);
        }
        self.lines.truncate(start);
        self.lines.extend(chunks.into_iter().flatten());
    }

    /// Draws a declaration of any kind.
    fn item(&mut self) {
        match self.below(20) {
            0..=2 => self.range(),
            3 if self.chance(40) => self.stream(),
            4 if self.chance(40) && !self.of_profile(Profile::Deterministic) => self.iterator(),
            3..=5 => self.datatype(),
            6 => self.failure_type(),
            7 | 8 => self.constant(),
            9..=12 => self.function(None),
            13 | 14 => self.recursive_function(),
            15..=17 => self.method(None),
            18 if self.chance(60) => self.trait_declaration(),
            _ => self.class(),
        }
    }

    /// Draws a declaration of the kind that the profile favors, in half of the cases. Returns
    /// whether it did.
    fn favoured_item(&mut self) -> bool {
        let profile = self.shape.profile;
        let is_about = matches!(
            profile,
            Profile::Datatypes | Profile::Objects | Profile::Functions
        );
        if !is_about || !self.chance(50) {
            return false;
        }
        match profile {
            Profile::Datatypes => self.datatype(),
            Profile::Objects if self.chance(40) => self.trait_declaration(),
            Profile::Objects => self.class(),
            Profile::All
            | Profile::Deterministic
            | Profile::Bitvectors
            | Profile::Collections
            | Profile::Functions
            | Profile::Known => self.function(None),
        }
        true
    }

    fn datatype(&mut self) {
        let name = self.type_name("D");
        let params: Vec<String> = (0..[0, 0, 0, 1, 1, 2][self.below(6)])
            .map(|i| ["T", "U"][i].to_owned())
            .collect();
        let args: Vec<Type> = params.iter().map(|p| Type::Param(p.clone())).collect();
        let d = self.data.len();
        let recursive = self.chance(45);
        let home = self.home;
        self.data.push(Data {
            home,
            name: name.clone(),
            params: params.clone(),
            ctors: vec![],
            equality: true,

            complete: false,
            failure: false,
            parents: vec![],
        });
        let ctors = self.constructors(&Type::Data(d, args.clone()), &args, recursive);
        // The type has equality if all fields have it, assuming it for type parameters and for
        // recursive fields.
        let equality = ctors.iter().flat_map(|c| &c.fields).all(|(_, t)| {
            matches!(t, Type::Param(_))
                || t.any(&|t| *t == Type::Data(d, args.clone()))
                || self.has_equality_of_field(t)
        });
        let text: Vec<String> = ctors.iter().map(|c| self.show_ctor(c)).collect();
        let own_names: Vec<String> = ctors
            .iter()
            .flat_map(|c| &c.fields)
            .map(|(n, _)| n.clone())
            .collect();
        self.data[d].ctors = ctors;
        self.data[d].equality = equality;
        let generics = generics(&params);
        let outer = std::mem::replace(&mut self.params, args.clone());
        let parents = self.datatype_parents(&own_names);
        let shown: Vec<String> = parents.iter().map(|p| self.show(p)).collect();
        let extends = if parents.is_empty() {
            String::new()
        } else {
            format!(" extends {}", shown.join(", "))
        };
        self.data[d].parents = parents.clone();
        self.params = outer;
        let head = format!("datatype {name}{generics}{extends} = {}", text.join(" | "));
        if !parents.is_empty() || self.chance(40) {
            self.data[d].complete = true;
            self.block(&head, |g| {
                let params: Vec<Type> = args.clone();
                let outer = std::mem::replace(&mut g.params, params);
                g.inherited_members(&parents);
                g.implementations(&Type::Data(d, args.clone()));
                g.function(Some(Type::Data(d, args.clone())));
                if g.chance(40) {
                    g.method(Some(Type::Data(d, args.clone())));
                }
                g.params = outer;
            });
        } else {
            self.line(head);
        }
        self.data[d].complete = true;
    }

    /// Draws the constructors of the datatype `own`, which has these type parameters.
    fn constructors(&mut self, own: &Type, args: &[Type], recursive: bool) -> Vec<Ctor> {
        // The first constructor must not be recursive, so that the type has values.
        let mut ctors: Vec<Ctor> = Vec::new();
        for c in 0..1 + self.below(3) + usize::from(recursive) {
            let count = if recursive && c == 0 {
                self.below(2)
            } else {
                self.below(4)
            };
            let mut fields: Vec<(String, Type)> = Vec::new();
            for _ in 0..count {
                let own = own.clone();
                let ty = if recursive && c > 0 && self.chance(50) {
                    match self.below(8) {
                        0 => Type::seq(own),
                        1 => Type::Tuple(vec![Type::Int, own]),
                        _ => own,
                    }
                } else if self.chance(50) && !args.is_empty() {
                    self.pick(args).unwrap_or(Type::Int)
                } else if self.chance(5) {
                    self.ty(1)
                } else {
                    self.key_type(1)
                };
                // A field of the same type may share the destructor of another constructor.
                let shared: Vec<String> = ctors
                    .iter()
                    .flat_map(|c| &c.fields)
                    .filter(|(n, t)| *t == ty && !fields.iter().any(|(m, _)| m == n))
                    .map(|(n, _)| n.clone())
                    .collect();
                let field = match self.pick(&shared) {
                    Some(shared) if self.chance(40) => shared,
                    _ => self.member_name("f"),
                };
                fields.push((field, ty));
            }
            let name = self.constructor_name();
            ctors.push(Ctor { name, fields });
        }
        ctors
    }

    /// Shows a constructor with its fields.
    fn show_ctor(&self, c: &Ctor) -> String {
        let fields: Vec<String> = c
            .fields
            .iter()
            .map(|(n, t)| format!("{n}: {}", self.show(t)))
            .collect();
        if fields.is_empty() {
            c.name.clone()
        } else {
            format!("{}({})", c.name, fields.join(", "))
        }
    }

    /// Draws the parents of a datatype. Inherited members must not clash with destructors.
    fn datatype_parents(&mut self, destructors: &[String]) -> Vec<Type> {
        let mut parents = if self.general_traits && self.chance(50) {
            self.parents(false)
        } else {
            vec![]
        };
        parents.retain(|p| {
            !self
                .inherited_names(std::slice::from_ref(p))
                .iter()
                .any(|n| destructors.contains(n))
        });
        parents
    }

    /// Whether a field of the type has equality. Parameters of a datatype are instantiated with
    /// types that have it.
    fn has_equality_of_field(&self, ty: &Type) -> bool {
        !ty.any(&|t| {
            matches!(t, Type::Arrow(..)) || matches!(t, Type::Data(d, _) if !self.data[*d].equality)
        })
    }

    fn failure_type(&mut self) {
        let (name, ok, bad) = (
            self.type_name("Res"),
            self.constructor_name(),
            self.constructor_name(),
        );
        let (value, error) = (self.member_name("value"), self.member_name("error"));
        self.block(&format!("datatype {name}<T> = {ok}({value}: T) | {bad}({error}: string)"), |g| {
            g.line(format!("predicate IsFailure() {{ {bad}? }}"));
            g.line(format!("function PropagateFailure<U>(): {name}<U> requires {bad}? {{ {name}.{bad}({error}) }}"));
            g.line(format!("function Extract(): T requires {ok}? {{ {value} }}"));
        });
        let param = Type::Param("T".into());
        let ctors = vec![
            Ctor {
                name: ok,
                fields: vec![(value, param)],
            },
            Ctor {
                name: bad,
                fields: vec![(error, Type::string())],
            },
        ];
        let home = self.home;
        self.data.push(Data {
            home,
            name,
            params: vec!["T".into()],
            ctors,
            equality: true,
            complete: true,
            failure: true,
            parents: vec![],
        });
    }

    fn constant(&mut self) {
        let (name, ty) = (self.constant_name(), self.ty(2));
        let value = self.purely(|g| g.expr(&ty, 2));
        // Dafny 4.11 crashes on a constructor with arguments in a constant without a type (issue
        // 6306 of dafny-lang/dafny).
        let crashes = !self.data.is_empty() && !self.of_profile(Profile::Known);
        let annotation = if crashes || self.chance(60) {
            format!(": {}", self.show(&ty))
        } else {
            String::new()
        };
        self.line(format!("const {name}{annotation} := {value}"));
        let home = self.home;
        self.constants.push(Variable {
            name,
            ty,
            mutable: false,
            heap: false,
            module: Some(home),
        });
    }

    /// Draws the type parameters of a generic declaration.
    fn type_parameters(&mut self) -> Vec<String> {
        if !self.params.is_empty() || self.chance(75) {
            vec![]
        } else {
            vec!["A".into(), "B".into()][..1 + self.below(2)].to_vec()
        }
    }

    /// Draws a function that is not recursive. With a receiver, it is a member of its type.
    pub(super) fn function(&mut self, receiver: Option<Type>) {
        let name = if receiver.is_some() {
            self.member_name("g")
        } else {
            self.value_name("F")
        };
        let params = self.type_parameters();
        let outer_params = self.params.clone();
        self.params
            .extend(params.iter().map(|p| Type::Param(p.clone())));
        let heap = self.is_reference(receiver.as_ref());
        let outer = std::mem::take(&mut self.scope);
        let (ins, out, lines) = self.scoped(|g| {
            g.scope = outer
                .iter()
                .filter(|v| v.heap || v.name == "this")
                .cloned()
                .collect();
            let ins = g.formals(&params);
            let mut out = g.ty(2);
            if g.params.contains(&out) && !g.can_be_had(&out) {
                out = Type::Int;
            }
            g.receiver_in_scope(&receiver);
            let body = if heap {
                g.expr(&out, 3)
            } else {
                g.purely(|g| g.expr(&out, 3))
            };
            let keyword = if out == Type::Bool && g.chance(50) {
                "predicate"
            } else {
                "function"
            };
            let result = if keyword == "predicate" {
                String::new()
            } else {
                format!(": {}", g.show(&out))
            };
            let reads = if heap { " reads this" } else { "" };
            let head = format!(
                "{keyword} {name}{}({}){result}{reads}",
                generics(&params),
                g.formals_text(&ins)
            );
            let by_method = if receiver.is_none() && g.chance(8) {
                Some(g.value_name("r"))
            } else {
                None
            };
            let lines = match by_method {
                // The result of a `predicate` by method has no name. Its type is in `returns`.
                Some(_) if keyword == "function" => vec![format!(
                    "{head} {{ {body} }} by method {{ return {body}; }}"
                )],
                _ => vec![format!("{head} {{"), format!("  {body}"), "}".into()],
            };
            (ins, out, lines)
        });
        self.scope = outer;
        self.params = outer_params;
        lines.iter().for_each(|l| self.line(l));
        let home = self.home;
        self.functions.push(Callable {
            home,
            name,
            receiver,
            params,
            ins,
            out,
            outs: vec![],
            fuel: false,
            heap,
        });
    }

    pub(super) fn receiver_in_scope(&mut self, receiver: &Option<Type>) {
        let Some(ty @ Type::Data(d, _)) = receiver else {
            return;
        };
        self.declare("this", ty, false);
        // Fields common to all constructors can be selected without a guard.
        if let [only] = self.data[*d].ctors.clone().as_slice() {
            for (field, ty) in &only.fields {
                self.declare(field, ty, false);
            }
        }
    }

    /// Draws and declares parameters, starting with one for each type parameter.
    pub(super) fn formals(&mut self, params: &[String]) -> Vec<In> {
        let mut ins: Vec<In> = Vec::new();
        for p in params {
            let name = self.value_name("t");
            ins.push(In {
                name,
                ty: Type::Param(p.clone()),
                default: false,
                ghost: false,
            });
        }
        for _ in 0..self.below(4) {
            let ty = self.ty(2);
            let usable = !ty.any(&|t| matches!(t, Type::Param(_)) && !self.params.contains(t));
            let name = self.value_name("a");
            let ghost = self.chance(6);
            ins.push(In {
                name,
                ty: if usable { ty } else { Type::Int },
                default: false,
                ghost,
            });
        }
        for i in ins.iter().filter(|i| !i.ghost) {
            self.declare(&i.name, &i.ty, false);
        }
        if let Some(last) = ins.last_mut()
            && matches!(last.ty, Type::Int | Type::Bool | Type::Nat)
            && !last.ghost
            && self.chance(25)
        {
            last.default = true;
        }
        ins
    }

    pub(super) fn formals_text(&mut self, ins: &[In]) -> String {
        let mut all = Vec::new();
        for i in ins {
            let default = if i.default {
                format!(" := {}", self.constant_literal(&i.ty))
            } else {
                String::new()
            };
            let ghost = if i.ghost { "ghost " } else { "" };
            all.push(format!("{ghost}{}: {}{default}", i.name, self.show(&i.ty)));
        }
        all.join(", ")
    }

    fn constant_literal(&mut self, ty: &Type) -> String {
        if matches!(ty, Type::Bool) {
            self.one(&["true", "false"]).into()
        } else {
            self.one(&["0", "1", "3"]).into()
        }
    }

    /// Draws a recursive function whose first parameter counts the remaining calls.
    fn recursive_function(&mut self) {
        let (name, out) = (self.value_name("F"), self.ty(1));
        // The body sees the parameters only.
        let outer = std::mem::take(&mut self.scope);
        let (ins, body) = self.scoped(|g| {
            let mut ins = g.formals(&[]);
            ins.retain(|i| !i.ghost);
            ins.iter_mut().for_each(|i| i.default = false);
            // The first parameter counts the remaining calls, so every call terminates.
            let fuel = g.value_name("n");
            g.declare(&fuel, &Type::Nat, false);
            let body = g.purely(|g| {
                let (base, args): (String, Vec<String>) = (
                    g.expr(&out, 2),
                    ins.iter().map(|i| g.expr(&i.ty, 0)).collect(),
                );
                let all: Vec<String> = std::iter::once(format!("{fuel} - 1")).chain(args).collect();
                let step = g.with_let(&out, &format!("{name}({})", all.join(", ")), |g, _| {
                    g.expr(&out, 2)
                });
                format!("if {fuel} == 0 then {base} else {step}")
            });
            ins.insert(
                0,
                In {
                    name: fuel,
                    ty: Type::Nat,
                    default: false,
                    ghost: false,
                },
            );
            (ins, body)
        });
        self.scope = outer;
        let text = self.formals_text(&ins);
        let result = self.show(&out);
        let decreases = if self.chance(50) {
            format!(" decreases {}", ins[0].name)
        } else {
            String::new()
        };
        self.line(format!("function {name}({text}): {result}{decreases} {{"));
        self.line(format!("  {body}"));
        self.line("}");
        let home = self.home;
        self.functions.push(Callable {
            home,
            name,
            receiver: None,
            params: vec![],
            ins,
            out,
            outs: vec![],
            fuel: true,
            heap: false,
        });
    }

    pub(super) fn method(&mut self, receiver: Option<Type>) {
        let name = if receiver.is_some() {
            self.member_name("m")
        } else {
            self.value_name("P")
        };
        let params = self.type_parameters();
        let outer_params = self.params.clone();
        self.params
            .extend(params.iter().map(|p| Type::Param(p.clone())));
        let outer = std::mem::take(&mut self.scope);
        let home = self.home;
        let in_class = self.is_reference(receiver.as_ref());
        let (ins, outs) = self.scoped(|g| {
            // A method also sees the heap and `this`.
            g.scope = outer
                .iter()
                .filter(|v| v.heap || v.name == "this")
                .cloned()
                .collect();
            let mut ins = g.formals(&params);
            // A reference as parameter allows the method to change the caller's heap.
            if receiver.is_none() && g.chance(35) {
                let (ty, name) = (g.reference_type(), g.value_name("a"));
                if let Some(ty) = ty {
                    g.declare(&name, &ty, false);
                    ins.iter_mut().for_each(|i| i.default = false);
                    ins.push(In {
                        name,
                        ty,
                        default: false,
                        ghost: false,
                    });
                }
            }
            g.receiver_in_scope(&receiver);
            // The first result may be a failure type, so that callers can use `:-`.
            let failing = g.failure_instance().filter(|_| g.chance(35));
            let mut outs: Vec<(String, Type)> = Vec::new();
            for i in 0..g.below(4) {
                let ty = match (&failing, i) {
                    (Some(ty), 0) => ty.clone(),
                    _ => g.ty(2),
                };
                // The body has to give each result a value.
                let ty = if g.can_be_had(&ty) { ty } else { Type::Int };
                let name = g.value_name("r");
                outs.push((name, ty));
            }
            let results: Vec<String> = outs
                .iter()
                .map(|(n, t)| format!("{n}: {}", g.show(t)))
                .collect();
            let returns = if outs.is_empty() {
                String::new()
            } else {
                format!(" returns ({})", results.join(", "))
            };
            let modifies = if in_class { " modifies this" } else { "" };
            let text = g.formals_text(&ins);
            let frame: Vec<String> = ins
                .iter()
                .filter(|i| matches!(i.ty, Type::Array(..) | Type::Class(_, _, false)))
                .map(|i| i.name.clone())
                .collect();
            let frame = if frame.is_empty() || in_class {
                String::new()
            } else {
                format!(" modifies {}", frame.join(", "))
            };
            let head = format!(
                "method {name}{}({text}){returns}{modifies}{frame}",
                generics(&params)
            );
            let size = 2 + g.shape.size / 4;
            g.block(&head, |g| g.method_body(&outs, size));
            (ins, outs)
        });
        self.scope = outer;
        self.params = outer_params;
        let outs = outs.into_iter().map(|(_, t)| t).collect();
        self.methods.push(Callable {
            home,
            name,
            receiver,
            params,
            ins,
            out: Type::Bool,
            outs,
            fuel: false,
            heap: true,
        });
    }

    /// Draws an array or object type.
    pub(super) fn reference_type(&mut self) -> Option<Type> {
        let visible: Vec<usize> = (0..self.classes.len())
            .filter(|&c| self.classes[c].heap && self.sees(self.classes[c].home))
            .collect();
        if self.chance(50) {
            return self.pick(&visible).map(|c| self.class_type(c, false));
        }
        let elem = self.printable_type(1);
        let elem = if elem.any(&|t| matches!(t, Type::Param(_))) {
            Type::Int
        } else {
            elem
        };
        Some(Type::Array(
            1 + usize::from(self.chance(25)),
            Box::new(elem),
        ))
    }

    /// Draws a failure-compatible type.
    pub(super) fn failure_instance(&mut self) -> Option<Type> {
        let found: Vec<usize> = (0..self.data.len())
            .filter(|&d| self.data[d].failure && self.sees(self.data[d].home))
            .collect();
        let d = self.pick(&found)?;
        Some(Type::Data(d, vec![self.key_type(1)]))
    }
}

pub(super) fn generics(params: &[String]) -> String {
    if params.is_empty() {
        String::new()
    } else {
        format!("<{}>", params.join(", "))
    }
}
