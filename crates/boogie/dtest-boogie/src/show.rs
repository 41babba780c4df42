//! Values as text.
//!
//! `World::shown` prints a value under a model, and `World::lines` a variable, maps element by
//! element. The elements of a map are those that the execution has read or written.

use std::rc::Rc;

use boogie_resolve::typed::{Type, VarId};
use dtest_smt::{Const, Term};
use num_traits::One;

use crate::model::Model;
use crate::quantifiers::{FactId, element_type};
use crate::types::type_arguments;
use crate::value::{BaseId, DataNode, Key, MapId, MapNode, Value};
use crate::world::{Res, World};

/// The limit of displayed elements of a map.
const MAX_ELEMENTS: usize = 100;

impl<'p> World<'p> {
    /// Prints a value under a model.
    pub(crate) fn shown(&mut self, value: Value, ty: &Type, model: &Rc<Model>) -> Res<String> {
        let known = self.under(model, |w| w.concretized(value))?;
        self.under(model, |w| w.text(known, ty))
    }

    fn text(&mut self, value: Value, ty: &Type) -> Res<String> {
        match value {
            Value::Term(t) => Ok(self.scalar(t, ty)),
            Value::Map(m) => {
                let elements: Vec<String> = self
                    .elements(m, ty)?
                    .into_iter()
                    .map(|(k, v)| format!("{k} -> {v}"))
                    .collect();
                Ok(format!("[{}]", elements.join(", ")))
            }
            Value::Data(d) => match self.arena.data_node(d).clone() {
                DataNode::Made(c, fields) => {
                    let constructor = self.program.constructor(c).clone();
                    let types = type_arguments(&constructor, ty);
                    let mut parts = Vec::new();
                    for (value, (_, ty)) in fields.into_iter().zip(&constructor.fields) {
                        parts.push(self.text(value, &crate::types::substitute(ty, &types))?);
                    }
                    Ok(format!("{}({})", constructor.name, parts.join(", ")))
                }
                DataNode::Unknown(..) | DataNode::Ite(..) => Ok("_".into()),
            },
        }
    }

    fn scalar(&self, t: Term, ty: &Type) -> String {
        let Some(c) = self.terms.as_const(t) else {
            return "_".into();
        };
        // Values of uninterpreted types are shown by the name of an equal constant, if there is
        // one.
        if self.is_numbered(ty) {
            let named = self.program.constants.iter().find(|v| {
                let var = self.program.var(**v);
                let value = self.constants.get(*v).copied();
                let mut known = None;
                if let (Some(Value::Term(x)), Some(model)) = (value, &self.concrete) {
                    known = self.terms.as_const(x).cloned().or_else(|| model.get(x));
                }
                var.ty == *ty && known.as_ref() == Some(c)
            });
            if let Some(v) = named {
                return self.program.var(*v).name.to_string();
            }
            let name = match ty {
                Type::Constructor(id, _) => self.program.type_decl(*id).name.to_string(),
                Type::Opaque(_) => {
                    let found = self
                        .rules
                        .strings
                        .iter()
                        .find(|(_, n)| matches!(c, Const::Int(i) if *i == (**n).into()));
                    return found.map_or_else(|| "\"...\"".into(), |(s, _)| s.to_string());
                }
                other @ (Type::Bool
                | Type::Int
                | Type::Real
                | Type::Bv(_)
                | Type::Float(..)
                | Type::Var(_)
                | Type::Map(_)
                | Type::Meta(_)) => self.program.type_text(other),
            };
            return match c {
                Const::Int(n) => format!("{name}#{n}"),
                Const::Bool(_) | Const::Real(_) | Const::Bv(..) => name,
            };
        }
        match c {
            Const::Bool(b) => b.to_string(),
            Const::Int(n) => n.to_string(),
            Const::Real(r) if r.denom().is_one() => format!("{}.0", r.numer()),
            Const::Real(r) => format!("{}/{}", r.numer(), r.denom()),
            Const::Bv(w, n) => format!("{n}bv{w}"),
        }
    }

