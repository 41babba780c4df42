//! Maps goals and their outcomes to source lines.
//!
//! [`annotate`] takes a report and the source texts and returns the lines of each file, divided
//! into [`Piece`]s with a [`State`] each. The innermost goal decides the state of a piece, so a
//! block within a block has its own colour. If several goals have the same region, the worst state
//! wins. Ghost code and comments have no state.

use std::cmp::Reverse;
use std::ops::Range;

use super::actual::Verdict;
use super::listing::Listing;
use super::{
    GoalOutcome, GoalReport, Report, SourceRegion, Survivor, Totals, UnitReport, Way, system,
};
use dafny_source::{LineColumn, Region};
use dtest_sorted::{SortedMap, SortedSet};

/// The outcome of a goal in the coverage report; worse states are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// A test reaches the goal.
    Covered,
    /// The goal is proved unreachable.
    Proved,
    /// No execution within the bounds reaches the goal.
    Bounded,
    /// The goal is open, or only violations reach it.
    Open,
}

impl State {
    /// All states, the best first.
    pub const ALL: [Self; 4] = [Self::Covered, Self::Proved, Self::Bounded, Self::Open];

    /// Returns the state of a goal.
    pub fn of(outcome: &GoalOutcome) -> Self {
        match outcome {
            GoalOutcome::Covered { .. } => Self::Covered,
            GoalOutcome::Unreachable { .. } => Self::Proved,
            GoalOutcome::UnreachableAtCaps { .. } | GoalOutcome::UnreachableWithinBounds { .. } => {
                Self::Bounded
            }
            GoalOutcome::OutOfBudget { .. }
            | GoalOutcome::Unsupported { .. }
            | GoalOutcome::Given { .. }
            | GoalOutcome::Finding
            | GoalOutcome::Choice => Self::Open,
        }
    }
}

/// The region of a goal, or of a statement of [`UnitReport::regions`].
#[derive(Debug, Clone)]
pub struct Mark<'r> {
    /// Byte range in the text; empty if the source has no text for the goal.
    pub range: Range<usize>,
    /// The 0-based line on which the region begins.
    pub line: usize,
    /// The state of the goal.
    pub state: State,
    /// The tests that reach it.
    pub tests: &'r [String],
    /// The tests that reached it when they were run; `None` if this was not measured.
    pub actual: Option<&'r [String]>,
    /// The index of the unit in [`Annotated::units`].
    pub unit: usize,
    /// The goal with its index in the unit; `None` for a statement of [`UnitReport::regions`].
    pub goal: Option<(usize, &'r GoalReport)>,
    /// Whether the goal is for one of several calls, and another mark shows the same code.
    pub is_shadowed: bool,
}

/// A part of a line with one state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Byte range in the text.
    pub range: Range<usize>,
    /// The state; `None` if the text is not compiled or belongs to no goal.
    pub state: Option<State>,
    /// Whether the text is a comment.
    pub comment: bool,
}

/// A line of the source.
#[derive(Debug, Clone)]
pub struct Line {
    /// The parts of the line in order, without the line break.
    pub pieces: Vec<Piece>,
    /// The states of the code on the line; empty if it is not compiled.
    pub states: SortedSet<State>,
    /// Whether the line has compiled code, and not only a goal without text.
    pub is_code: bool,
    /// The largest number of tests that reach a part of the line.
    pub tests: usize,
    /// The mark of that part.
    pub best: Option<usize>,
    /// The largest number of tests that reached a part of the line when they were run; `None` if no
    /// part was measured.
    pub entered: Option<usize>,
    /// The uncovered goals that begin on the line.
    pub notes: Vec<usize>,
    /// Surviving mutants of the code that begins on the line.
    pub survivors: Vec<usize>,
}

/// A source text with the outcomes of its goals.
#[derive(Debug, Clone)]
pub struct Annotated<'r> {
    /// The text.
    pub listing: &'r Listing,
    /// Units that are declared in the text or have goals in it, in the order of the report.
    pub units: Vec<&'r UnitReport>,
    /// All marks; those of goals come first, in the order of the goals.
    pub marks: Vec<Mark<'r>>,
    /// Surviving mutants of its code, in order.
    pub survivors: Vec<&'r Survivor>,
    /// The lines of the text.
    pub lines: Vec<Line>,
    /// The totals of its units.
    pub totals: Totals,
}

