//! `cargo dev differential`: compares the translation with the interpreter. The interpreter
//! executes every unit on small inputs, and its results become a test suite of the translation.
//!
//! `cargo dev differential --out DIR [--function-syntax N] [--no-unicode-char] [--each] [--against]
//! DIR-OR-FILE…`
//!
//! Then run `cargo test` in DIR, a crate with a module and a suite for each program.

use crate::Args;
use crate::support;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dafny_resolve::typed::{self, Callable, CallableKind, Type, TypeDeclKind};
use dtest::cli::args::DafnyArgs;
use dtest_emit::case::{Case, CaseOutcome, FrameKept, SuiteOptions, TestRole, Tests};
use dtest_emit::{Placement, suite, translate};
use dtest_interp::{Inputs, Interp, Limits, Outcome, Truth};
use dtest_value::{Contents, Elements, FunctionValue, Heap, Object, ObjectId, Template, Value};

pub(crate) fn run(mut args: Args) {
    let (mut against, mut each, mut out, mut paths) =
        (false, false, PathBuf::from("/tmp/differential"), Vec::new());
    let mut settings = DafnyArgs::default();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--each" => each = true,
            "--against" => against = true,
            "--out" => out = args.next().map(PathBuf::from).unwrap_or(out),
            _ if support::setting(&arg, &mut args, &mut settings) => {}
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    let jobs = support::all_jobs(&paths, &settings, !each);
    // Remove the files of an earlier run.
    let _ = std::fs::remove_dir_all(out.join("src"));
    let _ = std::fs::remove_dir_all(out.join("tests"));
    let mut lib = String::from("#![allow(warnings)]\n");
    let (mut tests, mut skipped, mut valued) = (0, 0, 0);
    for (i, job) in jobs.iter().enumerate() {
        let support::Program {
            sources: map,
            trees,
            errors,
        } = job.load();
        let (program, diagnostics) = dafny_resolve::resolve(trees, job.settings.options());
        if !errors.is_empty() || diagnostics.iter().any(|d| d.is_error()) {
            continue;
        }
        let name = format!("p{i}");
        let placement = Placement::single(
            format!("src/{name}.rs"),
            format!("crate::{name}"),
            format!("// {}", job.name()),
        );
        let translation = translate(&program, &map, &placement);
        let program = Arc::new(program);
        let ir = dtest_lower::lower(program.clone());
        let interpreter = Interp::new(
            &ir,
            Limits {
                steps: 300_000,
                ..Limits::default()
            },
        );
        // The interpreter gives the expected values of the tests.
        let mut cases = Vec::new();
        let named = |s: typed::Span| map.file_at(s.start).is_some_and(|f| f.1.named);
        for unit in dtest_lower::units::units(&program, named) {
            cases.extend(cases_of(&program, &interpreter, unit.callable));
        }
        let options = SuiteOptions {
            header: "// A differential test.".into(),
            subject: format!("differential::{name}"),
            is_translation: !against,
            official: None,
            directory: format!("tests/{name}"),
        };
        let written = suite(
            &program,
            &map,
            &placement,
            &translation,
            &Tests {
                cases: &cases,
                declared: &[],
                datatypes: &[],
                classes: &[],
            },
            &options,
        );
        for (path, text) in translation.files.iter().chain(&written.files) {
            let path = out.join(path);
            let _ = path.parent().map(std::fs::create_dir_all);
            let _ = std::fs::write(path, text);
        }
        for t in written.tests.values() {
            match t {
                Ok(w) => {
                    tests += 1;
                    valued += usize::from(w.oracle == dtest_emit::case::Oracle::Values);
                }
                Err(u) => {
                    skipped += 1;
                    println!("skipped {}: {}", u.what, u.reason);
                }
            }
        }
        if !translation.files.is_empty() {
            lib.push_str(&format!("pub mod {name};\n"));
        }
    }
    // The crate of all programs and their tests.
    let _ = std::fs::write(out.join("src/lib.rs"), lib);
    let dunit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dunit");
    let manifest = format!(
        "[package]\nname = \"differential\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\ndunit = {{ path = \"{}\" }}\n\n[workspace]\n",
        dunit.display()
    );
    let _ = std::fs::write(out.join("Cargo.toml"), manifest);
    let _ = std::fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock"),
        out.join("Cargo.lock"),
    );
    println!("{tests} tests written, {valued} with values; {skipped} skipped");
}

