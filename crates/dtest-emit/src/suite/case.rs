//! Test cases: the input and the output of the suite's writer.

use dafny_resolve::typed::{CallableId, FieldId, Program, Type, TypeId};
use dafny_source::Span;
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Answer, Construction, Heap, ObjectId, Value};

use crate::Unsupported;

/// A test case.
#[derive(Debug, Clone)]
pub struct Case {
    /// The unit.
    pub unit: CallableId,
    /// The role of the case, which identifies it within its unit.
    pub role: TestRole,
    /// The type arguments: the owner's, then its own.
    pub type_args: Vec<Type>,
    /// The receiver, if there is one (also for a constructor), then an argument for every
    /// parameter, including ghost ones.
    pub args: Vec<Value>,
    /// The heap that the arguments point into.
    pub heap: Heap,
    /// Objects of the heap that a call of a constructor creates; others are created field by field.
    pub constructed: SortedMap<ObjectId, Construction>,
    /// The name of the test, a Rust identifier; it is made unique within the unit.
    pub name: String,
    /// Lines of documentation: the goal that the test reaches.
    pub doc: Vec<String>,
    /// The end of the execution.
    pub outcome: CaseOutcome,
    /// The printed text, if Dafny's semantics determines it.
    pub printed: Option<String>,
    /// Whether the execution satisfies the unit's `modifies` clause.
    pub frame: FrameKept,
    /// The answers of stubs for external code, and of methods of mocks in the heap, whose first
    /// argument is the mock. (Answers of functions of mocks are stored in the objects,
    /// [`dtest_value::Object::redefined`].)
    pub answers: Vec<Answer>,
    /// Clauses of the contract that call external code without a stub, with that reason: they are
    /// not executed.
    pub unanswered: Vec<(Span, String)>,
}

impl Case {
    /// The identity of the case.
    pub fn id(&self) -> TestId {
        TestId {
            unit: self.unit,
            role: self.role,
        }
    }

    /// The objects that only methods without a body return: they may be new. A function returns
    /// objects that exist already.
    pub(super) fn created_by_stubs(&self, program: &Program) -> Vec<ObjectId> {
        if self.answers.is_empty() {
            return Vec::new();
        }
        let of_functions = self
            .answers
            .iter()
            .filter(|a| program[a.callee].kind.is_function());
        let results = of_functions.flat_map(|a| a.results.iter().flatten());
        self.heap.unreached(self.args.iter().chain(results))
    }
}

/// The identity of a test case in a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestId {
    /// The unit.
    pub unit: CallableId,
    /// The role within the unit.
    pub role: TestRole,
}

/// The role of a test case within its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TestRole {
    /// It shows goals: its index among the tests that the search found.
    Covering(usize),
    /// It shows a violation: its index among those that are written.
    Violating(usize),
}

/// Whether an execution changes only what the `modifies` clause allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameKept {
    /// The interpreter confirmed it.
    Kept,
    /// Undecided, for this reason.
    Unknown(String),
}

/// A test of the program's own: a `{:test}` method or function.
#[derive(Debug, Clone)]
pub struct Declared {
    /// The `{:test}` declaration.
    pub callable: CallableId,
    /// The answers of stubs for the external code that it calls.
    pub answers: Vec<Answer>,
    /// The reason why it cannot be a test, if there is one.
    pub refused: Option<String>,
}

