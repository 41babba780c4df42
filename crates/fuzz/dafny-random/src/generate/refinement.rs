//! Abstract modules, and modules that refine them by adding bodies to functions.

use super::Generator;
use super::declarations::Callable;

/// A function without a body, and the number of functions before it.
pub(super) struct Open {
    callable: Callable,
    head: String,
    before: usize,
}

impl Generator {
    pub(super) fn open_functions(&mut self) -> Vec<Open> {
        let before = self.functions.len();
        (0..1 + self.below(2))
            .map(|_| {
                let name = self.value_name("F");
                let (ins, out) = self.scoped(|g| {
                    let mut ins = g.formals(&[]);
                    ins.retain(|i| !i.ghost);
                    ins.iter_mut().for_each(|i| i.default = false);
                    (ins, g.ty(1))
                });
                let head = format!(
                    "function {name}({}): {}",
                    self.formals_text(&ins),
                    self.show(&out)
                );
                self.line(&head);
                let callable = Callable {
                    home: self.home,
                    name,
                    receiver: None,
                    params: vec![],
                    ins,
                    out,
                    outs: vec![],
                    fuel: false,
                    heap: false,
                };
                self.functions.push(callable.clone());
                Open {
                    callable,
                    head,
                    before,
                }
            })
            .collect()
    }

    /// Draws the bodies. They call only functions declared before the module.
    pub(super) fn close_functions(&mut self, open: &[Open]) {
        for f in open {
            let younger = self.functions.split_off(f.before);
            let body = self.scoped(|g| {
                f.callable
                    .ins
                    .iter()
                    .for_each(|i| g.declare(&i.name, &i.ty, false));
                let constants = std::mem::take(&mut g.constants);
                let body = g.purely(|g| g.expr(&f.callable.out, 3));
                g.constants = constants;
                body
            });
            self.functions.extend(younger);
            self.line(format!("{} {{", f.head));
            self.line(format!("  {body}"));
            self.line("}");
        }
    }
}
