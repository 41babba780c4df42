//! Reorders the parameters of a function or method, or merges several parameters of a method to a
//! tuple, and changes all calls (thesis, 7.2.5: restructuring beyond variables).
//!
//! Only callables that are always called by name with all arguments are changed, and recursive ones
//! only if they have a written measure, because Dafny's default measure consists of the parameters
//! in order. Parameters of functions are not merged: the verifier would have to instantiate
//! quantifiers for other terms.

use dafny_resolve::typed::{Callable, CallableId, CallableKind, LocalId};
use dafny_syntax::ast::{
    Argument, Expr, ExprKind, File, Formal, Ident, Member, MethodKind, Modifiers, Name, Span,
    TupleComponent, Type, TypeKind,
};
use dafny_syntax::visit::{Node, Visit, VisitMut};

use super::find::reached;
use super::variables::in_attributes;
use crate::build::{expr, formal, select, var};
use crate::edit::replace_exprs;
use crate::mutation::{Place, Work};
use crate::names::Names;
use crate::random::Random;
use crate::scan::{Context, Look, has_measure, scan};

/// The functions and methods with several parameters all of whose calls are known.
pub(crate) fn places<'w>(work: &'w Work<'w>) -> Vec<Place<'w>> {
    let mut find = Find {
        work,
        found: Vec::new(),
    };
    scan(work.file, work.facts, &mut find);
    find.found
}

struct Find<'w> {
    work: &'w Work<'w>,
    found: Vec<Place<'w>>,
}

impl<'w> Look<'w> for Find<'w> {
    fn member(&mut self, _: &Context<'w>, member: &'w Member) {
        let Some(target) = Target::of(self.work, member) else {
            return;
        };
        let work = self.work;
        self.found.push(Place::new(target.span, move |rng, names| {
            target.change(work, rng, names)
        }));
    }
}

/// A function or method to change.
struct Target<'w> {
    name: &'w Name,
    ins: &'w [Formal],
    span: Span,
    locals: Vec<LocalId>,
    is_method: bool,
}

impl<'w> Target<'w> {
    fn of(work: &'w Work<'w>, member: &'w Member) -> Option<Self> {
        let (name, modifiers, ins, spec, span): (_, &Modifiers, _, _, _) = match member {
            Member::Method(m) if m.kind == MethodKind::Method && !m.is_refining => {
                (m.name.as_ref()?, &m.modifiers, &m.ins, &m.spec, m.span)
            }
            Member::Function(f) => (&f.name, &f.modifiers, &f.ins, &f.spec, f.span),
            Member::Method(_) | Member::Field(_) | Member::Const(_) => return None,
        };
        let id = work.facts.callable(span)?;
        let callable = &work.facts.program[id];
        let is_plain = |f: &Formal| {
            f.attributes.is_empty()
                && f.name.is_some()
                && !(f.ghost || f.is_new || f.older || f.nameonly)
                && f.default.is_none()
        };
        let fits = ins.len() > 1
            && ins.iter().all(is_plain)
            && modifiers.attributes.is_empty()
            && has_plain_kind(callable)
            && !is_overridden(work, id, callable)
            && (has_measure(spec) || !reached(work.facts.program, id).contains(&id))
            && all_are_calls(work.file, &name.name, ins.len());
        let locals = callable.ins.iter().map(|f| f.local).collect();
        fits.then_some(Self {
            name: &name.name,
            ins,
            span,
            locals,
            is_method: callable.kind == CallableKind::Method,
        })
    }

    fn change(&self, work: &Work<'_>, rng: &mut Random, names: &mut Names) -> Option<File> {
        let mut order: Vec<usize> = (0..self.ins.len()).collect();
        rng.shuffle(&mut order);
        if self.is_method && rng.below(2) == 0 {
            let merged = 2 + rng.below(order.len() - 1);
            let mut chosen = order.get(..merged)?.to_vec();
            chosen.sort_unstable();
            return self.merge(work, &chosen, names);
        }
        if order.is_sorted() {
            order.rotate_left(1);
        }
        let ins = order
            .iter()
            .filter_map(|&i| self.ins.get(i).cloned())
            .collect();
        let mut file = work.file.clone();
        file.decls.walk_mut(&mut Signature {
            place: self.span,
            ins,
        });
        let rearrange =
            |args: &[Argument]| order.iter().filter_map(|&i| args.get(i).cloned()).collect();
        file.decls.walk_mut(&mut Calls {
            name: self.name,
            rearrange: &rearrange,
        });
        Some(file)
    }

