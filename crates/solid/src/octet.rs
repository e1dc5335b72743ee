//! What the elements of a body make of its nodes: linear tetrahedra, or octets (see [`pliant_mesh::octet`]) in one of two ways.
//!
//! Linear tetrahedra are too stiff in bending and lock where the volume hardly changes (Poisson's ratio near 0.5). Two remedies
//! (decision 0018):
//!
//! - *averaged*: eight linear tetrahedra with one resistance to volume for all, E = Σ Vₑ [ψ(Fₑ) − U(θₑ)] + V U(θ̄), θ̄ = Σ (Vₑ/V) θₑ;
//! - *quadratic*: one ten-node tetrahedron with four quadrature points. Its gradient is F = Σᵢ dᵢ gᵢᵀ as that of a linear one, only that
//!   the edges dᵢ = Σₐ Bₐᵢ xₐ are sums over ten nodes, which depend on the point and on nothing else.

use pliant_linalg::{Mat3, Vec3};
use pliant_mesh::octet::{EDGES, PARTS};

/// How the elements of a body see its nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Formulation {
    /// Linear tetrahedra and triangles, each for itself.
    #[default]
    Linear,
    /// Linear tetrahedra; those of an octet share their resistance to volume.
    Averaged,
    /// Octets are quadratic tetrahedra.
    Quadratic,
}

impl Formulation {
    /// All of them.
    pub const ALL: [Formulation; 3] = [
        Formulation::Linear,
        Formulation::Averaged,
        Formulation::Quadratic,
    ];

    /// The name used in scenes.
    pub fn name(self) -> &'static str {
        match self {
            Formulation::Linear => "tet4",
            Formulation::Averaged => "tet4-averaged",
            Formulation::Quadratic => "tet10",
        }
    }

    /// Packs that follow each other and belong together: parts or points of the same eight octets.
    pub fn parts(self) -> usize {
        match self {
            Formulation::Linear => 1,
            Formulation::Averaged => PARTS.len(),
            Formulation::Quadratic => POINTS,
        }
    }

    /// Bₐᵢ of each part or point of an octet.
    pub(crate) fn stencils(self) -> &'static [Stencil] {
        match self {
            Formulation::Linear => &[],
            Formulation::Averaged => &PART_STENCILS,
            Formulation::Quadratic => &POINT_STENCILS,
        }
    }
}

/// Factors of ten nodes in three edges.
pub(crate) type Stencil = [[f64; 3]; 10];

/// Quadrature points of a quadratic tetrahedron, one near each corner; exact for polynomials of degree 2.
pub(crate) const POINTS: usize = 4;

/// Share of its corner in a point: (5 + 3√5)/20; the other three have (5 − √5)/20.
const NEAR: f64 = 0.585_410_196_624_968_5;
const FAR: f64 = 0.138_196_601_125_010_5;

/// Bₐᵢ of the points: derivatives of L(2L − 1) at corners and 4LL' at middles.
static POINT_STENCILS: [Stencil; POINTS] = {
    let mut all = [[[0.0; 3]; 10]; POINTS];
    let mut point = 0;
    while point < POINTS {
        let mut at = [FAR; 4];
        at[point] = NEAR;
        // by barycentric coordinates, of which the first depends on the others
        let mut slopes = [[0.0; 4]; 10];
        let mut c = 0;
        while c < 4 {
            slopes[c][c] = 4.0 * at[c] - 1.0;
            c += 1;
        }
        let mut e = 0;
        while e < 6 {
            let [a, b] = EDGES[e];
            slopes[4 + e][a] = 4.0 * at[b];
            slopes[4 + e][b] = 4.0 * at[a];
            e += 1;
        }
        let mut node = 0;
        while node < 10 {
            let mut i = 0;
            while i < 3 {
                all[point][node][i] = slopes[node][i + 1] - slopes[node][0];
                i += 1;
            }
            node += 1;
        }
        point += 1;
    }
    all
};

