//! Shared copies of a callee, for call trees that are too large for a copy of each call.
//!
//! A copy is encoded once, with variables for its parameters and for the heap contents that it
//! reads (its footprint: [`dtest_ir::Effects`]). A call that uses the copy equates these variables
//! with its arguments and the current contents, and takes over what the copy stores; everything
//! else stays unchanged.
//!
//! Calls of which an execution makes at most one share a copy without loss (as in DAG inlining:
//! Lal, Qadeer 2015). Other calls share it only in executions in which their arguments and contents
//! are equal, and only if it allocates nothing. So the encoding is an under-approximation whose
//! size is that of the program: models are executions, but unreached goals are not proved
//! unreachable.
//!
//! Key type: [`Shared`]. Key function: [`Encoder::call_shared`].

use std::rc::Rc;

use super::activation::Entry;
use super::pairs::Known;
use super::ration::Returned;
use super::value::{Heap, Sym, SymContents, SymObject, SymSeq};
use super::walk::Reached;
use super::{BoundKind, Encoder, Mode};
use dafny_resolve::typed::{CallableId, Substitution, Type};
use dafny_source::Span;
use dtest_ir::{Effects, Procedure};
use dtest_smt::Term;
use dtest_sorted::SortedMap;

/// The active calls, outermost first: the activation, and the condition under which execution
/// reaches the next call in it.
pub(super) type Path = Vec<(usize, Term)>;

/// A copy of a callee with parameters of its own.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    params: Vec<Sym>,
    /// The objects at its entry: variables for the contents that it reads, and nothing else.
    before: Heap,
    /// The objects at its return.
    after: Heap,
    /// The assumptions about the variables: types and bounds.
    assumed: Term,
    returned: Returned,
    uses: Rc<Vec<Use>>,
}

/// A call that uses a copy.
#[derive(Clone, Debug)]
struct Use {
    path: Path,
    args: Vec<Sym>,
    /// The version of the heap, if the copy reads the heap.
    heap: Option<u64>,
}

impl<'p> Encoder<'p> {
    /// Whether calls of a callee may share copies.
    pub(super) fn shares(&mut self, proc: &Procedure, type_args: &[Type]) -> bool {
        // Sharing is an under-approximation, so that it is allowed only under [`Mode::Cut`].
        if self.mode != Mode::Cut
            || self.choices.free
            || !self.bounds.is_rationed()
            || self.path().is_none()
            || self.is_followed(proc.callable)
        {
            return false;
        }
        if self.effects_of(proc.callable).is_opaque {
            return false;
        }
        // Arguments, results and contents are equated with variables, so that they have to be
        // comparable.
        let subst: Substitution = proc
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let mut interface = proc
            .params
            .iter()
            .chain(&proc.outs)
            .filter_map(|v| proc.vars.get(v.0 as usize));
        interface.all(|v| v.ghost || self.program.is_comparable(&v.ty.subst(&subst)))
    }

    /// Returns the cached effects of a callee.
    pub(super) fn effects_of(&mut self, callee: CallableId) -> Rc<Effects> {
        let program = self.program;
        Rc::clone(
            self.calls
                .effects
                .entry(callee)
                .or_insert_with(|| Rc::new(program.effects(callee))),
        )
    }

