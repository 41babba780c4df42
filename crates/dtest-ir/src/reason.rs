//! Reasons why something is not executed, not encoded or unknown: data, and the only place that
//! turns them into text.
//!
//! A reason is shown wherever a result stays open: in the report of a goal, in the doc comment of a
//! test, in the message when `run` gives up a program. Decisions depend on the variant of a reason;
//! its text is never parsed.

use std::fmt;
use std::sync::Arc;

use dafny_resolve::typed::{self, CallableId};
use dafny_source::Name;
use dtest_sorted::SortedMap;

/// The reason why something is not executed, not encoded or unknown. Declarations and types have
/// their names in the source.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum Reason {
    /// Ill-typed code. For a program that resolves, this is an internal error. The place in the
    /// source of this program that detected it.
    IllTyped(Option<Origin>),
    /// A construct of the language that is not lowered.
    Construct(Construct),
    /// An operator, as written, on operands of a type that does not support it.
    Operator(Name, Name),
    /// A form of expression on a value of a type that does not support it.
    Form(Name, Name),
    /// A field that is not static, without an object.
    FieldWithoutObject(Name),
    /// An unknown set of values.
    Unbounded(Unbounded),
    /// A type with too many values to enumerate.
    AllValues(Name),
    /// A value that is needed was not computed.
    NoValue(NoValue),
    /// A result of a ghost method, which is not executed.
    GhostResult(Name),
    /// A type with no known value.
    NoDefault(Name),
    /// An unknown operand.
    Operand(Box<Reason>),
    /// An equality that is not decided.
    Equality(Equality),
    /// Values of a codatatype whose first arguments, of this number, are equal.
    SameSoFar(u32),
    /// The well-founded order of two values of which neither is a part of the other.
    Order,
    /// A callable without a body and without a stub.
    NoBody(Name),
    /// External code without a result.
    External(Unanswered),
    /// No result of a mock was found that satisfies its contract.
    Mock(Name),
    /// A proof obligation on the way failed, in its words.
    Failed(Name),
    /// An ill-formed clause, in the words of the violated obligation.
    IllFormed(Name),
    /// A clause that halts.
    Halts,
    /// A limit was reached.
    OutOfFuel(Limit),
    /// The evaluation of a clause does not terminate within a limit.
    Endless(Limit),
    /// The search stopped.
    Stopped(Stopped),
    /// No known type satisfies the bounds of a type parameter.
    NoTypeArgument(Name),
    /// A construct that the encoder does not support.
    Unencoded(Unencoded),
    /// A trait that types other than classes extend, not all of which are possible inputs.
    Extending(Name, Vec<Name>),
    /// A trait that too many classes extend to try them all.
    ManyClasses(Name),
}

/// A place in the source of this program.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct Origin {
    /// The file.
    pub file: Name,
    /// The line in it.
    pub line: u32,
}

/// The reason why external code has no result.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum Unanswered {
    /// No result of the callable was found that satisfies its contract.
    NoneFound(Name),
    /// It is undecided whether the result of the callable satisfies its contract.
    Undecided(Name),
    /// A constructor initializes a field with an unknown value.
    Field(Name),
    /// The value of an external constant is unknown.
    Constant(Name),
    /// Contracts depend on each other.
    Nested,
    /// Other specifications say more about the function than its own contract.
    StrongerSpecificationElsewhere,
    /// The result of the function depends on the heap.
    ReadsHeap,
    /// An object is a result.
    Object,
}

/// An enum whose variants each have one phrase.
macro_rules! phrases {
    ($(#[$doc:meta])* $name:ident { $($variant:ident: $words:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $(#[doc = $words] $variant,)*
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Self::$variant => $words,)*
                })
            }
        }
    };
}

mod open;

pub use open::{Cut, Doubt, OpenReason, Unsettled};

phrases! {
    /// A limit of executions.
    Limit {
        Steps: "steps",
        Recursion: "recursion",
        Memory: "memory",
        Types: "types",
    }
}

phrases! {
    /// A construct of the language that is not lowered.
    Construct {
        Assigned: "`assigned`",
        Wildcard: "`*` as an expression",
        UnresolvedExpression: "an expression that does not resolve",
        UnresolvedStatement: "a statement that does not resolve",
        ThisOutside: "`this` outside of a type",
        YieldOutside: "`yield` outside of an iterator",
        JumpOutside: "a jump without a target",
        CallOfOwn: "a call of a trait's default implementation",
        CallResult: "the result of a call",
        LemmaResult: "the result of a lemma",
        LoopWithoutBody: "a loop without a body",
        MatchWithoutCases: "a match without cases",
        FunctionWithoutDescription: "a function without a definition",
        ForallAssignsVariable: "a `forall` statement that assigns a variable",
        ForallOfThisForm: "a `forall` statement of this form",
        RequiresAsValue: "`requires` of a function as a value",
        ReadsAsValue: "`reads` of a function as a value",
        RotationAsValue: "a rotation as a value",
        UpdateOfNoConstructor: "an update of fields that no constructor has together",
        LambdaReadsAll: "`reads *` of a lambda",
        FrameOfAll: "a frame of everything as a set",
        FrameAsSet: "a frame of this kind as a set",
        FrameFunction: "a frame that is a function",
        FrameAsMeasure: "a frame that is a sequence, as a measure",
        MeasureBeyondGuard: "a measure where its guard does not hold",
        OlderProof: "a proof that an `older` parameter is older than others",
        TwoStateValue: "a two-state function as a value, with parameters that hold references",
    }
}

