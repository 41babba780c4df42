//! Journeys: long sequences of calls on one object, of which every call shares a few values.
//!
//! In a round of the pool, every call draws its arguments alone, and a state is extended by one call
//! at a time. Where calls have to name the same things one after the other (a file is edited on a
//! branch, saved, edited otherwise on another branch, and only then merged), no single call shows
//! that a state is promising, and the values of independent calls almost never coincide. A journey
//! draws a few values of each type first (`super::super::coherent`), and a few of the members of the
//! class, so that not every call undoes what others do (swarm testing: Groce, Zhang, Eide, Chen and
//! Regehr, *Swarm Testing*, 2012).
//!
//! Most journeys start with an object in a state that earlier ones met. States of the same form (as
//! many elements in each collection, roughly) are one cell, and journeys prefer cells that few
//! journeys started from (Ecoffet, Huizinga, Lehman, Stanley and Clune, *First return, then
//! explore*, 2021). So states that many calls lead to are as likely to be extended as others.
//!
//! The inputs of a call whose execution has new features join the corpus of the member, with the
//! calls that lead to their object.

use dtest_interp::Inputs;
use dtest_interp::xorshift::Xorshift;
use dtest_value::{Construction, Heap, Value};

use super::super::coherent::Few;
use super::super::configured_inputs::{alone, named};
use super::super::scenarios::way;
use super::super::seeds::blank;
use super::super::states::{self, Reached};
use super::corpus::form_of_all;
use super::{Grower, drop_garbage, is_readable, made_by};
use dafny_resolve::typed::Type;
use dtest_sorted::SortedSet;

/// Maximum interpreter steps for all classes, and for one of them.
const MAX_STEPS: u64 = 4_000_000;
const MAX_STEPS_OF_CLASS: u64 = 2_000_000;
/// Maximum numbers of journeys and of consecutive ones without anything new, per class.
const MAX_JOURNEYS: usize = 400;
const MAX_IDLE: usize = 60;
/// Maximum number of calls that change an object, and of calls of a journey.
const MAX_CALLS: usize = 16;
const MAX_ATTEMPTS: usize = 20;
/// Minimum and maximum number of values of a type without parts that calls share.
const MIN_LEAVES: usize = 2;
const MAX_LEAVES: usize = 3;
/// Maximum numbers of cells, and of states whose calls are kept, per class.
const MAX_CELLS: usize = 200;
const MAX_KEPT: usize = 60;
/// One of so many journeys starts with a new object. The others start from the best of so many cells.
const NEW_OBJECTS: usize = 6;
const MAX_DRAWN: usize = 4;
/// Number of calls of a state from which no journey starts.
const MAX_CALLS_AT_START: usize = 13;

/// A class with the callables that journeys call, by the numbers of their producers.
struct Class {
    ty: Type,
    constructors: Vec<usize>,
    /// Methods that modify something, and members that only observe the object.
    changing: Vec<usize>,
    observing: Vec<usize>,
}

/// An object in the course of a journey.
#[derive(Clone)]
struct Place {
    /// The object is the only argument.
    alone: Inputs,
    /// The calls that lead here, if a test can make them.
    by: Option<Construction>,
    /// The number of calls.
    calls: usize,
}

/// The result of a call.
struct Arrival {
    /// The place after the call. `None` if it left the object as it was.
    next: Option<Place>,
    /// The way that the execution took.
    way: u64,
    /// Whether the execution has new features.
    is_new: bool,
}

/// The states and ways that the journeys with a class met.
#[derive(Default)]
struct Met {
    /// States by their form.
    cells: Vec<Cell>,
    /// Ways of calls that followed each other.
    followed: SortedSet<(u64, u64)>,
}

/// States of the same form: as many elements in each collection, roughly.
struct Cell {
    form: u64,
    /// The state that the fewest calls lead to.
    place: Place,
    /// The number of journeys from here.
    journeys: usize,
}

impl Met {
    /// Notes a state. Returns whether there was none of its form.
    fn arrive(&mut self, place: &Place) -> bool {
        let form = form_of_all(&place.alone);
        if let Some(cell) = self.cells.iter_mut().find(|c| c.form == form) {
            if place.calls < cell.place.calls {
                cell.place = place.clone();
            }
            return false;
        }
        let is_start = self.cells.len() < MAX_CELLS && place.calls <= MAX_CALLS_AT_START;
        if is_start {
            self.cells.push(Cell {
                form,
                place: place.clone(),
                journeys: 0,
            });
        }
        is_start
    }