/// Annotates the texts that the user named and those with units or goals. Texts with the same path
/// are shown once. A goal that several entries reach is shown with its best outcome.
pub fn annotate<'r>(report: &'r Report, listings: &'r [Listing]) -> Vec<Annotated<'r>> {
    let units: Vec<&UnitReport> = report.units.iter().collect();
    let mut here: SortedMap<&str, Here> = SortedMap::new();
    for (i, unit) in units.iter().enumerate() {
        here.entry(path_of(unit)).or_default().units.insert(i);
    }
    for (unit, goal) in system::goals(&units) {
        let Some(u) = units.get(unit) else { continue };
        let path = u
            .goals
            .get(goal)
            .and_then(|g| g.region.as_ref())
            .map_or(path_of(u), |r| r.path.as_str());
        here.entry(path).or_default().goals.push((unit, goal));
    }
    let mut shown = SortedSet::new();
    let mut out = Vec::new();
    for listing in listings {
        let here = here.get(listing.path.as_str());
        if (listing.named || here.is_some()) && shown.insert(listing.path.as_str()) {
            let survivors = report
                .survivors
                .iter()
                .filter(|s| s.region.path == listing.path)
                .collect();
            out.push(annotated(
                listing,
                &units,
                here.unwrap_or(&Here::default()),
                survivors,
            ));
        }
    }
    out.sort_by(|a, b| a.listing.path.cmp(&b.listing.path));
    out
}

/// The part of a report that belongs to one file: units that are declared in it, and goals in it.
#[derive(Default)]
struct Here {
    units: SortedSet<usize>,
    goals: Vec<(usize, usize)>,
}

/// Returns the path of the file that declares a unit.
fn path_of(unit: &UnitReport) -> &str {
    unit.region.as_ref().map_or("", |r| r.path.as_str())
}

fn annotated<'r>(
    listing: &'r Listing,
    all: &[&'r UnitReport],
    here: &Here,
    survivors: Vec<&'r Survivor>,
) -> Annotated<'r> {
    let index = Index::new(&listing.text);
    let ids: SortedSet<usize> = here
        .units
        .iter()
        .copied()
        .chain(here.goals.iter().map(|g| g.0))
        .collect();
    let places: SortedMap<usize, usize> = ids
        .iter()
        .enumerate()
        .map(|(place, id)| (*id, place))
        .collect();
    let units: Vec<&UnitReport> = ids.iter().filter_map(|id| all.get(*id).copied()).collect();
    let mut marks = marks(listing, &index, here, &units, &places);
    shadow(&mut marks, &units);
    // Every byte gets the mark that decides its state; lines are cut into pieces from that.
    let owners = paint(listing, &marks);
    let mut lines: Vec<Line> = index
        .lines
        .iter()
        .map(|line| annotated_line(listing, line.clone(), &owners, &marks))
        .collect();
    for (i, mark) in marks.iter().enumerate() {
        if let (Some(line), Some(_)) = (lines.get_mut(mark.line), mark.goal)
            && (mark.state != State::Covered || differs(mark))
        {
            line.notes.push(i);
            if mark.range.is_empty() && !mark.is_shadowed {
                line.states.insert(mark.state);
            }
        }
    }
    for (i, survivor) in survivors.iter().enumerate() {
        if let Some(line) = lines.get_mut(index.line_of(index.range(&survivor.region).start)) {
            line.survivors.push(i);
        }
    }
    // Totals count the units that are declared here and all goals that are shown here.
    let declared: Vec<&UnitReport> = here
        .units
        .iter()
        .filter_map(|id| all.get(*id).copied())
        .collect();
    let totals = Totals::over(
        &declared,
        marks.iter().filter_map(|m| m.goal).map(|(_, goal)| goal),
    );
    Annotated {
        listing,
        units,
        marks,
        survivors,
        lines,
        totals,
    }
}