    /// Encodes a call by a shared copy; `None` if no copy can be used.
    pub(super) fn call_shared(
        &mut self,
        proc: &'p Procedure,
        type_args: &[Type],
        args: &[Sym],
        depth: u32,
        site: Option<Span>,
    ) -> Option<Vec<Sym>> {
        let effects = self.effects_of(proc.callable);
        let touches = !effects.fields.is_empty() || effects.reads_arrays || effects.writes_arrays;
        let this = Use {
            path: self.path()?,
            args: args.to_vec(),
            heap: touches.then_some(self.heap.version),
        };
        let key = (proc.callable, type_args.to_vec(), depth);
        let copies = self.calls.shared.get(&key).cloned().unwrap_or_default();
        let usable: Vec<usize> = (0..)
            .zip(&copies)
            .filter(|(_, c)| self.knows_objects(c, args))
            .map(|(i, _)| i)
            .collect();
        // Prefer a copy that no other call of the same execution uses, then a new copy, then the
        // copy with the fewest uses.
        let is_free = |c: &Shared| {
            c.uses.iter().all(|u| {
                u.is_equal(&this) && !effects.allocates || self.excludes(&u.path, &this.path)
            })
        };
        let free = usable
            .iter()
            .copied()
            .find(|i| copies.get(*i).is_some_and(is_free));
        let is_last = free.is_none() && copies.len() >= self.bounds.calls as usize;
        let at = match free {
            Some(at) => at,
            None if is_last => usable
                .into_iter()
                .min_by_key(|i| copies.get(*i).map(|c| c.uses.len()))?,
            None => {
                let copy = self.new_copy(proc, type_args, &effects)?;
                let copies = self.calls.shared.entry(key.clone()).or_default();
                copies.push(copy);
                copies.len() - 1
            }
        };
        let copy = self.calls.shared.get_mut(&key)?.get_mut(at)?;
        Rc::make_mut(&mut copy.uses).push(this);
        let copy = copy.clone();
        // The parameters have the bounds of inputs, which other calls may exceed: executions are
        // cut.
        self.uncut(BoundKind::Calls);
        let (outs, returned, activation) = copy.returned.clone();
        // Only a call that has to compete for its copy also tries the observed pairs.
        let known = if is_last {
            self.by_pairs(proc, type_args, args)
        } else {
            None
        };
        let entry = self.entry(&copy, args, effects.allocates);
        let Some(Known {
            cond: known,
            results,
            writes,
        }) = known
        else {
            self.links(activation, site, entry);
            self.require(returned);
            self.store(&copy, &effects);
            return Some(outs);
        };
        // Otherwise the call uses pairs where one fits, and the copy elsewhere.
        let before = self.heap.clone();
        for (i, field, value) in writes {
            let object = args.get(i).cloned().unwrap_or(Sym::Any);
            self.under(known, |e| e.write_field(&object, field, &value));
        }
        let by_pair = std::mem::replace(&mut self.heap, before);
        let unknown = self.t.not(known);
        self.under(unknown, |e| {
            e.links(activation, site, entry);
            e.require(returned);
        });
        self.store(&copy, &effects);
        let by_copy = self.heap.clone();
        self.heap = self.merge_heaps(known, &by_pair, &by_copy);
        Some(
            results
                .iter()
                .zip(&outs)
                .map(|(result, out)| self.merge(known, result, out))
                .collect(),
        )
    }

