//! Sparse linear algebra on a membrane at four sizes: one table of milliseconds, each the median of interleaved
//! rounds. One thread unless the line says otherwise.

#[path = "linalg/ldlt.rs"]
mod ldlt;
#[path = "linalg/membrane.rs"]
mod membrane;

use ldlt::RegularisedLdlt;
use membrane::Membrane;
use sinew::control::Control;
use sinew::linalg::assembly::Assembly;
use sinew::linalg::cg::{self, BlockJacobi, Preconditioner, Settings};
use sinew::linalg::kkt::KktSolver;
use sinew::linalg::order::Order;
use sinew::linalg::spd::SpdSolver;
use sinew::math::Vec3;
use sprs::CsMat;
use std::hint::black_box;
use std::time::Instant;

/// Unknowns and rounds; the rounds are as many as fit into two minutes.
const SIZES: [(usize, usize); 4] = [(1_152, 60), (3_320, 40), (20_000, 15), (200_000, 5)];

/// Lines of the table in the order of their first appearance, with the times of one size.
#[derive(Default)]
struct Times {
    lines: Vec<(String, Vec<f64>)>,
    notes: Vec<String>,
}

impl Times {
    fn time<R>(&mut self, name: &str, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = black_box(work());
        self.add(name, start.elapsed().as_secs_f64() * 1e3);
        result
    }

    fn add(&mut self, name: &str, value: f64) {
        match self.lines.iter_mut().find(|line| line.0 == name) {
            Some(line) => line.1.push(value),
            None => self.lines.push((name.to_string(), vec![value])),
        }
    }

    fn note(&mut self, text: String) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    fn medians(self) -> Vec<(String, f64)> {
        let median = |mut times: Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        };
        self.lines.into_iter().map(|(name, times)| (name, median(times))).collect()
    }
}

/// Everything that is set up once per size.
struct Case {
    membrane: Membrane,
    assembly: Assembly,
    /// Before and after a change of the stiffness by up to 5 %.
    matrices: [CsMat<f64>; 2],
    constraints: CsMat<f64>,
    places: Vec<Vec3>,
    rhs: Vec<f64>,
    two: rayon::ThreadPool,
}

impl Case {
    fn new(unknowns: usize) -> Self {
        let membrane = Membrane::new(unknowns / 2);
        let mut assembly = membrane.assembly();
        let matrices =
            [0.0, 0.05].map(|s| assembly.fill(|e, block| membrane.element(e, s, block)).unwrap().clone());
        let (constraints, places) = membrane.constraints();
        let rhs = (0..unknowns).map(|k| membrane::noise(k) - 0.5).collect();
        let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        Case { membrane, assembly, matrices, constraints, places, rhs, two }
    }

    fn order(&self, matrix: &CsMat<f64>, name: &str) -> Order {
        match name {
            "AMD" => Order::amd(matrix, 2),
            _ => Order::nested_dissection(matrix, 2, &self.membrane.points),
        }
        .unwrap()
    }

    fn factors(&self, times: &mut Times) {
        let [matrix, _] = &self.matrices;
        for name in ["AMD", "dissection"] {
            let order = times.time(&format!("order, {name}"), || self.order(matrix, name));
            let mut solver =
                times.time(&format!("analyse, {name}"), || SpdSolver::new(matrix, &order).unwrap());
            solver.factor(matrix).unwrap();
            times.time(&format!("factor, {name}"), || solver.factor(matrix).unwrap());
            let mut x = self.rhs.clone();
            times.time(&format!("solve, {name}"), || solver.solve(&mut x).unwrap());
            let mut many = self.rhs.repeat(3);
            solver.solve_many(&mut many, 3).unwrap();
            times.time(&format!("solve 3 at once, {name}"), || solver.solve_many(&mut many, 3).unwrap());
        }
    }

    fn iterative(&self, times: &mut Times, factor: &mut SpdSolver, scratch: &mut cg::Scratch) {
        let [_, matrix] = &self.matrices;
        let mut jacobi = BlockJacobi::new(matrix, 2).unwrap();
        let preconditioners: [(&str, &mut dyn Preconditioner); 2] =
            [("old factor, 5 % off", factor), ("block Jacobi", &mut jacobi)];
        for (name, preconditioner) in preconditioners {
            let mut x = vec![0.0; self.rhs.len()];
            let mut run = || {
                x.fill(0.0);
                let (settings, control) = (Settings::default(), Control::default());
                cg::solve(matrix, &self.rhs, &mut x, preconditioner, settings, scratch, &control).unwrap()
            };
            let report = times.time(&format!("CG to 1e-6, {name}"), &mut run);
            times.time(&format!("CG to 1e-6, {name}, 2 threads"), || self.two.install(&mut run));
            times.add(&format!("   iterations, {name}"), report.iterations as f64);
        }
    }