/// Returns the marks of the goals and statements that are in a file. `units` are the units with goals
/// in it, and `places` their indices by their ids.
fn marks<'r>(
    listing: &Listing,
    index: &Index<'_>,
    here: &Here,
    units: &[&'r UnitReport],
    places: &SortedMap<usize, usize>,
) -> Vec<Mark<'r>> {
    let mut marks = Vec::new();
    for (id, i) in &here.goals {
        let Some((unit, u)) = places
            .get(id)
            .and_then(|place| Some((*place, units.get(*place)?)))
        else {
            continue;
        };
        let Some(goal) = u.goals.get(*i) else {
            continue;
        };
        // A goal without a region in the source is shown at the unit.
        let region = goal.region.as_ref().or(u.region.as_ref());
        let range = region
            .filter(|r| r.path == listing.path)
            .map_or(0..0, |r| index.range(r));
        let line = index.line_of(range.start);
        marks.push(Mark {
            range,
            line,
            state: State::of(&goal.outcome),
            tests: &goal.tests,
            actual: goal.actual.as_deref(),
            unit,
            goal: Some((*i, goal)),
            is_shadowed: false,
        });
    }
    // Statements after a branch or a loop have no goal of their own, but different tests reach them
    // than the enclosing goal.
    for (unit, u) in units.iter().enumerate() {
        for region in u.regions.iter().filter(|s| s.region.path == listing.path) {
            let state = state_of(region, u);
            let range = index.range(&region.region);
            marks.push(Mark {
                line: index.line_of(range.start),
                range,
                state,
                tests: &region.tests,
                actual: region.actual.as_deref(),
                unit,
                goal: None,
                is_shadowed: false,
            });
        }
    }
    marks
}

/// Whether the measured coverage of a goal differs from the expected one.
fn differs(mark: &Mark<'_>) -> bool {
    mark.goal
        .is_some_and(|(_, goal)| matches!(Verdict::of(goal), Verdict::Missing | Verdict::Accident))
}

fn state_of(region: &SourceRegion, unit: &UnitReport) -> State {
    match (region.tests.as_slice(), &region.way) {
        ([_, ..], _) => State::Covered,
        ([], Way::None) => State::Proved,
        // If every preceding goal is covered, the path from there to this statement is not.
        ([], Way::After { goals }) => {
            let states = goals
                .iter()
                .filter_map(|i| unit.goals.get(*i))
                .map(|g| State::of(&g.outcome));
            states
                .filter(|s| *s != State::Covered)
                .max()
                .unwrap_or(State::Open)
        }
    }
}

/// The owner of bytes without a mark.
const NOBODY: u32 = u32::MAX;
/// The owner of bytes of comments.
const COMMENT: u32 = u32::MAX - 1;

/// Marks goals as shadowed that differ only in the call through which their code is reached. The
/// goal with the best outcome represents the code.
fn shadow<'r>(marks: &mut [Mark<'r>], units: &[&'r UnitReport]) {
    let mut best: SortedMap<system::CodeGoal<'_>, (u8, usize)> = SortedMap::new();
    let mut by_calls: SortedSet<system::CodeGoal<'_>> = SortedSet::new();
    let of = |m: &Mark<'r>| Some((*units.get(m.unit)?, m.goal?.1));
    let goals: Vec<Option<(&'r UnitReport, &'r GoalReport)>> = marks.iter().map(of).collect();
    for (i, (unit, goal)) in goals
        .iter()
        .enumerate()
        .filter_map(|(i, g)| Some((i, (*g)?)))
    {
        let code = system::code_goal(unit, goal);
        let rank = (system::rank(&goal.outcome), i);
        let known = best.entry(code).or_insert(rank);
        *known = rank.min(*known);
        if !goal.calls.is_empty() {
            by_calls.insert(code);
        }
    }
    for (i, mark) in marks.iter_mut().enumerate() {
        let Some(Some((unit, goal))) = goals.get(i) else {
            continue;
        };
        let code = system::code_goal(unit, goal);
        mark.is_shadowed =
            by_calls.contains(&code) && best.get(&code).is_some_and(|(_, at)| *at != i);
    }
}