/// Values of a datatype, for the test of the code that the translation derives from its
/// declaration.
#[derive(Debug, Clone)]
pub struct DatatypeCase {
    /// The datatype.
    pub decl: TypeId,
    /// The type arguments.
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

/// Objects of a class, for the test of the code that the translation derives from its declaration.
#[derive(Debug, Clone)]
pub struct ClassCase {
    /// The class.
    pub decl: TypeId,
    /// The type arguments.
    pub type_args: Vec<Type>,
    /// References to the objects, each with its computed constants, including those of traits.
    pub objects: Vec<(Value, Vec<(FieldId, Value)>)>,
    /// Static constants, with their values.
    pub constants: Vec<(FieldId, Value)>,
    /// The heap that the objects are in.
    pub heap: Heap,
    /// Lines of documentation.
    pub doc: Vec<String>,
}

/// The end of a test case's execution.
#[derive(Debug, Clone)]
pub enum CaseOutcome {
    /// The unit returns. If Dafny's semantics determines the result: the values of the
    /// out-parameters (`None` if unknown), and the final heap.
    Returns(Option<(Vec<Option<Value>>, Heap)>),
    /// The unit returns, or a failing `expect` halts it; this depends on linked Rust.
    Open,
    /// A failing `expect` of the program halts the unit.
    Halts {
        /// The span of the statement.
        span: Span,
    },
}

/// The contents of a suite.
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

/// The options of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteOptions {
    /// The header of every file: the marker, as line comments.
    pub header: String,
    /// The Rust path of the items under test: the package's library (`my_crate`), or the path of
    /// `--against` (`my_crate::legacy`).
    pub subject: String,
    /// Whether the code under test is our translation. Hand-written code has no specification
    /// functions, so those that clauses call are all in the suite.
    pub is_translation: bool,
    /// The code of `dafny translate rs`, if it is under test. The subject is then a translation of
    /// ours that is part of the suite.
    pub official: Option<OfficialCode>,
    /// The directory of the suite: `tests/dtest`.
    pub directory: String,
}

/// The code that `dafny translate rs` wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfficialCode {
    /// The Rust path of the module that has the code.
    pub path: String,
    /// Whether its values can be sent to other threads: the feature `sync` of `dafny-runtime`.
    pub is_sync: bool,
    /// Whether names of modules end in `_Compile`: `--compile-suffix`.
    pub has_suffixes: bool,
}

/// Units without new cases, whose existing tests stay unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Staying {
    /// The units, and tests of the program's own.
    pub units: Vec<CallableId>,
    /// Datatypes and classes whose constructors or members are tested.
    pub types: Vec<TypeId>,
    /// Existing generated files, named as in [`Suite::files`].
    pub files: SortedSet<String>,
    /// The text of the suite's `spec.rs`, if it exists.
    pub spec: Option<String>,
}

/// A test suite.
#[derive(Debug, Clone, Default)]
pub struct Suite {
    /// Relative paths and texts.
    pub files: Vec<(String, String)>,
    /// Files of [`Staying::files`] that stay unchanged.
    pub staying: Vec<String>,
    /// The result of each case.
    pub tests: SortedMap<TestId, Result<Written, Unsupported>>,
    /// The program's own `{:test}` methods of the named files, in source order: each with its test,
    /// or the reason why it has none.
    pub declared: Vec<(CallableId, Result<Written, Unsupported>)>,
    /// The results of the datatypes, in the given order.
    pub datatypes: Vec<(TypeId, Result<Written, Unsupported>)>,
    /// The results of the classes, in the given order.
    pub classes: Vec<(TypeId, Result<Written, Unsupported>)>,
    /// The Rust modules of [`SuiteOptions::official`] that the tests call, below its path.
    pub official: Vec<Vec<String>>,
    /// The postconditions of the units, in source order.
    pub ensures: Vec<(CallableId, Vec<ClauseUse>)>,
}

/// A test that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The path as `cargo test` shows it: `module::unit::name`.
    pub test: String,
    /// The oracle.
    pub oracle: Oracle,
}

/// The oracle of a test: the expectations besides the absence of panics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oracle {
    /// The values and the state that Dafny's semantics determines, and the clauses.
    Values,
    /// Clauses, constraints of types, the printed text, or the failing `expect`.
    Clauses,
    /// No expectation: the test is unchecked.
    Nothing,
}

/// A clause of a contract, in the suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClauseUse {
    /// The span of the clause.
    pub span: Span,
    /// The reason why it is not executed, if there is one.
    pub not_executed: Option<String>,
    /// Whether it is the frame condition of all `modifies` clauses.
    pub is_frame: bool,
}
