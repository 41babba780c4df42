//! Test cases as the suite's writer takes them.

use dafny_resolve::typed::{CallableId, FieldId, Type, TypeId};
use dafny_syntax::source::Span;
use dtest_engine::value::{Answer, Construction, Heap, ObjectId, Value};
use dtest_sorted::{SortedMap, SortedSet};

use crate::Unsupported;

/// A test case.
#[derive(Debug, Clone)]
pub struct Case {
    /// The unit.
    pub unit: CallableId,
    /// What its type parameters stand for: the owner's, then its own.
    pub type_args: Vec<Type>,
    /// The receiver where there is one (also of a constructor), then an argument for every parameter, ghost ones included.
    pub args: Vec<Value>,
    /// The heap that the arguments point into.
    pub heap: Heap,
    /// Objects of the heap that a call of a constructor makes; others are made field by field.
    pub constructed: SortedMap<ObjectId, Construction>,
    /// The name of the test, a Rust identifier; made unique within the unit.
    pub name: String,
    /// Lines of documentation: what the test reaches and how.
    pub doc: Vec<String>,
    /// How the execution ends.
    pub outcome: CaseOutcome,
    /// What it prints, where Dafny's semantics allows nothing else.
    pub printed: Option<String>,
    /// Whether the execution keeps to the unit's `modifies` clause.
    pub frame: FrameKept,
    /// What stands in for external code, and what methods of the heap's mocks do: the mock is the first argument. (What
    /// functions of mocks answer is with the objects, [`dtest_engine::value::Object::redefined`].)
    pub answers: Vec<Answer>,
    /// Clauses of the contract that ask for external code which nothing stands in for, with that reason: they are not executed.
    pub unanswered: Vec<(Span, String)>,
}

/// Whether an execution changes no more than the `modifies` clause allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameKept {
    /// So the interpreter has seen.
    Kept,
    /// It is not known, for this reason.
    Unknown(String),
}

/// A test of the program's own: a `{:test}` method or function.
#[derive(Debug, Clone)]
pub struct Declared {
    /// Which.
    pub callable: CallableId,
    /// What stands in for external code on its way.
    pub answers: Vec<Answer>,
    /// Why it cannot be a test, if it cannot.
    pub refused: Option<String>,
}

/// Values of a datatype, for the test of what the translation derives from its declaration.
#[derive(Debug, Clone)]
pub struct DatatypeCase {
    /// The datatype.
    pub decl: TypeId,
    /// What its type parameters stand for.
    pub type_args: Vec<Type>,
    /// Values in the order of the constructors.
    pub values: Vec<MadeValue>,
    /// Static constants, with their values.
    pub constants: Vec<(FieldId, Value)>,
    /// The heap that the values point into.
    pub heap: Heap,
    /// Lines of documentation.
    pub doc: Vec<String>,
}

/// A value of a datatype.
#[derive(Debug, Clone)]
pub struct MadeValue {
    /// The value.
    pub value: Value,
    /// Its printed form.
    pub printed: String,
    /// The constants that it has, with their values.
    pub constants: Vec<(FieldId, Value)>,
}

/// Objects of a class, for the test of what the translation derives from its declaration.
#[derive(Debug, Clone)]
pub struct ClassCase {
    /// The class.
    pub decl: TypeId,
    /// What its type parameters stand for.
    pub type_args: Vec<Type>,
    /// References to the objects, each with the constants that are computed from it, those of traits among them.
    pub objects: Vec<(Value, Vec<(FieldId, Value)>)>,
    /// Static constants, with their values.
    pub constants: Vec<(FieldId, Value)>,
    /// The heap that the objects are in.
    pub heap: Heap,
    /// Lines of documentation.
    pub doc: Vec<String>,
}

/// How the execution of a test case ends.
#[derive(Debug, Clone)]
pub enum CaseOutcome {
    /// It returns. Where Dafny's semantics allows nothing else: these values of the out-parameters (`None`: not
    /// known), and this heap.
    Returns(Option<(Vec<Option<Value>>, Heap)>),
    /// It returns, or a failing `expect` of the program ends it: that depends on linked Rust.
    Open,
    /// A failing `expect` of the program ends it.
    Halts {
        /// Where the statement is.
        span: Span,
    },
}

/// What a suite is written of.
#[derive(Debug, Clone, Copy)]
pub struct Tests<'a> {
    /// Test cases of units.
    pub cases: &'a [Case],
    /// The program's own tests.
    pub declared: &'a [Declared],
    /// Values of its datatypes.
    pub datatypes: &'a [DatatypeCase],
    /// Objects of its classes.
    pub classes: &'a [ClassCase],
}

/// Where the tests find the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteOptions {
    /// What every file starts with: the marker, as line comments.
    pub header: String,
    /// The Rust path of the items under test: the package's library (`my_crate`), or what `--against` names
    /// (`my_crate::legacy`).
    pub subject: String,
    /// Whether the subject is our translation. One by other hands has no specification functions at all: those that clauses
    /// call are then all in the suite.
    pub is_translation: bool,
    /// The directory of the suite: `tests/dtest`.
    pub directory: String,
}

/// Units that the cases say nothing of, and whose tests stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Staying {
    /// The units, and tests of the program's own.
    pub units: Vec<CallableId>,
    /// Datatypes and classes whose constructors or members are tested.
    pub types: Vec<TypeId>,
    /// Files of ours that are there, as [`Suite::files`] names them.
    pub files: SortedSet<String>,
    /// The text of the suite's `spec.rs`, where that is there.
    pub spec: Option<String>,
}

/// A test suite.
#[derive(Debug, Clone, Default)]
pub struct Suite {
    /// Relative paths and texts.
    pub files: Vec<(String, String)>,
    /// Files that stay as they are, of [`Staying::files`].
    pub staying: Vec<String>,
    /// What became of each case, in the order given.
    pub tests: Vec<Result<Written, Unsupported>>,
    /// The program's own `{:test}` methods of the named files, in the order of the source: each a test that was written,
    /// or why it was not.
    pub declared: Vec<(CallableId, Result<Written, Unsupported>)>,
    /// What became of the datatypes, in the order given.
    pub datatypes: Vec<(TypeId, Result<Written, Unsupported>)>,
    /// What became of the classes, in the order given.
    pub classes: Vec<(TypeId, Result<Written, Unsupported>)>,
    /// The postconditions of the units, in the order of the source.
    pub ensures: Vec<(CallableId, Vec<ClauseUse>)>,
}

/// A test that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Its path as `cargo test` shows it: `module::unit::name`.
    pub test: String,
    /// What it holds an implementation to.
    pub oracle: Oracle,
}

/// What a test holds an implementation to, beside that nothing panics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oracle {
    /// The values and the state that Dafny's semantics gives, and the clauses.
    Values,
    /// Clauses and constraints of types alone, what is printed, which `expect` fails.
    Clauses,
    /// Nothing: it is unchecked.
    Nothing,
}

/// A clause of a contract, in the suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClauseUse {
    /// Where it stands.
    pub span: Span,
    /// Why it is not executed, if it is not.
    pub not_executed: Option<String>,
    /// Whether it is the frame, that of the `modifies` clauses together.
    pub is_frame: bool,
}
