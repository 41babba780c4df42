//! Liveness of slots: a slot that is not read again is moved out, so that collections are updated
//! in place; a havoc that is not read is dropped.

use super::code::{Code, Ins};

/// The limit of work. Larger code stays unoptimized.
const MAX_BITS: usize = 40_000_000;

/// Turns the last loads of slots into moves, unless the slots are watched, and drops havocs that
/// are not read.
pub(super) fn move_last_uses(code: &mut Code, is_watched: bool) {
    let n = code.ins.len();
    let words = (code.slots as usize).div_ceil(64).max(1);
    if n * words * 64 > MAX_BITS {
        return;
    }
    let successors: Vec<Vec<usize>> = (0..n).map(|i| successors(code, i)).collect();
    let mut live: Vec<u64> = vec![0; n * words];
    let mut out = vec![0u64; words];
    // Backward dataflow to a fixed point: a slot is live before an instruction if it is read before
    // it is written.
    loop {
        let mut changed = false;
        for i in (0..n).rev() {
            gather(&live, words, successors.get(i), &mut out);
            effect(code, i, &mut out);
            if let Some(now) = live.get_mut(i * words..(i + 1) * words)
                && *now != *out
            {
                now.copy_from_slice(&out);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for i in 0..n {
        gather(&live, words, successors.get(i), &mut out);
        if let Some(ins) = code.ins.get_mut(i) {
            if let Ins::Load(slot) = *ins
                && !is_watched
                && !bit(&out, slot)
            {
                *ins = Ins::Take(slot);
            } else if let Ins::Havoc { slot, .. } = *ins
                && !bit(&out, slot)
            {
                // An arbitrary value that is not read is no choice.
                *ins = Ins::Jump(i as u32 + 1);
            }
        }
    }
}

fn gather(live: &[u64], words: usize, successors: Option<&Vec<usize>>, out: &mut [u64]) {
    out.fill(0);
    for &s in successors.into_iter().flatten() {
        for (o, l) in out.iter_mut().zip(live.iter().skip(s * words)) {
            *o |= l;
        }
    }
}

fn bit(set: &[u64], slot: u32) -> bool {
    set.get(slot as usize / 64)
        .is_some_and(|w| w >> (slot % 64) & 1 == 1)
}

fn set(set: &mut [u64], slot: u32, on: bool) {
    if let Some(w) = set.get_mut(slot as usize / 64) {
        let mask = 1u64 << (slot % 64);
        *w = if on { *w | mask } else { *w & !mask };
    }
}

fn effect(code: &Code, i: usize, live: &mut [u64]) {
    match code.ins.get(i) {
        Some(Ins::Load(s) | Ins::Out(s)) => set(live, *s, true),
        // A havoc may keep the old value, so that it does not end the liveness.
        Some(Ins::Store(s) | Ins::IterNext { slot: s, .. }) => set(live, *s, false),
        Some(Ins::Found { choice, .. } | Ins::Advised(choice)) => {
            for &s in code
                .choices
                .get(*choice as usize)
                .into_iter()
                .flat_map(|c| &c.slots)
            {
                set(live, s, true);
            }
        }
        _other => {}
    }
}

fn successors(code: &Code, i: usize) -> Vec<usize> {
    // Besides its jump targets, an instruction may lead to blocks or to the end of a loop.
    let Some(mut ins) = code.ins.get(i).copied() else {
        return Vec::new();
    };
    let mut next: Vec<usize> = ins.targets().into_iter().map(|t| *t as usize).collect();
    let block = |b: &dtest_ir::BlockId| code.blocks.get(b.0 as usize).map(|pc| *pc as usize);
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "all others have their targets themselves: `Ins::targets` names every one"
    )]
    match &ins {
        Ins::Goto(b) => next.extend(block(b)),
        Ins::Branch { then, els } => next.extend([then, els].into_iter().filter_map(block)),
        Ins::Choose(c) => next.extend(
            code.alternatives
                .get(*c as usize)
                .into_iter()
                .flat_map(|a| &a.among)
                .filter_map(block),
        ),
        Ins::IterNew(s) => next.extend(code.iters.get(*s as usize).map(|s| s.unknown as usize)),
        _ => {}
    }
    // An instruction that does not end the code is followed by the next one.
    if !ins.ends() {
        next.push(i + 1);
    }
    next.retain(|&s| s < code.ins.len());
    next
}
