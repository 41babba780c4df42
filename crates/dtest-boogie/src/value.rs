//! Symbolic values: terms, maps, datatypes. Maps and datatypes are hash-consed: values that are written alike are one.

use std::hash::{Hash, Hasher};

use boogie_resolve::typed::{ConstructorId, Quantifier, Type, TypeVar, VarId};
use dtest_engine::smt::Term;
use rustc_hash::FxHashMap;

/// A symbolic value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Value {
    /// A number, a truth value, a bitvector; an element of a type that nobody defines, as its number.
    Term(Term),
    /// A map.
    Map(MapId),
    /// A value of a datatype.
    Data(DataId),
}

/// A map of an [`Arena`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct MapId(u32);

/// A value of a datatype of an [`Arena`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct DataId(u32);

/// What a quantifier sees, of an [`Arena`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct EnvId(u32);

/// An unknown map or function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct BaseId(pub(crate) u32);

/// Type arguments and indices.
pub(crate) type Key = (Vec<Type>, Vec<Value>);

/// A map.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum MapNode<'p> {
    /// An unknown map, or what an unknown map of maps has at these indices.
    Base(BaseId, Vec<Key>),
    /// Another map with one element replaced.
    Store(MapId, Key, Value),
    /// One of two.
    Ite(Term, MapId, MapId),
    /// A function of its indices, with what it sees.
    Lambda(Shared<'p>, EnvId),
    /// The same everywhere.
    Constant(Value),
}

/// A quantifier of the program, compared by its place in the program.
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

/// A value of a datatype.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum DataNode {
    /// Made by a constructor.
    Made(ConstructorId, Vec<Value>),
    /// Unknown, with the number of its constructor among those of its type.
    Unknown(Term, Type),
    /// One of two.
    Ite(Term, DataId, DataId),
}

/// What a quantifier sees: variables, global variables before, types.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Captured {
    pub(crate) vars: Vec<(VarId, Value)>,
    pub(crate) old: Vec<(VarId, Value)>,
    pub(crate) types: Vec<(TypeVar, Type)>,
    pub(crate) in_old: bool,
}

/// Hash-consed values.
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

    /// How much there is.
    pub(crate) fn len(&self) -> usize {
        self.maps.len() + self.data.len() + self.envs.len()
    }
}
