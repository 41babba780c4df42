//! Copies of a callee that several calls share, where a tree of calls is too large for a copy each.
//!
//! A copy is encoded once, over parameters that are variables of its own. A call that uses it says that they are its arguments where it
//! is made. Calls of which an execution makes one at most share a copy without loss (as in DAG inlining: Lal, Qadeer 2015);
//! others can share it in executions that pass them the same arguments. So what is left is an under-approximation whose size
//! is that of the program: its models are executions, and what it does not reach is not proved unreachable.

use std::rc::Rc;

use super::ration::Returned;
use super::value::Sym;
use super::walk::Reached;
use super::{BoundKind, Encoder, Mode};
use crate::ir::Procedure;
use crate::smt::Term;
use crate::typed::{CallableId, Substitution, Type};

/// The calls under way, outermost first: in which activation, and when it comes there.
pub(super) type Path = Vec<(usize, Term)>;

/// A copy of a callee over parameters of its own.
#[derive(Debug)]
pub(super) struct Shared {
    params: Vec<Sym>,
    returned: Returned,
    /// Calls that use it, with their arguments.
    uses: Vec<(Path, Vec<Sym>)>,
}

impl<'p> Encoder<'p> {
    /// Whether calls of a callee may share its copies.
    pub(super) fn shares(&mut self, callee: CallableId) -> bool {
        if self.mode != Mode::Cut || !self.bounds.is_rationed() || self.path().is_none() {
            return false;
        }
        match self.pure.get(&callee) {
            Some(known) => *known,
            None => {
                let is_pure = self.program.is_pure(callee);
                self.pure.insert(callee, is_pure);
                is_pure
            }
        }
    }

    /// A call by way of a shared copy. `None`: there is none for it.
    pub(super) fn call_shared(&mut self, proc: &'p Procedure, type_args: &[Type], args: &[Sym], depth: u32) -> Option<Vec<Sym>> {
        let path = self.path()?;
        let key = (proc.callable, type_args.to_vec(), depth);
        let copies = self.shared.remove(&key).unwrap_or_default();
        // One that no other call of the same execution uses; else a new one; else the one that is used least.
        let free = copies.iter().position(|c| c.uses.iter().all(|(u, same)| same == args || self.excludes(u, &path)));
        self.shared.insert(key.clone(), copies);
        let count = self.shared.get(&key).map_or(0, Vec::len);
        let is_last = free.is_none() && count >= self.bounds.calls as usize;
        let at = match free {
            Some(at) => at,
            None if count < self.bounds.calls as usize => {
                let copy = self.new_copy(proc, type_args);
                let copies = self.shared.entry(key.clone()).or_default();
                copies.push(copy);
                copies.len() - 1
            }
            None => {
                let copies = self.shared.get(&key)?;
                (0..copies.len()).min_by_key(|i| copies.get(*i).map(|c| c.uses.len()))?
            }
        };
        let copy = self.shared.get_mut(&key)?.get_mut(at)?;
        copy.uses.push((path, args.to_vec()));
        let (params, (outs, returned, activation)) = (copy.params.clone(), copy.returned.clone());
        // The parameters have the bounds of inputs, and other calls may need them.
        self.crossed.insert(BoundKind::Calls);
        let known = if is_last { self.by_pairs(proc, type_args, args) } else { None };
        let Some((known, results)) = known else {
            self.links(activation, &params, args);
            self.require(returned);
            return Some(outs);
        };
        let unknown = self.t.not(known);
        self.under(unknown, |e| {
            e.links(activation, &params, args);
            e.require(returned);
        });
        Some(results.iter().zip(&outs).map(|(result, out)| self.merge(known, result, out)).collect())
    }

    fn new_copy(&mut self, proc: &'p Procedure, type_args: &[Type]) -> Shared {
        let subst: Rc<Substitution> = Rc::new(proc.type_params.iter().copied().zip(type_args.iter().cloned()).collect());
        // They are no inputs: nobody asks for small ones, and models that differ in them are the same.
        let (hints, leaves) = (self.hints.len(), self.leaves.len());
        let mut params = Vec::with_capacity(proc.params.len());
        for info in proc.params.iter().filter_map(|p| proc.vars.get(p.0 as usize)) {
            params.push(if info.ghost { Sym::Any } else { self.in_specification(|e| e.input("argument", &info.ty.subst(&subst))) });
        }
        self.hints.truncate(hints);
        self.leaves.truncate(leaves);
        let mut reached = Reached::default();
        let (tt, heap) = (self.t.tt, self.heap.clone());
        let activation = self.begin_at(None);
        let mut walk = |e: &mut Self| e.isolated(|e| e.walk(proc, &params, &subst, tt, Some(&mut reached)));
        let (end, _) = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || walk(self));
        self.heap = heap;
        self.end(activation, proc.callable, reached);
        Shared { params, returned: (end.outs, end.returned, activation), uses: Vec::new() }
    }

    /// Whether no execution makes both calls, as far as the conditions show it where their ways part.
    fn excludes(&self, a: &Path, b: &Path) -> bool {
        let parts = a.iter().zip(b).find(|(x, y)| x != y);
        let Some(((here, x), (there, y))) = parts else { return false };
        if here != there {
            return false;
        }
        let (xs, ys) = (self.literals(*x), self.literals(*y));
        xs.iter().any(|x| ys.iter().any(|y| self.t.is_negation(*x, *y)))
    }
}
