//! `[solver]`: method, integrator and linear solver.

use crate::units::{Number, Rate};
use schemars::JsonSchema;
use serde::de::value::{Error as NameError, MapAccessDeserializer};
use serde::de::{self, Deserializer, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How steps are computed.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolverTable {
    /// Name of the method; default "full".
    pub method: Option<String>,
    /// Time integrator; default "linear-implicit".
    #[serde(default)]
    pub integrator: IntegratorName,
    /// Factor β of the stiffness in the linear-implicit step; default 1.
    pub beta: Option<Number>,
    /// Linear solver; default "direct".
    #[serde(default)]
    pub linear: LinearName,
    /// Relative residual at which conjugate gradients stop; default 1e-8.
    pub tolerance: Option<Number>,
    /// Iterations after which conjugate gradients stop; default 1000.
    pub max_iterations: Option<usize>,
    /// Preconditioner of conjugate gradients; default "block-jacobi".
    pub preconditioner: Option<PreconditionerName>,
    /// Relative residual at which Newton's iteration stops; default 1e-8.
    pub newton_tolerance: Option<Number>,
    /// Most iterations of Newton's method in a step; default 40.
    pub newton_iterations: Option<u32>,
    /// How often a failed step may be halved before the run stops; default 6.
    pub max_halvings: Option<u32>,
    /// Settings of the method "early-cg"; ignored by other methods.
    #[serde(default)]
    pub early_cg: EarlyCgTable,
    /// Settings of the method "isodof"; ignored by other methods.
    #[serde(default)]
    pub isodof: IsodofTable,
    /// Settings of the method "conjac"; ignored by other methods.
    #[serde(default)]
    pub conjac: ConjacTable,
    /// Settings of the method "rigidify"; ignored by other methods.
    #[serde(default)]
    pub rigidify: RigidifyTable,
    /// Settings of the method "subspace"; ignored by other methods.
    #[serde(default)]
    pub subspace: SubspaceTable,
}

/// Bodies move in trained spaces, but where those fail.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubspaceTable {
    /// File that `pliant train` wrote for this scene; relative to the folder of the scene.
    pub model: Option<String>,
    /// Who says which nodes are full; default "oracles".
    pub activation: Option<ActivationName>,
    /// How far around a touched node others become full, in units of the largest extent of the body at rest; default 0.1.
    pub radius: Option<Number>,
    /// Steps for which nodes stay full that nothing asks for any more, the first one included; default 2.
    pub timeout: Option<u32>,
    /// Steps over which what the basis cannot show fades when nodes stop being full; default 3.
    pub blend: Option<u32>,
    /// Mean speed of a region's deformation below which it may end, in sizes of the body a second; default 0.05.
    pub calm_speed: Option<Number>,
    /// The same for the acceleration; default 0.2.
    pub calm_acceleration: Option<Number>,
    /// Relative error of forces and displacements above which the basis is not trusted: nodes become full where it fails; default no
    /// test.
    pub error: Option<Number>,
    /// Stiffness of the springs between domains, as a multiple of the material's; default 10.
    pub interface_stiffness: Option<Number>,
    /// How the mixed system is solved; default "pcg".
    pub linear: Option<SubspaceLinearName>,
    /// Relative residual at which conjugate gradients stop; default 0.01.
    pub tolerance: Option<Number>,
    /// Iterations after which they stop; default 1000.
    pub max_iterations: Option<usize>,
    /// Clusters of nodes of a domain whose frames stand for all in inertia and gravity, where there is a rig; default 128.
    pub mass_samples: Option<usize>,
    /// Whether contacts of a body with itself that were seen in training push the coordinates through a few vertices, and make no node full;
    /// default false.
    pub trained_contacts: Option<bool>,
}

/// Who says which nodes are full.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ActivationName {
    /// Contact, motion and, where an error is given, residuals.
    #[default]
    Oracles,
    /// Nobody: contacts push the coordinates, which locks.
    Nothing,
    /// Every node, always.
    Everything,
}

/// Solvers of the mixed system.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SubspaceLinearName {
    /// Conjugate gradients.
    #[default]
    Pcg,
    /// A sparse factor with the coordinates as a dense border.
    Direct,
}