phrases! {
    /// A construct over an unknown set of values.
    Unbounded {
        Quantifier: "unbounded quantifier",
        SetComprehension: "unbounded set comprehension",
        MapComprehension: "unbounded map comprehension",
        Choice: "`:|` over values that cannot be enumerated",
        ForallStatement: "`forall` statement over values that cannot be enumerated",
        Unchanged: "unchanged(*)",
        Reads: "reads *",
        Modifies: "modifies *",
    }
}

phrases! {
    /// A value that was not computed.
    NoValue {
        GhostResult: "a ghost result",
        GhostArgument: "a ghost argument of `Main`",
        GhostContents: "ghost state that was not computed",
        LemmaResult: "a result of a lemma without a proof",
        Result: "a result that was not computed",
        Value: "a value that was never assigned",
        Function: "a function that was never assigned",
        Constant: "a constant without a value",
        LaterObject: "an object is read in a state in which it was not allocated yet",
        OldState: "an old state that is unknown here",
        Arguments: "a call whose arguments do not match its declaration",
        Clause: "no such clause",
        Truth: "a clause without a truth value",
        Frame: "a frame that is not a set of objects",
        Undecided: "control flow after a condition that could not be decided",
        Retyped: "a function, or a part of a codatatype, that would have to change between a newtype and a trait",
        Main: "the program has no `Main`",
        MainBody: "`Main` has no body",
        MainObject: "the object of `Main` has no default value",
    }
}

phrases! {
    /// An equality that is not decided.
    Equality {
        Functions: "equality of functions",
        Codatatypes: "equality of codatatypes",
        Contained: "equality of sets or keys that are values of a codatatype",
        Newtypes: "equality of the same value of two newtypes that are seen as a trait",
    }
}

phrases! {
    /// The reason why the search ended.
    Stopped {
        NoBody: "no body",
        Endless: "execution does not terminate within the limits",
        EndlessExecution: "an execution that does not terminate within the limits",
        TooLarge: "execution creates values that are too large",
        OtherChoice: "it may be reached only if nondeterministic choices are resolved otherwise",
        TooLargeToEncode: "the unit together with its callees is too large for the solver",
        UndecidedInputs: "it is reached only by failing executions, from inputs whose precondition could not be decided",
        NotAdmitted: "the precondition does not allow these inputs",
        Panicked: "internal error: the search panicked",
        Memory: "out of memory; raise --max-memory",
        TooLong: "it ran on long after its time was over",
        Crashed: "the search of this unit crashed: it needed too much stack, or a library failed; the other units are not affected",
    }
}

phrases! {
    /// A construct that the encoder does not support.
    Unencoded {
        AbstractType: "abstract type",
        EmptyType: "type without values",
        NoClass: "reference without a known class",
        NoImplementation: "call on a trait without known implementations",
        Quantifier: "quantifier without bounds",
        LargeQuantifier: "quantifier over too many values",
        FunctionValue: "an unknown function value",
        FunctionFrame: "frame of a function value",
        StoreToObject: "store to an unknown object",
        StoreToArray: "store to an unknown array",
        Modify: "`modify` statement",
        Forall: "`forall` statement without bounds",
        NoContract: "a callable without a contract",
        NoSuchPart: "a missing part of a contract",
        TwoStates: "a precondition that refers to two states",
        PrefixEquality: "prefix equality of codatatypes",
        Order: "the well-founded order",
        Constant: "constant without a value",
        DeepConstants: "deep nesting of constants",
        Objects: "not tried with every type of object that the program distinguishes",
        Naturals: "values of type ORDINAL are tried as natural numbers only",
        FunctionsReadHeap: "function values that may read the heap (`~>`) are tried only as functions that do not",
        AskedMuch: "a function value that is called with more than 12 different arguments is tried with one result for all others",
    }
}

impl Reason {
    /// Returns the reason for a callable without a body and without a stub.
    pub fn without_body(program: &typed::Program, callee: CallableId) -> Self {
        Self::NoBody(program.callable_path(callee).into())
    }

    /// Whether a stub or a mock has no result yet. The solver may find one that the interpreter did
    /// not try.
    pub fn is_unanswered(&self) -> bool {
        matches!(
            self,
            Self::External(Unanswered::NoneFound(_)) | Self::Mock(_)
        )
    }

