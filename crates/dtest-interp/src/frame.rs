//! The check that an execution respects the `modifies` clause of its unit.

use std::rc::Rc;

use super::api::{Execution, Failure, FailureKind, Inputs, Outcome, Place, Truth};
use super::code::CodeKey;
use super::heap::{self, State};
use super::machine::{Machine, States};
use super::word::Word;
use super::{Interp, why};
use dafny_resolve::typed::{CallableId, CallableKind, FieldId};
use dafny_source::Span;
use dtest_ir::reason::{NoValue, Reason};
use dtest_value::{Contents, ObjectId, Value};

/// The objects of a part of a frame, and its field.
type Part = (Vec<ObjectId>, Option<FieldId>);

impl Interp<'_> {
    /// Checks that `execution` changed only the input objects that the `modifies` clause of `unit`
    /// allows; unknown if the clause cannot be evaluated.
    ///
    /// # Errors
    /// The violating change.
    pub fn check_frame(
        &self,
        unit: CallableId,
        inputs: &Inputs,
        execution: &Execution,
    ) -> Result<Truth, Failure> {
        let c = &self.program.typed[unit];
        if !matches!(execution.outcome, Outcome::Returned(_))
            || !matches!(c.kind, CallableKind::Method | CallableKind::Constructor)
        {
            return Ok(Truth::True);
        }
        // A constructor may write its own object.
        let made = inputs
            .args
            .first()
            .filter(|_| c.kind == CallableKind::Constructor);
        let changed: Vec<(ObjectId, Place)> = changes(inputs, execution)
            .into_iter()
            .filter(|(id, _)| made != Some(&Value::Ref(*id)))
            .collect();
        // Without a change, the frame need not be evaluated.
        if changed.is_empty() {
            return Ok(Truth::True);
        }
        let frame = match self.frame(unit, inputs) {
            Ok(frame) => frame,
            Err(reason) => return Ok(Truth::Unknown(reason)),
        };
        // Each part of the frame allows all fields of its objects, or one.
        let allows = |id: ObjectId, place: &Place| {
            frame.iter().any(|(objects, field)| {
                let named = match (field, place) {
                    (None, _) => true,
                    (Some(f), Place::Field(g)) => f == g,
                    (Some(_), Place::Element(_)) => false,
                };
                named && objects.contains(&id)
            })
        };
        match changed.iter().find(|(id, place)| !allows(*id, place)) {
            None => Ok(Truth::True),
            Some((id, place)) => Err(self.outside_frame(unit, inputs, *id, place)),
        }
    }

    /// Returns the objects of each part of the frame with its field.
    ///
    /// # Errors
    /// The reason if they are unknown.
    fn frame(&self, unit: CallableId, inputs: &Inputs) -> Result<Vec<Part>, Reason> {
        let Some(contract) = self.program.contracts.get(&unit) else {
            return Ok(Vec::new());
        };
        let state = heap::read_in(&inputs.heap);
        let part = |(i, frame): (usize, &dtest_ir::Frame)| {
            Ok((self.objects(unit, i, inputs, &state)?, frame.field))
        };
        contract.modifies.iter().enumerate().map(part).collect()
    }

    fn objects(
        &self,
        unit: CallableId,
        part: usize,
        inputs: &Inputs,
        state: &State,
    ) -> Result<Vec<ObjectId>, Reason> {
        let no = || Reason::from(NoValue::Frame);
        let code = self.code(&CodeKey::Frame(unit, part)).ok_or_else(no)?;
        // The frame is evaluated in the state of the call.
        let mut machine = Machine::new(self, state.clone(), self.limits.steps);
        let args = inputs.args.iter().map(Word::of_ref).collect();
        let words = machine.execute(
            code,
            args,
            Rc::from(inputs.type_args.as_slice()),
            Some(States::since(state.clone())),
        );
        match words.map(|mut words| words.pop()) {
            Ok(Some(Word::Set(objects))) => Ok(objects
                .iter()
                .filter_map(|v| {
                    if let Value::Ref(id) = v {
                        Some(*id)
                    } else {
                        None
                    }
                })
                .collect()),
            Ok(Some(Word::Unknown(reason))) => Err(reason.into()),
            Ok(_) => Err(no()),
            Err(stop) => Err(why(&stop)),
        }
    }

    fn outside_frame(
        &self,
        unit: CallableId,
        inputs: &Inputs,
        id: ObjectId,
        place: &Place,
    ) -> Failure {
        let typed = &self.program.typed;
        // The message names the place and the type of the object.
        let what = match place {
            Place::Field(f) => format!("the field `{}`", typed[*f].name),
            Place::Element(at) => format!("the element {at}"),
        };
        let of = inputs
            .heap
            .objects
            .get(id.0 as usize)
            .map_or_else(String::new, |o| {
                format!(" of a `{}`", typed.show_type(&o.ty))
            });
        let span = typed[unit]
            .spec
            .modifies
            .first()
            .map_or(typed[unit].span, |f| f.span);
        let span = if span == Span::default() {
            typed[unit].span
        } else {
            span
        };
        let message = format!("{what}{of} is modified, which the frame does not allow");
        Failure {
            kind: FailureKind::Modifies,
            span,
            clause: None,
            message,
        }
    }
}

/// Returns the changed fields and elements of input objects. Unknown contents are skipped.
fn changes(inputs: &Inputs, execution: &Execution) -> Vec<(ObjectId, Place)> {
    let mut found = Vec::new();
    for (i, (before, after)) in inputs
        .heap
        .objects
        .iter()
        .zip(&execution.heap.objects)
        .enumerate()
    {
        let id = ObjectId(i as u32);
        // Only compiled contents count.
        match (&before.contents, &after.contents) {
            (Contents::Fields(before), Contents::Fields(after)) => {
                let changed = after
                    .iter()
                    .filter(|(f, v)| before.get(f) != Some(v))
                    .map(|(f, _)| (id, Place::Field(*f)));
                found.extend(changed);
            }
            (Contents::Elements(before), Contents::Elements(after)) => {
                let changed = before
                    .iter()
                    .zip(after.iter())
                    .enumerate()
                    .filter(|(_, (b, a))| a.is_some() && b != a);
                found.extend(changed.map(|(at, _)| (id, Place::Element(at))));
            }
            (Contents::Fields(_), Contents::Elements(_))
            | (Contents::Elements(_), Contents::Fields(_)) => {}
        }
    }
    found
}