/// What is hardly strained moves as rigid bodies.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RigidifyTable {
    /// Error to aim at, as a share of a body's size, such as "1 %"; default 1 %. Stands for the two thresholds below, which then follow
    /// from how fast each body swings.
    pub error: Option<Number>,
    /// Squared strain rate below which an element is quiet, 1/s², the same for all bodies; default a tenth of `elastic_above`.
    pub rigid_below: Option<Number>,
    /// Predicted squared strain rate above which a rigid element becomes elastic, 1/s²; default ten times `rigid_below`.
    pub elastic_above: Option<Number>,
    /// Steps for which an element must be quiet to become rigid; default 5.
    pub window: Option<u32>,
    /// Iterations of the prediction; default 1.
    pub iterations: Option<usize>,
    /// Steps over which predictions for what is rigid add up; default 1 where thresholds are given, as in the paper, and otherwise
    /// as many as a body takes to swing, at most 50. More is more accurate and slower.
    pub memory: Option<u32>,
    /// Steps for which an element must stay quiet, to become rigid, if its strain rate changes on as it does; default 10 where
    /// thresholds are given, and otherwise as many as a body takes to swing. 0 looks at the present alone, as the paper does.
    pub foresight: Option<u32>,
    /// Solve with conjugate gradients that stop early, with the settings of "early-cg"; default false.
    pub early_cg: Option<bool>,
    /// Whether bodies that have gone nowhere for a hundred steps, with all they touch, stop until something happens to them; true unless given.
    pub sleep: Option<bool>,
}

/// Inertia condensed onto a few dynamic nodes; which ones a body may say itself under `dynamic`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConjacTable {
    /// Dynamic nodes of each body that names none of its own, as far from each other as can be; default 4.
    pub nodes: Option<usize>,
    /// γ: how much of what would balance the quasi-static nodes moves them in a step; default 1/3.
    pub stabilisation: Option<Number>,
    /// Whether that is shortened where it would raise the potential; default true.
    pub line_search: Option<bool>,
    /// Whether dynamic nodes come and go with what happens around them; default false.
    pub adaptive: Option<bool>,
    /// Mean stretching speed above which a node is dynamic; default 0.02 1/s.
    pub threshold: Option<Rate>,
    /// Share of the threshold below which it is no longer; default 0.5.
    pub release: Option<Number>,
    /// Steps over which the speed is averaged; default 10.
    pub window: Option<usize>,
    /// How often quasi-static nodes are balanced again after a step, with the same factor and a line search; default 0.
    pub corrections: Option<u32>,
    /// Whether quasi-static nodes of free bodies feel the acceleration of the whole; default true.
    pub whole_motion: Option<bool>,
    /// Whether what spins goes along circles instead of tangents; default false.
    pub corotate: Option<bool>,
}

/// Contact with isolated degrees of freedom, and the factor that lags behind.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IsodofTable {
    /// How the compliance of contacts is made; default "reuse". All give the same numbers.
    pub variant: Option<VariantName>,
    /// Most steps from the assembly of a matrix to the use of its factor; 0 factorises in every step; default by the sizes of
    /// factor and mesh.
    pub lag: Option<u32>,
    /// Use a factor as soon as it is there, so that results depend on the clock; default false.
    pub free_running: Option<bool>,
    /// Begin a new factor after a step with so many iterations; 0 begins one whenever the last has arrived; default 4.
    pub refresh_at: Option<u32>,
    /// Share of the equations that the age of a factor may leave; more asks for a new one, and for corrections; default 0.01.
    pub delay_tolerance: Option<Number>,
    /// Turn factors with the nodes; default true.
    pub warp: Option<bool>,
    /// Relative residual at which conjugate gradients stop; default 1e-5.
    pub tolerance: Option<Number>,
    /// Iterations after which conjugate gradients stop; default 200.
    pub max_iterations: Option<usize>,
    /// Solve the columns of nodes that are touched, and their neighbours, before a factor is used; default true.
    pub prefetch: Option<bool>,
    /// Nodes whose columns are kept, at most; default 3000.
    pub kept_nodes: Option<usize>,
    /// How often, at most, contacts are solved again with velocities that obey the present matrix, not the factor's, while more
    /// than `delay_tolerance` is missing; default 2.
    pub corrections: Option<u32>,
    /// Whether velocities contain the impulses of the step before when constraints are solved; default true.
    pub foresee: Option<bool>,
}

/// Ways to the compliance of contacts.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum VariantName {
    /// Columns of touched nodes, kept while the factor stands.
    Reuse,
    /// Columns of touched nodes, solved anew in every step.
    Isodof,
    /// Columns of constraints through the whole factor.
    DenseSts,
    /// No compliance: a solve with the factor for every iteration.
    Unbuilt,
    /// Touched nodes, and a new factor in every step.
    Direct,
}

