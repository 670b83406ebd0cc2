//! Puts mutants of one file behind switches.

use crate::sample::Mutant;
use std::cmp::Reverse;
use std::error::Error;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{Visit, visit_expr};

/// A part of the written file that belongs to mutants.
pub struct Mark {
    pub range: Range<usize>,
    pub mutants: Vec<usize>,
}

/// A file with switches.
pub struct Instrumented {
    pub text: String,
    /// The inserted code of each mutant, and every expression that has some.
    pub marks: Vec<Mark>,
    /// Mutants without an expression that could be switched.
    pub impossible: Vec<usize>,
}

/// An expression of the file, or the start of a function's body (an empty range), with its mutants and their code.
struct Site {
    range: Range<usize>,
    /// Needs no parentheses, because it stands where a statement does.
    is_block: bool,
    mutants: Vec<(usize, String)>,
}

struct Expression {
    range: Range<usize>,
    is_block: bool,
    /// Part of a chain of conditions with `let`, which can't stand in parentheses.
    has_let: bool,
}

struct Expressions(Vec<Expression>);

impl<'a> Visit<'a> for Expressions {
    fn visit_expr(&mut self, expression: &'a syn::Expr) {
        let is_block = matches!(expression, syn::Expr::Match(_));
        let range = expression.span().byte_range();
        self.0.push(Expression { range, is_block, has_let: has_let(expression) });
        visit_expr(self, expression);
    }
}

fn has_let(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// `source` with all `mutants` (of this file) behind switches.
pub fn instrument(source: &str, mutants: &[&Mutant]) -> Result<Instrumented, Box<dyn Error>> {
    let mut expressions = Expressions(Vec::new());
    expressions.visit_file(&syn::parse_file(source)?);
    let mut sites: Vec<Site> = Vec::new();
    let mut impossible = Vec::new();
    for mutant in mutants {
        let (range, is_block, code) = if mutant.whole_function {
            let at = mutant.span.start;
            (at..at, false, format!("return {};", mutant.replacement))
        } else {
            let holds =
                |e: &&Expression| e.range.start <= mutant.span.start && mutant.span.end <= e.range.end;
            let smallest = expressions.0.iter().filter(holds).min_by_key(|e| e.range.len());
            let Some(expression) = smallest.filter(|e| !e.has_let) else {
                impossible.push(mutant.id);
                continue;
            };
            (expression.range.clone(), expression.is_block, mutated(source, &expression.range, mutant))
        };
        match sites.iter_mut().find(|s| s.range == range) {
            Some(site) => site.mutants.push((mutant.id, code)),
            None => sites.push(Site { range, is_block, mutants: vec![(mutant.id, code)] }),
        }
    }
    sites.sort_by_key(|s| (s.range.start, !s.range.is_empty(), Reverse(s.range.end)));
    let mut out = Instrumented { text: String::new(), marks: Vec::new(), impossible };
    out.write(source, 0..source.len(), &sites);
    Ok(out)
}

/// The text of an expression with the mutant's replacement in it; a removed field or arm takes its comma along.
fn mutated(source: &str, range: &Range<usize>, mutant: &Mutant) -> String {
    let mut rest = &source[mutant.span.end..range.end];
    if mutant.replacement.is_empty() {
        let trimmed = rest.trim_start();
        rest = trimmed.strip_prefix(',').unwrap_or(rest);
    }
    format!("{}{}{rest}", &source[range.start..mutant.span.start], mutant.replacement)
}

impl Instrumented {
    /// Writes `range` of `source`, in which all of `sites` lie.
    fn write(&mut self, source: &str, range: Range<usize>, mut sites: &[Site]) {
        let mut done = range.start;
        while let Some((site, rest)) = sites.split_first() {
            self.text.push_str(&source[done..site.range.start]);
            let inside =
                rest.iter().take_while(|s| s.range.end <= site.range.end && !site.range.is_empty()).count();
            let start = self.text.len();
            let [open, close] = match (site.range.is_empty(), site.is_block) {
                (true, _) => ["", " "],
                (false, true) => ["{ ", " } }"],
                (false, false) => ["(", " })"],
            };
            self.text.push_str(open);
            for (i, (id, code)) in site.mutants.iter().enumerate() {
                let from = self.text.len();
                let otherwise = if i > 0 { " else " } else { "" };
                self.text.push_str(&format!("{otherwise}if sinew_base::mutation::on({id}) {{ {code} }}"));
                self.marks.push(Mark { range: from..self.text.len(), mutants: vec![*id] });
            }
            if !site.range.is_empty() {
                self.text.push_str(" else { ");
                self.write(source, site.range.clone(), &rest[..inside]);
            }
            self.text.push_str(close);
            let mutants = site.mutants.iter().map(|(id, _)| *id).collect();
            self.marks.push(Mark { range: start..self.text.len(), mutants });
            done = site.range.end;
            sites = &rest[inside..];
        }
        self.text.push_str(&source[done..range.end]);
    }
}
