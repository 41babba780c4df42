//! The types whose values have a counterpart in Dafny's code.

use dafny_resolve::typed::{
    Attributes as _, Body, CallableId, CtorId, FieldId, FieldKind, Type, TypeDeclKind, TypeId,
};
use dtest_sorted::SortedSet;
use dtest_value::{Contents, Heap, Object};

use crate::suite::Writer;
use crate::suite::case::{Case, CaseOutcome};
use crate::translation::class;
use crate::translation::convention::Scope;
use crate::translation::external::is_linked_type;
use crate::translation::rep::Rep;

use super::traits::Trait;

/// Maximum number of components of a tuple that has a conversion.
const MAX_COMPONENTS: usize = 8;
/// Maximum number of dimensions of an array that has a conversion.
const MAX_DIMENSIONS: u32 = 4;
/// Maximum width of a bitvector that has a primitive type in Dafny's translation.
pub(super) const MAX_WIDTH: u32 = 128;

/// Types that need conversions.
#[derive(Debug, Default, Clone)]
pub(super) struct Types {
    pub(super) datatypes: SortedSet<TypeId>,
    pub(super) classes: SortedSet<TypeId>,
    /// In the order in which they were found.
    pub(super) traits: Vec<Trait>,
    pub(super) widths: SortedSet<u32>,
    pub(super) has_arrays: bool,
    pub(super) has_functions: bool,
}

impl Types {
    /// Whether values refer to objects, whose states are copied before and after a call.
    pub(super) fn has_objects(&self) -> bool {
        self.has_arrays || !self.classes.is_empty() || !self.traits.is_empty()
    }

    /// Whether values of type `object` are converted, which may be of no class.
    pub(super) fn has_plain_objects(&self) -> bool {
        let is_object = |t: &Trait| matches!(t.ty, Type::Object { .. });
        self.traits.iter().any(is_object)
    }

    /// Adds the types of another collection.
    pub(super) fn extend(&mut self, other: Types) {
        let Types {
            datatypes,
            classes,
            traits,
            widths,
            has_arrays,
            has_functions,
        } = other;
        self.datatypes.extend(datatypes);
        self.classes.extend(classes);
        self.widths.extend(widths);
        for new in traits {
            if !self.traits.contains(&new) {
                self.traits.push(new);
            }
        }
        self.has_arrays |= has_arrays;
        self.has_functions |= has_functions;
    }
}

/// The error of a test that Dafny's code cannot be called in: the reason, for the message that the
/// unit is not tested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NoCounterpart(pub(super) String);

/// Returns the error that values of some kind have no counterpart.
pub(super) fn refused<T>(what: &str) -> Result<T, NoCounterpart> {
    Err(NoCounterpart(format!(
        "`--convention dafny` does not convert {what}"
    )))
}

/// A search for the types that a test converts.
pub(super) struct Search<'s, 'w, 'p> {
    writer: &'s Writer<'w, 'p>,
    /// The types that were found.
    pub(super) types: Types,
}

impl<'s, 'w, 'p> Search<'s, 'w, 'p> {
    pub(super) fn new(writer: &'s Writer<'w, 'p>) -> Self {
        Self {
            writer,
            types: Types::default(),
        }
    }

