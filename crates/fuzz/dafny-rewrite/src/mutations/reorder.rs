//! Reorders the declarations of a module, or the members of a class, trait or datatype. Imports and
//! exports stay in front. Everything that belongs to a declaration moves with it.

use dafny_syntax::ast::{File, Member, Span, TopDecl};
use dafny_syntax::visit::{Node, VisitMut};

use crate::mutation::{Place, Work};
use crate::random::Random;
use crate::scan::{Context, Look, scan};

/// The modules and types with several declarations.
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

impl<'w> Find<'w> {
    fn place(&mut self, first: Span, list: Option<Span>) {
        let work = self.work;
        self.found.push(Place::new(first, move |rng, _| {
            shuffled(work.file, list, rng)
        }));
    }
}

impl<'w> Look<'w> for Find<'w> {
    fn decls(&mut self, cx: &Context<'w>) {
        let mut rest = cx.decls.iter().filter(|d| !is_fixed(d));
        if let (Some(first), Some(_)) = (rest.next(), rest.next()) {
            self.place(span(first), cx.modules.last().map(|m| m.span));
        }
        for d in cx.decls {
            if let TopDecl::Class(_) | TopDecl::Datatype(_) = d
                && let (Some(owner), Some([_, _, ..])) = (Some(span(d)), members(d))
            {
                self.place(owner, Some(owner));
            }
        }
    }
}

fn is_fixed(d: &TopDecl) -> bool {
    matches!(d, TopDecl::Import(_) | TopDecl::Export(_))
}

fn span(d: &TopDecl) -> Span {
    match d {
        TopDecl::Module(m) => m.span,
        TopDecl::Import(i) => i.span,
        TopDecl::Export(e) => e.span,
        TopDecl::Class(c) => c.span,
        TopDecl::Datatype(d) => d.span,
        TopDecl::Newtype(n) => n.span,
        TopDecl::Type(t) => t.span,
        TopDecl::Iterator(i) => i.span,
        TopDecl::Member(Member::Field(f)) => f.span,
        TopDecl::Member(Member::Const(c)) => c.span,
        TopDecl::Member(Member::Method(m)) => m.span,
        TopDecl::Member(Member::Function(f)) => f.span,
    }
}

fn members(d: &TopDecl) -> Option<&[Member]> {
    match d {
        TopDecl::Class(c) => Some(&c.members),
        TopDecl::Datatype(d) => Some(&d.members),
        TopDecl::Module(_)
        | TopDecl::Import(_)
        | TopDecl::Export(_)
        | TopDecl::Newtype(_)
        | TopDecl::Type(_)
        | TopDecl::Iterator(_)
        | TopDecl::Member(_) => None,
    }
}

/// The file with the declarations of a module or type in random order. `None`: those of the file
/// itself.
fn shuffled(file: &File, list: Option<Span>, rng: &mut Random) -> Option<File> {
    struct Shuffle<'a>(Span, &'a mut Random, bool);
    impl VisitMut for Shuffle<'_> {
        fn top_decl(&mut self, node: &mut TopDecl) {
            let is_it = span(node) == self.0;
            match node {
                TopDecl::Module(m) if is_it => {
                    decls(&mut m.decls, self.1);
                    self.2 = true;
                }
                TopDecl::Module(m) => m.decls.walk_mut(self),
                TopDecl::Class(c) if is_it => {
                    self.1.shuffle(&mut c.members);
                    self.2 = true;
                }
                TopDecl::Datatype(d) if is_it => {
                    self.1.shuffle(&mut d.members);
                    self.2 = true;
                }
                TopDecl::Class(_)
                | TopDecl::Datatype(_)
                | TopDecl::Import(_)
                | TopDecl::Export(_)
                | TopDecl::Newtype(_)
                | TopDecl::Type(_)
                | TopDecl::Iterator(_)
                | TopDecl::Member(_) => {}
            }
        }
    }
    let mut file = file.clone();
    let Some(place) = list else {
        decls(&mut file.decls, rng);
        return Some(file);
    };
    let mut shuffle = Shuffle(place, rng, false);
    file.decls.walk_mut(&mut shuffle);
    shuffle.2.then_some(file)
}

fn decls(all: &mut Vec<TopDecl>, rng: &mut Random) {
    let (mut fixed, mut rest): (Vec<_>, Vec<_>) =
        std::mem::take(all).into_iter().partition(is_fixed);
    rng.shuffle(&mut rest);
    fixed.append(&mut rest);
    *all = fixed;
}