/// Bₐᵢ of the parts: corner i minus the first.
static PART_STENCILS: [Stencil; 8] = {
    let mut all = [[[0.0; 3]; 10]; 8];
    let mut part = 0;
    while part < 8 {
        let nodes = PARTS[part];
        all[part][nodes[0]] = [-1.0; 3];
        let mut i = 0;
        while i < 3 {
            all[part][nodes[i + 1]][i] = 1.0;
            i += 1;
        }
        part += 1;
    }
    all
};

/// Share of a quadratic tetrahedron's mass at a corner and in the middle of an edge: the diagonal of the consistent mass, scaled to the
/// whole [HRZ76]. Row sums would be negative at corners.
pub(crate) const CORNER_SHARE: f64 = 1.0 / 36.0;
pub(crate) const MIDDLE_SHARE: f64 = 4.0 / 27.0;

/// Shape gradients g₁…g₃ and volume of each point of a quadratic tetrahedron, whose edges may be curved.
pub(crate) fn quadratic_shape(x: &[Vec3; 10]) -> Option<[([Vec3; 3], f64); POINTS]> {
    let mut shapes = [([Vec3::ZERO; 3], 0.0); POINTS];
    for (shape, stencil) in shapes.iter_mut().zip(&POINT_STENCILS) {
        let mut edges = [Vec3::ZERO; 3];
        for (node, factors) in x.iter().zip(stencil) {
            for (edge, &factor) in edges.iter_mut().zip(factors) {
                *edge += (*node - x[0]) * factor;
            }
        }
        let jacobian = Mat3::from_columns(edges[0], edges[1], edges[2]);
        let inverse = jacobian.inverse()?;
        let g = [inverse.row(0), inverse.row(1), inverse.row(2)];
        *shape = (g, jacobian.determinant() / (6.0 * POINTS as f64));
    }
    Some(shapes)
}

/// Of each of ten nodes, the gradient of its shape function at a point with gradients g.
pub(crate) fn node_gradients(stencil: &Stencil, g: &[Vec3; 3]) -> [Vec3; 10] {
    stencil.map(|[a, b, c]| g[0] * a + g[1] * b + g[2] * c)
}

/// The corners of a part, of ten nodes.
pub(crate) fn part_nodes(ten: &[u32; 10], part: usize) -> [u32; 4] {
    PARTS[part].map(|k| ten[k])
}

/// Fills in what is known at points: inner parts, whose face is opposite to a corner, get the mean of the points at the other three.
/// `first` are the first parts of quadratic octets.
pub(crate) fn spread_points<T: Copy>(values: &mut [T], first: &[u32], mean: impl Fn([T; 3]) -> T) {
    for &first in first {
        let octet = &mut values[first as usize..][..8];
        for c in 0..4 {
            octet[4 + c] = mean([1, 2, 3].map(|k| octet[(c + k) % 4]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_linalg::testing::random_vector;

    #[test]
    fn gradients_of_quadratic_fields_are_exact_on_straight_edges() {
        let corners = random_vector(4, 7);
        let mut x = [Vec3::ZERO; 10];
        x[..4].copy_from_slice(&corners);
        for (k, [a, b]) in EDGES.into_iter().enumerate() {
            x[4 + k] = (x[a] + x[b]) * 0.5;
        }
        let straight = crate::element::tetrahedron_shape([x[0], x[1], x[2], x[3]]).unwrap();
        let field = |p: Vec3| p.x * p.y - 2.0 * p.z * p.z + 0.3 * p.x;
        let slope = |p: Vec3| Vec3::new(p.y + 0.3, p.x, -4.0 * p.z);
        let mut volume = 0.0;
        for (point, (g, part)) in quadratic_shape(&x).unwrap().into_iter().enumerate() {
            let place = (0..4).fold(Vec3::ZERO, |sum, c| {
                sum + x[c] * if c == point { NEAR } else { FAR }
            });
            let gradients = node_gradients(&POINT_STENCILS[point], &g);
            let found = (gradients.iter().zip(&x)).fold(Vec3::ZERO, |s, (g, &p)| s + *g * field(p));
            assert!((found - slope(place)).norm() < 1e-12, "{found:?}");
            volume += part;
        }
        assert!((volume - straight.1).abs() < 1e-13);
        assert!((4.0 * CORNER_SHARE + 6.0 * MIDDLE_SHARE - 1.0).abs() < 1e-15);
    }
}
