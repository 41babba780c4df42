//! Tests of printing: the format of the official run-time library, and the one for people.

use std::sync::Arc;

use dafny_resolve::typed::{ArrowKind, Program, Type};
use dtest_sorted::SortedMap;
use num_bigint::BigUint;
use num_rational::BigRational;

use super::{ctor, program, ty};
use crate::{
    Contents, FunctionValue, Heap, Object, ObjectId, Template, Value, print, print_within, show,
    show_inputs, shown_as, shown_name,
};

const SOURCE: &str = "
    datatype Color = Red | Green
    datatype Wrapper = Wrapper(inner: int)
    datatype Pair<T> = Pair(first: T, second: T)
    datatype Named = Named(name: string, ghost hidden: int, age: int)
    datatype Loop = Loop(next: seq<Loop>)
    codatatype Stream = Next(head: int, tail: Stream)
    newtype Small = x: int | 0 <= x < 10
    newtype Signed = int
    class Cell { var value: int var next: Cell? constructor() { value := 0; next := null; } }
    module M { datatype Inner = Only | Other class C { constructor() {} } }
    module N { datatype Inner = Only | Other }";

/// Prints a value like Dafny's `print`.
fn printed(program: &Program, value: &Value, ty: &Type) -> String {
    print(program, &|_| None, value, ty, ty)
}

#[test]
fn scalars() {
    let p = Program::default();
    let bits = |n: u32| BigUint::from(n);
    for (value, ty, text) in [
        (Value::Bool(true), Type::Bool, "true"),
        (Value::int(-7), Type::Int, "-7"),
        (
            Value::Real(BigRational::new(3.into(), 2.into())),
            Type::Real,
            "1.5",
        ),
        (Value::Char(0x61), Type::Char, "'a'"),
        (Value::Char(0x0a), Type::Char, "'\\n'"),
        (
            Value::Bv {
                width: 8,
                bits: bits(200),
            },
            Type::Bv(8),
            "200",
        ),
        (Value::Ordinal(bits(4)), Type::Ordinal, "4"),
        (Value::Null, Type::Object { nullable: true }, "null"),
    ] {
        assert_eq!(printed(&p, &value, &ty), text);
    }
}

#[test]
fn constructors_are_qualified_by_their_type() {
    let p = program(SOURCE);
    let red = Value::datatype(ctor(&p, "Red"), Vec::new());
    assert_eq!(printed(&p, &red, &ty(&p, "Color", vec![])), "Color.Red");
    let pair = Value::datatype(ctor(&p, "Pair"), vec![Value::int(1), Value::int(2)]);
    assert_eq!(
        printed(&p, &pair, &ty(&p, "Pair", vec![Type::Int])),
        "Pair.Pair(1, 2)"
    );
}

#[test]
fn types_of_modules_have_the_innermost_module() {
    let p = program(SOURCE);
    let Type::Named { decl, .. } = ty(&p, "M.Inner", vec![]) else {
        panic!("a declared type")
    };
    assert_eq!(shown_name(&p, decl), "M.Inner");
}

#[test]
fn a_wrapper_is_printed_as_its_field() {
    let p = program(SOURCE);
    let (wrapper, one) = (ctor(&p, "Wrapper"), vec![Value::int(5)]);
    let value = Value::datatype(wrapper, one);
    assert_eq!(printed(&p, &value, &ty(&p, "Wrapper", vec![])), "5");
    assert_eq!(shown_as(&p, p[wrapper].datatype, wrapper), Some(0));
    // A datatype that is wrapped in itself is no wrapper.
    let wrapped = ctor(&p, "Loop");
    assert_eq!(shown_as(&p, p[wrapped].datatype, wrapped), None);
}

#[test]
fn ghost_fields_are_left_out_and_string_fields_are_quoted() {
    let p = program(SOURCE);
    let value = Value::datatype(
        ctor(&p, "Named"),
        vec![Value::string("a\"b"), Value::int(1), Value::int(30)],
    );
    assert_eq!(
        printed(&p, &value, &ty(&p, "Named", vec![])),
        "Named.Named(\"a\\\"b\", 30)"
    );
}

#[test]
fn a_string_in_a_type_argument_is_a_sequence_of_characters() {
    let p = program(SOURCE);
    let value = Value::datatype(
        ctor(&p, "Pair"),
        vec![Value::string("ab"), Value::string("")],
    );
    let ty = ty(&p, "Pair", vec![Type::string()]);
    assert_eq!(printed(&p, &value, &ty), "Pair.Pair(['a', 'b'], [])");
    // For people, every string is a literal.
    assert_eq!(show(&p, &|_| None, &value, &ty), "Pair.Pair(\"ab\", \"\")");
}

#[test]
fn codatatypes_print_their_constructor_only() {
    let p = program(SOURCE);
    let value = Value::datatype(ctor(&p, "Next"), vec![Value::int(1), Value::Null]);
    assert_eq!(
        printed(&p, &value, &ty(&p, "Stream", vec![])),
        "Stream.Next"
    );
}

#[test]
fn tuples_leave_out_ghost_components() {
    let p = Program::default();
    let pair = Value::tuple([Value::int(1), Value::int(2)]);
    let of = |ghost: bool| Type::Tuple(vec![(false, Type::Int), (ghost, Type::Int)]);
    assert_eq!(printed(&p, &pair, &of(false)), "(1, 2)");
    assert_eq!(printed(&p, &pair, &of(true)), "1");
    assert_eq!(
        printed(&p, &Value::tuple([]), &Type::Tuple(Vec::new())),
        "()"
    );
}