    /// The place that a journey starts from: of a few cells, the one that the fewest journeys started
    /// from. `None` for a new object.
    fn start(&mut self, random: &mut Xorshift) -> Option<Place> {
        if random.below(NEW_OBJECTS) == 0 {
            return None;
        }
        let drawn = (0..MAX_DRAWN).map(|_| random.below(self.cells.len()));
        let drawn: Vec<usize> = drawn.collect();
        let journeys = |i: &usize| self.cells.get(*i).map(|c| c.journeys);
        let least = drawn.into_iter().min_by_key(journeys)?;
        let cell = self.cells.get_mut(least)?;
        cell.journeys += 1;
        Some(cell.place.clone())
    }
}

impl Grower<'_, '_> {
    /// Makes journeys with objects of every class that has a constructor and methods that change
    /// it.
    pub(super) fn travel(&mut self) {
        let classes = self.classes();
        let share = MAX_STEPS / classes.len().max(1) as u64;
        for class in classes {
            self.travel_with(&class, share.min(MAX_STEPS_OF_CLASS));
        }
    }

    /// The classes, in the order of their first constructor.
    fn classes(&self) -> Vec<Class> {
        let typed = &self.program.typed;
        let mut found: Vec<Class> = Vec::new();
        let receiver = |i: usize| {
            let producer = self.producers.get(i)?;
            let declared = &typed[producer.procedure.callable];
            let is_member =
                producer.is_constructor || !declared.is_static && declared.owner.is_some();
            let ty = producer.params.first().filter(|_| is_member)?;
            Some((self.key(ty), producer))
        };
        for i in 0..self.producers.len() {
            if let Some((ty, producer)) = receiver(i)
                && producer.is_constructor
            {
                match found.iter_mut().find(|c| c.ty == ty) {
                    Some(class) => class.constructors.push(i),
                    None => found.push(Class {
                        ty,
                        constructors: vec![i],
                        changing: Vec::new(),
                        observing: Vec::new(),
                    }),
                }
            }
        }
        for i in 0..self.producers.len() {
            if let Some((ty, producer)) = receiver(i)
                && !producer.is_constructor
                && let Some(class) = found.iter_mut().find(|c| c.ty == ty)
            {
                if states::changes_objects(self.program, producer.procedure.callable) {
                    class.changing.push(i);
                } else {
                    class.observing.push(i);
                }
            }
        }
        // Where one method changes an object, the rounds meet its states.
        found.retain(|c| c.changing.len() > 1);
        found
    }

    fn travel_with(&mut self, class: &Class, steps: u64) {
        let name = self.program.typed.show_type(&class.ty);
        let seed = name.bytes().fold(Xorshift::START, |seed, b| {
            (seed ^ u64::from(b)).wrapping_mul(0x0100_0000_01B3)
        });
        let mut random = Xorshift::new(seed);
        let until = self.interp.steps() + steps;
        let mut met = Met::default();
        let mut idle = 0;
        for _ in 0..MAX_JOURNEYS {
            let is_over = self.interp.steps() >= until || dtest_limits::memory::is_short();
            if is_over || idle >= MAX_IDLE {
                break;
            }
            let is_new = self.journey(class, &mut random, &mut met, until);
            idle = if is_new { 0 } else { idle + 1 };
        }
    }

    /// Makes one journey. Returns whether it met something new.
    fn journey(&mut self, class: &Class, random: &mut Xorshift, met: &mut Met, until: u64) -> bool {
        let known = met.start(random);
        let Some(mut place) = known.or_else(|| self.begun(class, random)) else {
            return false;
        };
        // The values of the object are among the few, so that calls name what is there.
        let mut few = self.few_values(class, &place);
        let most_leaves = MIN_LEAVES + random.below(MAX_LEAVES - MIN_LEAVES + 1);
        let mut chosen: Vec<usize> = Vec::new();
        for member in &class.changing {
            if random.below(4) > 0 {
                chosen.push(*member);
            }
        }
        let (mut any_new, mut last) = (false, 0);
        for _ in 0..MAX_ATTEMPTS {
            if place.calls >= MAX_CALLS || self.interp.steps() >= until {
                break;
            }
            let member = match random.pick(&class.observing) {
                Some(member) if random.below(3) == 0 => *member,
                Some(_) | None => match random.pick(&chosen) {
                    Some(member) => *member,
                    None => break,
                },
            };
            few.narrow(most_leaves);
            let Some(arrival) = self.called(member, &mut few, random, &place) else {
                continue;
            };
            let follows = met.followed.insert((last, arrival.way));
            any_new |= arrival.is_new || follows;
            // Calls that change nothing lead nowhere.
            let Some(next) = arrival.next else {
                continue;
            };
            (place, last) = (next, arrival.way);
            any_new |= met.arrive(&place);
        }
        any_new
    }

