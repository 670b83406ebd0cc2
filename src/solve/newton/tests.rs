//! Potentials unrelated to skin, with known minima.

use super::*;
use nalgebra::{DMatrix, DVector};
use sinew_base::control::Listener;
use std::sync::Arc;

/// The value of an element, its gradient and its second derivatives.
type Part = (Real, DVector<Real>, DMatrix<Real>);

/// A sum over neighbours in a row of nodes.
struct Chain {
    /// Unknowns of a node.
    each: usize,
    x: Vec<Real>,
    /// The term of a pair of nodes, by its number and their unknowns; undefined if the value is not finite.
    part: fn(usize, &[Real]) -> Part,
    /// Factors of the unknowns and their sum, for each constraint.
    constraints: Vec<(Vec<Real>, Real)>,
    /// The longest displacement of a node in each step taken.
    gone: Vec<Real>,
}

impl Chain {
    fn new(each: usize, x: Vec<Real>, part: fn(usize, &[Real]) -> Part) -> Self {
        Chain { each, x, part, constraints: Vec::new(), gone: Vec::new() }
    }

    fn nodes(&self) -> usize {
        self.x.len() / self.each
    }

    fn pairs(&self) -> usize {
        self.nodes() - 1
    }

    fn of_pair(&self, x: &[Real], pair: usize) -> Part {
        (self.part)(pair, &x[pair * self.each..(pair + 2) * self.each])
    }

    fn after(&self, way: &[Real]) -> Vec<Real> {
        self.x.iter().zip(way).map(|(x, way)| x + way).collect()
    }

    fn newton(&self) -> Newton {
        let unknowns = |pair: usize| (pair * self.each..(pair + 2) * self.each).collect::<Vec<_>>();
        let mut elements: Vec<_> = (0..self.pairs()).map(unknowns).collect();
        elements.extend((0..self.nodes()).map(|node| self.unknowns_of(node).collect()));
        let assembly = Assembly::new(self.x.len(), &elements).unwrap();
        let order = Order::amd(assembly.matrix(), 1).unwrap();
        Newton::new(assembly, &order, self.nodes(), [self.constraints.len(), 0]).unwrap()
    }

    fn minimise(&mut self, newton: &mut Newton, goal: &Goal, control: &Control) -> Result<Outcome> {
        let value = self.value(&vec![0.0; self.x.len()]).unwrap();
        newton.minimise(self, value, goal, control)
    }
}

impl Potential for Chain {
    fn unknowns_of(&self, node: usize) -> Range<usize> {
        node * self.each..(node + 1) * self.each
    }

    fn length(&self, _: usize, change: &[Real]) -> Real {
        change.iter().map(|x| x * x).sum::<Real>().sqrt()
    }

    fn value(&mut self, way: &[Real]) -> Option<Real> {
        let x = self.after(way);
        let all: Real = (0..self.pairs()).map(|pair| self.of_pair(&x, pair).0).sum();
        all.is_finite().then_some(all)
    }

    fn magnitude(&self) -> Real {
        (0..self.pairs()).map(|pair| self.of_pair(&self.x, pair).0.abs()).sum()
    }

    fn gradient(&mut self, gradient: &mut [Real]) -> bool {
        gradient.fill(0.0);
        for pair in 0..self.pairs() {
            let part = self.of_pair(&self.x, pair).1;
            gradient[pair * self.each..].iter_mut().zip(&part).for_each(|(sum, g)| *sum += g);
        }
        true
    }

    fn curvature(&mut self, shift: Real, matrix: &mut Assembly) -> Result<()> {
        let this = &*self;
        matrix.fill(|element, block| {
            let found = match element < this.pairs() {
                true => without_falls(this.of_pair(&this.x, element).2),
                false => DMatrix::identity(this.each, this.each) * shift,
            };
            block.iter_mut().zip(found.iter()).for_each(|(value, found)| *value += found);
        })?;
        Ok(())
    }

    fn go(&mut self, way: &[Real], _: &mut Factor) -> bool {
        let longest =
            |longest: Real, node: usize| longest.max(self.length(node, &way[self.unknowns_of(node)]));
        let longest = (0..self.nodes()).fold(0.0, longest);
        self.gone.push(longest);
        self.x = self.after(way);
        false
    }

    fn rebase(&mut self) {}

