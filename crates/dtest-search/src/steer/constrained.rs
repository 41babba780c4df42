//! Values of constrained types that no small value is one of: `type T = x: Base | P(x) witness *`.
//!
//! The interpreter checks whether a value of the base type satisfies the constraint, and its
//! comparisons say what is in the way. [`Steering::values`] changes the value where a comparison
//! stops it, as preconditions are satisfied by the search of the parent module. The result depends
//! on the program and the type only. [`repaired`] does the same after a change of a part that breaks
//! the type of a value around it.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::flips::{self, Change, Flipper};
use super::hashed;
use super::sites::{Site, sites, with};
use crate::constants::Constants;
use crate::parts::replaced;
use crate::seeds::Maker;
use dafny_resolve::typed::{Type, TypeDeclKind};
use dtest_interp::{Comparison, Inputs, Interp, Truth};
use dtest_ir::Program;
use dtest_value::{Heap, Value};

/// Maximum number of checked values, and of instructions that the checks may execute.
const MAX_CHECKS: usize = 1_500;
const MAX_INSTRUCTIONS: u64 = 2_000_000;
/// Maximum number of checked values for the repair of a change.
const MAX_CHECKS_OF_REPAIR: usize = 300;
/// Maximum number of values of the base type that are changed, and of values that are returned.
const MAX_BASES: usize = 6;
const MAX_FOUND: usize = 4;
/// Maximum number of checks after the first value was found.
const MAX_MORE: usize = 150;
/// Maximum number of leads.
const MAX_LEADS: usize = 120;
/// Maximum number of constrained types whose values are searched for the sake of each other.
const MAX_NESTING: usize = 3;
/// Maximum nesting of the values that are put into others.
const DEPTH: u32 = 2;

/// The search for values of one constrained type.
pub(crate) struct Steering<'a, 'p> {
    program: &'a Program,
    interp: &'a Interp<'p>,
    ty: &'a Type,
    /// The constrained types whose values are searched at the moment, this one included.
    open: Vec<Type>,
    leads: Vec<Lead>,
    /// The results of comparisons by place.
    seen: FxHashSet<(u64, bool)>,
    tried: FxHashSet<u64>,
    found: Vec<Value>,
    /// A part that keeps its value, by its position.
    kept: Option<(&'a [usize], &'a Value)>,
}

/// A value whose check showed something new.
struct Lead {
    value: Value,
    /// The comparisons that are not changed yet; the next one is the last.
    comparisons: Vec<Comparison>,
    proposed: VecDeque<Value>,
    tries: u32,
}