    /// Records the conversions of the values of a type. An error is the reason why there are none.
    pub(super) fn values(&mut self, ty: &Type) -> Result<(), NoCounterpart> {
        let (ground, program) = (self.writer.ground, self.writer.ground.program);
        if let Some(decl) = self.wrapped(ty) {
            let path = program.type_path(decl);
            return refused(&format!("`{path}`, a newtype with members"));
        }
        match ground.rep(ty) {
            Rep::Bool | Rep::Char | Rep::Int | Rep::Native(_) => Ok(()),
            // Code with reals does not compile with the published library.
            Rep::Real => refused("reals, for which `dafny-runtime` 0.3 has no type"),
            Rep::Bv(n) if n <= MAX_WIDTH => {
                self.types.widths.insert(n);
                Ok(())
            }
            Rep::Bv(_) => refused("bitvectors of more than 128 bits"),
            Rep::Ordinal => refused("ordinals"),
            Rep::Set(_) | Rep::Map(..)
                if matches!(
                    program.representation(ty),
                    Type::Set { finite: false, .. } | Type::Map { finite: false, .. }
                ) =>
            {
                refused("infinite sets and maps")
            }
            Rep::Seq(e) | Rep::Set(e) | Rep::Multiset(e) => self.values(&e),
            Rep::Map(k, v) => self.values(&k).and_then(|()| self.values(&v)),
            Rep::Tuple(parts) if parts.len() > MAX_COMPONENTS => {
                refused("tuples of more than eight components")
            }
            Rep::Tuple(parts) => parts.iter().try_for_each(|t| self.values(t)),
            Rep::Datatype(decl, args) => {
                args.iter().try_for_each(|t| self.values(t))?;
                self.datatype(decl)
            }
            Rep::Array(dimensions, _) if dimensions > MAX_DIMENSIONS => {
                refused("arrays of more than four dimensions")
            }
            Rep::Array(_, elem) => {
                self.types.has_arrays = true;
                self.values(&elem)
            }
            Rep::Class(decl, args) => {
                args.iter().try_for_each(|t| self.values(t))?;
                self.class(decl)
            }
            // Within a declaration; the arguments are checked where it is used.
            Rep::Param(_) => Ok(()),
            Rep::Arrow(params, result) => {
                self.types.has_functions = true;
                params.iter().try_for_each(|t| self.values(t))?;
                self.values(&result)
            }
            Rep::Object => {
                let all = dafny_resolve::typed::Arena::<TypeId>::ids(program).into_iter();
                let classes = all
                    .filter(|t| matches!(program[*t].kind, TypeDeclKind::Class))
                    .filter(|t| program[*t].type_params.is_empty());
                let classes = classes.map(|t| Type::named(t, Vec::new())).collect();
                let ty = Type::Object { nullable: true };
                self.objects_of(ty, classes);
                Ok(())
            }
            Rep::Trait(decl, args) => {
                self.writer.refused_trait(decl, &args)?;
                args.iter().try_for_each(|t| self.values(t))?;
                let classes = program.implementing_classes(decl, &args);
                self.objects_of(Type::named(decl, args), classes);
                Ok(())
            }
            Rep::Opaque | Rep::Error => refused("values of abstract types"),
        }
    }

    /// Returns the newtype that Dafny's code wraps in a struct, if the type is one: a newtype without
    /// members is its base.
    fn wrapped(&self, ty: &Type) -> Option<TypeId> {
        let program = self.writer.ground.program;
        let mut ty = program.strip_subset(ty);
        while let Type::Named { decl, args, .. } = &ty {
            let TypeDeclKind::Newtype(newtype) = &program[*decl].kind else {
                return None;
            };
            let declared = &program[*decl];
            if !declared.callables.is_empty() || !declared.fields.is_empty() {
                return Some(*decl);
            }
            let base = newtype.base.subst(&program.substitution(*decl, args));
            ty = program.strip_subset(&base);
        }
        None
    }

    /// Records the conversion of a trait, or of `object`, whose objects are of these classes.
    fn objects_of(&mut self, ty: Type, classes: Vec<Type>) {
        if self.types.traits.iter().any(|t| t.ty == ty) {
            return;
        }
        // It is known before the fields of its classes are checked, which may refer to it.
        let at = self.types.traits.len();
        let found = Trait {
            ty,
            classes: Vec::new(),
        };
        self.types.traits.push(found);
        let mut converted = Vec::new();
        for class in classes {
            let known = self.types.clone();
            match self.values(&class) {
                Ok(()) => converted.push(class),
                // Its objects cost their tests alone.
                Err(_) => self.types = known,
            }
        }
        if let Some(found) = self.types.traits.get_mut(at) {
            found.classes = converted;
        }
    }

