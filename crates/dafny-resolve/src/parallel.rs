//! Parallel execution of independent work on two threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The size, in bytes, of the second thread's stack. Deep recursion grows it, as on any other
/// thread.
const STACK: usize = 1 << 23;

/// Applies `run` to each item and returns the results in the order of the items. Uses one thread if
/// a second one cannot be created.
pub(super) fn each<T: Sync, R: Send>(items: &[T], run: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    let work = || {
        let mut own = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(i) else { break };
            own.push((i, run(item)));
        }
        results
            .lock()
            .unwrap_or_else(|e| e.into_inner())
            .extend(own);
    };
    std::thread::scope(|scope| {
        let second = std::thread::Builder::new()
            .name("resolver".into())
            .stack_size(STACK)
            .spawn_scoped(scope, work);
        work();
        drop(second);
    });
    let mut results = results.into_inner().unwrap_or_else(|e| e.into_inner());
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        assert_eq!(
            super::each(&items, |i| i * i),
            items.iter().map(|i| i * i).collect::<Vec<_>>()
        );
        assert!(super::each(&[] as &[u64], |i| *i).is_empty());
    }
}
