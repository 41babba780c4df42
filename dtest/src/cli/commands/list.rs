//! `list`: units and goals, and unsupported constructs with reasons, without solving.

use serde::Serialize;

use super::super::Environment;
use super::super::args::{ListArgs, MessageFormat};
use super::super::error::CommandResult;
use crate::exit_code::ExitCode;
use crate::pipeline;
use dafny_source::Span;
use dtest_ir::StmtKind;
use dtest_lower::uncounted::Uncounted;
use dtest_search::describe;

#[derive(Serialize)]
struct Listed {
    kind: &'static str,
    unit: String,
    place: String,
    goals: Vec<ListedGoal>,
    unsupported: Vec<String>,
    /// The limit at which goals per call are no longer distinguished.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<String>,
}

#[derive(Serialize)]
struct ListedGoal {
    place: String,
    goal: String,
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    callable: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<String>,
}

/// The last line of the output.
#[derive(Serialize)]
struct Total {
    kind: &'static str,
    units: usize,
    goals: usize,
    uncounted: Uncounted,
}

/// Runs the command.
pub fn run(args: ListArgs, env: &Environment) -> CommandResult {
    let filter = super::filter(args.filter.as_ref())?;
    let super::Programs {
        ready: mut programs,
        mut code,
        ..
    } = super::ready(&args.program, &super::criteria(&args.coverage), env)?;
    let included = args.program.included;
    super::entry::enter(&mut programs, &args.entry, included, args.inline, env)?;
    super::require_unit(filter.as_ref(), &programs, (pipeline::units, included), env)?;
    // Goals and statements that are not supported, unit by unit.
    let mut count = (0, 0);
    let mut uncounted = Vec::new();
    for program in &programs {
        let before = count;
        let mut callables = Vec::new();
        for unit in pipeline::units(&program.ir, &program.sources, included, filter.as_ref()) {
            let Some(procedure) = program.ir.procedures.get(&unit.callable) else {
                continue;
            };
            let goals: Vec<ListedGoal> = program
                .ir
                .goals(unit.callable)
                .into_iter()
                .map(|(id, g)| ListedGoal {
                    place: program.sources.locate(g.span),
                    goal: describe::phrase(g, &program.sources),
                    callable: id.callee().map(|c| program.ir.typed.callable_path(c)),
                    calls: describe::calls(&program.ir, unit.callable, id, &program.sources),
                })
                .collect();
            let stmts = procedure.blocks.iter().flat_map(|b| &b.stmts);
            let unsupported: Vec<String> = stmts
                .filter_map(|s| {
                    let StmtKind::Unsupported { reason } = &s.kind else {
                        return None;
                    };
                    Some(format!("{}: {reason}", program.sources.locate(s.span)))
                })
                .collect();
            count = (count.0 + 1, count.1 + goals.len());
            callables.push(unit.callable);
            let place = program.sources.locate(program.ir.typed[unit.callable].span);
            let left_out = describe::calls_left_out(&program.ir, unit.callable);
            let listed = Listed {
                kind: "unit",
                unit: unit.path,
                place,
                goals,
                unsupported,
                left_out,
            };
            show(&listed, env);
        }
        // Callables without goals are counted by reason, so that the total explains what is
        // missing.
        let is_named = |span: Span| {
            included
                || program
                    .sources
                    .file_at(span.start)
                    .is_some_and(|(_, f)| f.named)
        };
        if programs.len() > 1 {
            let of_program = (count.0 - before.0, count.1 - before.1);
            show_program(&program.name(), of_program, env);
        }
        uncounted.push(Uncounted::count(&program.ir.typed, &callables, is_named));
    }
    if programs.is_empty() {
        return Ok(code);
    }
    let uncounted = uncounted.into_iter().sum();
    if env.terminal.format == MessageFormat::Json {
        let total = Total {
            kind: "total",
            units: count.0,
            goals: count.1,
            uncounted,
        };
        env.terminal
            .result(&(serde_json::to_string(&total).unwrap_or_default() + "\n"));
    } else {
        env.terminal.result(&format!(
            "{} units, {} goals\n{}",
            count.0,
            count.1,
            no_goals(&uncounted)
        ));
    }
    if count.0 == 0 {
        code = super::worse(code, ExitCode::NothingGenerated);
    }
    Ok(code)
}

/// Shows the counts of one of several programs.
fn show_program(program: &str, (units, goals): (usize, usize), env: &Environment) {
    let line = if env.terminal.format == MessageFormat::Json {
        serde_json::json!({
            "kind": "program", "program": program, "units": units, "goals": goals,
        })
        .to_string()
    } else {
        format!("{program}: {units} units, {goals} goals")
    };
    env.terminal.result(&(line + "\n"));
}

/// Describes the code that is deliberately not a goal; empty if there is none.
fn no_goals(uncounted: &Uncounted) -> String {
    let Uncounted {
        lambdas,
        constants,
        defaults,
        binders,
    } = *uncounted;
    let parts = [
        (lambdas, "in lambdas"),
        (constants, "in values of constants"),
        (defaults, "in default values of parameters"),
        (binders, "in quantifiers and comprehensions"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, place)| format!("{n} {place}"))
        .collect();
    match parts.is_empty() {
        true => String::new(),
        false => format!(
            "{} arms and operands are not goals (see docs/criteria.md): {}\n",
            uncounted.total(),
            parts.join(", ")
        ),
    }
}

fn show(listed: &Listed, env: &Environment) {
    let text = match env.terminal.format {
        MessageFormat::Json => serde_json::to_string(listed).unwrap_or_default() + "\n",
        MessageFormat::Short
        | MessageFormat::Github
        | MessageFormat::Sarif
        | MessageFormat::Junit => {
            format!(
                "{}: {}: {} goals\n",
                listed.place,
                listed.unit,
                listed.goals.len()
            )
        }
        MessageFormat::Human => {
            let goals = listed.goals.iter().map(|g| match &g.callable {
                None => format!("    {}  {}\n", g.place, g.goal),
                Some(callee) => format!(
                    "    {}  in {callee}{}: {}\n",
                    g.place,
                    describe::called_at(&g.calls),
                    g.goal
                ),
            });
            let skipped = listed
                .unsupported
                .iter()
                .map(|u| format!("    not supported: {u}\n"));
            let head = std::iter::once(format!("{}  ({})\n", listed.unit, listed.place));
            let left_out = listed.left_out.iter().map(|text| format!("    {text}\n"));
            head.chain(goals).chain(left_out).chain(skipped).collect()
        }
    };
    env.terminal.result(&text);
}