impl<'a, 'p> Steering<'a, 'p> {
    /// A search for the sake of the types `open`. `None` if the type has no constraint that is
    /// checked without a heap, or if a value of it is searched already.
    pub(crate) fn new(
        program: &'a Program,
        interp: &'a Interp<'p>,
        ty: &'a Type,
        open: &[Type],
    ) -> Option<Self> {
        let typed = &program.typed;
        let is_constrained = matches!(ty, Type::Named { decl, .. }
            if matches!(typed[*decl].kind, TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_)));
        let is_new = open.len() < MAX_NESTING && !open.contains(ty);
        (is_constrained && is_new && typed.holds_no_references(ty)).then(|| Self {
            program,
            interp,
            ty,
            open: open.iter().chain([ty]).cloned().collect(),
            leads: Vec::new(),
            seen: FxHashSet::default(),
            tried: FxHashSet::default(),
            found: Vec::new(),
            kept: None,
        })
    }

    /// A few values of the type, found by changes of values of its base type. Empty if none is
    /// found.
    pub(crate) fn values(mut self) -> Vec<Value> {
        let (program, interp) = (self.program, self.interp);
        let base = program.typed.representation(self.ty);
        let constants = Constants::default();
        let mut maker = Maker::of_open(program, interp, &constants, &self.open);
        let bases = maker.values(&base, DEPTH, &mut Heap::default());
        for value in bases.into_iter().take(MAX_BASES) {
            self.check(value);
        }
        self.follow_leads(MAX_CHECKS, MAX_FOUND);
        self.found
    }

    /// A value of the type that a value becomes by further changes.
    fn repaired(mut self, value: Value) -> Option<Value> {
        self.check(value);
        self.follow_leads(MAX_CHECKS_OF_REPAIR, 1);
        self.found.pop()
    }

    /// Checks changes of leads until this number of values is found.
    fn follow_leads(&mut self, max_checks: usize, wanted: usize) {
        let limit = self.interp.steps() + MAX_INSTRUCTIONS;
        let mut checks_since_found = 0;
        for turn in 0..max_checks {
            let is_enough = self.found.len() >= wanted || checks_since_found > MAX_MORE;
            if is_enough || self.interp.steps() > limit {
                break;
            }
            let Some(next) = self.next(turn) else { break };
            self.check(next);
            checks_since_found += usize::from(!self.found.is_empty());
        }
    }

    /// Checks a value, and keeps it if it has the type or shows something new.
    fn check(&mut self, value: Value) {
        let is_kept = |(path, part): (&[usize], &Value)| {
            replaced(&value, path, part.clone()).as_ref() == Some(&value)
        };
        if !self.kept.is_none_or(is_kept) || !self.tried.insert(hashed(&value)) {
            return;
        }
        let check = || {
            self.interp
                .value_has_type(&value, self.ty, &Heap::default())
        };
        let (truth, comparisons) = self.interp.with_comparisons(check);
        let has_type = matches!(truth, Truth::True);
        if has_type && self.found.len() < MAX_FOUND {
            self.found.push(value.clone());
        }
        let mut is_new = has_type;
        for c in &comparisons {
            is_new |= self.seen.insert((c.place, c.holds));
        }
        if is_new && self.leads.len() < MAX_LEADS {
            self.leads.push(Lead {
                value,
                comparisons,
                proposed: VecDeque::new(),
                tries: 0,
            });
        }
    }

    /// The next value to check: mostly a change of the newest lead, sometimes one of the lead with
    /// the fewest changes, because the way of the newest may end.
    fn next(&mut self, turn: usize) -> Option<Value> {
        // Each round uses up a lead, a comparison, or a proposal.
        loop {
            let is_left = |l: &Lead| !l.proposed.is_empty() || !l.comparisons.is_empty();
            let left = (0..self.leads.len()).filter(|i| self.leads.get(*i).is_some_and(is_left));
            let chosen = match turn % 4 {
                3 => left.min_by_key(|i| self.leads.get(*i).map_or(0, |l| l.tries)),
                _ => left.max(),
            }?;
            let lead = self.leads.get_mut(chosen)?;
            lead.tries += 1;
            if let Some(value) = lead.proposed.pop_front() {
                return Some(value);
            }
            // Comparisons whose other result was never seen come before all others.
            let is_frontier = |c: &Comparison| !self.seen.contains(&(c.place, !c.holds));
            let at = lead.comparisons.iter().rposition(is_frontier);
            let comparison = match at {
                Some(at) => lead.comparisons.remove(at),
                None => lead.comparisons.pop()?,
            };
            let value = lead.value.clone();
            let proposed = self.changed(&value, &comparison);
            self.leads.get_mut(chosen)?.proposed.extend(proposed);
        }
    }

    /// Values after whose change a comparison may have the other result.
    fn changed(&self, value: &Value, comparison: &Comparison) -> Vec<Value> {
        let typed = &self.program.typed;
        let inputs = Inputs {
            type_args: Vec::new(),
            args: vec![value.clone()],
            heap: Heap::default(),
            answers: Vec::new(),
        };
        let sites = sites(typed, std::slice::from_ref(self.ty), &inputs);
        let constants = Constants::default();
        let small = Small {
            program: self.program,
            interp: self.interp,
            maker: Maker::of_open(self.program, self.interp, &constants, &self.open),
        };
        let changes = Flipper::new(typed, &sites, small).flips(comparison);
        let apply = |change: Change| applied(inputs.clone(), &sites, change);
        changes.into_iter().filter_map(apply).collect()
    }
}

