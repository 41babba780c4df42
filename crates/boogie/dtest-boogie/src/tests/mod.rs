//! Tests of the backend: evaluation of expressions, executions, and verdicts on obligations. Each
//! program is a few lines, and its procedure under test is `P`.

mod evaluation;
mod executions;
mod flow;
mod functions;
mod quantifiers;
mod verdicts;
