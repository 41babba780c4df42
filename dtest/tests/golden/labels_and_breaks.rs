use dunit::prelude::*;

/// From src/labels_and_breaks.dfy:1.
pub fn find(rows: &Seq<Seq<Int>>) -> bool {
    let mut found = false;
    'search: for i in range(0, rows.len()) {
        for j in range(0, rows[&i].len()) {
            if rows[&i][&j] == 7 {
                found = true;
                break 'search;
            }
        }
    }
    found
}
