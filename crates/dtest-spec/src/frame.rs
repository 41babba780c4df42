//! The parts of the heap that a callable may change.
//!
//! Questions write the parts that the frame names one by one. Of other frames, such as `modifies
//! Repr`, they write a part, or nothing: their examples are examples all the same, and their claims
//! say what they leave out ([`Frames::limits`]).

use std::collections::BTreeSet;

use dafny_resolve::typed::{
    BinaryOp, CallableId, CallableKind, Expr, ExprKind, FieldId, FieldKind, Frame, Literal,
    Program, Span, Type, TypeDeclKind,
};

use crate::Undecided;
use crate::contract::{Write, array_of, binary, conjuncts, local, path};
use crate::grids::Grid;
use crate::substitution::Mentions;

/// The parts of the heap that questions change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames {
    /// The parts.
    pub(crate) writes: Vec<Write>,
    /// Conditions on inputs under which the callable may change the parts.
    pub(crate) guards: Vec<Expr>,
    /// The inputs and final states that are examined, for each frame that is not examined in full.
    pub(crate) limits: Vec<String>,
    /// Whether questions allocate the arrays of the new object.
    pub(crate) allocates: bool,
    /// The names of references that a precondition requires not to be null.
    not_null: BTreeSet<String>,
}

impl Frames {
    /// Returns the parts of the heap that a callable may change.
    pub(crate) fn new(program: &Program, unit: CallableId) -> Result<Self, Undecided> {
        let callable = &program[unit];
        let mut frames = Self {
            not_null: required_objects(program, unit),
            ..Self::default()
        };
        if callable.kind == CallableKind::Constructor {
            let this = this(program, unit, callable.span).ok_or(Undecided::Constructor)?;
            let is_known = frames.fields(program, &this, None);
            is_known.ok_or(Undecided::Frame)?;
            let mut ensures = callable.spec.ensures.iter();
            if ensures.any(|c| Mentions::of(&c.cond).has_fresh) {
                frames.allocate(program);
            }
            frames.distinguish(program, unit, &this);
        }
        let mut others = Vec::new();
        for frame in &callable.spec.modifies {
            if frame.star {
                return Err(Undecided::Frame);
            }
            let object = match &frame.object {
                Some(object) => object.clone(),
                None => this(program, unit, frame.span).ok_or(Undecided::Frame)?,
            };
            // `{this}` is the object itself.
            let objects = if let ExprKind::SetDisplay(elements) = object.kind {
                elements
            } else {
                vec![object]
            };
            for object in objects {
                if frames.object(program, &object, frame.field).is_none() {
                    others.push(object);
                }
            }
        }
        frames.sets(program, unit, &others);
        // Several frames may name the same part.
        let mut names = BTreeSet::new();
        frames.writes.retain(|w| names.insert(w.name(program)));
        if !others.is_empty() {
            let limit = match frames.writes.is_empty() {
                true => "final states without changes",
                false => "final states in which only named objects change",
            };
            frames.limits.push(limit.to_owned());
        }
        Ok(frames)
    }

    /// Whether the parts are all that the callable may change.
    pub(crate) fn is_complete(&self) -> bool {
        self.limits.is_empty()
    }

    /// Adds an object that a frame names. `None` if the expression is not an object with known
    /// fields.
    fn object(&mut self, program: &Program, object: &Expr, only: Option<FieldId>) -> Option<()> {
        let name = path(program, object)?;
        let Some(ty) = not_null(program, &object.ty) else {
            return self.known_object(program, object, only);
        };
        // The frame of a null reference is empty.
        let known = Expr {
            ty,
            ..object.clone()
        };
        self.known_object(program, &known, only)?;
        if self.not_null.contains(&name) {
            return Some(());
        }
        let null = Expr {
            kind: ExprKind::Literal(Literal::Null),
            ..object.clone()
        };
        let is_object = binary(BinaryOp::Ne, object.clone(), null, Type::Bool);
        self.guards.push(is_object);
        self.limits.push(format!("inputs with `{name} != null`"));
        Some(())
    }

    /// [`Self::object`] for an object or array that is not null.
    fn known_object(
        &mut self,
        program: &Program,
        object: &Expr,
        only: Option<FieldId>,
    ) -> Option<()> {
        if let Type::Array {
            dims,
            nullable: false,
            elem,
        } = program.strip_subset(&object.ty)
            && dims > 1
        {
            self.writes.push(Write::Grid(Grid {
                array: object.clone(),
                elem: *elem,
                dims,
                when: None,
            }));
            return Some(());
        }
        let Some(elem) = array_of(program, &object.ty) else {
            return self.fields(program, object, only);
        };
        self.writes.push(Write::Elements {
            array: object.clone(),
            elem,
            when: None,
        });
        Some(())
    }

