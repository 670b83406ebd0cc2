//! exploration
mod support;
use support::scenes::{self, numbers};
use support::sliding::{Tuning, run};
fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    for scene in scenes::all() {
        if !names.is_empty() && !names.contains(&scene.title()) {
            continue;
        }
        let mut tuning = Tuning::of(&scene);
        let env = |n: &str, d: f64| std::env::var(n).ok().and_then(|v| v.parse().ok()).unwrap_or(d);
        tuning.young = env("YOUNG", tuning.young);
        tuning.zeta = env("ZETA", tuning.zeta);
        tuning.friction_time = env("FRICTION", tuning.friction_time);
        tuning.ligaments = env("LIG", tuning.ligaments);
        let run = run(&scene, &tuning, env("FRAMES", scene.frames as f64) as usize).unwrap();
        println!("== {} {:?} unknowns {}", scene.title(), tuning, run.unknowns);
        let mut ms: Vec<f64> = run.moments.iter().skip(1).map(|m| m.milliseconds).collect();
        ms.sort_by(f64::total_cmp);
        let it: Vec<usize> = run.moments.iter().skip(1).map(|m| m.report.iterations).collect();
        println!("median {:.2} ms, iterations {:?}", ms[ms.len() / 2], it);
        for (f, m) in run.moments.iter().enumerate() {
            if !m.report.inverted.is_empty() {
                println!("{f} inverted {:?}", m.report.inverted);
            }
            for w in &m.report.warnings {
                println!("{f} {w}");
            }
            let old = numbers::stretch(&run.tri, &m.body, &run.tri.positions);
            let new = numbers::stretch(&run.tri, &m.body, &m.skin);
            let t = |skin: &[sinew::math::Vec3]| {
                if scene.watched.is_empty() {
                    0.0
                } else {
                    numbers::travel(&run.tri, &m.body, skin, &scene.watched).unwrap()
                }
            };
            let mean: sinew::math::Vec3 =
                m.skin.iter().zip(&run.tri.positions).map(|(a, b)| b - a).sum::<sinew::math::Vec3>()
                    / m.skin.len() as f64;
            if f % 4 == 0 || scene.stop.is_some() {
                println!(
                    "{f:3} old {:.3} {:.3} {:.3} new {:.3} {:.3} {:.3} slide {:.4?} travel {:.5} {:.5} drift {:.4?}",
                    old.mean,
                    old.spread,
                    old.largest,
                    new.mean,
                    new.spread,
                    new.largest,
                    numbers::slide(&run.tri, &m.skin),
                    t(&run.tri.positions),
                    t(&m.skin),
                    mean.as_slice()
                );
            }
        }
    }
}
