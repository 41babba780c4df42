//! Creates the objects of a test: by the calls of a [`Construction`], or field by field.

use dafny_resolve::typed::{
    Body, CallableId, CallableKind, ExprKind, FieldId, FieldKind, LocalId, Program, Rhs, StmtKind,
    Target, Type, TypeDeclKind, TypeId,
};
use dtest_desugar::ExternalCode as _;
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Construction, Contents, ObjectId, Value};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::super::names::{lower_camel, upper_camel};
use super::super::{Piece, Role, Written};
use super::{MAX_DISPLAY, Values};

impl Values<'_, '_> {
    /// Returns the variable of an object, which is created first if needed.
    pub(in crate::dafny) fn object(&mut self, id: ObjectId) -> Written<String> {
        if let Some(name) = self.objects.get(&id) {
            if self.making.contains(&id) {
                return Err("objects that refer to each other before they exist".into());
            }
            if self.made.contains(&id) {
                return Ok(name.clone());
            }
        }
        let heap = self.heap;
        let object = heap
            .objects
            .get(id.0 as usize)
            .ok_or("an object that is not there")?;
        let name = match self.objects.get(&id) {
            Some(name) => name.clone(),
            None => {
                let word = self.word_for(&object.ty);
                self.fresh(&word)
            }
        };
        self.objects.insert(id, name.clone());
        self.making.push(id);
        let made = self.make(id, &name, &object.ty, &object.contents);
        self.making.pop();
        made?;
        self.made.insert(id);
        // Fields whose objects exist now are assigned.
        let (waiting, ready): (Vec<_>, Vec<_>) = std::mem::take(&mut self.later)
            .into_iter()
            .partition(|(_, value, _)| self.refers_to_unmade(value));
        self.later = waiting;
        for (place, value, ty) in ready {
            let value = self.value(&value, &ty)?;
            self.line(format!("{place} := {value};"));
        }
        Ok(name)
    }

    /// Registers an existing object under a name.
    pub(in crate::dafny) fn know(&mut self, id: ObjectId, name: String) {
        self.taken.insert(name.clone());
        self.objects.insert(id, name);
        self.made.insert(id);
    }

    /// Registers that a named object exists now.
    pub(in crate::dafny) fn note_made(&mut self, id: ObjectId) {
        self.made.insert(id);
    }

    fn word_for(&self, ty: &Type) -> String {
        let ty = self.names.program.strip_subset(ty);
        if let Type::Named { decl, .. } = ty {
            lower_camel(&self.names.program[decl].name)
        } else if let Type::Array { dims, .. } = ty {
            if dims == 1 { "values" } else { "matrix" }.into()
        } else {
            "object".into()
        }
    }

    fn refers_to_unmade(&self, value: &Value) -> bool {
        value
            .within()
            .any(|v| matches!(v, Value::Ref(object) if self.making.contains(object)))
    }

    fn make(&mut self, id: ObjectId, name: &str, ty: &Type, contents: &Contents) -> Written<()> {
        let program = self.names.program;
        if let Some(by) = self.constructed.get(&id) {
            return self.construct(id, name, ty, by);
        }
        match (contents, program.strip_subset(ty)) {
            (Contents::Elements(array), Type::Array { elem, .. }) => {
                self.array(name, array.dims(), array, &elem)
            }
            (Contents::Fields(fields), Type::Named { decl, args, .. }) => match &program[decl].kind
            {
                TypeDeclKind::Class => self.by_fields(name, (decl, &args), fields),
                TypeDeclKind::Trait { .. } => self.mock(id, name, (decl, &args), fields),
                TypeDeclKind::Iterator(_) => Err("an iterator that has already started".into()),
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Abstract => {
                    Err(format!("an object of `{}`", program.show_type(ty)).into())
                }
            },
            (Contents::Fields(_), Type::Object { .. }) => Err("an object of type `object`".into()),
            (Contents::Fields(_) | Contents::Elements(_), _) => {
                Err(format!("an object of `{}`", program.show_type(ty)).into())
            }
        }
    }