    /// Returns the reason for ill-typed lowered code, with the place of the caller's caller.
    #[track_caller]
    pub fn ill_typed() -> Self {
        let at = std::panic::Location::caller();
        // If the constructor was passed as a function, the caller is in the standard library.
        let is_ours = at.file().contains("interp");
        Self::IllTyped(is_ours.then(|| Origin {
            file: at.file().into(),
            line: at.line(),
        }))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllTyped(at) => {
                write!(
                    f,
                    "an expression that is not well-typed (an internal error, if the program resolves)"
                )?;
                at.as_ref().map_or(Ok(()), |at| {
                    write!(f, " at line {} of {}", at.line, at.file)
                })
            }
            Self::Construct(construct) => construct.fmt(f),
            Self::Operator(symbol, ty) => write!(f, "`{symbol}` on {ty}"),
            Self::Form(what, ty) => write!(f, "{what} of {ty}"),
            Self::FieldWithoutObject(field) => write!(f, "field `{field}` without an object"),
            Self::Unbounded(range) => range.fmt(f),
            Self::AllValues(ty) => write!(f, "all values of `{ty}`"),
            Self::NoValue(what) => what.fmt(f),
            Self::GhostResult(callee) => write!(f, "result of the ghost method `{callee}`"),
            Self::NoDefault(ty) => write!(f, "`{ty}` has no default value"),
            Self::Operand(reason) => write!(f, "an unknown value ({reason})"),
            Self::Equality(equality) => equality.fmt(f),
            Self::SameSoFar(n) => write!(
                f,
                "equality of values of a codatatype whose first {n} arguments are equal"
            ),
            Self::Order => {
                f.write_str("the order of two values neither of which is a part of the other")
            }
            Self::NoBody(callee) => write!(f, "`{callee}` has no body"),
            Self::External(unanswered) => write!(f, "extern: {unanswered}"),
            Self::Mock(callee) => write!(f, "a mock: {}", Unanswered::NoneFound(callee.clone())),
            Self::Failed(message) => f.write_str(message),
            Self::IllFormed(message) => write!(f, "the clause is ill-formed: {message}"),
            Self::Halts => f.write_str("the clause halts"),
            Self::OutOfFuel(limit) => write!(f, "out of fuel ({limit})"),
            Self::Endless(limit) => write!(
                f,
                "its evaluation does not terminate within the limits ({limit})"
            ),
            Self::Stopped(stopped) => stopped.fmt(f),
            Self::NoTypeArgument(param) => {
                write!(f, "no known type satisfies the bounds of `{param}`")
            }
            Self::Unencoded(what) => what.fmt(f),
            Self::Extending(name, types) => write!(
                f,
                "not tried with every type that extends `{name}`: `{}`",
                types.join("`, `")
            ),
            Self::ManyClasses(name) => {
                write!(f, "not tried with every class that extends `{name}`")
            }
        }
    }
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoneFound(callee) => write!(
                f,
                "no result of `{callee}` was found that satisfies its contract; link Rust to it in `[extern]` of dtest.toml"
            ),
            Self::Undecided(callee) => write!(f, "it could not be decided whether a result of `{callee}` satisfies its contract"),
            Self::Field(field) => write!(f, "a constructor that initializes `{field}`"),
            Self::Constant(name) => write!(f, "the value of the external constant `{name}` is unknown"),
            Self::Nested => f.write_str("contracts that depend on each other too deeply"),
            Self::StrongerSpecificationElsewhere => f.write_str("a function without a body about which other specifications say more than its own contract"),
            Self::ReadsHeap => f.write_str("a function without a body whose result depends on the heap"),
            Self::Object => f.write_str("an object as a result"),
        }
    }
}

/// Implements the conversion of a reason's own type to [`Reason`].
macro_rules! reasons {
    ($($name:ident => $variant:ident,)*) => {
        $(impl From<$name> for Reason {
            fn from(what: $name) -> Self {
                Self::$variant(what)
            }
        })*
    };
}

reasons! {
    Construct => Construct,
    Unbounded => Unbounded,
    NoValue => NoValue,
    Equality => Equality,
    Stopped => Stopped,
    Unencoded => Unencoded,
    Unanswered => External,
}

impl From<Arc<Reason>> for Reason {
    fn from(reason: Arc<Reason>) -> Self {
        Arc::unwrap_or_clone(reason)
    }
}

/// A set of reasons in the order of their texts, so that the first one is deterministic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reasons(SortedMap<String, Reason>);

impl Reasons {
    /// Adds a reason.
    pub fn insert(&mut self, reason: impl Into<Reason>) {
        let reason = reason.into();
        self.0.insert(reason.to_string(), reason);
    }

    /// Returns the first reason.
    pub fn first(&self) -> Option<&Reason> {
        self.iter().next()
    }

    /// Returns all reasons in order.
    pub fn iter(&self) -> impl Iterator<Item = &Reason> {
        self.0.values()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Extend<Reason> for Reasons {
    fn extend<I: IntoIterator<Item = Reason>>(&mut self, reasons: I) {
        reasons.into_iter().for_each(|reason| self.insert(reason));
    }
}

impl FromIterator<Reason> for Reasons {
    fn from_iter<I: IntoIterator<Item = Reason>>(reasons: I) -> Self {
        let mut all = Self::default();
        all.extend(reasons);
        all
    }
}

impl IntoIterator for Reasons {
    type Item = Reason;
    type IntoIter = dtest_sorted::IntoValues<String, Reason>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_values()
    }
}