/// Up to six executions with inputs that satisfy the precondition.
fn cases_of(
    program: &typed::Program,
    interpreter: &Interp<'_>,
    unit: typed::CallableId,
) -> Vec<Case> {
    let c: &Callable = &program[unit];
    let type_args: Vec<Type> = program
        .all_type_params(unit)
        .iter()
        .map(|_| Type::Int)
        .collect();
    let map = program
        .all_type_params(unit)
        .into_iter()
        .zip(type_args.iter().cloned())
        .collect();
    // The receiver is the first input.
    let mut types: Vec<Type> = Vec::new();
    if let Some(owner) = c.owner.filter(|_| !c.is_static) {
        let args = program[owner]
            .type_params
            .iter()
            .map(|&p| Type::Param(p).subst(&map))
            .collect();
        types.push(Type::named(owner, args));
    }
    types.extend(c.ins.iter().map(|f| program[f.local].ty.subst(&map)));
    let mut found: Vec<Case> = Vec::new();
    for i in 0..40usize {
        let mut heap = Heap::default();
        let mut args = Vec::new();
        for (j, ty) in types.iter().enumerate() {
            match some_value(
                program,
                ty,
                // Different strides combine the sample values of the parameters in many ways.
                i.wrapping_mul([1, 3, 5, 7, 11][j % 5]) + j,
                3,
                &mut heap,
            ) {
                Some(v) => args.push(v),
                None => return found,
            }
        }
        // The fields of the object that a constructor creates are unassigned.
        if let (CallableKind::Constructor, Some(Value::Ref(made))) = (c.kind, args.first()) {
            heap.objects[made.0 as usize].contents = Contents::Fields(Default::default());
        }
        let inputs = Inputs {
            type_args: type_args.clone(),
            args: args.clone(),
            heap: heap.clone(),
            answers: Vec::new(),
        };
        // Types with few sample values yield the same inputs repeatedly.
        if found.iter().any(|c| c.args == args && c.heap == heap) {
            continue;
        }
        if interpreter.check_inputs(unit, &inputs).verdict() != Truth::True {
            continue;
        }
        let execution = interpreter.run(unit, &inputs);
        let outcome = match execution.outcome {
            Outcome::Returned(values) => {
                CaseOutcome::Returns(execution.deterministic.then_some((values, execution.heap)))
            }
            Outcome::Halted { span, .. } => CaseOutcome::Halts { span },
            Outcome::Failed(_)
            | Outcome::OutOfFuel(_)
            | Outcome::Infeasible(_)
            | Outcome::Unsupported(_) => continue,
        };
        found.push(Case {
            unit,
            role: TestRole::Covering(i),
            type_args: type_args.clone(),
            args,
            heap,
            name: format!("input_{i}"),
            doc: vec![],
            constructed: Default::default(),
            outcome,
            printed: execution.deterministic.then_some(execution.printed),
            frame: FrameKept::Kept,
            answers: execution.answers,
            unanswered: Vec::new(),
        });
        if found.len() == 6 {
            break;
        }
    }
    found
}