    fn rows(&mut self, _: &[Real], rows: &mut Rows) {
        let no_way = vec![0.0; self.x.len()];
        for (factors, sum) in &self.constraints {
            let now: Real = self.after(&no_way).iter().zip(factors).map(|(x, f)| x * f).sum();
            rows.add(|entries| {
                entries.extend(factors.iter().copied().enumerate());
                Some(sum - now)
            });
        }
    }

    fn violation(&self, constraint: usize, way: &[Real]) -> Real {
        let (factors, sum) = &self.constraints[constraint];
        (sum - self.after(way).iter().zip(factors).map(|(x, f)| x * f).sum::<Real>()).abs()
    }
}

/// Projected to positive semidefinite.
fn without_falls(hessian: DMatrix<Real>) -> DMatrix<Real> {
    if !hessian.iter().all(|value| value.is_finite()) {
        return hessian;
    }
    let mut eigen = hessian.symmetric_eigen();
    eigen.eigenvalues.iter_mut().for_each(|value| *value = value.max(0.0));
    eigen.recompose()
}

/// Rosenbrock's valley: 100 (b - a^2)^2 + (1 - a)^2, minimal where all are 1. Longer chains have another minimum near
/// -1.
fn valley(_: usize, x: &[Real]) -> Part {
    let (a, b) = (x[0], x[1]);
    let off = b - a * a;
    (
        100.0 * off * off + (1.0 - a) * (1.0 - a),
        DVector::from_vec(vec![-400.0 * a * off - 2.0 * (1.0 - a), 200.0 * off]),
        DMatrix::from_row_slice(2, 2, &[800.0 * a * a - 400.0 * off + 2.0, -400.0 * a, -400.0 * a, 200.0]),
    )
}

/// A spring's stiffness and length, the weight at its lower end, and the stiffness that holds the very first point.
const STIFFNESS: Real = 50.0;
const HOLD: Real = 1e3;
const LENGTH: Real = 0.2;
const WEIGHT: Real = 1.5;

/// A spring between two points, with a weight at the second one; the very first point is held.
fn spring(pair: usize, x: &[Real]) -> Part {
    let d = DVector::from_fn(3, |k, _| x[3 + k] - x[k]);
    let length = d.norm();
    let along = &d / length;
    let tension = STIFFNESS * (length - LENGTH);
    let outer = &along * along.transpose();
    let stiff = &outer * STIFFNESS + (DMatrix::identity(3, 3) - &outer) * (tension / length);
    let hold = if pair == 0 { HOLD } else { 0.0 };
    let gradient = DVector::from_fn(6, |k, _| {
        let weight = if k == 4 { WEIGHT } else { 0.0 };
        weight + if k < 3 { hold * x[k] - tension * along[k] } else { tension * along[k - 3] }
    });
    let hessian = DMatrix::from_fn(6, 6, |r, c| {
        let sign = if r / 3 == c / 3 { 1.0 } else { -1.0 };
        let held = if r == c && r < 3 { hold } else { 0.0 };
        sign * stiff[(r % 3, c % 3)] + held
    });
    let held: Real = x[..3].iter().map(|x| 0.5 * hold * x * x).sum();
    (held + 0.5 * STIFFNESS * (length - LENGTH).powi(2) + WEIGHT * x[4], gradient, hessian)
}

/// (a - 1)^2 + (b - 2)^2, which is uncoupled from its neighbours.
fn bowl(_: usize, x: &[Real]) -> Part {
    let (a, b) = (x[0] - 1.0, x[1] - 2.0);
    (a * a + b * b, DVector::from_vec(vec![2.0 * a, 2.0 * b]), DMatrix::identity(2, 2) * 2.0)
}

/// (a - b)^2 / 2 + ((a - 1)^2 + (b - 1)^2) / 2e11: beside the coupling, what holds all at 1 is no number in single
/// precision.
fn hardly_held(_: usize, x: &[Real]) -> Part {
    let (a, b, hold) = (x[0] - 1.0, x[1] - 1.0, 1e-11);
    (
        0.5 * (a - b) * (a - b) + 0.5 * hold * (a * a + b * b),
        DVector::from_vec(vec![a - b + hold * a, b - a + hold * b]),
        DMatrix::from_row_slice(2, 2, &[1.0 + hold, -1.0, -1.0, 1.0 + hold]),
    )
}

const GOAL: Goal = Goal {
    still: false,
    task: "looking for the minimum",
    unit: 1.0,
    tolerance: 1e-9,
    nothing: 1e-14,
    farthest: 10.0,
    max_steps: 100,
};