    /// Encodes a new copy; `None` if some content that it reads cannot be a variable.
    fn new_copy(
        &mut self,
        proc: &'p Procedure,
        type_args: &[Type],
        effects: &Effects,
    ) -> Option<Shared> {
        let subst: Rc<Substitution> = Rc::new(
            proc.type_params
                .iter()
                .copied()
                .zip(type_args.iter().cloned())
                .collect(),
        );
        // The variables of a copy are no inputs: they need no small values, and models that differ
        // only in them are the same.
        let (hints, leaves, facts) = (
            self.inputs.hints.len(),
            self.inputs.leaves.len(),
            self.assumed.facts.len(),
        );
        self.objects.in_copy = true;
        let mut params = Vec::with_capacity(proc.params.len());
        for info in proc
            .params
            .iter()
            .filter_map(|p| proc.vars.get(p.0 as usize))
        {
            params.push(if info.ghost {
                Sym::Any
            } else {
                self.variable(&info.ty.subst(&subst))
            });
        }
        let objects = self.variable_objects(effects);
        self.objects.in_copy = false;
        self.inputs.hints.truncate(hints);
        self.inputs.leaves.truncate(leaves);
        let assumed = self.assumed.facts.split_off(facts);
        let assumed = self.t.all(assumed);
        // The body is walked in the copy's own heap. The heap of the caller is restored afterwards.
        let before = self.new_heap(objects?);
        let outside = std::mem::replace(&mut self.heap, before.clone());
        let mut reached = Reached::default();
        let tt = self.t.tt;
        let activation = self.begin_at(None);
        let mut walk =
            |e: &mut Self| e.isolated(|e| e.walk(proc, &params, &subst, tt, Some(&mut reached)));
        let (end, _) = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || walk(self));
        self.end(activation, proc.callable, reached);
        let after = std::mem::replace(&mut self.heap, outside);
        Some(Shared {
            params,
            before,
            after,
            assumed,
            returned: (end.outs, end.returned, activation),
            uses: Rc::default(),
        })
    }

    fn variable(&mut self, ty: &Type) -> Sym {
        self.in_specification(|e| e.input("argument", ty))
    }

    /// Returns the current objects with variables for the contents of a footprint; `None` if some
    /// contents cannot be compared.
    fn variable_objects(&mut self, effects: &Effects) -> Option<SortedMap<u32, Rc<SymObject>>> {
        let mut objects = SortedMap::new();
        for (id, object) in Rc::clone(&self.heap.objects).iter() {
            let mut fields = SortedMap::new();
            let contents = match &object.contents {
                // Arrays become variables only if the callee accesses arrays at all.
                SymContents::Array(s) if effects.reads_arrays || effects.writes_arrays => {
                    let Type::Array { elem, .. } = &object.ty else {
                        return None;
                    };
                    if !self.program.is_comparable(elem) {
                        return None;
                    }
                    let slots = s.slots.iter().map(|_| self.variable(elem)).collect();
                    // The length is a variable too, within the number of slots.
                    let len = self.variable(&Type::Int).scalar()?;
                    let (zero, end) = (self.t.int(0), self.t.int(s.slots.len() as i64 + 1));
                    let inside = self.t.in_range(zero, len, end);
                    self.assumed.facts.push(inside);
                    self.inputs
                        .intervals
                        .insert(len, (Some(0), i64::try_from(s.slots.len()).ok()));
                    SymContents::Array(Rc::new(SymSeq {
                        len,
                        slots,
                        rest: self.unknown_rest(s.is_open()),
                    }))
                }
                SymContents::Grid(_) if effects.reads_arrays || effects.writes_arrays => {
                    return None;
                }
                SymContents::Fields(known) => {
                    let typed = self.typed();
                    for field in known
                        .keys()
                        .filter(|f| effects.fields.contains(f) && !typed[**f].ghost)
                    {
                        let ty = typed.field_type(&object.ty, *field);
                        // Values that cannot be compared would make two uses of the copy
                        // incomparable.
                        if !self.program.is_comparable(&ty) {
                            return None;
                        }
                        fields.insert(*field, self.variable(&ty));
                    }
                    SymContents::Fields(fields)
                }
                // Contents that the callee does not access are left out.
                SymContents::Array(_) | SymContents::Grid(_) => SymContents::Fields(fields),
            };
            objects.insert(
                *id,
                Rc::new(SymObject {
                    ty: object.ty.clone(),
                    contents,
                }),
            );
        }
        Some(objects)
    }

    /// Returns the equations of a call that uses a copy.
    fn entry(&mut self, copy: &Shared, args: &[Sym], is_single: bool) -> Entry {
        let (mut variables, mut values) = (copy.params.clone(), args.to_vec());
        // Objects that do not exist here are created by the copy itself.
        for (id, there) in copy.before.objects.iter() {
            let Some(here) = self.heap.objects.get(id) else {
                continue;
            };
            match (&there.contents, &here.contents) {
                // Fields that were never assigned are passed as such.
                (SymContents::Fields(there), SymContents::Fields(here)) => {
                    for (field, variable) in there {
                        variables.push(variable.clone());
                        values.push(here.get(field).cloned().unwrap_or(Sym::Undef));
                    }
                }
                (SymContents::Array(there), SymContents::Array(here)) => {
                    variables.push(Sym::Seq(Rc::clone(there)));
                    values.push(Sym::Seq(Rc::clone(here)));
                }
                (SymContents::Fields(_) | SymContents::Array(_) | SymContents::Grid(_), _) => {}
            }
        }
        Entry {
            variables,
            values,
            assumed: copy.assumed,
            is_single,
        }
    }

    /// Updates the heap after a call that uses a copy: takes over the stored contents and the
    /// allocated objects.
    fn store(&mut self, copy: &Shared, effects: &Effects) {
        if effects.written.is_empty() && !effects.writes_arrays && !effects.allocates {
            return;
        }
        let mut objects = (*self.heap.objects).clone();
        for (id, there) in copy.after.objects.iter() {
            let here = objects.get(id);
            let contents = match (&there.contents, here.map(|o| &o.contents)) {
                // Objects that the callee allocated are added as they are.
                (_, None) if !copy.before.objects.contains_key(id) => there.contents.clone(),
                // Only the fields that the callee writes are transferred.
                (SymContents::Fields(there), Some(SymContents::Fields(here))) => {
                    let stored = there
                        .iter()
                        .filter(|(f, _)| effects.written.contains(f))
                        .map(|(f, v)| (*f, v.clone()));
                    let mut fields = here.clone();
                    fields.extend(stored);
                    SymContents::Fields(fields)
                }
                (SymContents::Array(there), Some(SymContents::Array(here)))
                    if effects.writes_arrays =>
                {
                    SymContents::Array(Rc::new(SymSeq {
                        len: here.len,
                        ..(**there).clone()
                    }))
                }
                (SymContents::Fields(_) | SymContents::Array(_) | SymContents::Grid(_), _) => {
                    continue;
                }
            };
            objects.insert(
                *id,
                Rc::new(SymObject {
                    ty: there.ty.clone(),
                    contents,
                }),
            );
        }
        self.heap = self.new_heap(objects);
    }

    /// Whether the objects that constant references denote existed when the copy was created.
    fn knows_objects(&self, copy: &Shared, args: &[Sym]) -> bool {
        args.iter().all(|arg| match arg {
            Sym::Ref(r) => match self.t.as_small(*r) {
                Some(n) => {
                    n == 0
                        || u32::try_from(n - 1)
                            .is_ok_and(|id| copy.before.objects.contains_key(&id))
                }
                None => true,
            },
            Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Char(_)
            | Sym::Real(_)
            | Sym::Bv(_)
            | Sym::Ordinal(_)
            | Sym::Seq(_)
            | Sym::Set(_) => true,
            Sym::Multiset(_)
            | Sym::Map(_)
            | Sym::Tuple(_)
            | Sym::Data(_)
            | Sym::Newtype(_)
            | Sym::OneOf(_)
            | Sym::Func(_) => true,
            Sym::Lazy(_) | Sym::Any | Sym::Undef => true,
        })
    }

    /// Whether no execution makes both calls, which the conditions must show at the point where
    /// their paths diverge.
    fn excludes(&self, a: &Path, b: &Path) -> bool {
        let parts = a.iter().zip(b).find(|(x, y)| x != y);
        let Some(((here, x), (there, y))) = parts else {
            return false;
        };
        if here != there {
            return false;
        }
        let (xs, ys) = (self.literals(*x), self.literals(*y));
        xs.iter()
            .any(|x| ys.iter().any(|y| self.t.is_negation(*x, *y)))
    }
}

impl Use {
    /// Whether two calls have the same arguments and heap.
    fn is_equal(&self, other: &Self) -> bool {
        self.args == other.args && self.heap == other.heap
    }
}