/// The `i`-th of several sample values of a type.
fn some_value(
    program: &typed::Program,
    ty: &Type,
    i: usize,
    depth: usize,
    heap: &mut Heap,
) -> Option<Value> {
    // Components of a value get other samples than the value itself.
    let mut several = |n: usize, elem: &Type| -> Option<Vec<Value>> {
        (0..n)
            .map(|k| some_value(program, elem, i / 4 + k * 2, depth.checked_sub(1)?, heap))
            .collect()
    };
    Some(match program.strip_subset(ty) {
        Type::Bool => Value::Bool(i % 2 == 1),
        Type::Char => Value::Char(u32::from([b'a', b'Z', b'0', b'"'][i % 4])),
        Type::Int => Value::int([0, 1, 2, -1, 5, 3, -7, 16, 100, 4][i % 10]),
        Type::Real => Value::Real(num_rational::BigRational::new(
            [0, 1, -3, 5][i % 4].into(),
            [1, 2, 3][i % 3].into(),
        )),
        Type::Bv(width) => Value::Bv {
            width,
            bits: num_bigint::BigUint::from(i) % (num_bigint::BigUint::from(1u32) << width),
        },
        Type::Seq(e) => Value::seq(several([0, 1, 2, 3, 4][i % 5], &e)?),
        Type::Set { elem, .. } => Value::set(several([0, 1, 2, 3][i % 4], &elem)?),
        Type::Multiset(e) => Value::multiset(several([0, 1, 2, 3][i % 4], &e)?),
        Type::Map { key, value, .. } => {
            let n = [0, 1, 2, 3][i % 4];
            let keys = several(n, &key)?;
            let values = several(n, &value)?;
            Value::map(keys.into_iter().zip(values))
        }
        Type::Tuple(cs) => {
            let mut all = Vec::new();
            for (k, (_, t)) in cs.iter().enumerate() {
                all.push(some_value(program, t, i + k, depth, heap)?);
            }
            Value::tuple(all)
        }
        Type::Arrow { params, result, .. } => match (params.as_slice(), &*result, i % 3) {
            ([a, b], Type::Bool, 0) if a == b && program.representation(a) == Type::Int => {
                Value::Function(Arc::new(FunctionValue::Template(Template::AtMost)))
            }
            (params, result, _) => {
                let default = some_value(program, result, i / 3, depth.checked_sub(1)?, heap)?;
                let mut key = Vec::new();
                for p in params {
                    key.push(some_value(program, p, i, depth - 1, heap)?);
                }
                let other = some_value(program, result, i / 3 + 1, depth - 1, heap)?;
                let entries = if i.is_multiple_of(2) {
                    vec![]
                } else {
                    vec![(key, other)]
                };
                Value::Function(Arc::new(FunctionValue::Table { entries, default }))
            }
        },
        Type::Array { dims: 1, elem, .. } => {
            let elements: Vec<Option<Value>> = several([0, 1, 2, 3, 4][i % 5], &elem)?
                .into_iter()
                .map(Some)
                .collect();
            let ty = Type::Array {
                dims: 1,
                elem,
                nullable: false,
            };
            heap.objects
                .push(Object::new(ty, Contents::Elements(Elements::row(elements))));
            Value::Ref(ObjectId(heap.objects.len() as u32 - 1))
        }
        Type::Named { decl, args, .. } => match &program[decl].kind {
            TypeDeclKind::Datatype { ctors, co: false } => {
                let substitution = program.substitution(decl, &args);
                let pick = |c: &typed::CtorId| {
                    program[*c]
                        .fields
                        .iter()
                        .all(|&f| program[f].ty.subst(&substitution) != *ty)
                };
                // At depth 0, the constructor must not be recursive.
                let ctor = if depth == 0 {
                    *ctors.iter().find(|c| pick(c))?
                } else {
                    ctors[i % ctors.len()]
                };
                let mut all = Vec::new();
                for (k, &f) in program[ctor].fields.iter().enumerate() {
                    all.push(some_value(
                        program,
                        &program[f].ty.subst(&substitution),
                        i / 2 + k,
                        depth.checked_sub(1)?,
                        heap,
                    )?);
                }
                Value::datatype(ctor, all)
            }
            TypeDeclKind::Newtype(_) => {
                some_value(program, &program.representation(ty), i, depth, heap)?
            }
            TypeDeclKind::Class => some_object(program, (decl, &args), i, depth, heap)?,
            TypeDeclKind::Datatype { co: true, .. }
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract => return None,
            TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_) => return None,
        },
        Type::Array { .. } | Type::Object { .. } | Type::Ordinal | Type::Param(_) | Type::Error => {
            return None;
        }
    })
}

/// An object of a class with its ghost fields. A field that is a set of objects contains all
/// existing ones, as `Repr` often does.
fn some_object(
    program: &typed::Program,
    (decl, args): (typed::TypeId, &[Type]),
    i: usize,
    depth: usize,
    heap: &mut Heap,
) -> Option<Value> {
    let substitution = program.substitution(decl, args);
    let this = ObjectId(heap.objects.len() as u32);
    heap.objects.push(Object::new(
        Type::named(decl, args.to_vec()),
        Contents::Fields(Default::default()),
    ));
    let mut fields = dtest_sorted::SortedMap::new();
    let mut owned = Vec::new();
    for (k, &f) in program[decl].fields.iter().enumerate() {
        let field = &program[f];
        if field.is_static || matches!(field.kind, typed::FieldKind::Const(Some(_))) {
            continue;
        }
        let ty = field.ty.subst(&substitution);
        let stripped = program.strip_subset(&ty);
        if let Type::Set { elem, .. } = &stripped
            && program.is_reference(elem)
        {
            owned.push((f, (**elem).clone()));
        } else if matches!(stripped, Type::Named { nullable: true, .. })
            && (depth == 0 || i.wrapping_add(k).is_multiple_of(2))
        {
            fields.insert(f, Value::Null);
        } else {
            fields.insert(
                f,
                some_value(program, &ty, i / 2 + k, depth.checked_sub(1)?, heap)?,
            );
        }
    }
    let all: Vec<Value> = (this.0..heap.objects.len() as u32)
        .map(|o| Value::Ref(ObjectId(o)))
        .collect();
    for (f, elem) in owned {
        let is_object = matches!(program.strip_subset(&elem), Type::Object { .. });
        let fits = |v: &&Value| matches!(v, Value::Ref(o) if is_object || heap.objects[o.0 as usize].ty == program.strip_subset(&elem));
        fields.insert(f, Value::set(all.iter().filter(fits).cloned()));
    }
    heap.objects[this.0 as usize].contents = Contents::Fields(fields);
    Some(Value::Ref(this))
}