    /// Adds the receiver, if the frame has sets of objects that may contain it and does not name it,
    /// and the objects that the owners of the sets refer to, where the sets contain them.
    fn sets(&mut self, program: &Program, unit: CallableId, others: &[Expr]) {
        let callable = &program[unit];
        if callable.kind == CallableKind::Constructor {
            return;
        }
        let mut owners = Vec::new();
        if !callable.is_static
            && let Some(this) = this(program, unit, callable.span)
        {
            self.receiver(program, &this, others);
            owners.push(this);
        }
        // `c.Repr` may contain `c` and the objects to which its fields refer.
        for set in others {
            if let ExprKind::Field {
                object: Some(owner),
                ..
            } = &set.kind
                && path(program, owner).is_some()
                && !matches!(owner.kind, ExprKind::This)
            {
                if let Some(when) = membership(program, owner, others) {
                    self.conditional(program, owner, &when);
                }
                owners.push((**owner).clone());
            }
        }
        for owner in owners {
            for part in references(program, &owner) {
                if let Some(when) = membership(program, &part, others) {
                    self.conditional(program, &part, &when);
                }
            }
        }
    }

    /// Adds the receiver where a set of the frame contains it.
    fn receiver(&mut self, program: &Program, this: &Expr, others: &[Expr]) {
        let is_receiver = |w: &Write| matches!(w, Write::Field { object, .. } if matches!(object.kind, ExprKind::This));
        if self.writes.iter().any(is_receiver) {
            return;
        }
        let Some(set) = others.iter().find(|s| may_contain(program, s, &this.ty)) else {
            return;
        };
        if self.fields(program, this, None).is_some() {
            let is_member = binary(BinaryOp::In, this.clone(), set.clone(), Type::Bool);
            self.guards.push(is_member);
            let limit = "inputs whose frame contains the receiver";
            self.limits.push(limit.to_owned());
        }
    }

    /// Adds an object that changes under a condition only.
    fn conditional(&mut self, program: &Program, object: &Expr, condition: &Expr) {
        let first = self.writes.len();
        // Objects with unknown fields stay as they are.
        let _ = self.object(program, object, None);
        for write in self.writes.iter_mut().skip(first) {
            match write {
                Write::Elements { when, .. }
                | Write::Field { when, .. }
                | Write::Grid(Grid { when, .. }) => {
                    *when = Some(condition.clone());
                }
                Write::NewArray { .. } | Write::NewObjects { .. } => {}
            }
        }
    }

    /// Makes the arrays of a constructed object new arrays, and its sets of objects the sets of all
    /// new objects.
    fn allocate(&mut self, program: &Program) {
        let mut sets = Vec::new();
        let mut writes = Vec::new();
        for write in std::mem::take(&mut self.writes) {
            let Write::Field {
                object, field, ty, ..
            } = &write
            else {
                writes.push(write);
                continue;
            };
            if let Some(elem) = array_of(program, ty) {
                writes.push(Write::NewArray {
                    object: object.clone(),
                    field: *field,
                    elem,
                });
            } else if let Type::Set { elem, .. } = program.strip_subset(ty)
                && may_hold(program, &elem, &object.ty)
            {
                sets.push(Write::NewObjects {
                    object: object.clone(),
                    field: *field,
                    ty: ty.clone(),
                });
            } else {
                writes.push(write);
            }
        }
        if writes.iter().all(|w| matches!(w, Write::Field { .. })) && sets.is_empty() {
            self.writes = writes;
            return;
        }
        // The sets refer to the arrays, which are allocated first.
        writes.extend(sets);
        self.writes = writes;
        self.allocates = true;
        let limit = "new objects that are arrays of the constructed object";
        self.limits.push(limit.to_owned());
    }

    /// A constructed object is none of the parameters, although it is an input of questions.
    fn distinguish(&mut self, program: &Program, unit: CallableId, this: &Expr) {
        for formal in &program[unit].ins {
            let param = local(program, formal.local);
            let is_object = match program.strip_subset(&param.ty) {
                Type::Object { .. } => true,
                Type::Named { decl, .. } => {
                    matches!(&this.ty, Type::Named { decl: own, .. } if *own == decl)
                }
                Type::Bool
                | Type::Char
                | Type::Int
                | Type::Real
                | Type::Bv(_)
                | Type::Ordinal
                | Type::Set { .. }
                | Type::Seq(_)
                | Type::Multiset(_)
                | Type::Map { .. }
                | Type::Tuple(_)
                | Type::Arrow { .. }
                | Type::Array { .. }
                | Type::Param(_)
                | Type::Error => false,
            };
            let op = match is_object {
                true => BinaryOp::Ne,
                false if may_contain(program, &param, &this.ty) => BinaryOp::NotIn,
                false => continue,
            };
            let (left, right) = match is_object {
                true => (param, this.clone()),
                false => (this.clone(), param),
            };
            self.guards.push(binary(op, left, right, Type::Bool));
        }
    }

