//! Mocks of traits: classes of the test module that implement the trait with given answers.

use std::cell::RefCell;

use dafny_resolve::typed::{
    Body, CallableId, CallableKind, FieldId, FieldKind, Program, Type, TypeId,
};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Answer, FunctionValue, Heap, ObjectId, Place, Value};

use super::names::{Names, lower_camel, unique, upper_camel};
use super::value::Values;
use super::{Piece, Role, Written};

/// The trait of a mock, and the members with bodies that it overrides.
type Implemented = (Type, SortedSet<CallableId>);

/// The mocks that a test module declares.
pub(super) struct Mocks<'p> {
    program: &'p Program,
    /// The class names of mocks by their trait and the overridden members with bodies.
    names: RefCell<Vec<(Implemented, String)>>,
    pieces: RefCell<Vec<Piece>>,
    taken: RefCell<SortedSet<String>>,
}

/// Whether an answer belongs to a mock of the heap rather than to external code.
pub(super) fn is_of_mock(program: &Program, answer: &Answer, heap: &Heap) -> bool {
    let Some(Some(Value::Ref(object))) = answer.args.first() else {
        return false;
    };
    let c = &program[answer.callee];
    let of_trait = |t: &Type| matches!(t, Type::Named { decl, .. } if program.is_trait(*decl));
    !c.is_static
        && c.owner.is_some_and(|t| program.is_trait(t))
        && heap
            .objects
            .get(object.0 as usize)
            .is_some_and(|o| of_trait(&o.ty))
}

/// The field of a mock with the answers for one member.
struct Member {
    id: CallableId,
    /// The type of the answers' field.
    ty: String,
    field: String,
}

