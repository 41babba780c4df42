//! Tests of the safety nets. The state belongs to the process, so that one test has all steps.

use crate::memory::{
    count_solver_shortage, is_short, set_short, shortages, solver_shortages, wait_while_short,
};

#[test]
fn a_shortage_begins_once_and_ends() {
    let before = shortages();
    assert!(!is_short() && wait_while_short());
    set_short(true);
    set_short(true);
    assert!(is_short());
    assert_eq!(shortages(), before + 1);
    // A unit that waits goes on when others have released their memory.
    let release = std::thread::spawn(|| set_short(false));
    assert!(wait_while_short());
    release.join().expect("the other thread");
    assert!(!is_short());
    set_short(true);
    assert_eq!(shortages(), before + 2);
    set_short(false);
}

#[test]
fn shortages_of_the_solver_are_counted() {
    let before = solver_shortages();
    count_solver_shortage();
    count_solver_shortage();
    assert!(solver_shortages() >= before + 2);
}

#[test]
fn the_clock_does_not_go_back() {
    let first = crate::clock::now();
    assert!(crate::clock::now() >= first);
}