fn farthest_from_one(chain: &Chain) -> Real {
    chain.x.iter().map(|x| (x - 1.0).abs()).fold(0.0, Real::max)
}

#[test]
fn what_single_precision_cannot_hold_is_solved_in_double() {
    let mut chain = Chain::new(1, (0..300).map(|k| 2.0 + (k as Real).sin()).collect(), hardly_held);
    let mut newton = chain.newton();
    let outcome = chain.minimise(&mut newton, &Goal { nothing: 0.0, ..GOAL }, &Control::default()).unwrap();
    assert!(outcome.converged && outcome.steps < 10, "{outcome:?}");
    assert!(farthest_from_one(&chain) < 1e-3, "{}", farthest_from_one(&chain));
    // Made again from its values it is the same.
    let values = newton.factor().values().to_vec();
    assert!(!newton.factor().is_special() && newton.factor().restore(&values));
}

#[test]
fn the_valley_is_gone_down_to_its_end() {
    let mut chain = Chain::new(1, vec![-1.2, 1.0], valley);
    let mut newton = chain.newton();
    let outcome = chain.minimise(&mut newton, &GOAL, &Control::default()).unwrap();
    assert!(outcome.converged && farthest_from_one(&chain) < 1e-8, "{outcome:?} {:?}", chain.x);
    // The factor is kept, and a nearby start needs no new one.
    let generation = newton.factor().generation();
    chain.x.iter_mut().for_each(|x| *x += 1e-5);
    let outcome = chain.minimise(&mut newton, &GOAL, &Control::default()).unwrap();
    assert!(outcome.converged && farthest_from_one(&chain) < 1e-8, "{outcome:?}");
    assert_eq!(newton.factor().generation(), generation);
}

#[test]
fn tangents_converge_quadratically() {
    let mut chain = Chain::new(1, vec![1.05; 6], valley);
    let mut newton = chain.newton();
    let mut off = vec![farthest_from_one(&chain)];
    newton.factor().insist(true);
    for _ in 0..6 {
        newton.tangent(&mut chain, &mut [0.0; 3]).unwrap();
        let step = newton.step().to_vec();
        chain.go(&step, newton.factor());
        off.push(farthest_from_one(&chain));
    }
    println!("off by {off:?}");
    let near = off.windows(2).filter(|off| off[0] < 0.02 && off[0] > 1e-6);
    assert!(near.clone().count() >= 2 && near.clone().all(|off| off[1] < 200.0 * off[0] * off[0]));
    assert!(off[6] < 1e-13);
}

#[test]
fn no_node_goes_farther_in_a_step_than_it_may() {
    let mut chain = Chain::new(1, vec![2.0, 1.5, 2.5], valley);
    let goal = Goal { farthest: 0.25, max_steps: 1000, ..GOAL };
    let outcome = chain.minimise(&mut chain.newton(), &goal, &Control::default()).unwrap();
    assert!(outcome.converged && farthest_from_one(&chain) < 1e-8, "{outcome:?}");
    assert!(chain.gone.iter().all(|way| *way < 0.25 * (1.0 + 1e-12)), "{:?}", chain.gone);
    assert!(chain.gone.len() >= 6);
}

#[test]
fn a_crushed_chain_of_springs_hangs_down_in_the_end() {
    // Lying and crushed to half, its second derivatives are negative in all directions.
    let nodes = 5;
    let lying = |k: usize| [0.5 * LENGTH * k as Real, 1e-3 * (k % 2) as Real, 1e-3 * (k % 3) as Real];
    let mut chain = Chain::new(3, (0..nodes).flat_map(lying).collect(), spring);
    assert!(chain.of_pair(&chain.x, 1).2.symmetric_eigenvalues().min() < -0.5 * STIFFNESS);
    let outcome = chain.minimise(&mut chain.newton(), &GOAL, &Control::default()).unwrap();
    assert!(outcome.converged, "{outcome:?}");
    let mut height = -WEIGHT * (nodes - 1) as Real / HOLD;
    for k in 0..nodes {
        let [x, y, z] = [0, 1, 2].map(|axis| chain.x[3 * k + axis]);
        assert!(x.abs() < 1e-6 && (y - height).abs() < 1e-6 && z.abs() < 1e-6, "{k}: {x} {y} {z}, {height}");
        height -= LENGTH + WEIGHT * (nodes - 1 - k) as Real / STIFFNESS;
    }
}