impl<'p> Mocks<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self {
            program,
            names: RefCell::default(),
            pieces: RefCell::default(),
            taken: RefCell::default(),
        }
    }

    /// Takes the declarations.
    pub(super) fn take(&self) -> Vec<Piece> {
        std::mem::take(&mut self.pieces.borrow_mut())
    }

    /// Adds the statement that creates a mock.
    pub(super) fn make(
        &self,
        values: &mut Values<'_, 'p>,
        (id, name): (ObjectId, &str),
        (decl, args): (TypeId, &[Type]),
        fields: &SortedMap<FieldId, Value>,
    ) -> Written<()> {
        let program = self.program;
        let heap = values.heap;
        let redefined = heap.objects.get(id.0 as usize).map(|o| &o.redefined);
        let own: Vec<Answer> = values
            .answers
            .iter()
            .filter(|a| a.args.first() == Some(&Some(Value::Ref(id))))
            .cloned()
            .collect();
        let answered: SortedSet<CallableId> = redefined
            .into_iter()
            .flat_map(|r| r.keys().copied())
            .chain(own.iter().map(|a| program.first_declaration(a.callee)))
            .filter(|m| !matches!(program[program.implementation(decl, *m)].body, Body::None))
            .collect();
        let members = self.members(values, decl, args, &answered)?;
        let class = self.declare(values, (decl, args), &answered, &members)?;
        let mut actuals = Vec::new();
        for f in mutable_or_given(program, decl) {
            let ty = program.field_type(&Type::named(decl, args.to_vec()), f);
            let value = fields
                .get(&f)
                .ok_or_else(|| format!("a mock whose field `{}` has no value", program[f].name))?;
            actuals.push(values.value(value, &ty)?);
        }
        for member in &members {
            let is_function = program[member.id].kind.is_function();
            actuals.push(if is_function {
                let function = redefined.and_then(|r| r.get(&member.id));
                self.function(values, (decl, args), member.id, function)?
            } else {
                self.answers(values, (decl, args), member.id, &own)?
            });
        }
        values.needs.push(class.clone());
        values.line(format!(
            "var {name} := new {class}({});",
            actuals.join(", ")
        ));
        Ok(())
    }

    /// Writes the function by which a mock answers calls of a member.
    fn function(
        &self,
        values: &mut Values<'_, 'p>,
        (decl, args): (TypeId, &[Type]),
        member: CallableId,
        function: Option<&FunctionValue>,
    ) -> Written<String> {
        let program = self.program;
        let (params, result) = self.signature(decl, args, member);
        match function {
            Some(FunctionValue::Table { entries, default }) => {
                let names: Vec<String> = match params.len() {
                    1 => vec!["x".into()],
                    n => (0..n).map(|i| format!("x{i}")).collect(),
                };
                let mut typed = Vec::new();
                for (n, t) in names.iter().zip(&params) {
                    typed.push(format!("{n}: {}", values.names.ty(t)?));
                }
                let body = values.table(&names, entries, default, &params, &result)?;
                Ok(format!("({}) => {body}", typed.join(", ")))
            }
            Some(other) => values.function(other, &params, &result),
            None => match super::value::default(program, &result) {
                // The member is not called in this test.
                Some(value) => {
                    let wild = vec!["_"; params.len()].join(", ");
                    Ok(format!("({wild}) => {}", values.value(&value, &result)?))
                }
                None => Err(format!(
                    "a mock that does not say what `{}` gives",
                    program.callable_path(member)
                )
                .into()),
            },
        }
    }

    /// Writes the sequence of results by which a mock answers the calls of a method.
    fn answers(
        &self,
        values: &mut Values<'_, 'p>,
        (decl, args): (TypeId, &[Type]),
        member: CallableId,
        own: &[Answer],
    ) -> Written<String> {
        let program = self.program;
        let c = &program[member];
        let mut answers = Vec::new();
        for answer in own
            .iter()
            .filter(|a| program.first_declaration(a.callee) == member)
        {
            // Tests are not verified, so that nothing reads ghost fields.
            let is_ghost = |place: &Place| matches!(place, Place::Field(f) if program[*f].ghost);
            if answer.changes.iter().any(|(_, place, _)| !is_ghost(place)) {
                return Err(format!(
                    "a mock whose `{}` modifies objects",
                    program.callable_path(answer.callee)
                )
                .into());
            }
            let mut results = Vec::new();
            let outs = self.results(decl, args, member);
            for (ty, value) in outs.iter().zip(
                answer
                    .results
                    .iter()
                    .zip(&c.outs)
                    .filter(|(_, f)| !program[f.local].ghost)
                    .map(|(v, _)| v),
            ) {
                let value = value.as_ref().ok_or("a mock with an unknown result")?;
                results.push(values.value(value, ty)?);
            }
            answers.push(tuple(&results));
        }
        Ok(format!("[{}]", answers.join(", ")))
    }

    /// Returns the members that a mock answers: those without a body, and the overridden ones.
    fn members(
        &self,
        values: &Values<'_, 'p>,
        decl: TypeId,
        args: &[Type],
        answered: &SortedSet<CallableId>,
    ) -> Written<Vec<Member>> {
        let program = self.program;
        let mut found: Vec<Member> = Vec::new();
        for id in all_members(program, decl) {
            let c = &program[id];
            let is_open = matches!(program[program.implementation(decl, id)].body, Body::None);
            if c.is_static
                || c.ghost
                || c.kind == CallableKind::Lemma
                || !(is_open || answered.contains(&id))
            {
                continue;
            }
            // The type of a generic member's answers would depend on the call.
            if !c.type_params.is_empty() {
                return Err(
                    format!("a mock of a trait with the generic member `{}`", c.name).into(),
                );
            }
            // A function's answers are a function value; a method's are a sequence, one per call.
            let field = format!("{}Answers", lower_camel(&c.name));
            let ty = if c.kind.is_function() {
                let (params, result) = self.signature(decl, args, id);
                values.names.ty(&Type::Arrow {
                    kind: dafny_syntax::ast::ArrowKind::Total,
                    params,
                    result: Box::new(result),
                })?
            } else {
                let texts: Written<Vec<String>> = self
                    .results(decl, args, id)
                    .iter()
                    .map(|t| values.names.ty(t))
                    .collect();
                format!("seq<{}>", tuple(&texts?))
            };
            found.push(Member { id, ty, field });
        }
        Ok(found)
    }

    fn within(
        &self,
        decl: TypeId,
        args: &[Type],
        member: CallableId,
    ) -> dafny_resolve::typed::Substitution {
        let program = self.program;
        let owner = program[member].owner.unwrap_or(decl);
        let own = Type::named(decl, args.to_vec());
        let args = program.supertype_args(&own, owner).unwrap_or_default();
        program.substitution(owner, &args)
    }

    /// Returns the types of the compiled parameters and of the result of a function.
    fn signature(&self, decl: TypeId, args: &[Type], member: CallableId) -> (Vec<Type>, Type) {
        let program = self.program;
        let c = &program[member];
        let map = self.within(decl, args, member);
        let params = c.ins.iter().filter(|f| !program[f.local].ghost);
        (
            params.map(|f| program[f.local].ty.subst(&map)).collect(),
            c.outs
                .first()
                .map_or(Type::Error, |f| program[f.local].ty.subst(&map)),
        )
    }

    /// Returns the types of the compiled results of a method.
    fn results(&self, decl: TypeId, args: &[Type], member: CallableId) -> Vec<Type> {
        let program = self.program;
        let map = self.within(decl, args, member);
        let outs = program[member]
            .outs
            .iter()
            .filter(|f| !program[f.local].ghost);
        outs.map(|f| program[f.local].ty.subst(&map)).collect()
    }

    /// Returns the name of the class of a mock, which is declared if needed.
    fn declare(
        &self,
        values: &Values<'_, 'p>,
        (decl, args): (TypeId, &[Type]),
        answered: &SortedSet<CallableId>,
        members: &[Member],
    ) -> Written<String> {
        // Mocks that answer the same members of the same type share a class.
        let program = self.program;
        let ty = Type::named(decl, args.to_vec());
        let key = (ty.clone(), answered.clone());
        if let Some((_, name)) = self.names.borrow().iter().find(|(known, _)| *known == key) {
            return Ok(name.clone());
        }
        let word = format!("{}Mock", upper_camel(&program[decl].name));
        let names = values.names;
        let name = unique(&word, &mut self.taken.borrow_mut(), &|n| {
            !names.is_opened(n)
        });
        // The constructor initializes the trait's fields, then the answers of each member.
        let mut fields = String::new();
        let mut params = Vec::new();
        let mut assigned = Vec::new();
        for f in mutable_or_given(program, decl) {
            let field = &program[f];
            params.push(format!(
                "{}: {}",
                field.name,
                names.ty(&program.field_type(&ty, f))?
            ));
            assigned.push(field.name.to_string());
        }
        for member in members {
            let is_function = program[member.id].kind.is_function();
            let keyword = if is_function { "const" } else { "var" };
            fields.push_str(&format!("  {keyword} {}: {}\n", member.field, member.ty));
            params.push(format!("{}: {}", member.field, member.ty));
            assigned.push(member.field.clone());
        }
        let mut body = String::new();
        for f in &assigned {
            body.push_str(&format!("    this.{f} := {f};\n"));
        }
        let mut text = format!(
            "@AssumeCrossModuleTermination\nclass {name} extends {} {{\n{fields}\n  constructor ({}) {{\n{body}  }}\n",
            names.ty(&ty)?,
            params.join(", ")
        );
        // Members with a body are inherited; those without one need one here.
        for id in all_members(program, decl) {
            let c = &program[id];
            let is_open = matches!(program[program.implementation(decl, id)].body, Body::None);
            let member = members.iter().find(|m| m.id == id);
            if member.is_none()
                && !(is_open && !c.is_static && (c.ghost || c.kind == CallableKind::Lemma))
            {
                continue;
            }
            text.push('\n');
            text.push_str(&self.member(values, (decl, args), id, member)?);
        }
        text.push('}');
        self.names.borrow_mut().push((key, name.clone()));
        self.pieces
            .borrow_mut()
            .push(Piece::new(text, Role::Declaration).providing(name.clone()));
        Ok(name)
    }

    /// Writes the declaration of a member.
    fn member(
        &self,
        values: &Values<'_, 'p>,
        (decl, args): (TypeId, &[Type]),
        id: CallableId,
        member: Option<&Member>,
    ) -> Written<String> {
        let program = self.program;
        let c = &program[id];
        let names = values.names;
        let map = self.within(decl, args, id);
        let ghost = |local: dafny_resolve::typed::LocalId| {
            if program[local].ghost && !c.ghost {
                "ghost "
            } else {
                ""
            }
        };
        let mut params = Vec::new();
        for f in &c.ins {
            let local = &program[f.local];
            params.push(format!(
                "{}{}: {}",
                ghost(f.local),
                local.name,
                names.ty(&local.ty.subst(&map))?
            ));
        }
        let params = params.join(", ");
        if c.kind.is_function() {
            return self.declared_function(names, (id, &map), &params, member);
        }
        // Lemmas and ghost methods have no effect at run time: an empty body suffices.
        if c.kind == CallableKind::Lemma {
            let outs = self.outs(values, id, &map, c.ghost)?;
            let word = if c.is_two_state {
                "twostate lemma"
            } else {
                "lemma"
            };
            return Ok(format!("  {word} {}({params}){outs}\n  {{\n  }}\n", c.name));
        }
        let Some(m) = member else {
            let outs = self.outs(values, id, &map, true)?;
            return Ok(format!(
                "  ghost method {}({params}){outs}\n  {{\n  }}\n",
                c.name
            ));
        };
        let outs = self.outs(values, id, &map, c.ghost)?;
        let body = self.answering_body(id, &m.field);
        Ok(format!(
            "  method {}({params}){outs}\n    modifies this\n  {{\n{body}  }}\n",
            c.name
        ))
    }

    /// Writes the declaration of a function, which answers by a function value in a field. A ghost
    /// predicate without an answer is true; other ghost functions are not supported.
    fn declared_function(
        &self,
        names: &Names<'p>,
        (id, map): (CallableId, &dafny_resolve::typed::Substitution),
        params: &str,
        member: Option<&Member>,
    ) -> Written<String> {
        let program = self.program;
        let c = &program[id];
        let keyword = if c.ghost { "ghost " } else { "" };
        let out = c.outs.first().ok_or("a function without a result")?;
        let result = names.ty(&program[out.local].ty.subst(map))?;
        let reads = if c.spec.reads.is_empty() {
            ""
        } else {
            "\n    reads *"
        };
        let body = match member {
            Some(m) => {
                let given: Vec<String> = c
                    .ins
                    .iter()
                    .filter(|f| !program[f.local].ghost)
                    .map(|f| program[f.local].name.to_string())
                    .collect();
                format!("{}({})", m.field, given.join(", "))
            }
            None => {
                let ty = program[out.local].ty.subst(map);
                match super::value::default(program, &ty) {
                    Some(Value::Bool(_)) => "true".into(),
                    Some(_) | None => {
                        return Err(format!(
                            "a mock of a trait with the ghost function `{}`",
                            c.name
                        )
                        .into());
                    }
                }
            }
        };
        let word = if c.kind == CallableKind::TwostateFunction {
            "twostate function"
        } else {
            "function"
        };
        Ok(format!(
            "  {keyword}{word} {}({params}): {result}{reads}\n  {{\n    {body}\n  }}\n",
            c.name
        ))
    }

    /// Writes the body of a method, which takes its answers from a sequence, one per call.
    fn answering_body(&self, id: CallableId, field: &str) -> String {
        let program = self.program;
        let path = program.callable_path(id);
        let targets: Vec<String> = program[id]
            .outs
            .iter()
            .filter(|f| !program[f.local].ghost)
            .map(|f| program[f.local].name.to_string())
            .collect();
        let mut body = format!(
            "    expect |this.{0}| > 0, \"the mock has no answer to this call of {path}\";\n",
            field
        );
        match targets.as_slice() {
            [] => {}
            [one] => body.push_str(&format!("    {one} := this.{}[0];\n", field)),
            many => {
                let parts: Vec<String> = (0..many.len())
                    .map(|i| format!("this.{}[0].{i}", field))
                    .collect();
                body.push_str(&format!(
                    "    {} := {};\n",
                    many.join(", "),
                    parts.join(", ")
                ));
            }
        }
        body.push_str(&format!("    this.{0} := this.{0}[1..];\n", field));
        body
    }

    fn outs(
        &self,
        values: &Values<'_, 'p>,
        id: CallableId,
        map: &dafny_resolve::typed::Substitution,
        is_ghost: bool,
    ) -> Written<String> {
        let program = self.program;
        let mut outs = Vec::new();
        for f in &program[id].outs {
            let local = &program[f.local];
            let ghost = if local.ghost && !is_ghost {
                "ghost "
            } else {
                ""
            };
            outs.push(format!(
                "{ghost}{}: {}",
                local.name,
                values.names.ty(&local.ty.subst(map))?
            ));
        }
        Ok(if outs.is_empty() {
            String::new()
        } else {
            format!(" returns ({})", outs.join(", "))
        })
    }
}

/// Returns the members of a trait, those of its ancestors first; an overridden member is
/// represented by its first declaration.
fn all_members(program: &Program, decl: TypeId) -> Vec<CallableId> {
    let mut all = Vec::new();
    let owners = program
        .ancestors(decl)
        .into_iter()
        .map(|(t, _)| t)
        .chain([decl]);
    for owner in owners {
        for &c in &program[owner].callables {
            let first = program.first_declaration(c);
            if !all.contains(&first) {
                all.push(first);
            }
        }
    }
    all
}

/// Returns the fields of a trait that a mock gets values for.
fn mutable_or_given(program: &Program, decl: TypeId) -> Vec<FieldId> {
    super::value::fields_of(program, decl)
        .into_iter()
        .filter(|f| {
            !program[*f].ghost
                && match program[*f].kind {
                    FieldKind::Mutable | FieldKind::Const(None) => true,
                    FieldKind::Const(Some(_)) | FieldKind::Destructor(_) => false,
                }
        })
        .collect()
}

fn tuple(texts: &[String]) -> String {
    match texts {
        [one] => one.clone(),
        many => format!("({})", many.join(", ")),
    }
}
