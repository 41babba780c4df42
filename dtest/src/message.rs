//! The ids of this crate's messages: [`MessageId`].
//!
//! An id is `stage/kebab-case`. Users pass it to `cargo dtest explain`, and tools match on it, so it
//! does not change. The messages of the front ends have ids of their own.

/// Defines [`MessageId`] with the text of each id.
macro_rules! message_ids {
    ($($variant:ident = $id:literal,)*) => {
        /// The id of a message. `report/explanations.txt` has its meaning, an example and a remedy.
        #[allow(missing_docs, reason = "`report/explanations.txt` documents them")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum MessageId {
            $($variant,)*
        }

        impl MessageId {
            /// All ids, in the order of their texts.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The text of the id.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $id,)*
                }
            }
        }
    };
}

message_ids! {
    CheckAliasing = "check/aliasing",
    CheckAllocated = "check/allocated",
    CheckApplication = "check/application",
    CheckAssertion = "check/assertion",
    CheckAssigned = "check/assigned",
    CheckCase = "check/case",
    CheckClaim = "check/claim",
    CheckConstructor = "check/constructor",
    CheckCounterexample = "check/counterexample",
    CheckDecreases = "check/decreases",
    CheckDivisor = "check/divisor",
    CheckDomain = "check/domain",
    CheckExistence = "check/existence",
    CheckFrame = "check/frame",
    CheckHalts = "check/halts",
    CheckHolds = "check/holds",
    CheckHoldsWithinBounds = "check/holds-within-bounds",
    CheckIndex = "check/index",
    CheckInvariantKept = "check/invariant-kept",
    CheckInvariantOnEntry = "check/invariant-on-entry",
    CheckKey = "check/key",
    CheckLoopRange = "check/loop-range",
    CheckNeverHalts = "check/never-halts",
    CheckNonNull = "check/non-null",
    CheckNotDecided = "check/not-decided",
    CheckNotReached = "check/not-reached",
    CheckOverride = "check/override",
    CheckPostcondition = "check/postcondition",
    CheckPrecondition = "check/precondition",
    CheckReads = "check/reads",
    CheckStaleAllowance = "check/stale-allowance",
    CheckType = "check/type",
    CheckUniqueness = "check/uniqueness",
    CheckViolated = "check/violated",
    CheckWeakSpecification = "check/weak-specification",
    CheckWitness = "check/witness",
    CliBadConfig = "cli/bad-config",
    CliBadFilter = "cli/bad-filter",
    CliBadGlob = "cli/bad-glob",
    CliBadPath = "cli/bad-path",
    CliBadProjectFile = "cli/bad-project-file",
    CliBaseline = "cli/baseline",
    CliBoogie = "cli/boogie",
    CliByContract = "cli/by-contract",
    CliByInvariant = "cli/by-invariant",
    CliCacheDir = "cli/cache-dir",
    CliCannotWrite = "cli/cannot-write",
    CliCollidingLink = "cli/colliding-link",
    CliEachWithoutOut = "cli/each-without-out",
    CliEmit = "cli/emit",
    CliFailUnchecked = "cli/fail-unchecked",
    CliFailUnder = "cli/fail-under",
    CliFilter = "cli/filter",
    CliFromDafny = "cli/from-dafny",
    CliHandWritten = "cli/hand-written",
    CliInDiff = "cli/in-diff",
    CliInitFrom = "cli/init-from",
    CliInputs = "cli/inputs",
    CliMan = "cli/man",
    CliMerge = "cli/merge",
    CliMissingLink = "cli/missing-link",
    CliMissingOption = "cli/missing-option",
    CliNoDafny = "cli/no-dafny",
    CliNoDafnyFiles = "cli/no-dafny-files",
    CliNoLoop = "cli/no-loop",
    CliNoModule = "cli/no-module",
    CliNoObligation = "cli/no-obligation",
    CliNoPaths = "cli/no-paths",
    CliNoSuchFile = "cli/no-such-file",
    CliNoSuchLibrary = "cli/no-such-library",
    CliNothingWritten = "cli/nothing-written",
    CliPackage = "cli/package",
    CliProjectFiles = "cli/project-files",
    CliShards = "cli/shards",
    CliStale = "cli/stale",
    CliUnknownEntry = "cli/unknown-entry",
    CliUnknownId = "cli/unknown-id",
    CliUnknownInputs = "cli/unknown-inputs",
    CliUnknownMock = "cli/unknown-mock",
    CliUnknownOption = "cli/unknown-option",
    CliUnreadable = "cli/unreadable",
    CliUnusedLink = "cli/unused-link",
    CliZ3Missing = "cli/z3-missing",
    CliZ3Unsupported = "cli/z3-unsupported",
    CoverBuild = "cover/build",
    CoverCargo = "cover/cargo",
    CoverFailed = "cover/failed",
    CoverHandWritten = "cover/hand-written",
    CoverMissing = "cover/missing",
    CoverNothingToMeasure = "cover/nothing-to-measure",
    CoverTests = "cover/tests",
    DeadAlwaysFails = "dead/always-fails",
    DeadChoice = "dead/choice",
    DeadFinding = "dead/finding",
    DeadGivenAssertions = "dead/given-assertions",
    DeadGivenAssumptions = "dead/given-assumptions",
    DeadOpen = "dead/open",
    DeadProved = "dead/proved",
    DeadStaleAllowance = "dead/stale-allowance",
    DeadWithinBounds = "dead/within-bounds",
    EntryBadDepth = "entry/bad-depth",
    EvalFailed = "eval/failed",
    EvalNoValue = "eval/no-value",
    EvalOutOfFuel = "eval/out-of-fuel",
    EvalUnsupported = "eval/unsupported",
    FindingAliasing = "finding/aliasing",
    FindingAllocated = "finding/allocated",
    FindingApplication = "finding/application",
    FindingAssertion = "finding/assertion",
    FindingDecreases = "finding/decreases",
    FindingDestructor = "finding/destructor",
    FindingDivision = "finding/division",
    FindingDomain = "finding/domain",
    FindingIndex = "finding/index",
    FindingInvariant = "finding/invariant",
    FindingKey = "finding/key",
    FindingLoopRange = "finding/loop-range",
    FindingMissingCase = "finding/missing-case",
    FindingModifies = "finding/modifies",
    FindingNoCandidate = "finding/no-candidate",
    FindingNotUnique = "finding/not-unique",
    FindingNull = "finding/null",
    FindingOverride = "finding/override",
    FindingPostcondition = "finding/postcondition",
    FindingPrecondition = "finding/precondition",
    FindingReads = "finding/reads",
    FindingTermination = "finding/termination",
    FindingTypeConstraint = "finding/type-constraint",
    FindingUnassigned = "finding/unassigned",
    FindingWitness = "finding/witness",
    FuzzCampaignThere = "fuzz/campaign-there",
    FuzzElsewhere = "fuzz/elsewhere",
    FuzzNoCampaign = "fuzz/no-campaign",
    FuzzNoCommand = "fuzz/no-command",
    FuzzNoFolder = "fuzz/no-folder",
    FuzzNoPlace = "fuzz/no-place",
    FuzzNoPrograms = "fuzz/no-programs",
    FuzzThreads = "fuzz/threads",
    FuzzVersion = "fuzz/version",
    LoadMissingInclude = "load/missing-include",
    LoadNotUtf8 = "load/not-utf8",
    LoadOtherOptions = "load/other-options",
    LoadTooLarge = "load/too-large",
    LoadUnreadable = "load/unreadable",
    MutantsBuild = "mutants/build",
    MutantsContract = "mutants/contract",
    MutantsDisagree = "mutants/disagree",
    MutantsFailed = "mutants/failed",
    MutantsNew = "mutants/new",
    MutantsOneProgram = "mutants/one-program",
    MutantsStaleAllowance = "mutants/stale-allowance",
    MutantsSuiteFails = "mutants/suite-fails",
    MutantsSurvived = "mutants/survived",
    MutantsUntested = "mutants/untested",
    RewritePrinted = "rewrite/printed",
    RewriteTooFewPlaces = "rewrite/too-few-places",
    RewriteUnfit = "rewrite/unfit",
    RunAssumption = "run/assumption",
    RunFailed = "run/failed",
    RunNoMain = "run/no-main",
    RunNoTests = "run/no-tests",
    RunOutOfFuel = "run/out-of-fuel",
    RunReplay = "run/replay",
    RunTrace = "run/trace",
    RunUnsupported = "run/unsupported",
    SpecClause = "spec/clause",
    SpecContradictory = "spec/contradictory",
    SpecDetermined = "spec/determined",
    SpecIdle = "spec/idle",
    SpecNotDecided = "spec/not-decided",
    SpecNotImplementable = "spec/not-implementable",
    SpecOpen = "spec/open",
    SpecRedundant = "spec/redundant",
    SpecUnknownUnit = "spec/unknown-unit",
    TestNotCovered = "test/not-covered",
    TestNotWritten = "test/not-written",
    TestViolation = "test/violation",
    TranslateUnsupported = "translate/unsupported",
    WatchCommand = "watch/command",
    WatchFailed = "watch/failed",
}

impl MessageId {
    /// Returns the id with this text.
    pub fn named(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|id| id.as_str() == text)
    }
}

impl From<MessageId> for &'static str {
    fn from(id: MessageId) -> Self {
        id.as_str()
    }
}