    /// Returns the known elements of a map, by their indices.
    fn elements(&mut self, m: MapId, ty: &Type) -> Res<Vec<(String, String)>> {
        let (mut at, mut found): (MapId, Vec<(Key, Value)>) = (m, Vec::new());
        loop {
            match self.arena.map_node(at).clone() {
                // The latest update of an index hides earlier ones.
                MapNode::Store(below, key, value) => {
                    if !found.iter().any(|(k, _)| *k == key) {
                        found.push((key, value));
                    }
                    at = below;
                }
                MapNode::Base(base, path) => {
                    let Some(model) = self.concrete.clone() else {
                        break;
                    };
                    // The model determines the elements of an unknown map that were read.
                    for (key, value) in self.looked_at(base, &model) {
                        let (key, value) = (self.concrete_key(&key)?, self.concretized(value)?);
                        if key.len() == path.len() + 1
                            && key.starts_with(&path)
                            && let Some(last) = key.last()
                            && !found.iter().any(|(k, _)| k == last)
                        {
                            found.push((last.clone(), value));
                        }
                    }
                    break;
                }
                MapNode::Constant(_) | MapNode::Lambda(..) | MapNode::Ite(..) => break,
            }
        }
        let Type::Map(map) = ty else {
            return Ok(Vec::new());
        };
        // The output is ordered by index.
        found.sort_by_key(|(k, _)| k.1.iter().map(|v| self.order(*v)).collect::<Vec<_>>());
        let mut out = Vec::new();
        for (key, value) in found.into_iter().take(MAX_ELEMENTS) {
            let types = map
                .params
                .iter()
                .copied()
                .zip(key.0.iter().cloned())
                .collect();
            let mut parts = Vec::new();
            for (v, ty) in key.1.iter().zip(&map.args) {
                parts.push(self.text(*v, &crate::types::substitute(ty, &types))?);
            }
            let element = element_type(ty, &key.0);
            out.push((parts.join(", "), self.text(value, &element)?));
        }
        Ok(out)
    }

    fn order(&self, v: Value) -> Option<Const> {
        match v {
            Value::Term(t) => self.terms.as_const(t).cloned(),
            Value::Map(_) | Value::Data(_) => None,
        }
    }

    /// Returns a variable with its value; a map element by element.
    pub(crate) fn lines(
        &mut self,
        v: VarId,
        value: Value,
        model: &Rc<Model>,
    ) -> Res<Vec<(String, String)>> {
        let (name, ty) = (
            self.program.var(v).name.to_string(),
            self.program.var(v).ty.clone(),
        );
        let known = self.under(model, |w| w.concretized(value))?;
        match known {
            Value::Map(m) => {
                let elements = self.under(model, |w| w.elements(m, &ty))?;
                Ok(elements
                    .into_iter()
                    .map(|(k, v)| (format!("{name}[{k}]"), v))
                    .collect())
            }
            Value::Term(_) | Value::Data(_) => {
                Ok(vec![(name, self.under(model, |w| w.text(known, &ty))?)])
            }
        }
    }

    /// Whether an execution depends on the value.
    pub(crate) fn matters(&self, value: Value, model: &Model) -> bool {
        match value {
            Value::Term(t) => {
                model.is_solved(t) || model.get(t).is_some() || self.terms.as_const(t).is_some()
            }
            Value::Map(m) => !self.entries_of(m, model).is_empty(),
            Value::Data(d) => match self.arena.data_node(d) {
                DataNode::Unknown(tag, _) => model.get(*tag).is_some(),
                DataNode::Made(..) | DataNode::Ite(..) => true,
            },
        }
    }

    /// Returns the entries of an unknown map that an execution read, without those that only serve
    /// irrelevant witnesses.
    fn looked_at(&self, base: BaseId, model: &Model) -> Vec<(Vec<Key>, Value)> {
        let rests_on = |f: FactId| {
            self.facts
                .get(f.0 as usize)
                .is_some_and(|f| model.get(f.proxy) == Some(Const::Bool(!f.universal)))
        };
        let has_value = |v: Value| match v {
            Value::Term(t) => model.get(t).is_some(),
            Value::Data(d) => {
                matches!(self.arena.data_node(d), DataNode::Unknown(tag, _) if model.get(*tag).is_some())
            }
            Value::Map(_) => false,
        };
        let entries = self
            .base_of(base)
            .entries
            .iter()
            .filter(|e| e.witness_of.is_none_or(rests_on) && has_value(e.value));
        entries.map(|e| (e.key.clone(), e.value)).collect()
    }

    /// Returns the elements of an unknown map that an execution read.
    pub(crate) fn entries_of(&self, m: MapId, model: &Model) -> Vec<Term> {
        let MapNode::Base(base, path) = self.arena.map_node(m) else {
            return Vec::new();
        };
        let entries = self
            .looked_at(*base, model)
            .into_iter()
            .filter(|(key, _)| key.starts_with(path));
        entries
            .filter_map(|(_, v)| {
                if let Value::Term(t) = v {
                    Some(t)
                } else {
                    None
                }
            })
            .collect()
    }
}
