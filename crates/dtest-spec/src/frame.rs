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
use crate::contract::{Write, array_of, binary, path};

/// The parts of the heap that questions change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames {
    /// The parts.
    pub(crate) writes: Vec<Write>,
    /// Conditions on inputs under which the callable may change the parts.
    pub(crate) guards: Vec<Expr>,
    /// The inputs and final states that are examined, for each frame that is not examined in full.
    pub(crate) limits: Vec<String>,
}

impl Frames {
    /// Returns the parts of the heap that a callable may change.
    pub(crate) fn new(program: &Program, unit: CallableId) -> Result<Self, Undecided> {
        let callable = &program[unit];
        let mut frames = Self::default();
        if callable.kind == CallableKind::Constructor {
            let this = this(program, unit, callable.span).ok_or(Undecided::Constructor)?;
            let is_known = frames.fields(program, &this, None);
            is_known.ok_or(Undecided::Frame)?;
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
        let Type::Named {
            decl,
            args,
            nullable: true,
        } = program.strip_subset(&object.ty)
        else {
            return match array_of(program, &object.ty) {
                Some(elem) => {
                    self.writes.push(Write::Elements {
                        array: object.clone(),
                        elem,
                    });
                    Some(())
                }
                None => self.fields(program, object, only),
            };
        };
        // The frame of a null reference is empty.
        let known = Expr {
            ty: Type::named(decl, args),
            ..object.clone()
        };
        self.fields(program, &known, only)?;
        let null = Expr {
            kind: ExprKind::Literal(Literal::Null),
            ..object.clone()
        };
        let is_object = binary(BinaryOp::Ne, object.clone(), null, Type::Bool);
        self.guards.push(is_object);
        self.limits.push(format!("inputs with `{name} != null`"));
        Some(())
    }

    /// Adds the receiver, if the frame has sets of objects that may contain it and does not name it.
    fn sets(&mut self, program: &Program, unit: CallableId, others: &[Expr]) {
        let callable = &program[unit];
        if callable.is_static || callable.kind == CallableKind::Constructor {
            return;
        }
        let is_receiver = |w: &Write| matches!(w, Write::Field { object, .. } if matches!(object.kind, ExprKind::This));
        if self.writes.iter().any(is_receiver) {
            return;
        }
        let Some(this) = this(program, unit, callable.span) else {
            return;
        };
        let contains = |set: &&Expr| match program.strip_subset(&set.ty) {
            Type::Set { elem, .. } => {
                let elem = program.strip_subset(&elem);
                matches!(elem, Type::Object { .. }) || elem == this.ty
            }
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => false,
        };
        let Some(set) = others.iter().find(contains) else {
            return;
        };
        if self.fields(program, &this, None).is_some() {
            let is_member = binary(BinaryOp::In, this, set.clone(), Type::Bool);
            self.guards.push(is_member);
            let limit = "inputs whose frame contains the receiver";
            self.limits.push(limit.to_owned());
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
                }),
                FieldKind::Mutable | FieldKind::Const(_) | FieldKind::Destructor(_) => {}
            }
        }
        Some(())
    }
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