    fn array(
        &mut self,
        name: &str,
        dims: &[usize],
        elements: &[Option<Value>],
        elem: &Type,
    ) -> Written<()> {
        let elem_text = self.names.ty(elem)?;
        let known: Option<Vec<Value>> = elements
            .iter()
            .map(|e| e.clone().or_else(|| default(self.names.program, elem)))
            .collect();
        let known = known.ok_or("an array element without a value")?;
        let lengths: Vec<String> = dims.iter().map(ToString::to_string).collect();
        let lengths = lengths.join(", ");
        let text = if known.is_empty() {
            format!("var {name} := new {elem_text}[{lengths}];")
        } else if dims.len() == 1 && known.len() <= MAX_DISPLAY {
            let texts: Written<Vec<String>> = known.iter().map(|v| self.value(v, elem)).collect();
            format!(
                "var {name} := new {elem_text}[{lengths}] [{}];",
                texts?.join(", ")
            )
        } else {
            // Elements in row-major order.
            let ty = Type::Seq(Box::new(elem.clone()));
            let all: Vec<&Value> = known.iter().collect();
            let text = self.pieces(&all, ("[", "]"), &ty, &mut |me, e| me.value(e, elem))?;
            let flat = self.fresh("elements");
            let ty = self.names.ty(&ty)?;
            self.line(format!("var {flat}: {ty} := {text};"));
            let indices: Vec<String> = (0..dims.len()).map(|i| format!("i{i}")).collect();
            let mut at = indices.first().cloned().unwrap_or_default();
            for (i, length) in indices.iter().zip(dims).skip(1) {
                at = if at.contains(' ') {
                    format!("({at}) * {length} + {i}")
                } else {
                    format!("{at} * {length} + {i}")
                };
            }
            format!(
                "var {name} := new {elem_text}[{lengths}](({}) => {flat}[{at}]);",
                indices.join(", ")
            )
        };
        self.line(text);
        Ok(())
    }

    /// Creates an object by calls: a constructor, or a callable without receiver that returns it,
    /// then its methods.
    fn construct(&mut self, id: ObjectId, name: &str, ty: &Type, by: &Construction) -> Written<()> {
        let program = self.names.program;
        let maker = &program[by.maker];
        let type_args = if let Type::Named { args, .. } = program.strip_subset(ty) {
            args
        } else {
            Vec::new()
        };
        let args = self.arguments(by.maker, &type_args, &by.args)?;
        let made = if maker.kind == CallableKind::Constructor {
            let class = self.names.ty(&Type::named(
                maker.owner.ok_or("no class")?,
                type_args.clone(),
            ))?;
            format!("new {class}{}({args})", constructor_suffix(&maker.name))
        } else {
            format!("{}({args})", self.names.callable(by.maker, &type_args)?)
        };
        // Ghost results and further results are bound and ignored.
        let others = maker.outs.iter().skip(1).map(|_| ", _").collect::<String>();
        self.line(format!("var {name}{others} := {made};"));
        self.made.insert(id);
        self.making.retain(|o| *o != id);
        for call in &by.then {
            let args = self.arguments(call.callee, &type_args, &call.args)?;
            let callee = &program[call.callee];
            let text = format!("{name}.{}({args})", callee.name);
            self.line(match callee.outs.len() {
                0 => format!("{text};"),
                n => format!("var {} := {text};", vec!["_"; n].join(", ")),
            });
        }
        self.name_parts(id);
        Ok(())
    }

    /// Stores objects that the calls allocated along with an object in variables, if a field holds
    /// them.
    fn name_parts(&mut self, id: ObjectId) {
        let program = self.names.program;
        let heap = self.heap;
        // Parts that the constructor allocated are named by the path that leads to them.
        let mut todo = vec![id];
        while let Some(holder) = todo.pop() {
            let Some(object) = heap.objects.get(holder.0 as usize) else {
                continue;
            };
            let (Contents::Fields(fields), Type::Named { decl, .. }) =
                (&object.contents, &object.ty)
            else {
                continue;
            };
            let Some(owner) = self.objects.get(&holder).cloned() else {
                continue;
            };
            for f in fields_of(program, *decl) {
                let Some(Value::Ref(part)) = fields.get(&f) else {
                    continue;
                };
                // Only unknown, compiled parts need a name.
                if self.objects.contains_key(part) || program[f].ghost {
                    continue;
                }
                let short = owner.split("Of").next().unwrap_or(&owner).to_owned();
                let word = format!("{}Of{}", program[f].name, upper_camel(&short));
                let name = self.fresh(&lower_camel(&word));
                let line = format!("var {name} := {owner}.{};", program[f].name);
                self.lines
                    .push(Piece::new(line, Role::Before).providing(name.clone()));
                self.know(*part, name);
                todo.push(*part);
            }
        }
    }