    /// Records the conversion of a datatype.
    pub(super) fn datatype(&mut self, decl: TypeId) -> Result<(), NoCounterpart> {
        let program = self.writer.ground.program;
        if self.types.datatypes.contains(&decl) {
            return Ok(());
        }
        if program.is_codatatype(decl) {
            return refused("values of codatatypes");
        }
        if !self.writer.ground.phantoms(decl).is_empty() {
            return Err(NoCounterpart(format!(
                "a type parameter of `{}` is in no field",
                program.type_path(decl)
            )));
        }
        // It is known before its fields are checked, which may refer to it.
        self.types.datatypes.insert(decl);
        let ctors = self.writer.compiled_ctors(decl).into_iter();
        let mut fields = ctors.flat_map(|c| self.writer.ground.program[c].fields.iter().copied());
        fields.try_for_each(|f| match program[f].ghost {
            true => Ok(()),
            false => self.values(&program[f].ty),
        })
    }

    /// Records the conversion of the objects of a class.
    pub(super) fn class(&mut self, decl: TypeId) -> Result<(), NoCounterpart> {
        let program = self.writer.ground.program;
        if self.types.classes.contains(&decl) {
            return Ok(());
        }
        if matches!(program[decl].kind, TypeDeclKind::Iterator(_)) {
            return refused("iterators");
        }
        let scope = Scope::in_suite(self.writer.ground, false);
        if is_linked_type(&scope, decl) {
            return refused("objects of linked Rust");
        }
        // Dafny writes no struct for such a class.
        if program[decl].attribute("extern").is_some() {
            return refused("objects of classes with `{:extern}`");
        }
        let path = program.type_path(decl);
        let fields = class::fields(&scope, decl);
        if let Some(f) = fields.iter().find(|f| program[**f].owner != Some(decl)) {
            let field = &program[*f].name;
            return Err(NoCounterpart(format!(
                "`{path}` has the field `{field}` of a trait, which Dafny's Rust has not"
            )));
        }
        self.types.classes.insert(decl);
        for f in fields {
            // An object is created with its constants, so these cannot lead back to it.
            let is_cyclic = !matches!(program[f].kind, FieldKind::Mutable)
                && self.is_reached(decl, &program[f].ty, &mut SortedSet::new());
            if is_cyclic {
                let field = &program[f].name;
                return Err(NoCounterpart(format!(
                    "the constant `{path}.{field}` may be its own object"
                )));
            }
            self.values(&program[f].ty)?;
        }
        Ok(())
    }

    /// Whether a value of a type may hold an object of a class by constants alone.
    fn is_reached(&self, class: TypeId, ty: &Type, seen: &mut SortedSet<TypeId>) -> bool {
        let (ground, program) = (self.writer.ground, self.writer.ground.program);
        let parts: Vec<Type> = match ground.rep(ty) {
            Rep::Seq(e) | Rep::Set(e) | Rep::Multiset(e) => vec![e],
            Rep::Map(k, v) => vec![k, v],
            Rep::Tuple(parts) => parts,
            // An array exists before its elements, and a function is not read.
            Rep::Array(..) | Rep::Arrow(..) => Vec::new(),
            Rep::Bool | Rep::Char | Rep::Int | Rep::Native(_) | Rep::Real | Rep::Bv(_) => {
                Vec::new()
            }
            Rep::Ordinal | Rep::Opaque | Rep::Param(_) | Rep::Error => Vec::new(),
            Rep::Trait(..) | Rep::Object => return true,
            Rep::Class(decl, _) if decl == class => return true,
            Rep::Class(decl, args) if seen.insert(decl) => {
                let fields = class::fields(&Scope::in_suite(ground, false), decl).into_iter();
                let constants = fields.filter(|f| !matches!(program[*f].kind, FieldKind::Mutable));
                let types = constants.map(|f| program[f].ty.clone());
                types.chain(args).collect()
            }
            Rep::Datatype(decl, args) if seen.insert(decl) => {
                let fields = self.writer.compiled_fields(decl).into_iter();
                fields.map(|f| program[f].ty.clone()).chain(args).collect()
            }
            Rep::Class(_, args) | Rep::Datatype(_, args) => args,
        };
        parts.iter().any(|t| self.is_reached(class, t, seen))
    }

