//! The scenes that are part of the program, so that it runs without any file.

use crate::error::SceneError;
use crate::parse::{SceneFile, parse};
use crate::suggest::did_you_mean;

/// A scene that is part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbeddedScene {
    /// Name to run it by.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! embed {
    ($($name:literal),* $(,)?) => {
        &[$(EmbeddedScene {
            name: $name,
            text: include_str!(concat!("../../../scenes/", $name, ".toml")),
        }),*]
    };
}

/// All of them; the first is run when none is named.
pub const EMBEDDED: &[EmbeddedScene] = embed![
    "demo",
    "cantilever",
    "cantilever-2d",
    "conjac/twist",
    "conjac/twist-slices",
    "conjac/hetero",
    "conjac/aniso-helical",
    "conjac/aniso-horizontal",
    "conjac/aniso-vertical",
    "conjac/aniso-diagonal",
    "conjac/dragon",
    "conjac/muscle",
    "conjac/muscle-3d",
    "conjac/bunny",
    "conjac/armadillo",
    "conjac/barcut",
    "early-cg/bowling",
    "early-cg/snowman",
    "early-cg/cars-spin",
    "early-cg/cars-sideways",
    "early-cg/multi",
    "contact/incline",
    "contact/stack",
    "contact/stack-4096",
    "contact/cards",
    "contact/gripper",
    "contact/strike",
    "contact/ring",
    "contact/self-loop",
    "contact/squeeze",
    "contact/ten-tori",
    "contact/arm",
    "isodof/raptor",
    "isodof/raptor-12k",
    "isodof/pass-torus",
    "isodof/multi-torus",
    "isodof/rolling",
    "isodof/hetero-material",
    "isodof/needle",
    "isodof/needle-31k",
    "isodof/rich-contact",
    "isodof/stacking",
    "isodof/stacking-4096",
    "isodof/hetero-stacking",
    "isodof/gripping",
    "isodof/pick-and-place",
    "rigidify/octopus",
    "rigidify/blob",
    "rigidify/wheel",
    "rigidify/wheels-line",
    "rigidify/forest",
    "rigidify/pachinko",
    "rigidify/mattress",
    "rigidify/beam",
    "rigidify/beam-fine",
    "rigidify/cantilever-2d",
    "rigidify/explorer",
    "subspace/capsule",
    "subspace/capsule-small",
    "subspace/capsule-wide",
    "subspace/hand",
    "subspace/hand-20k",
    "subspace/cheb",
    "subspace/giant",
];

impl EmbeddedScene {
    /// Reads its text.
    pub fn parse(&self) -> Result<SceneFile, SceneError> {
        parse(self.text, self.name)
    }

    /// The one line that describes it.
    pub fn description(&self) -> Result<String, SceneError> {
        Ok(self.parse()?.table.description)
    }
}