    /// Writes arguments as a list. Ghost ones are written too: a Dafny call has all arguments.
    pub(in crate::dafny) fn arguments(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        values: &[Value],
    ) -> Written<String> {
        let program = self.names.program;
        let substitution = program
            .all_type_params(callee)
            .into_iter()
            .zip(type_args.iter().cloned())
            .collect();
        let mut out = Vec::new();
        for (formal, value) in program[callee].ins.iter().zip(values) {
            let local = &program[formal.local];
            let text = self.value(value, &local.ty.subst(&substitution))?;
            out.push(if formal.nameonly {
                format!("{} := {text}", local.name)
            } else {
                text
            });
        }
        Ok(out.join(", "))
    }

    /// Creates an object of a class by assigning its fields one by one.
    fn by_fields(
        &mut self,
        name: &str,
        (decl, args): (TypeId, &[Type]),
        fields: &SortedMap<FieldId, Value>,
    ) -> Written<()> {
        let program = self.names.program;
        let class = Type::named(decl, args.to_vec());
        let path = program.type_path(decl);
        let text = self.names.ty(&class)?;
        let constructors: Vec<CallableId> = program[decl]
            .callables
            .iter()
            .copied()
            .filter(|&c| program[c].kind == CallableKind::Constructor)
            .collect();
        if program.type_link(decl).is_some() {
            return Err(format!("an object of `{path}`, which is linked Rust").into());
        }
        let all = fields_of(program, decl);
        let mut given = SortedSet::new();
        if constructors.is_empty() {
            let is_elsewhere = program[decl].module != self.names.home;
            self.needs_inside |= !self.names.is_top_level() && !is_elsewhere;
            if let Some(f) = unassigned_constant(program, &all, &given) {
                return Err(no_calls(program, decl, f).into());
            }
            self.line(format!("var {name} := new {text};"));
        } else {
            // Finds a constructor that sets the constants to their values; other fields are
            // assigned afterwards.
            let substitution = program.substitution(decl, args);
            let mut found: Option<(CallableId, Vec<Value>, SortedSet<FieldId>)> = None;
            for constructor in constructors {
                let sets = fields_set(program, constructor);
                let values: Option<Vec<Value>> = program[constructor]
                    .ins
                    .iter()
                    .map(|formal| {
                        let field = sets.iter().find(|(_, local)| *local == formal.local);
                        let value = field.and_then(|(f, _)| fields.get(f)).cloned();
                        let ty = program[formal.local].ty.subst(&substitution);
                        value.or_else(|| default(program, &ty))
                    })
                    .collect();
                let sets: SortedSet<FieldId> = sets.into_iter().map(|(f, _)| f).collect();
                let Some(values) = values.filter(|vs| !vs.iter().any(|v| self.refers_to_unmade(v)))
                else {
                    continue;
                };
                if unassigned_constant(program, &all, &sets).is_none()
                    && found
                        .as_ref()
                        .is_none_or(|(_, vs, _)| values.len() < vs.len())
                {
                    found = Some((constructor, values, sets));
                }
            }
            let Some((constructor, values, sets)) = found else {
                return Err(match unassigned_constant(program, &all, &given) {
                    Some(f) => no_calls(program, decl, f),
                    None => {
                        format!("an object of `{path}` in a state that no calls were found for")
                    }
                }
                .into());
            };
            given = sets;
            let written = self.arguments(constructor, args, &values)?;
            let suffix = constructor_suffix(&program[constructor].name);
            self.line(format!("var {name} := new {text}{suffix}({written});"));
        }
        self.by_fields.push(name.to_owned());
        for f in all {
            let field = &program[f];
            if field.ghost || !field.kind.is_mutable() || given.contains(&f) {
                continue;
            }
            let Some(value) = fields.get(&f) else {
                continue;
            };
            let ty = program.field_type(&class, f);
            let place = format!("{name}.{}", field.name);
            if self.refers_to_unmade(value) {
                self.later.push((place, value.clone(), ty));
                continue;
            }
            let value = self.value(value, &ty)?;
            self.line(format!("{place} := {value};"));
        }
        Ok(())
    }