/// Returns the deciding mark of every byte. Larger regions are painted first, so inner ones
/// overwrite them; among equal regions the worst state is painted last.
fn paint(listing: &Listing, marks: &[Mark<'_>]) -> Vec<u32> {
    let mut owners = vec![NOBODY; listing.text.len()];
    let mut order: Vec<usize> = (0..marks.len())
        .filter(|i| marks.get(*i).is_some_and(|m| !m.is_shadowed))
        .collect();
    let key = |i: &usize| {
        marks
            .get(*i)
            .map(|m| (Reverse(m.range.len()), m.goal.is_none(), m.state))
    };
    order.sort_by_key(key);
    let mut fill = |range: &Range<usize>, owner: u32| {
        if let Some(bytes) = owners.get_mut(range.clone()) {
            bytes.fill(owner);
        }
    };
    for i in order {
        if let Some(mark) = marks.get(i) {
            fill(&mark.range, i as u32);
        }
    }
    listing.ghost.iter().for_each(|r| fill(r, NOBODY));
    listing.comments.iter().for_each(|r| fill(r, COMMENT));
    owners
}

fn annotated_line(
    listing: &Listing,
    line: Range<usize>,
    owners: &[u32],
    marks: &[Mark<'_>],
) -> Line {
    let text: &str = &listing.text;
    let state = |owner: u32| marks.get(owner as usize).map(|m| m.state);
    let mut out = Line {
        pieces: Vec::new(),
        states: SortedSet::new(),
        is_code: false,
        tests: 0,
        best: None,
        entered: None,
        notes: Vec::new(),
        survivors: Vec::new(),
    };
    let mut start = line.start;
    // A piece is a maximal range with the same owner: the innermost goal whose span contains it.
    while start < line.end {
        let owner = owners.get(start).copied().unwrap_or(NOBODY);
        let end = (start..line.end)
            .find(|&i| owners.get(i) != Some(&owner))
            .unwrap_or(line.end);
        let piece = text.get(start..end).unwrap_or("");
        let code = has_code(piece);
        if let (Some(mark), true) = (marks.get(owner as usize), code) {
            out.states.insert(mark.state);
            out.is_code = true;
            out.entered = out.entered.max(mark.actual.map(<[String]>::len));
            if mark.tests.len() > out.tests {
                (out.tests, out.best) = (mark.tests.len(), Some(owner as usize));
            }
        }
        // Whitespace is not colored, unless it is the whole goal.
        let is_whole = marks
            .get(owner as usize)
            .is_some_and(|m| m.range == (start..end));
        let shown = state(owner).filter(|_| code || is_whole);
        push(
            &mut out.pieces,
            Piece {
                range: start..end,
                state: shown,
                comment: owner == COMMENT,
            },
        );
        start = end;
    }
    out
}

/// Appends a piece, or extends the last one if it has the same state.
fn push(pieces: &mut Vec<Piece>, piece: Piece) {
    match pieces.last_mut() {
        Some(last) if last.state == piece.state && last.comment == piece.comment => {
            last.range.end = piece.range.end
        }
        Some(_) | None => pieces.push(piece),
    }
}

/// Whether a character surrounds code without being code.
pub fn is_around(c: char) -> bool {
    c.is_whitespace() || "{}();,".contains(c)
}

/// Whether a text has code other than brackets and the keywords around a branch.
fn has_code(text: &str) -> bool {
    const AROUND: [&str; 5] = ["else", "then", "case", "=>", "by"];
    text.split(is_around)
        .any(|word| !word.is_empty() && !AROUND.contains(&word))
}

/// The positions of lines in a text.
struct Index<'t> {
    text: &'t str,
    /// The byte range of each line, without the line break.
    lines: Vec<Range<usize>>,
}

impl<'t> Index<'t> {
    fn new(text: &'t str) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            lines.push(start..start + line.trim_end_matches(['\n', '\r']).len());
            start += line.len();
        }
        Self { text, lines }
    }

    fn offset(&self, at: LineColumn) -> usize {
        let Some(line) = self.lines.get((at.line as usize).saturating_sub(1)) else {
            return self.text.len();
        };
        let text = self.text.get(line.clone()).unwrap_or("");
        line.start
            + text
                .char_indices()
                .nth((at.column as usize).saturating_sub(1))
                .map_or(text.len(), |(i, _)| i)
    }

    fn range(&self, region: &Region) -> Range<usize> {
        let start = self.offset(region.start);
        start..self.offset(region.end).max(start)
    }

    /// Returns the 0-based line of a position.
    fn line_of(&self, position: usize) -> usize {
        self.lines
            .partition_point(|l| l.start <= position)
            .saturating_sub(1)
    }
}