#[test]
fn newtype_values_are_bare_except_for_people() {
    let p = program(SOURCE);
    let Type::Named { decl: small, .. } = ty(&p, "Small", vec![]) else {
        panic!("a newtype")
    };
    let Type::Named { decl: signed, .. } = ty(&p, "Signed", vec![]) else {
        panic!("a newtype")
    };
    let (a, b) = (
        Value::newtype(small, Vec::new(), Value::int(3)),
        Value::newtype(signed, Vec::new(), Value::int(-3)),
    );
    let object = Type::Object { nullable: false };
    assert_eq!(printed(&p, &a, &object), "3");
    assert_eq!(show(&p, &|_| None, &a, &object), "3 as Small");
    assert_eq!(show(&p, &|_| None, &b, &object), "(-3) as Signed");
}

#[test]
fn objects_print_their_dynamic_type() {
    let p = program(SOURCE);
    let reference = Value::Ref(ObjectId(0));
    let any = Type::Object { nullable: false };
    let shown = |dynamic: Option<Type>| print(&p, &|_| dynamic.clone(), &reference, &any, &any);
    assert_eq!(shown(Some(ty(&p, "Cell", vec![]))), "_module.Cell");
    assert_eq!(shown(Some(ty(&p, "M.C", vec![]))), "M.C");
    assert_eq!(shown(None), "object");
    let array = |dims| Type::Array {
        dims,
        nullable: false,
        elem: Box::new(Type::Int),
    };
    assert_eq!(shown(Some(array(1))), "array");
    assert_eq!(shown(Some(array(2))), "array2");
}

#[test]
fn cyclic_objects_have_numbers_for_people() {
    let p = program(SOURCE);
    let cell = ty(&p, "Cell", vec![]);
    let field = |name: &str| {
        let ids = dafny_resolve::typed::Arena::<dafny_resolve::typed::FieldId>::ids(&p);
        ids.into_iter()
            .find(|f| &*p[*f].name == name)
            .expect("a field")
    };
    let object = |value: i64, next: Value| {
        let fields = SortedMap::from([(field("value"), Value::int(value)), (field("next"), next)]);
        Object::new(cell.clone(), Contents::Fields(fields))
    };
    let heap = Heap {
        objects: vec![
            object(1, Value::Ref(ObjectId(1))),
            object(2, Value::Ref(ObjectId(0))),
        ],
    };
    let (a, b) = (Value::Ref(ObjectId(0)), Value::Ref(ObjectId(1)));
    assert_eq!(
        show_inputs(&p, &heap, &[(&a, cell.clone()), (&b, cell.clone())]),
        [
            "Cell#1 { value: 1, next: Cell#2 { value: 2, next: Cell#1 } }",
            "Cell#2"
        ]
    );
    let alone = Heap {
        objects: vec![object(7, Value::Null)],
    };
    assert_eq!(
        show_inputs(&p, &alone, &[(&a, cell)]),
        ["Cell { value: 7, next: null }"]
    );
}

fn arrow(params: Vec<Type>, result: Type) -> Type {
    Type::Arrow {
        kind: ArrowKind::Total,
        params,
        result: Box::new(result),
    }
}

#[test]
fn functions_are_shown_by_their_results_for_people() {
    let p = Program::default();
    let one = |f: FunctionValue, ty: Type| {
        let value = Value::Function(Arc::new(f));
        show_inputs(&p, &Heap::default(), &[(&value, ty)]).remove(0)
    };
    let table = || FunctionValue::Table {
        entries: vec![(vec![Value::int(1), Value::int(2)], Value::string("a"))],
        default: Value::string(""),
    };
    let ty = || arrow(vec![Type::Int, Type::Int], Type::string());
    assert_eq!(one(table(), ty()), "{(1, 2) => \"a\", _ => \"\"}");
    assert_eq!(
        one(
            FunctionValue::Template(Template::Odd),
            arrow(vec![Type::Int], Type::Bool)
        ),
        "x => x % 2 == 1"
    );
    let partial = |elsewhere: bool, exceptions: Vec<Vec<Value>>| FunctionValue::Partial {
        function: Box::new(FunctionValue::Template(Template::Identity)),
        elsewhere,
        exceptions,
    };
    let int = || arrow(vec![Type::Int], Type::Int);
    assert_eq!(
        one(partial(true, vec![vec![Value::int(3)]]), int()),
        "x => x except for 3"
    );
    assert_eq!(
        one(
            partial(false, vec![vec![Value::int(3)], vec![Value::int(4)]]),
            int()
        ),
        "x => x only for 3, 4"
    );
    assert_eq!(
        one(partial(false, Vec::new()), int()),
        "(a function that `requires false`)"
    );
    // `print` has one word for all functions.
    let value = Value::Function(Arc::new(table()));
    assert_eq!(printed(&p, &value, &ty()), "Function");
}

#[test]
fn a_long_input_ends_in_dots() {
    let p = Program::default();
    let value = Value::seq((0..5_000).map(Value::int));
    let ty = Type::Seq(Box::new(Type::Int));
    let shown = show_inputs(&p, &Heap::default(), &[(&value, ty.clone())]).remove(0);
    assert!(
        shown.len() < 2_100 && shown.ends_with("..."),
        "{}",
        shown.len()
    );
    // `print` prints all of it.
    assert_eq!(
        print_within(&p, &|_| None, &value, &ty, &ty),
        Some(printed(&p, &value, &ty))
    );
}

#[test]
fn a_value_with_shared_parts_is_not_printed_beyond_the_limit() {
    let p = Program::default();
    let deep = (0..40).fold(Value::seq([Value::int(1)]), |v, _| {
        Value::seq([v.clone(), v])
    });
    let ty = Type::Seq(Box::new(Type::Int));
    assert_eq!(print_within(&p, &|_| None, &deep, &ty, &ty), None);
}
