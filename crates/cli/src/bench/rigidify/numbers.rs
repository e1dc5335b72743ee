//! What a race amounts to. The first step of both, which analyses matrices, is not counted.

use super::case::Case;
use super::race::{Cost, Race, Sample};
use super::{Row, median, row};
use pliant_solid::report::Stage;
use serde_json::{Value, json};

/// Points of a curve over time, at most.
const POINTS: usize = 150;

/// The row of a race.
pub fn facts(case: &Case, race: &Race) -> Row {
    let samples = race.samples.get(1..).unwrap_or_default();
    let full = median(samples.iter().map(|s| s.full.seconds));
    let of_full = |seconds: Option<f64>| seconds.zip(full).map(|(own, full)| own / full);
    let mean = |number: &dyn Fn(&Sample) -> f64| mean(samples.iter().map(number));
    let seconds = |cost: &Cost| cost.seconds;
    let steady = steady_steps(race);
    let worst = steady.iter().max_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let slowest = steady.iter().map(|step| step.seconds).reduce(f64::max);
    let halved = [0, 1].map(|k: usize| samples.iter().filter(|s| s.halvings[k] > 0).count());
    let mut row = row(case.facts());
    row.extend(super::row(json!({
        "steps": race.samples.len(),
        "failed": race.error,
        "speedup_total": total(samples, seconds),
        "speedup_mean": mean(&|s| s.full.seconds / s.rigidify.seconds),
        "speedup_total_no_contact": total(samples, Cost::without_contact),
        "speedup_mean_no_contact": mean(&|s| s.full.without_contact() / s.rigidify.without_contact()),
        "full_step_seconds_median": full,
        "rigidify_step_seconds_median": median(samples.iter().map(|s| s.rigidify.seconds)),
        "unknowns_full": samples.first().map(|s| s.unknowns[0]),
        "unknowns_mean": mean(&|s| s.unknowns[1] as f64),
        "unknowns_share": mean(&|s| s.unknowns[1] as f64 / s.unknowns[0].max(1) as f64),
        "unknowns_share_end": samples.last().map(|s| s.unknowns[1] as f64 / s.unknowns[0].max(1) as f64),
        "elastic_share": mean(&|s| s.elastic as f64).map(|n| n / case.scene.model.element_count().max(1) as f64),
        "ready_share": mean(&|s| s.ready as f64).map(|n| n / case.scene.model.element_count().max(1) as f64),
        "elastic_share_of_region": elastic_of_regions(case, race),
        "max_vertex_error": race.deviation.largest().filter(|_| !case.chaotic),
        "rms_vertex_error": race.deviation.root_mean_square().filter(|_| !case.chaotic),
        "final_vertex_error": race.deviation.last().filter(|_| !case.chaotic),
        "energy_difference": energy_difference(samples),
        "worst_step_ratio": worst.map(|w| w.ratio),
        "worst_step": worst.map(|w| w.index + 1),
        "worst_step_passes": worst.map(|w| w.passes),
        "worst_step_stages": worst.map(|w| stages(std::iter::once(&race.samples[w.index].rigidify))),
        "slowest_step_of_median": of_full(slowest),
        "late_step_ratio": of_full(quantile(samples.iter().map(|s| s.rigidify.seconds), 0.99)),
        "quiet_steps": samples.iter().filter(|s| s.elastic == 0).count(),
        "quiet_step_ratio": of_full(median(
            samples.iter().filter(|s| s.elastic == 0).map(|s| s.rigidify.seconds),
        )),
        "quiet_stages": stages(samples.iter().filter(|s| s.elastic == 0).map(|s| &s.rigidify)),
        "first_clump": samples.iter().find(|s| s.elastic < case.scene.model.element_count()).map(|s| s.time),
        "rigid_since": rigid_since(samples),
        "stages_full": stages(samples.iter().map(|s| &s.full)),
        "stages_rigidify": stages(samples.iter().map(|s| &s.rigidify)),
        "halved_steps": halved,
        "curve": curve(samples),
    })));
    row.extend(super::row(race.oracle.facts()));
    row
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), x| (sum + x, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Sum of the times of `full` over that of `rigidify`.
fn total(samples: &[Sample], seconds: impl Fn(&Cost) -> f64) -> Option<f64> {
    let sum = |cost: fn(&Sample) -> &Cost| samples.iter().map(|s| seconds(cost(s))).sum::<f64>();
    (!samples.is_empty()).then(|| sum(|s| &s.full) / sum(|s| &s.rigidify))
}

/// The value below which a share of a list lies.
fn quantile(values: impl Iterator<Item = f64>, share: f64) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let place = (share * values.len() as f64) as usize;
    values.get(place.min(values.len().checked_sub(1)?)).copied()
}

