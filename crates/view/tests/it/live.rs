//! A scene that runs while pages look at it and steer it.

use crate::common::{frame, page, serve, steps};
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn play_pause_step_and_reset() {
    let server = serve("cantilever", false);
    let mut page = page(&server);
    let (scene, _) = page.packet("scene").unwrap();
    let vertices = scene.f32("rest").unwrap().len();
    let first = frame(&mut page, |_| true);
    assert_eq!(steps(&first), 0);
    assert_eq!(first.f32("x0").unwrap().len(), vertices);
    page.send(r#"{"do":"step"}"#).unwrap();
    let next = frame(&mut page, |f| steps(f) > 0);
    assert_eq!(steps(&next), 1);
    assert_ne!(next.f32("x0").unwrap(), first.f32("x0").unwrap());
    page.send(r#"{"do":"play"}"#).unwrap();
    frame(&mut page, |f| steps(f) > 5);
    page.send(r#"{"do":"reset"}"#).unwrap();
    page.packet("scene").unwrap();
    page.send(r#"{"do":"pause"}"#).unwrap();
    page.status(|s| s["playing"] == false).unwrap();
    server.stop();
}

#[test]
fn a_method_switch_keeps_the_state() {
    let server = serve("cantilever", false);
    let mut page = page(&server);
    for _ in 0..8 {
        page.send(r#"{"do":"step"}"#).unwrap();
    }
    let before = frame(&mut page, |f| steps(f) == 8);
    page.send(r#"{"do":"method","pane":0,"name":"rigidify"}"#)
        .unwrap();
    page.packet("scene").unwrap();
    let after = frame(&mut page, |f| f.head["panes"][0]["method"] == "rigidify");
    assert_eq!(before.f32("x0"), after.f32("x0"));
    assert_eq!(before.head["time"], after.head["time"]);
    page.send(r#"{"do":"step"}"#).unwrap();
    let moved = frame(&mut page, |f| steps(f) == 1);
    assert_ne!(moved.f32("x0"), after.f32("x0"));
    server.stop();
}

#[test]
fn what_is_pulled_moves_there() {
    let server = serve("cantilever", false);
    let mut page = page(&server);
    let (scene, _) = page.packet("scene").unwrap();
    let rest = scene.f32("rest").unwrap();
    // the vertex that is farthest along x, where the bar is free
    let far = (0..rest.len() / 3)
        .max_by(|&a, &b| rest[3 * a].total_cmp(&rest[3 * b]))
        .unwrap();
    let at = [rest[3 * far], rest[3 * far + 1], rest[3 * far + 2]];
    let size = scene
        .f32("rest")
        .unwrap()
        .iter()
        .fold(0.0f32, |m, x| m.max(x.abs()));
    let to = [at[0], at[1] + 0.2 * size, at[2]];
    let y = |run: &mut pliant_view::client::Client, pulled: bool| {
        run.send(r#"{"do":"reset"}"#).unwrap();
        run.packet("scene").unwrap();
        if pulled {
            let grab = json!({ "do": "grab", "vertex": far, "embedded": false, "point": at });
            run.send(&grab.to_string()).unwrap();
            run.send(&json!({ "do": "pull", "point": to }).to_string())
                .unwrap();
        }
        for _ in 0..20 {
            run.send(r#"{"do":"step"}"#).unwrap();
        }
        let frame = frame(run, |f| steps(f) == 20);
        f64::from(frame.f32("x0").unwrap()[3 * far + 1])
    };
    let (free, pulled) = (y(&mut page, false), y(&mut page, true));
    assert!(pulled - free > 0.02 * f64::from(size), "{free} {pulled}");
    server.stop();
}

#[test]
fn fields_contacts_and_states_come_when_wanted() {
    let server = serve("contact/stack", false);
    let mut page = page(&server);
    let (scene, _) = page.packet("scene").unwrap();
    let vertices = scene.f32("rest").unwrap().len() / 3;
    page.send(r#"{"do":"method","pane":0,"name":"rigidify"}"#)
        .unwrap();
    for _ in 0..12 {
        page.send(r#"{"do":"step"}"#).unwrap();
    }
    for field in ["displacement", "speed", "stress"] {
        let view = json!({ "do": "view", "field": field, "contacts": true });
        page.send(&view.to_string()).unwrap();
        let frame = frame(&mut page, |f| {
            f.head["view"]["field"] == field && steps(f) == 12
        });
        let values = frame.f32("s0").unwrap();
        assert_eq!(values.len(), vertices, "{field}");
        assert!(values.iter().any(|v| *v > 0.0), "{field}");
        assert!(frame.f32("c0").unwrap().len().is_multiple_of(6));
    }
    page.send(r#"{"do":"view","field":"state"}"#).unwrap();
    let frame = frame(&mut page, |f| f.head["view"]["field"] == "state");
    let arrays = frame.head["arrays"].as_array().unwrap();
    let states = arrays.iter().find(|a| a["name"] == "t0").unwrap();
    let triangles = scene.head["arrays"].as_array().unwrap();
    let triangles = triangles.iter().find(|a| a["name"] == "triangles").unwrap();
    assert_eq!(
        3 * states["count"].as_u64().unwrap(),
        triangles["count"].as_u64().unwrap()
    );
    server.stop();
}

#[test]
fn nodes_that_conjac_chose_and_faces_of_sections_come_when_wanted() {
    let server = serve("cantilever", false);
    let mut page = page(&server);
    let (scene, _) = page.packet("scene").unwrap();
    page.send(r#"{"do":"method","pane":0,"name":"conjac"}"#)
        .unwrap();
    page.send(r#"{"do":"step"}"#).unwrap();
    let rest = scene.f32("rest").unwrap();
    let middle = rest.iter().step_by(3).fold(0.0f32, |m, x| m.max(*x)) / 2.0 + 0.003;
    let view = json!({ "do": "view", "field": "stress", "markers": true, "section": [-1.0, 0.0, 0.0, middle] });
    page.send(&view.to_string()).unwrap();
    let shown = frame(&mut page, |f| steps(f) == 1 && f.f32("m0").is_some());
    // the scene names none: the method has chosen them, and all are dynamic
    let marks = shown.f32("m0").unwrap();
    assert!(!marks.is_empty());
    assert!(marks.chunks_exact(4).all(|mark| mark[3] == 1.0));
    let (places, values) = (shown.f32("k0").unwrap(), shown.f32("ks0").unwrap());
    assert!(!values.is_empty() && places.len() == 3 * values.len());
    assert!(places.iter().step_by(3).all(|x| (x - middle).abs() < 1e-5));
    assert!(values.iter().any(|stress| *stress > 0.0));
    server.stop();
}

#[test]
fn two_methods_side_by_side_differ() {
    let server = serve("cantilever", false);
    let mut page = page(&server);
    page.send(r#"{"do":"compare","method":"conjac"}"#).unwrap();
    page.send(r#"{"do":"view","field":"error"}"#).unwrap();
    for _ in 0..10 {
        page.send(r#"{"do":"step"}"#).unwrap();
    }
    let both = frame(&mut page, |f| {
        steps(f) == 10 && f.head["panes"][1].is_object()
    });
    let error = both.head["panes"][1]["error"].as_f64().unwrap();
    assert!(error > 0.0);
    let heat = both.f32("s1").unwrap();
    assert!(heat.iter().any(|v| *v > 0.0));
    assert!(heat.iter().all(|v| f64::from(*v) <= error * 1.0001));
    assert!(both.f32("s0").unwrap().iter().all(|v| *v == 0.0));
    page.send(r#"{"do":"compare","method":null}"#).unwrap();
    frame(&mut page, |f| {
        f.head["panes"].as_array().unwrap().len() == 1
    });
    server.stop();
}

#[test]
fn knobs_and_cuts_keep_the_shape() {
    let server = serve("cantilever", false);
    let mut page = page(&server);
    let (scene, _) = page.packet("scene").unwrap();
    let whole = scene.head["nodes"].as_u64().unwrap();
    for _ in 0..5 {
        page.send(r#"{"do":"step"}"#).unwrap();
    }
    let before = frame(&mut page, |f| steps(f) == 5);
    page.send(r#"{"do":"material","stiffness":4,"density":0.5,"drag":1}"#)
        .unwrap();
    page.status(|s| s["stiffness"] == 4.0 && s["density"] == 0.5 && s["drag"] == 1.0)
        .unwrap();
    page.send(r#"{"do":"time-step","seconds":0.002}"#).unwrap();
    page.status(|s| s["timeStep"] == 0.002).unwrap();
    let after = frame(&mut page, |_| true);
    assert_eq!(before.f32("x0"), after.f32("x0"));
    let rest = scene.f32("rest").unwrap();
    let middle = rest.iter().step_by(3).fold(0.0f32, |m, x| m.max(*x)) / 2.0 + 0.003;
    let cut = json!({ "do": "cut", "point": [middle, 0.0, 0.0], "normal": [1.0, 0.0, 0.0] });
    page.send(&cut.to_string()).unwrap();
    let (cut, _) = page.packet("scene").unwrap();
    assert!(cut.head["nodes"].as_u64().unwrap() > whole);
    page.send(r#"{"do":"step"}"#).unwrap();
    frame(&mut page, |f| steps(f) == 1);
    // nothing to cut there: said, and nothing else happens
    page.send(r#"{"do":"cut","point":[1000,0,0],"normal":[1,0,0]}"#)
        .unwrap();
    page.status(|s| {
        s["notice"]["text"]
            .as_str()
            .is_some_and(|t| t.contains("no soft body"))
    })
    .unwrap();
    server.stop();
}

#[test]
fn one_steers_and_others_watch() {
    let server = serve("cantilever", false);
    let mut first = page(&server);
    first.status(|s| s["steers"] == true).unwrap();
    let mut second = page(&server);
    second
        .status(|s| s["steers"] == false && s["pages"] == 2)
        .unwrap();
    second.send(r#"{"do":"step"}"#).unwrap(); // does nothing
    first.send(r#"{"do":"step"}"#).unwrap();
    frame(&mut second, |f| steps(f) == 1);
    second.send(r#"{"do":"take"}"#).unwrap();
    second.status(|s| s["steers"] == true).unwrap();
    first.status(|s| s["steers"] == false).unwrap();
    second.send(r#"{"do":"step"}"#).unwrap();
    frame(&mut first, |f| steps(f) == 2);
    drop(second);
    first
        .status(|s| s["steers"] == true && s["pages"] == 1)
        .unwrap();
    server.stop();
}

#[test]
fn nobody_waits_for_a_page_that_does_not_read() {
    let server = serve("cantilever", true);
    let mut stuck = page(&server);
    stuck.send(r#"{"do":"speed","ratio":0}"#).unwrap();
    // it never reads and never says that it is ready; another page sees the simulation go on
    let mut other = page(&server);
    let from = frame(&mut other, |_| true);
    let began = Instant::now();
    let to = frame(&mut other, |f| steps(f) > steps(&from) + 100);
    assert!(began.elapsed() < Duration::from_secs(20));
    assert!(steps(&to) > 100);
    drop(stuck);
    server.stop();
}

#[test]
fn plots_get_a_row_for_every_step() {
    let server = serve("cantilever", false);
    let mut page = page(&server);
    for _ in 0..7 {
        page.send(r#"{"do":"step"}"#).unwrap();
    }
    let width = pliant_view::series::columns().len();
    let mut seen = Vec::new();
    while seen.last() != Some(&7.0) {
        let (rows, _) = page.packet("rows").unwrap();
        let numbers = rows.f32("rows").unwrap();
        seen.extend(numbers.chunks_exact(width).map(|row| row[1]));
    }
    assert_eq!(seen, (1..=7).map(|n| n as f32).collect::<Vec<_>>());
    server.stop();
}