    /// Merges the chosen parameters to a tuple, at the position of the first one.
    fn merge(&self, work: &Work<'_>, chosen: &[usize], names: &mut Names) -> Option<File> {
        // Names in attributes are not resolved, so they could not be replaced.
        let mentioned = in_attributes(work.file);
        if self
            .ins
            .iter()
            .filter_map(|f| f.name.as_ref())
            .any(|n| mentioned.contains(&n.name))
        {
            return None;
        }
        let tuple = names.fresh("both");
        let first = *chosen.first()?;
        let components = chosen
            .iter()
            .filter_map(|&i| self.ins.get(i))
            .map(|f| TupleComponent {
                ghost: false,
                ty: f.ty.clone(),
            });
        let ty = Type {
            kind: TypeKind::Tuple(components.collect()),
            span: Span::default(),
        };
        let mut ins = Vec::new();
        for (i, f) in self.ins.iter().enumerate() {
            if i == first {
                ins.push(formal(&tuple, ty.clone()));
            } else if !chosen.contains(&i) {
                ins.push(f.clone());
            }
        }
        let mut file = work.file.clone();
        // Each use of a chosen parameter becomes a component of the tuple. If one is not found,
        // give up.
        let mut replaced = 0;
        replace_exprs(&mut file.decls, &mut |e| {
            let ExprKind::Name { .. } = e.kind else {
                return None;
            };
            let local = work.facts.local(e)?;
            let component = chosen
                .iter()
                .position(|&i| self.locals.get(i) == Some(&local))?;
            replaced += 1;
            Some(select(var(&tuple), &component.to_string()))
        });
        let uses: usize = chosen
            .iter()
            .filter_map(|&i| self.locals.get(i))
            .map(|l| work.facts.uses(*l))
            .sum();
        file.decls.walk_mut(&mut Signature {
            place: self.span,
            ins,
        });
        // Calls pass a tuple at the position of the first chosen parameter.
        let rearrange = |args: &[Argument]| {
            let value = |i: &usize| Some((false, args.get(*i)?.value.clone()));
            let tuple = expr(ExprKind::Tuple(chosen.iter().filter_map(value).collect()));
            let mut new = Vec::new();
            for (i, a) in args.iter().enumerate() {
                if i == first {
                    new.push(Argument {
                        name: None,
                        value: tuple.clone(),
                    });
                } else if !chosen.contains(&i) {
                    new.push(a.clone());
                }
            }
            new
        };
        file.decls.walk_mut(&mut Calls {
            name: self.name,
            rearrange: &rearrange,
        });
        (replaced == uses).then_some(file)
    }
}

fn has_plain_kind(callable: &Callable) -> bool {
    let is_main = callable.kind == CallableKind::Method && &*callable.name == "Main";
    let is_plain = match callable.kind {
        CallableKind::Function | CallableKind::Method => !callable.is_two_state,
        CallableKind::TwostateFunction
        | CallableKind::LeastPredicate
        | CallableKind::GreatestPredicate
        | CallableKind::Constructor
        | CallableKind::Lemma => false,
    };
    is_plain && !is_main && callable.attributes.is_empty()
}

fn is_overridden(work: &Work<'_>, id: CallableId, callable: &Callable) -> bool {
    !callable.overrides.is_empty()
        || work
            .facts
            .program
            .callables
            .iter()
            .any(|c| c.overrides.contains(&id))
}

/// Whether the name has a single declaration, and all its other occurrences are calls with this
/// number of positional arguments.
fn all_are_calls(file: &File, name: &Name, arguments: usize) -> bool {
    struct Count<'a> {
        name: &'a Name,
        arguments: usize,
        mentioned: usize,
        called: usize,
    }
    impl<'t> Visit<'t> for Count<'_> {
        fn ident(&mut self, node: &'t Ident) {
            self.mentioned += usize::from(node.name == *self.name);
        }
        fn expr(&mut self, node: &'t Expr) {
            if let Some(args) = arguments_of(node, self.name) {
                self.called += usize::from(
                    args.len() == self.arguments && args.iter().all(|a| a.name.is_none()),
                );
            }
            node.walk(self);
        }
    }
    let mut count = Count {
        name,
        arguments,
        mentioned: 0,
        called: 0,
    };
    file.walk(&mut count);
    count.mentioned == count.called + 1
}

/// The arguments of a call of the callable with this name.
fn arguments_of<'t>(e: &'t Expr, name: &Name) -> Option<&'t Vec<Argument>> {
    let ExprKind::Call {
        callee,
        at_label: None,
        args,
    } = &e.kind
    else {
        return None;
    };
    let (ExprKind::Name { name: called, .. } | ExprKind::Select { member: called, .. }) =
        &callee.kind
    else {
        return None;
    };
    (called.name == *name).then_some(args)
}

/// Replaces the parameters of a declaration.
struct Signature {
    place: Span,
    ins: Vec<Formal>,
}

impl VisitMut for Signature {
    fn member(&mut self, node: &mut Member) {
        match node {
            Member::Method(m) if m.span == self.place => m.ins = std::mem::take(&mut self.ins),
            Member::Function(f) if f.span == self.place => f.ins = std::mem::take(&mut self.ins),
            Member::Method(_) | Member::Function(_) | Member::Field(_) | Member::Const(_) => {}
        }
    }
}

/// Replaces the arguments of calls.
struct Calls<'a> {
    name: &'a Name,
    rearrange: &'a dyn Fn(&[Argument]) -> Vec<Argument>,
}

impl VisitMut for Calls<'_> {
    fn expr(&mut self, node: &mut Expr) {
        node.walk_mut(self);
        if arguments_of(node, self.name).is_some()
            && let ExprKind::Call { args, .. } = &mut node.kind
        {
            *args = (self.rearrange)(args);
        }
    }
}
