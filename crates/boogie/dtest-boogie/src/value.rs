//! Symbolic values: terms, maps, datatypes. Maps and datatypes are hash-consed: structurally equal
//! values are identical.
//!
//! Key types: [`Value`], [`MapNode`], [`DataNode`], [`Arena`].

use std::hash::{Hash, Hasher};

use boogie_resolve::typed::{ConstructorId, Quantifier, Type, TypeVar, VarId};
use dtest_smt::Term;
use rustc_hash::FxHashMap;

/// A symbolic value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Value {
    /// A number, boolean or bitvector; for an undefined type, the number of an element.
    Term(Term),
    /// A map.
    Map(MapId),
    /// A value of a datatype.
    Data(DataId),
}

/// The id of a map in an [`Arena`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct MapId(u32);

/// The id of a datatype value in an [`Arena`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct DataId(u32);

/// The id of a captured environment in an [`Arena`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct EnvId(u32);

/// The id of an unknown map or function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct BaseId(pub(crate) u32);

/// Type arguments and indices.
pub(crate) type Key = (Vec<Type>, Vec<Value>);

/// The structure of a map.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum MapNode<'p> {
    /// An unknown map, or an element of an unknown map of maps at these indices.
    Base(BaseId, Vec<Key>),
    /// A map with one element replaced.
    Store(MapId, Key, Value),
    /// A conditional map.
    Ite(Term, MapId, MapId),
    /// A lambda with its environment.
    Lambda(Shared<'p>, EnvId),
    /// A constant map.
    Constant(Value),
}

/// A quantifier of the program, compared by identity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shared<'p>(pub(crate) &'p Quantifier);

impl PartialEq for Shared<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Shared<'_> {}

impl Hash for Shared<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}

/// The structure of a datatype value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum DataNode {
    /// The application of a constructor.
    Made(ConstructorId, Vec<Value>),
    /// An unknown value, with the index of its constructor.
    Unknown(Term, Type),
    /// A conditional value.
    Ite(Term, DataId, DataId),
}

/// The environment of a quantifier: variables, global variables in the old state, types.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Captured {
    pub(crate) vars: Vec<(VarId, Value)>,
    pub(crate) old: Vec<(VarId, Value)>,
    pub(crate) types: Vec<(TypeVar, Type)>,
    pub(crate) in_old: bool,
}

/// The storage of hash-consed values.
#[derive(Debug, Default)]
pub(crate) struct Arena<'p> {
    maps: Vec<MapNode<'p>>,
    map_index: FxHashMap<MapNode<'p>, MapId>,
    data: Vec<DataNode>,
    data_index: FxHashMap<DataNode, DataId>,
    envs: Vec<Captured>,
    env_index: FxHashMap<Captured, EnvId>,
}

#[allow(clippy::indexing_slicing)] // ids are made here
impl<'p> Arena<'p> {
    pub(crate) fn map(&mut self, node: MapNode<'p>) -> MapId {
        if let Some(id) = self.map_index.get(&node) {
            return *id;
        }
        let id = MapId(self.maps.len() as u32);
        self.maps.push(node.clone());
        self.map_index.insert(node, id);
        id
    }

    pub(crate) fn map_node(&self, id: MapId) -> &MapNode<'p> {
        &self.maps[id.0 as usize]
    }

    pub(crate) fn data(&mut self, node: DataNode) -> DataId {
        if let Some(id) = self.data_index.get(&node) {
            return *id;
        }
        let id = DataId(self.data.len() as u32);
        self.data.push(node.clone());
        self.data_index.insert(node, id);
        id
    }

    pub(crate) fn data_node(&self, id: DataId) -> &DataNode {
        &self.data[id.0 as usize]
    }

    pub(crate) fn env(&mut self, env: Captured) -> EnvId {
        if let Some(id) = self.env_index.get(&env) {
            return *id;
        }
        let id = EnvId(self.envs.len() as u32);
        self.envs.push(env.clone());
        self.env_index.insert(env, id);
        id
    }

    pub(crate) fn captured(&self, id: EnvId) -> &Captured {
        &self.envs[id.0 as usize]
    }

    /// Returns the number of values.
    pub(crate) fn len(&self) -> usize {
        self.maps.len() + self.data.len() + self.envs.len()
    }
}