/// The change of a site so that the constrained types of the values around it hold, too: the
/// outermost value that changes further. `None` if the change breaks no type, or if no value with
/// it is found. At most `repairs` values are searched for, which become fewer.
pub(super) fn repaired<'s>(
    interp: &Interp<'_>,
    sites: &'s [Site],
    site: &Site,
    new: &Value,
    repairs: &mut usize,
) -> Option<(&'s Site, Value)> {
    // Outer values are listed before their parts.
    let around = sites.iter().rev();
    let mut around = around.filter_map(|outer| Some((outer, site.position_within(outer)?)));
    around.find_map(|(outer, path)| {
        let changed = replaced(&outer.value, path, new.clone())?;
        let mut steering = Steering::new(interp.program(), interp, &outer.ty, &[])?;
        let truth = interp.value_has_type(&changed, &outer.ty, &Heap::default());
        if !truth.is_false() {
            return None;
        }
        *repairs = repairs.checked_sub(1)?;
        steering.kept = Some((path, new));
        let fixed = steering.repaired(changed)?;
        // This value may be a part of another one with a constraint.
        let further = repaired(interp, sites, outer, &fixed, repairs);
        Some(further.unwrap_or((outer, fixed)))
    })
}

/// The argument of inputs with some sites replaced.
fn applied(inputs: Inputs, sites: &[Site], change: Change) -> Option<Value> {
    let mut out = inputs;
    for (at, value) in change {
        out = with(out, sites.get(at)?, value)?;
    }
    out.args.into_iter().next()
}

/// Small values of types without references.
struct Small<'a, 'p> {
    program: &'a Program,
    interp: &'a Interp<'p>,
    maker: Maker<'a, 'p>,
}

impl flips::Values for Small<'_, '_> {
    fn program(&self) -> &Program {
        self.program
    }

    fn small(&mut self, ty: &Type) -> Vec<Value> {
        self.maker.values(ty, DEPTH, &mut Heap::default())
    }

    fn any(&mut self, ty: &Type) -> Option<Value> {
        // The first value is often the one that the collection has already.
        let values = self.small(ty);
        values.get(1).or(values.first()).cloned()
    }

    fn may_have_type(&self, value: &Value, ty: &Type) -> bool {
        let truth = self.interp.value_has_type(value, ty, &Heap::default());
        !truth.is_false()
    }
}

#[cfg(test)]
mod tests {
    use dafny_resolve::typed::{Type, TypeId};
    use dtest_interp::{Interp, Limits};
    use dtest_ir::Criteria;
    use dtest_value::{Heap, Value};

    use crate::constants::{Constants, Reach};
    use crate::seeds::Maker;

