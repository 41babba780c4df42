use dunit::prelude::*;

/// From src/if_binding_guard.dfy:1.
pub fn find(s: &Set<Int>) -> Int {
    if let std::option::Option::Some(_) = 'found: {
        for x in s.iter() {
            if *x > 10 {
                break 'found std::option::Option::Some(x.clone());
            }
        }
        std::option::Option::None
    } {
        int(1)
    } else {
        int(0)
    }
}