    /// Adds the mutable fields of an object, or only one of them. `None` if the fields of the
    /// object are not known.
    fn fields(&mut self, program: &Program, object: &Expr, only: Option<FieldId>) -> Option<()> {
        let Type::Named {
            decl,
            args,
            nullable: false,
        } = program.strip_subset(&object.ty)
        else {
            return None;
        };
        // Objects of a trait have the fields of classes that the contract does not know.
        if !matches!(program[decl].kind, TypeDeclKind::Class) || !program[decl].parents.is_empty() {
            return None;
        }
        let substitution = program.substitution(decl, &args);
        for field in &program[decl].fields {
            let is_wanted = only.is_none_or(|f| f == *field);
            match &program[*field].kind {
                FieldKind::Mutable if is_wanted => self.writes.push(Write::Field {
                    object: object.clone(),
                    field: *field,
                    ty: program[*field].ty.subst(&substitution),
                    when: None,
                }),
                FieldKind::Mutable | FieldKind::Const(_) | FieldKind::Destructor(_) => {}
            }
        }
        Some(())
    }
}

/// The type without `null`, if it is a type of nullable references to objects of a class or to
/// arrays.
pub(crate) fn not_null(program: &Program, ty: &Type) -> Option<Type> {
    let ty = program.strip_subset(ty);
    if let Type::Named {
        decl,
        args,
        nullable: true,
    } = ty
    {
        Some(Type::named(decl, args))
    } else if let Type::Array {
        dims,
        nullable: true,
        elem,
    } = ty
    {
        Some(Type::Array {
            dims,
            nullable: false,
            elem,
        })
    } else {
        None
    }
}

/// The names of the references that a conjunct of the preconditions compares with `null` by `!=`.
fn required_objects(program: &Program, unit: CallableId) -> BTreeSet<String> {
    let clauses = program[unit].spec.requires.iter();
    let is_null = |e: &Expr| matches!(e.kind, ExprKind::Literal(Literal::Null));
    let name = |e: &Expr| {
        let ExprKind::Binary(BinaryOp::Ne, left, right) = &e.kind else {
            return None;
        };
        match (is_null(left), is_null(right)) {
            (false, true) => path(program, left),
            (true, false) => path(program, right),
            (true, true) | (false, false) => None,
        }
    };
    let conditions = clauses.flat_map(|c| conjuncts(&c.cond));
    conditions.filter_map(name).collect()
}

/// Whether objects of a type may be elements of a collection with elements of another type.
fn may_hold(program: &Program, elem: &Type, ty: &Type) -> bool {
    let elem = program.strip_subset(elem);
    matches!(elem, Type::Object { .. }) || elem == program.strip_subset(ty)
}

/// Whether the expression is a set that may contain objects of a type.
fn may_contain(program: &Program, set: &Expr, ty: &Type) -> bool {
    if let Type::Set { elem, .. } = program.strip_subset(&set.ty) {
        may_hold(program, &elem, ty)
    } else {
        false
    }
}

/// The condition that one of the sets contains an object. `None` if none may contain it.
fn membership(program: &Program, object: &Expr, sets: &[Expr]) -> Option<Expr> {
    sets.iter()
        .filter(|set| may_contain(program, set, &object.ty))
        .map(|set| binary(BinaryOp::In, object.clone(), set.clone(), Type::Bool))
        .reduce(|any, next| binary(BinaryOp::Or, any, next, Type::Bool))
}

/// The objects and arrays to which the fields of an object refer, except for those that may be null.
fn references(program: &Program, owner: &Expr) -> Vec<Expr> {
    let Type::Named {
        decl,
        args,
        nullable: false,
    } = program.strip_subset(&owner.ty)
    else {
        return Vec::new();
    };
    let substitution = program.substitution(decl, &args);
    let reference = |field: &FieldId| {
        let ty = program[*field].ty.subst(&substitution);
        let is_object = array_of(program, &ty).is_some()
            || matches!(program.strip_subset(&ty), Type::Named { decl, nullable: false, .. }
                if matches!(program[decl].kind, TypeDeclKind::Class));
        is_object.then(|| Expr {
            kind: ExprKind::Field {
                object: Some(Box::new(owner.clone())),
                discarded: None,
                field: *field,
                type_args: Vec::new(),
            },
            ty,
            span: owner.span,
        })
    };
    program[decl].fields.iter().filter_map(reference).collect()
}

/// The receiver of a callable.
fn this(program: &Program, unit: CallableId, span: Span) -> Option<Expr> {
    let owner = program[unit].owner?;
    let args = program[owner].type_params.iter().map(|p| Type::Param(*p));
    Some(Expr {
        kind: ExprKind::This,
        ty: Type::named(owner, args.collect()),
        span,
    })
}

/// Whether two frames of one program are the same text.
pub(crate) fn is_same(a: &[Frame], b: &[Frame]) -> bool {
    let text = |frames: &[Frame]| {
        let mut shape = crate::shape::Shape::default();
        for frame in frames {
            shape.whole_frame(frame.clone());
        }
        shape.into_text()
    };
    text(a) == text(b)
}