/// A step that was slower than others.
#[derive(Clone, Copy, Debug)]
struct Slow {
    /// Its place among the samples.
    index: usize,
    /// Its time beside that of the same step of `full`, and in seconds.
    ratio: f64,
    seconds: f64,
    /// How often it was taken.
    passes: usize,
}

/// Steps with the median of their times in all passes: all passes do the same, so a step that is slow in one only was disturbed. Of steps
/// that some passes had no time for nothing is known, unless no pass came far.
fn steady_steps(race: &Race) -> Vec<Slow> {
    let passes = |step: usize| {
        race.replays
            .iter()
            .filter_map(move |pass| pass.get(step).copied())
    };
    let most = passes(1).count();
    let steps = race.samples.iter().enumerate().skip(1);
    let known = steps.filter(|(step, _)| passes(*step).count() == most);
    let slow = known.map(|(index, sample)| {
        let first = [sample.full.seconds, sample.rigidify.seconds];
        let of = |method: usize| {
            let times = passes(index).chain([first]).map(|both| both[method]);
            median(times).unwrap_or(f64::NAN)
        };
        let [full, seconds] = [of(0), of(1)];
        Slow {
            index,
            ratio: seconds / full,
            seconds,
            passes: most + 1,
        }
    });
    slow.collect()
}

/// Mean seconds of each stage; what is in none is `other`.
fn stages<'a>(costs: impl Iterator<Item = &'a Cost>) -> Value {
    let costs: Vec<&Cost> = costs.collect();
    let mean = |part: &dyn Fn(&Cost) -> f64| mean(costs.iter().map(|cost| part(cost)));
    let mut stages: Row = Stage::ALL
        .iter()
        .map(|&stage| {
            (
                stage.name().to_string(),
                json!(mean(&|cost| cost.stages.seconds(stage))),
            )
        })
        .collect();
    let other = mean(&|cost| cost.seconds - cost.stages.total());
    stages.insert("other".into(), json!(other));
    Value::Object(stages)
}

/// For each region the mean share of its elements that were not rigid.
fn elastic_of_regions(case: &Case, race: &Race) -> Row {
    let names = case.scene.region_names.iter().enumerate();
    let steps = race.samples.len().max(1) as f64;
    names
        .map(|(region, name)| {
            let of_region = case.scene.regions.iter().filter(|&&r| r as usize == region);
            let all = of_region.count().max(1) as f64 * steps;
            (
                name.clone(),
                json!(race.elastic_of_region[region] as f64 / all),
            )
        })
        .collect()
}

/// Largest difference of the mechanical energies, as a share of the energy that there is to move in `full`.
fn energy_difference(samples: &[Sample]) -> Option<f64> {
    let base = samples.first()?.energies[0].gravitational;
    let scale = samples.iter().map(|s| {
        let [full, _] = &s.energies;
        full.kinetic + full.elastic + (full.gravitational - base).abs()
    });
    let scale = scale.fold(0.0, f64::max);
    let apart = samples
        .iter()
        .map(|s| (s.energies[1].mechanical() - s.energies[0].mechanical()).abs());
    (scale > 0.0).then(|| apart.fold(0.0, f64::max) / scale)
}

/// From when on nothing was elastic until the end, s.
fn rigid_since(samples: &[Sample]) -> Option<f64> {
    let last = samples.iter().rposition(|s| s.elastic > 0);
    let first = samples.get(last.map_or(0, |at| at + 1))?;
    Some(first.time)
}

/// [time, mean speed-up, mean share of unknowns, largest error] over stretches of the run.
fn curve(samples: &[Sample]) -> Vec<[f64; 4]> {
    let stretch = samples.len().div_ceil(POINTS).max(1);
    let points = samples.chunks(stretch).map(|part| {
        let mean =
            |number: &dyn Fn(&Sample) -> f64| mean(part.iter().map(number)).unwrap_or(f64::NAN);
        [
            mean(&|s| s.time),
            mean(&|s| s.full.seconds / s.rigidify.seconds),
            mean(&|s| s.unknowns[1] as f64 / s.unknowns[0].max(1) as f64),
            part.iter().map(|s| s.error).fold(0.0, f64::max),
        ]
    });
    points.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_and_rest() {
        assert_eq!(quantile((0..200).map(f64::from), 0.99), Some(198.0));
        assert_eq!(quantile([].into_iter(), 0.99), None);
        let sample = |time: f64, elastic: usize| Sample {
            time,
            elastic,
            ..Sample::default()
        };
        assert_eq!(
            rigid_since(&[sample(1.0, 0), sample(2.0, 3), sample(3.0, 0)]),
            Some(3.0)
        );
        assert_eq!(rigid_since(&[sample(1.0, 0), sample(2.0, 3)]), None);
        assert_eq!(rigid_since(&[sample(1.0, 0)]), Some(1.0));
    }
}