    /// Records the conversions of the objects before and after a call.
    pub(super) fn objects(&mut self, case: &Case) -> Result<(), NoCounterpart> {
        let types =
            |heap: &Heap| -> Vec<Type> { heap.objects.iter().map(|o| o.ty.clone()).collect() };
        types(&case.heap).iter().try_for_each(|t| self.values(t))?;
        case.heap.objects.iter().try_for_each(|o| self.mock(o))?;
        self.known_objects(&case.heap.objects)?;
        match &case.outcome {
            CaseOutcome::Returns(Some((_, after))) => {
                types(after).iter().try_for_each(|t| self.values(t))?;
                self.known_objects(&after.objects)?;
                let is_unset = |o: &Object| match &o.contents {
                    Contents::Elements(elements) => elements.iter().any(Option::is_none),
                    Contents::Fields(_) => false,
                };
                let mut new = after.objects.iter().skip(case.heap.objects.len());
                // Dafny's Rust does not initialize such elements: to read them is undefined.
                if new.any(is_unset) {
                    return Err(NoCounterpart(
                        "it allocates an array and leaves elements without values".into(),
                    ));
                }
                Ok(())
            }
            // Any array may be one that was allocated without values.
            CaseOutcome::Returns(None) | CaseOutcome::Open if self.types.has_arrays => {
                Err(NoCounterpart(
                    "the state after the call is not determined, so its arrays cannot be read"
                        .into(),
                ))
            }
            CaseOutcome::Returns(None) | CaseOutcome::Open | CaseOutcome::Halts { .. } => Ok(()),
        }
    }
}

impl Search<'_, '_, '_> {
    /// Checks that an object, if it is a mock, can be called by Dafny's code.
    fn mock(&self, object: &Object) -> Result<(), NoCounterpart> {
        let program = self.writer.ground.program;
        let Type::Named { decl, args, .. } = &object.ty else {
            return Ok(());
        };
        if !program.is_trait(*decl) {
            return Ok(());
        }
        self.writer.refused_mock(*decl, args)?;
        let has_body = |c: &CallableId| !matches!(program[*c].body, Body::None);
        if object.redefined.keys().any(has_body) {
            return Err(NoCounterpart(
                "a mock that redefines a function with a body".into(),
            ));
        }
        Ok(())
    }

    /// Checks that all objects have conversions that values of type `object` or of traits may refer
    /// to.
    fn known_objects(&self, objects: &[Object]) -> Result<(), NoCounterpart> {
        let program = self.writer.ground.program;
        let is_known = |ty: &Type, of: &Trait| {
            let is_mock = matches!(ty, Type::Named { decl, .. } if program.is_trait(*decl));
            let is_plain = matches!(ty, Type::Object { .. });
            is_plain || is_mock && matches!(of.ty, Type::Named { .. }) || of.classes.contains(ty)
        };
        let may_be = |ty: &Type, of: &Trait| {
            let Type::Named { decl, .. } = of.ty else {
                return true;
            };
            program.supertype_args(ty, decl).is_some()
        };
        for object in objects {
            let mut traits = self.types.traits.iter();
            let is_unknown = |of: &&Trait| may_be(&object.ty, of) && !is_known(&object.ty, of);
            if let Some(of) = traits.find(is_unknown) {
                let (ty, of) = (program.show_type(&object.ty), program.show_type(&of.ty));
                return Err(NoCounterpart(format!(
                    "`--convention dafny` does not convert `{ty}` as a value of type `{of}`"
                )));
            }
        }
        Ok(())
    }
}

impl Writer<'_, '_> {
    /// Returns the compiled fields of a datatype.
    pub(super) fn compiled_fields(&self, decl: TypeId) -> Vec<FieldId> {
        let program = self.ground.program;
        let ctors = self.compiled_ctors(decl).into_iter();
        let fields = ctors.flat_map(|c| program[c].fields.iter().copied());
        fields.filter(|f| !program[*f].ghost).collect()
    }

    /// Returns the compiled constructors of a datatype.
    pub(super) fn compiled_ctors(&self, decl: TypeId) -> Vec<CtorId> {
        let program = self.ground.program;
        match &program[decl].kind {
            TypeDeclKind::Datatype { ctors, .. } => ctors
                .iter()
                .copied()
                .filter(|c| !program[*c].ghost)
                .collect(),
            TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Iterator(_)
            | TypeDeclKind::Trait { .. } => Vec::new(),
        }
    }
}