    fn constrained(&self, times: &mut Times) {
        let ([h, _], a) = (&self.matrices, &self.constraints);
        let (n, m) = (h.rows(), a.rows());
        let mut null_space = times
            .time("KKT analyse, null space", || KktSolver::new(h, a, &self.order(h, "dissection")).unwrap());
        null_space.factor(h, a).unwrap();
        times.time("KKT factor, null space", || null_space.factor(h, a).unwrap());
        let (mut x, mut l) = (self.rhs.clone(), vec![0.1; m]);
        null_space.solve(&mut x, &mut l).unwrap();
        (x, l) = (self.rhs.clone(), vec![0.1; m]);
        times.time("KKT solve, null space", || null_space.solve(&mut x, &mut l).unwrap());
        self.note_residual(times, "null space", &x, &l);
        let points: Vec<Vec3> =
            (0..n).map(|k| self.membrane.points[k / 2]).chain(self.places.clone()).collect();
        let mut ldlt = times.time("KKT analyse, LDLT", || {
            RegularisedLdlt::new(h, a, |whole| Order::nested_dissection(whole, 1, &points).unwrap())
        });
        ldlt.factor(h);
        times.time("KKT factor, LDLT", || ldlt.factor(h));
        let mut x: Vec<f64> = self.rhs.iter().copied().chain(vec![0.1; m]).collect();
        times.time("KKT solve, LDLT and 2 refinements", || ldlt.solve(&mut x));
        self.note_residual(times, "LDLT", &x[..n], &x[n..]);
    }

    fn note_residual(&self, times: &mut Times, name: &str, x: &[f64], l: &[f64]) {
        let ([h, _], a) = (&self.matrices, &self.constraints);
        let (mut force, mut held) = (self.rhs.iter().map(|v| -v).collect::<Vec<_>>(), vec![-0.1; l.len()]);
        sprs::prod::mul_acc_mat_vec_csr(h.view(), x, &mut force);
        sprs::prod::mul_acc_mat_vec_csc(a.transpose_view(), l, &mut force);
        sprs::prod::mul_acc_mat_vec_csr(a.view(), x, &mut held);
        let worst = |values: &[f64]| values.iter().fold(0.0, |w: f64, v| w.max(v.abs()));
        let (force, held) = (worst(&force) / worst(&self.rhs), worst(&held) / 0.1);
        times.note(format!("{} unknowns, {name}: force {force:.0e}, rows {held:.0e}", x.len()));
    }

    fn assemble(&mut self, times: &mut Times) {
        let Case { membrane, assembly, matrices: [matrix, _], two, rhs, .. } = self;
        let mut out = vec![0.0; rhs.len()];
        // sprs' plain product, so that the floor is not our own code.
        times.time("product with the matrix (floor)", || {
            sprs::prod::mul_acc_mat_vec_csr(matrix.view(), &rhs[..], &mut out[..]);
        });
        let mut values = vec![1.0; matrix.nnz()];
        times.time("write of the matrix's values (floor)", || black_box(&mut values).fill(black_box(0.5)));
        let elements = membrane.triangles.len();
        let mut block = [0.0; 36];
        times.time("all element matrices, not summed", || {
            (0..elements).for_each(|e| membrane.element(e, 0.0, black_box(&mut block)));
        });
        let mut fill = || assembly.fill(|e, block| membrane.element(e, 0.0, block)).unwrap().nnz();
        times.time("assembly", &mut fill);
        times.time("assembly, 2 threads", || two.install(&mut fill));
    }
}

fn run(unknowns: usize, rounds: usize) -> (Vec<(String, f64)>, Vec<String>) {
    let mut case = Case::new(unknowns);
    let order = case.order(&case.matrices[0], "dissection");
    let mut old = SpdSolver::new(&case.matrices[0], &order).unwrap();
    old.factor(&case.matrices[0]).unwrap();
    let (mut times, mut scratch) = (Times::default(), cg::Scratch::default());
    for _ in 0..rounds {
        case.assemble(&mut times);
        case.factors(&mut times);
        case.iterative(&mut times, &mut old, &mut scratch);
        case.constrained(&mut times);
    }
    let notes = std::mem::take(&mut times.notes);
    (times.medians(), notes)
}

fn main() {
    let start = Instant::now();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let columns: Vec<_> = SIZES.iter().map(|&(n, rounds)| one.install(|| run(n, rounds))).collect();
    println!(
        "{:<44}{:>10}{:>10}{:>10}{:>10}",
        "milliseconds; unknowns:", "1,152", "3,320", "20,000", "200,000"
    );
    for line in 0..columns[0].0.len() {
        print!("{:<44}", columns[0].0[line].0);
        columns.iter().for_each(|(times, _)| print!("{:>10}", shown(times[line].1)));
        println!();
    }
    print!("{:<44}", "assembly / write of its values");
    for (times, _) in &columns {
        let get = |name: &str| times.iter().find(|t| t.0 == name).map_or(f64::NAN, |t| t.1);
        print!("{:>10}", shown(get("assembly") / get("write of the matrix's values (floor)")));
    }
    println!("\nKKT residuals, relative:");
    columns.iter().flat_map(|(_, notes)| notes).for_each(|note| println!("  {note}"));
    println!("{:.0} s in all", start.elapsed().as_secs_f64());
}

fn shown(value: f64) -> String {
    let digits = if value < 0.1 {
        3
    } else if value < 10.0 {
        2
    } else if value < 100.0 {
        1
    } else {
        0
    };
    format!("{value:.digits$}")
}
