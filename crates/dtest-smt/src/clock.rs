//! The processor time of a thread: the cost of a query or of a search, independent of the load of
//! the machine.

use std::time::{Duration, Instant};

/// A clock of the processor time of the thread that started it, if the system reports that to other
/// threads; otherwise of the elapsed time.
#[derive(Clone, Copy, Debug)]
pub struct ThreadClock {
    started: Instant,
    used: Option<Duration>,
    thread: system::Thread,
}

/// The ratio of elapsed time to processor time above which the elapsed time counts.
const PATIENCE: u32 = 8;

impl ThreadClock {
    /// Starts a clock for the current thread.
    pub fn start() -> Self {
        let thread = system::current();
        Self {
            started: dtest_limits::clock::now(),
            used: system::used(thread),
            thread,
        }
    }

    /// Whether the time is used up.
    pub fn is_past(&self, limit: Duration) -> bool {
        // Processor time is at most elapsed time, which is cheaper to read.
        self.started.elapsed() > limit && self.left(limit).is_none()
    }

    /// Returns the remaining time, at least a millisecond, which is also how long another thread
    /// should wait before the next check; `None` if `limit` is exhausted.
    pub fn left(&self, limit: Duration) -> Option<Duration> {
        let elapsed = self.started.elapsed();
        let used = match (self.used, system::used(self.thread)) {
            (Some(before), Some(now)) if elapsed < limit.saturating_mul(PATIENCE) => {
                now.saturating_sub(before)
            }
            _ => elapsed,
        };
        limit
            .checked_sub(used)
            .filter(|left| !left.is_zero())
            .map(|left| left.max(Duration::from_millis(1)))
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::time::Duration;

    use nix::time::ClockId;
    use nix::unistd::{Pid, gettid};

    pub(super) type Thread = Pid;

    pub(super) fn current() -> Thread {
        gettid()
    }

    /// Returns the processor time of a thread. The id of its clock contains the id of the thread
    /// (`clock_getres(2)`, *Dynamic clocks*; `CPUCLOCK_PERTHREAD | CPUCLOCK_SCHED`).
    pub(super) fn used(thread: Thread) -> Option<Duration> {
        const PER_THREAD: i32 = 4;
        const SCHEDULED: i32 = 2;
        ClockId::from_raw((!thread.as_raw() << 3) | PER_THREAD | SCHEDULED)
            .now()
            .ok()
            .map(Duration::from)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::time::Duration;

    pub(super) type Thread = ();

    pub(super) fn current() -> Thread {}

    pub(super) fn used((): Thread) -> Option<Duration> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::ThreadClock;
    use std::time::Duration;

    #[test]
    fn a_thread_that_waits_uses_nothing_until_it_has_waited_for_long() {
        let clock = ThreadClock::start();
        std::thread::sleep(Duration::from_millis(40));
        let is_late = clock.left(Duration::from_millis(20)).is_none();
        assert_eq!(is_late, cfg!(not(target_os = "linux")));
        std::thread::sleep(Duration::from_millis(140));
        assert!(clock.left(Duration::from_millis(20)).is_none());
    }

    #[test]
    fn a_thread_that_works_uses_its_time() {
        let clock = ThreadClock::start();
        let mut n = 1_u64;
        while clock.left(Duration::from_millis(30)).is_some() {
            n = std::hint::black_box(n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        }
        assert!(clock.started.elapsed() >= Duration::from_millis(29), "{n}");
    }
}