    fn mock(
        &mut self,
        id: ObjectId,
        name: &str,
        (decl, args): (TypeId, &[Type]),
        fields: &SortedMap<FieldId, Value>,
    ) -> Written<()> {
        let Some(mocks) = self.mocks else {
            return Err("a mock".into());
        };
        mocks.make(self, (id, name), (decl, args), fields)
    }
}

/// Returns the fields of a class, those of its traits first.
pub(crate) fn fields_of(program: &Program, decl: TypeId) -> Vec<FieldId> {
    let mut all: Vec<FieldId> = Vec::new();
    let owners = program
        .ancestors(decl)
        .into_iter()
        .map(|(t, _)| t)
        .chain([decl]);
    for owner in owners {
        for f in &program[owner].fields {
            if !program[*f].is_static && !all.contains(f) {
                all.push(*f);
            }
        }
    }
    all
}

/// Returns a constant without a value that the constructor does not set.
fn unassigned_constant(
    program: &Program,
    all: &[FieldId],
    set: &SortedSet<FieldId>,
) -> Option<FieldId> {
    let is_unassigned = |f: &&FieldId| {
        matches!(program[**f].kind, FieldKind::Const(None))
            && !program[**f].ghost
            && !set.contains(*f)
    };
    all.iter().find(is_unassigned).copied()
}

fn no_calls(program: &Program, decl: TypeId, constant: FieldId) -> String {
    format!(
        "an object of `{}` in a state that no calls were found for: its constant `{}` cannot be assigned",
        program.type_path(decl),
        program[constant].name
    )
}

/// Returns the fields that a constructor just sets to one of its parameters, with the parameter.
fn fields_set(program: &Program, constructor: CallableId) -> Vec<(FieldId, LocalId)> {
    let Body::Block(body) = &program[constructor].body else {
        return Vec::new();
    };
    let mut set: Vec<(FieldId, LocalId)> = Vec::new();
    for stmt in &body.stmts {
        let StmtKind::Assign { pairs, .. } = &stmt.kind else {
            continue;
        };
        for (target, rhs) in pairs {
            if let (Target::Field { object, field }, Rhs::Expr(value)) = (target, rhs)
                && matches!(object.kind, ExprKind::This)
                && let ExprKind::Local(local) = value.kind
            {
                set.push((*field, local));
            }
        }
    }
    // A parameter that sets two fields, or a field that is set twice, is ambiguous.
    let is_one =
        |(f, l): &(FieldId, LocalId)| set.iter().filter(|(g, m)| f == g || l == m).count() == 1;
    set.iter().copied().filter(is_one).collect()
}

/// Returns `.Name`; empty for the anonymous constructor.
pub(in crate::dafny) fn constructor_suffix(name: &str) -> String {
    if name == "_ctor" {
        String::new()
    } else {
        format!(".{name}")
    }
}

/// Returns a default value of a type, if the type has a simple one.
pub(in crate::dafny) fn default(program: &Program, ty: &Type) -> Option<Value> {
    // A constraint may exclude the default value.
    let is_constrained = matches!(ty, Type::Named { decl, .. }
        if program.nat != Some(*decl)
            && matches!(program[*decl].kind, TypeDeclKind::Subset(_) | TypeDeclKind::Newtype(_)));
    if is_constrained {
        return None;
    }
    match program.representation(ty) {
        Type::Bool => Some(Value::Bool(false)),
        Type::Int => Some(Value::int(0)),
        Type::Real => Some(Value::Real(BigRational::from(BigInt::from(0)))),
        Type::Bv(width) => Some(Value::Bv {
            width,
            bits: Default::default(),
        }),
        Type::Seq(_) => Some(Value::seq([])),
        Type::Set { .. } => Some(Value::set([])),
        Type::Multiset(_) => Some(Value::multiset([])),
        Type::Map { .. } => Some(Value::map([])),
        Type::Array { nullable: true, .. }
        | Type::Object { nullable: true }
        | Type::Named { nullable: true, .. } => Some(Value::Null),
        Type::Array { .. } | Type::Object { .. } | Type::Named { .. } => None,
        Type::Char | Type::Ordinal | Type::Tuple(_) => None,
        Type::Arrow { .. } | Type::Param(_) | Type::Error => None,
    }
}