#[test]
fn a_step_that_leads_to_no_value_is_shortened() {
    /// a - ln a + b - ln b, which is defined for positive numbers only and minimal at 1.
    fn logarithms(_: usize, x: &[Real]) -> Part {
        let value = x.iter().map(|x| if *x > 0.0 { x - x.ln() } else { Real::NAN }).sum();
        let diagonal = DVector::from_fn(2, |k, _| 1.0 / (x[k] * x[k]));
        (value, DVector::from_fn(2, |k, _| 1.0 - 1.0 / x[k]), DMatrix::from_diagonal(&diagonal))
    }
    // From 3 a full step would lead to -3.
    let mut chain = Chain::new(1, vec![3.0, 0.2, 2.5], logarithms);
    let outcome = chain.minimise(&mut chain.newton(), &GOAL, &Control::default()).unwrap();
    assert!(outcome.converged && farthest_from_one(&chain) < 1e-8, "{outcome:?} {:?}", chain.x);
}

#[test]
fn constraints_are_met_and_contradictions_reported() {
    let mut chain = Chain::new(1, vec![5.0, -7.0], bowl);
    chain.constraints = vec![(vec![1.0, 1.0], 0.0), (vec![2.0, 2.0], 1.0)];
    let outcome = chain.minimise(&mut chain.newton(), &GOAL, &Control::default()).unwrap();
    assert!(outcome.converged && outcome.unmet == Some(1), "{outcome:?}");
    assert!((chain.x[0] + chain.x[1]).abs() < 1e-12, "{:?}", chain.x);
    // Nearer to its minimum a value does not change.
    assert!((chain.x[0] + 0.5).abs() < 1e-7, "{:?}", chain.x);
}

#[test]
fn stopping_is_heard_and_failure_reported() {
    struct StopAtOnce;
    impl Listener for StopAtOnce {
        fn progress(&self, done: f64, task: &str) -> bool {
            assert_eq!(task, GOAL.task);
            done < 0.3
        }
    }
    let start = || Chain::new(1, vec![-1.5, 1.0, 2.0], valley);
    let mut chain = start();
    let stopping = Control::new(Arc::new(StopAtOnce));
    let error = chain.minimise(&mut chain.newton(), &GOAL, &stopping).unwrap_err();
    assert_eq!(error.kind(), Kind::Cancelled);
    assert!((1..4).contains(&chain.gone.len()), "{:?}", chain.gone);
    // Too few steps.
    let mut chain = start();
    let few = Goal { max_steps: 2, ..GOAL };
    let outcome = chain.minimise(&mut chain.newton(), &few, &Control::default()).unwrap();
    assert!(!outcome.converged && outcome.steps == 2 && outcome.residual > GOAL.tolerance, "{outcome:?}");
    // Second derivatives that are NaN, and none at all.
    let broken = |pair: usize, x: &[Real]| {
        (valley(pair, x).0, valley(pair, x).1, DMatrix::from_element(2, 2, Real::NAN))
    };
    let mut chain = Chain { part: broken, ..start() };
    let error = chain.minimise(&mut chain.newton(), &GOAL, &Control::default()).unwrap_err();
    assert_eq!(error.kind(), Kind::NotFinite);
    let flat = |pair: usize, x: &[Real]| (valley(pair, x).0, valley(pair, x).1, DMatrix::zeros(2, 2));
    let mut chain = Chain { part: flat, ..start() };
    let outcome = chain.minimise(&mut chain.newton(), &GOAL, &Control::default()).unwrap();
    assert!(!outcome.converged && outcome.steps == 0, "{outcome:?}");
}

/// Where round-off hides how the value falls, the last step decides.
#[test]
fn a_step_within_the_tolerance_counts_where_the_value_falls_no_further() {
    let level = |_: usize, x: &[Real]| (0.0, DVector::from_column_slice(x), DMatrix::identity(2, 2));
    let goal = Goal { tolerance: 1e-3, nothing: 0.0, ..GOAL };
    for (far, settled) in [(0.5e-3, true), (20e-3, false)] {
        let mut chain = Chain::new(1, vec![far, 0.0], level);
        let outcome = chain.minimise(&mut chain.newton(), &goal, &Control::default()).unwrap();
        assert!(outcome.converged == settled && (outcome.residual - far).abs() < 1e-9, "{far}: {outcome:?}");
    }
}