/// The scene called `name`; the error names the nearest one.
pub fn embedded(name: &str) -> Result<&'static EmbeddedScene, SceneError> {
    EMBEDDED.iter().find(|s| s.name == name).ok_or_else(|| {
        let known: Vec<&str> = EMBEDDED.iter().map(|s| s.name).collect();
        let message = "there is no such file and no embedded scene of this name".to_string();
        SceneError::whole_file(name, message, Some(did_you_mean(name, &known)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{Scene, Sources, build, build_from};
    use std::path::Path;

    #[test]
    fn exact_counts() {
        // nodes, elements; the CONJAC bars as in Table 1 of the paper
        let expected = [
            ("demo", [4352, 17388]),
            ("cantilever", [1225, 5184]),
            ("cantilever-2d", [851, 1600]),
            ("conjac/twist", [1029, 4320]),
            ("conjac/twist-slices", [1029, 4320]),
            ("conjac/hetero", [5915, 29376]),
            ("conjac/aniso-helical", [6591, 32832]),
            ("conjac/aniso-horizontal", [6591, 32832]),
            ("conjac/aniso-vertical", [6591, 32832]),
            ("conjac/aniso-diagonal", [6591, 32832]),
            // 2009 and 10 080 of the muscle
            ("conjac/muscle-3d", [2049, 10_128]),
            // and the twins of two cuts
            ("conjac/barcut", [6050 + 2 * 121, 29400]),
            // [DB19] gives the nodes of three of these
            ("early-cg/bowling", [475, 1104]),
            ("early-cg/snowman", [508, 2145]),
            ("early-cg/cars-spin", [4734, 18360]),
            ("early-cg/cars-sideways", [4734, 18360]),
            ("early-cg/multi", [2218, 7332]),
            ("contact/incline", [300, 768]),
            ("contact/stack", [456, 1296]),
            ("contact/stack-4096", [448, 1134]),
            ("contact/cards", [138, 192]),
            ("contact/gripper", [343, 636]),
            ("contact/strike", [475, 1104]),
            ("contact/ring", [1125, 4224]),
            ("contact/self-loop", [549, 1440]),
            ("contact/squeeze", [482, 1596]),
            ("contact/ten-tori", [11250, 43200]),
            ("contact/arm", [199, 480]),
            // 87 520 tetrahedra and twice 9794 in the paper
            (
                "rigidify/mattress",
                [20_020 + 2 * 2197, 87_480 + 2 * 10_368],
            ),
            ("rigidify/explorer", [7785, 34_293]),
            // 29 343 and 160 960 in [TMDK15]
            ("subspace/capsule", [29_547, 158_400]),
            ("subspace/capsule-small", [1127, 4752]),
            ("subspace/capsule-wide", [29_547, 158_400]),
            // 95 746 and 458 071
            ("subspace/hand", [95_976, 500_017]),
            ("subspace/hand-20k", [20_273, 96_344]),
            // 117 212 and 611 348
            ("subspace/giant", [116_236, 616_462]),
        ];
        assert_eq!(expected.len() + STAND_INS.len(), EMBEDDED.len());
        for (name, counts) in expected {
            let file = embedded(name).unwrap().parse().unwrap();
            let scene = build(&file, None).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(
                [scene.model.node_count(), scene.model.element_count()],
                counts,
                "{name}"
            );
            assert!(!scene.description.is_empty() && !scene.description.contains('\n'));
            assert_eq!(scene.notices, Vec::<String>::new(), "{name}");
            let thrown = scene.model.initial_state().velocities;
            let moves = scene.model.has_constraints()
                || !scene.model.drives.is_empty()
                || thrown.iter().any(|v| v.norm() > 0.0);
            let touching = scene.model.contact.is_active(scene.model.bodies.len());
            assert!(moves || touching, "{name}");
        }
    }

    /// Nodes of the soft bodies in the papers, and those of rigid ones in ours.
    const STAND_INS: [(&str, usize, usize); 28] = [
        ("conjac/dragon", 10_456, 0),
        ("conjac/muscle", 262, 2 * 20),
        ("conjac/bunny", 5988, 0),
        ("conjac/armadillo", 5159, 0),
        ("isodof/raptor", 19_843, 0),
        ("isodof/raptor-12k", 12_023, 0),
        ("isodof/pass-torus", 10_434, 0),
        ("isodof/multi-torus", 11_190, 0),
        ("isodof/rolling", 8694, 0),
        ("isodof/hetero-material", 10_434, 1331),
        ("isodof/needle", 4185, 0),
        ("isodof/needle-31k", 10_522, 0),
        ("isodof/rich-contact", 2187, 0),
        ("isodof/stacking", 10_080, 0),
        ("isodof/stacking-4096", 10_080, 0),
        ("isodof/hetero-stacking", 735, 0),
        ("isodof/gripping", 10_011 + 2 * 158, 0),
        ("isodof/pick-and-place", 10_011 + 2 * 158, 0),
        ("rigidify/octopus", 2422, 0),
        ("rigidify/blob", 2 * 1362, 0),
        ("rigidify/wheel", 4038, 0),
        ("rigidify/wheels-line", 4038, 0),
        ("rigidify/forest", 6 * 955 + 6 * 1266 + 346, 0),
        ("rigidify/pachinko", 8 * 1086, 0),
        ("rigidify/beam", 730, 0),
        ("rigidify/beam-fine", 5232, 0),
        ("rigidify/cantilever-2d", 1454, 0),
        ("subspace/cheb", 26_652, 0),
    ];

    fn is_as_large_as_the_paper_says(scene: &Scene, soft: usize, rigid: usize) {
        let ratio = (scene.model.node_count() - rigid) as f64 / soft as f64;
        assert!((ratio - 1.0).abs() < 0.03, "{}: {ratio}", scene.name);
    }

    #[test]
    fn counts_with_stand_ins() {
        for (name, soft, rigid) in STAND_INS {
            let file = embedded(name).unwrap().parse().unwrap();
            let scene = build(&file, None).unwrap_or_else(|e| panic!("{e}"));
            assert!(scene.assets.iter().all(|a| a.file.is_none()), "{name}");
            // what is told is only that the meshes are generated
            assert_eq!(scene.notices.len(), scene.assets.len(), "{name}");
            is_as_large_as_the_paper_says(&scene, soft, rigid);
        }
    }

    #[test]
    fn counts_with_meshes() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes");
        if !folder.is_dir() {
            println!("no ../shared/meshes: scenes are built with stand-ins only");
            return;
        }
        let sources = Sources {
            base: None,
            assets: vec![folder],
        };
        for (name, soft, rigid) in STAND_INS {
            let file = embedded(name).unwrap().parse().unwrap();
            let scene = build_from(&file, &sources).unwrap_or_else(|e| panic!("{e}"));
            assert!(scene.assets.iter().all(|a| a.file.is_some()), "{name}");
            is_as_large_as_the_paper_says(&scene, soft, rigid);
        }
    }

    #[test]
    fn dynamic_nodes_are_as_many_as_in_the_paper() {
        for (name, count) in [
            ("conjac/twist", 4),
            ("conjac/twist-slices", 16),
            ("conjac/hetero", 1),
            ("conjac/aniso-diagonal", 1),
            ("conjac/dragon", 6),
            ("conjac/muscle", 1),
            ("conjac/muscle-3d", 1),
            ("conjac/bunny", 8),
            ("conjac/armadillo", 5),
        ] {
            let file = embedded(name).unwrap().parse().unwrap();
            let scene = build(&file, None).unwrap_or_else(|e| panic!("{e}"));
            let mut soft = scene.model.bodies.iter().filter(|b| b.rigid.is_none());
            let nodes = soft.next().unwrap().representatives.as_ref().unwrap();
            assert_eq!(nodes.len(), count, "{name}");
        }
    }

    #[test]
    fn scenes_start_with_their_sources() {
        for scene in EMBEDDED {
            assert!(scene.text.starts_with("# "), "{}", scene.name);
        }
    }

    #[test]
    fn unknown_names_get_a_suggestion() {
        let error = embedded("conjac/twst").unwrap_err().to_string();
        assert!(error.contains("did you mean `conjac/twist`?"), "{error}");
    }
}