    /// Algorithm suites of a message format: each identifier fixes all other fields.
    const SUITES: &str = "
        datatype Option<T> = None | Some(value: T)
        newtype int32 = x: int | -0x8000_0000 <= x < 0x8000_0000
        newtype byte = x: int | 0 <= x < 256
        datatype Id = Plain | Signed | Committed
        datatype Cipher = Gcm(keyLength: int32, tagLength: int32) | Cbc(keyLength: int32)
        datatype Suite = Suite(id: Id, binaryId: seq<byte>, version: int32, cipher: Cipher,
                               curve: Option<string>)
        predicate IsSuite(s: Suite) {
          && s.cipher.Gcm?
          && s.cipher.tagLength == 16
          && match s.id
             case Plain => s.binaryId == [0x01, 0x78] && s.version == 1
               && s.cipher.keyLength == 16 && s.curve.None?
             case Signed => s.binaryId == [0x02, 0x78] && s.version == 1
               && s.cipher.keyLength == 32 && s.curve == Some(\"P384\")
             case Committed => s.binaryId == [0x05, 0x78] && s.version == 2
               && s.cipher.keyLength == 32 && s.curve.None?
        }
        type KnownSuite = s: Suite | IsSuite(s) witness *
        datatype Materials = Materials(suite: Suite, key: Option<seq<byte>>,
                                       context: map<string, string>)
        predicate IsSealed(m: Materials) {
          && IsSuite(m.suite)
          && m.key.Some?
          && |m.key.value| == m.suite.cipher.keyLength as int
          && (m.suite.curve.Some? <==> \"aws-public-key\" in m.context)
        }
        type SealedMaterials = m: Materials | IsSealed(m) witness *
        datatype Request = Request(materials: SealedMaterials, count: int32)
        type Requests = r: seq<Request> | |r| == 2 && r[0].count < r[1].count witness *
        type Never = s: Suite | s.version == 1 && s.version == 2 witness *
        datatype Box = Box(never: Never)
        type Narrow = b: Box | b.never.version == 3 witness *";

    /// The values of the types with these names, made one after the other.
    fn values(names: &[&str]) -> Vec<Vec<Value>> {
        let (_, program) = dtest_lower::testing::lowered(SUITES, Criteria::default());
        let interp = Interp::new(&program, Limits::default());
        let constants = Constants::default();
        let of = |name: &&str| {
            let mut ids = (0..program.typed.types.len() as u32).map(TypeId);
            let decl = ids.find(|id| &*program.typed[*id].name == *name);
            let ty = Type::named(decl.expect("declared"), Vec::new());
            let mut heap = Heap::default();
            let all = Maker::new(&program, &interp, &constants).values(&ty, 3, &mut heap);
            let has_type = |v: &Value| interp.value_has_type(v, &ty, &heap).is_true();
            assert!(all.iter().all(has_type), "{name}: {all:?}");
            all
        };
        names.iter().map(of).collect()
    }

    #[test]
    fn a_suite_is_made_from_what_its_constraint_compares() {
        let [suites] = &values(&["KnownSuite"])[..] else {
            panic!("one type");
        };
        assert!(suites.len() > 1, "{suites:?}");
    }

    #[test]
    fn lengths_and_keys_follow_from_other_fields() {
        let [sealed] = &values(&["SealedMaterials"])[..] else {
            panic!("one type");
        };
        assert!(!sealed.is_empty());
    }

    #[test]
    fn values_of_constrained_types_are_parts_of_others() {
        for of_type in values(&["Request", "Requests"]) {
            assert!(!of_type.is_empty());
        }
    }

    #[test]
    fn a_search_without_result_ends_and_is_not_repeated() {
        let all = values(&["Never", "Narrow", "Box", "Never"]);
        assert!(all.iter().all(Vec::is_empty), "{all:?}");
    }

    #[test]
    fn values_whose_check_takes_long_are_no_seeds() {
        let source = "newtype byte = x: int | 0 <= x < 256
             predicate IsText(s: seq<byte>) {
               forall i | 0 <= i < |s| :: s[i] != 7 && (s[i] as int + i) % 70_000 != 69_999
             }
             type Text = s: seq<byte> | IsText(s) witness []
             method F(t: Text, b: seq<byte>) requires |b| == 65536 { }";
        let (_, program) = dtest_lower::testing::lowered(source, Criteria::default());
        let interp = Interp::new(&program, Limits::default());
        let mut all = program.procedures.values();
        let procedure = all.find(|p| p.params.len() == 2).expect("declared");
        let constants = Constants::of(&program, procedure, Reach::NEAR);
        let types: Vec<Type> = procedure.vars.iter().map(|v| v.ty.clone()).collect();
        let longest = |ty: &Type| {
            let mut maker = Maker::new(&program, &interp, &constants);
            let values = maker.values(ty, 3, &mut Heap::default()).into_iter();
            let length = |v: &Value| if let Value::Seq(xs) = v { xs.len() } else { 0 };
            values.map(|v| length(&v)).max().expect("a value")
        };
        assert!(types.iter().any(|ty| longest(ty) == 65_536));
        let is_text = |ty: &&Type| matches!(ty, Type::Named { .. });
        let text = types.iter().find(is_text).expect("declared");
        assert!((2..1_000).contains(&longest(text)));
        // The check is not repeated.
        let before = interp.steps();
        longest(text);
        assert!(interp.steps() - before < 20_000);
    }
}