    /// The few values for calls on an object: some of those that it holds, and others.
    fn few_values(&self, class: &Class, place: &Place) -> Few {
        let types = std::slice::from_ref(&class.ty);
        Few::of(&self.program.typed, types, &place.alone)
    }

    /// A new object.
    fn begun(&mut self, class: &Class, random: &mut Xorshift) -> Option<Place> {
        let constructor = *random.pick(&class.constructors)?;
        let mut heap = Heap::default();
        let object = blank(&class.ty, &mut heap);
        let place = Place {
            alone: Inputs {
                args: vec![object],
                heap,
                ..Inputs::default()
            },
            by: None,
            calls: 0,
        };
        let mut few = self.few_values(class, &place);
        let arrival = self.called(constructor, &mut few, random, &place)?;
        let next = arrival.next?;
        Some(Place { calls: 0, ..next })
    }

    /// Calls a member on the object. `None` if its precondition does not hold, or if the call does
    /// not end well.
    fn called(
        &mut self,
        member: usize,
        few: &mut Few,
        random: &mut Xorshift,
        place: &Place,
    ) -> Option<Arrival> {
        let inputs = self.arguments(member, few, random, &place.alone)?;
        let producer = self.producers.get(member)?;
        let callable = producer.procedure.callable;
        let verdict = self.interp.check_inputs(callable, &inputs).verdict();
        // The object is in a state that its methods left, so that an undecided precondition is
        // acceptable.
        if verdict.is_false() || !is_readable(&inputs) {
            return None;
        }
        let mut execution = self.interp.run(callable, &inputs);
        let calls = self.interp.take_calls();
        let features = self.interp.behaviour();
        if !states::is_plain(&execution) || !self.complete(&mut execution.heap, None) {
            return None;
        }
        let way = way(callable, &execution);
        let by = made_by(producer, &inputs, &execution, place.by.clone(), MAX_CALLS);
        let next = Place {
            alone: alone(inputs.args.first()?, &execution.heap),
            by,
            calls: place.calls + 1,
        };
        let is_new = self
            .producers
            .get_mut(member)
            .is_some_and(|p| p.corpus.is_untried(&inputs) && p.corpus.add_far(&inputs, features));
        if is_new {
            self.keep_calls(&inputs, place);
            self.take(member, &inputs, execution, place.by.clone());
            self.record(calls);
        }
        let next = (next.alone != place.alone).then_some(next);
        Some(Arrival { next, way, is_new })
    }

    /// Keeps the calls that lead to the object of inputs, so that tests can make them.
    fn keep_calls(&mut self, inputs: &Inputs, place: &Place) {
        let Some(by) = place.by.clone() else {
            return;
        };
        let Some(Value::Ref(id)) = inputs.args.first() else {
            return;
        };
        let Some(object) = inputs.heap.objects.get(id.0 as usize) else {
            return;
        };
        let ty = object.ty.clone();
        if self.travelled.iter().filter(|(t, _)| *t == ty).count() < MAX_KEPT
            && self.travelled.iter().all(|(_, r)| r.alone != place.alone)
        {
            let alone = place.alone.clone();
            self.travelled.push((ty, Reached { alone, by }));
        }
    }

    /// The inputs of a member with the object as receiver.
    fn arguments(
        &mut self,
        member: usize,
        few: &mut Few,
        random: &mut Xorshift,
        object: &Inputs,
    ) -> Option<Inputs> {
        let typed = &self.program.typed;
        let producer = self.producers.get_mut(member)?;
        let mut heap = object.heap.clone();
        let mut args = vec![object.args.first()?.clone()];
        let types = producer.params.clone();
        // Each argument may be large.
        few.extent = 0;
        for ty in types.iter().skip(1) {
            let is_plain = typed.holds_no_references(ty);
            let built = if is_plain && random.below(8) > 0 {
                producer.mutator.built(self.interp, few, ty, 1)
            } else {
                None
            };
            let value = if let Some(value) = built {
                value
            } else {
                let key = named(&typed.representation(ty));
                let column = self.columns.get(producer.procedure.callable, &key)?;
                states::put(&column.pick(random)?.alone, &mut heap)?
            };
            args.push(value);
        }
        Some(drop_garbage(Inputs {
            type_args: producer.type_args.clone(),
            args,
            heap,
            answers: Vec::new(),
        }))
    }
}