/// Early-terminated conjugate gradients.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EarlyCgTable {
    /// Most iterations of a body in a step; default 10.
    pub budget: Option<usize>,
    /// Relative residual at which a body needs no further iteration; default 1e-5.
    pub tolerance: Option<Number>,
    /// A body stops when an iteration lowers its energy by less than this share of the decrease so far; default 0: never.
    pub energy_tolerance: Option<Number>,
    /// Factor of the budget for bodies with a new contact or load; default 2.
    pub fresh_factor: Option<Number>,
    /// Where the iteration starts; default "velocity".
    pub guess: Option<GuessValue>,
    /// Turn the guess with free bodies that spin; default true.
    pub turn_guess: Option<bool>,
    /// Preconditioner; default "block-jacobi".
    pub preconditioner: Option<EarlyCgPreconditionerName>,
    /// What is solved for; default "velocity".
    pub unknown: Option<UnknownName>,
    /// How products with the matrix are made; default "automatic".
    pub product: Option<ProductName>,
    /// Plane-rotation sweeps a step for "corotated-frozen"; 0 decomposes every time; default 1.
    pub sweeps: Option<u32>,
    /// Symmetry error above which a rotation is decomposed after all; default 0.02.
    pub symmetry_tolerance: Option<Number>,
    /// Restore linear and angular momentum after a truncated solve; default true.
    pub restore_momentum: Option<bool>,
}

/// Where the iteration starts: a name, or a blend.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(untagged)]
pub enum GuessValue {
    /// One of the names.
    Name(GuessName),
    /// Between two of them.
    Blend(BlendTable),
}

impl<'de> Deserialize<'de> for GuessValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const CHOICES: &[&str] = &["zero", "velocity", "velocity+force", "{ blend = 0.5 }"];
        struct NameOrBlend;

        impl<'de> Visitor<'de> for NameOrBlend {
            type Value = GuessValue;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"zero\", \"velocity\", \"velocity+force\" or { blend = 0.5 }")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<GuessValue, E> {
                GuessName::deserialize(name.into_deserializer())
                    .map(GuessValue::Name)
                    .map_err(|_: NameError| E::unknown_variant(name, CHOICES))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<GuessValue, A::Error> {
                BlendTable::deserialize(MapAccessDeserializer::new(map)).map(GuessValue::Blend)
            }
        }

        deserializer.deserialize_any(NameOrBlend)
    }
}

/// First guesses of the velocity at the end of a step.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
pub enum GuessName {
    /// Standing still.
    #[serde(rename = "zero")]
    Zero,
    /// The velocity at the start of the step.
    #[serde(rename = "velocity")]
    Velocity,
    /// The velocity and what the forces at the start would add to it.
    #[serde(rename = "velocity+force")]
    VelocityAndForce,
}

/// A first guess between "velocity" (1) and "velocity+force" (0).
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlendTable {
    /// Share of "velocity", 0 to 1.
    pub blend: Number,
}

/// What conjugate gradients solve for.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownName {
    /// The velocity at the end of the step.
    Velocity,
    /// Its difference to the first guess: the same iterates, another scale of the tolerance.
    Increment,
}

/// How products with the matrix are made.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ProductName {
    /// Whichever should be faster for the budget, the mesh and the materials.
    Automatic,
    /// From an assembled matrix.
    Assembled,
    /// Element by element.
    MatrixFree,
}

/// Time integrators.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum IntegratorName {
    /// Backward Euler, linearised once a step, with factor `beta` on the stiffness.
    #[default]
    LinearImplicit,
    /// Backward Euler solved by Newton's method with line search.
    ImplicitEuler,
    /// Second-order backward differences, solved the same way.
    Bdf2,
    /// Static equilibrium at every time, no inertia.
    QuasiStatic,
}

/// Linear solvers.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum LinearName {
    /// Sparse Cholesky factorisation.
    #[default]
    Direct,
    /// Preconditioned conjugate gradients.
    Pcg,
}

/// Preconditioners.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum PreconditionerName {
    /// None.
    Identity,
    /// Lumped mass.
    Mass,
    /// Diagonal.
    Jacobi,
    /// A forward and a backward sweep over the rows; half the iterations, on one thread.
    GaussSeidel,
    /// 3×3 diagonal blocks.
    #[default]
    BlockJacobi,
}

/// Preconditioners that need no assembled matrix of all bodies.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum EarlyCgPreconditionerName {
    /// None.
    Identity,
    /// Lumped mass.
    Mass,
    /// Diagonal.
    Jacobi,
    /// 3×3 diagonal blocks.
    BlockJacobi,
}

impl From<EarlyCgPreconditionerName> for PreconditionerName {
    fn from(name: EarlyCgPreconditionerName) -> Self {
        match name {
            EarlyCgPreconditionerName::Identity => PreconditionerName::Identity,
            EarlyCgPreconditionerName::Mass => PreconditionerName::Mass,
            EarlyCgPreconditionerName::Jacobi => PreconditionerName::Jacobi,
            EarlyCgPreconditionerName::BlockJacobi => PreconditionerName::BlockJacobi,
        }
    }
}
