//! Specimens: values of every constructor of a datatype and objects of classes, made without the
//! solver. They are for tests of declarations rather than of a unit.

use dafny_resolve::typed::{self, CtorId, Type, TypeDeclKind, TypeId, TypeParamId};
use dtest_interp::Interp;
use dtest_ir as ir;
use dtest_value::{Contents, Heap, Object, ObjectId, Value};

use super::constants::Constants;
use super::instantiate::bounded_argument;
use super::seeds::{Maker, stored_fields};

/// Values of a datatype: one for each constructor, and two if an argument of the constructor has at
/// most two values.
#[derive(Debug, Clone)]
pub struct Specimens {
    /// The datatype.
    pub decl: TypeId,
    /// The type arguments.
    pub type_args: Vec<Type>,
    /// The values, in the order of the constructors.
    pub values: Vec<(CtorId, Value)>,
    /// Constructors without a known value.
    pub missing: Vec<CtorId>,
    /// The heap that the values refer to.
    pub heap: Heap,
}

/// Maximum nesting of the arguments of a constructor.
const DEPTH: u32 = 2;

/// Values of a datatype's compiled constructors. `None` if no type is known that satisfies the
/// bounds of a type parameter.
pub fn specimens(program: &ir::Program, interp: &Interp<'_>, decl: TypeId) -> Option<Specimens> {
    let typed = &program.typed;
    let TypeDeclKind::Datatype { ctors, .. } = &typed[decl].kind else {
        return None;
    };
    let type_args = type_arguments(typed, decl)?;
    let substitution = typed.substitution(decl, &type_args);
    let constants = Constants::default();
    let mut maker = Maker::new(program, interp, &constants);
    let mut found = Specimens {
        decl,
        type_args,
        values: Vec::new(),
        missing: Vec::new(),
        heap: Heap::default(),
    };
    // Ghost constructors do not exist in compiled code.
    for &ctor in ctors.iter().filter(|&&c| !typed[c].ghost) {
        let mut columns: Vec<Vec<Value>> = Vec::new();
        for &f in &typed[ctor].fields {
            let ty = typed[f].ty.subst(&substitution);
            let mut values = maker.values(&ty, DEPTH, &mut found.heap);
            // The default value is the last resort, such as for types with a witness only.
            if values.is_empty() {
                values.extend(interp.default_value(&ty));
            }
            columns.push(values);
        }
        if columns.iter().any(Vec::is_empty) {
            found.missing.push(ctor);
            continue;
        }
        // With a single value out of two, a wrong destructor would return the expected result half
        // of the time.
        let count = if columns.iter().any(|c| c.len() == 2) {
            2
        } else {
            1
        };
        found
            .values
            .extend(rows(&columns, count).map(|args| (ctor, Value::datatype(ctor, args))));
    }
    Some(found)
}

/// Objects of a class.
#[derive(Debug, Clone)]
pub struct Objects {
    /// The class.
    pub decl: TypeId,
    /// The type arguments.
    pub type_args: Vec<Type>,
    /// References to the objects. There is at least one.
    pub objects: Vec<Value>,
    /// The heap that contains the objects.
    pub heap: Heap,
}

/// Maximum number of objects of a class.
const MAX_OBJECTS: usize = 6;

/// Objects of a class whose fields have distinct values. `None` if no type is known that satisfies
/// the bounds of a type parameter, or a field has no known value.
pub fn objects(program: &ir::Program, interp: &Interp<'_>, decl: TypeId) -> Option<Objects> {
    let type_args = type_arguments(&program.typed, decl)?;
    let constants = Constants::default();
    let mut heap = Heap::default();
    let ty = Type::named(decl, type_args.clone());
    let mut maker = Maker::new(program, interp, &constants);
    let (fields, true) = stored_fields(&program.typed, &ty) else {
        return None;
    };
    let columns: Vec<Vec<Value>> = fields
        .iter()
        .map(|(_, ty)| maker.values(ty, DEPTH - 1, &mut heap))
        .collect();
    if columns.iter().any(Vec::is_empty) {
        return None;
    }
    // The objects differ in their fields as much as the values allow.
    let mut objects = Vec::new();
    for row in rows(&columns, MAX_OBJECTS) {
        let contents = fields.iter().map(|(f, _)| *f).zip(row).collect();
        objects.push(Value::Ref(ObjectId(
            u32::try_from(heap.objects.len()).ok()?,
        )));
        heap.objects
            .push(Object::new(ty.clone(), Contents::Fields(contents)));
    }
    Some(Objects {
        decl,
        type_args,
        objects,
        heap,
    })
}

/// `count` combinations of one value of each column. The first values of a type are the trivial
/// ones and come last.
pub(super) fn rows(columns: &[Vec<Value>], count: usize) -> impl Iterator<Item = Vec<Value>> {
    (3..3 + count).map(|shift| {
        columns
            .iter()
            .zip(shift..)
            .filter_map(|(c, i)| c.get(i % c.len()).cloned())
            .collect()
    })
}

/// Arguments for the type parameters of a type. `None` if no type is known that satisfies the
/// bounds of one.
fn type_arguments(typed: &typed::Program, decl: TypeId) -> Option<Vec<Type>> {
    let mut type_args: Vec<Type> = Vec::new();
    let params: &[TypeParamId] = &typed[decl].type_params;
    // Later parameters may refer to earlier ones in their bounds.
    for &p in params {
        let known = params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        type_args.push(if typed[p].bounds.is_empty() {
            Type::Int
        } else {
            bounded_argument(typed, p, &known)?
        });
    }
    Some(type_args)
}
