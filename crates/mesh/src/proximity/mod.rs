//! Which features of surfaces are near each other: a vertex in front of or slightly behind a facet, or two edges
//! across each other, of two surfaces or of one. Geometry only: no masses, no forces, no memory of earlier calls.
//!
//! Facets are outward, so every answer has a side: the normal points out of surface b towards a, and the gap is
//! negative where a has entered b. Vertices are tested against the local minima of the distance to the other
//! surface, and only where the normal opposes the vertex's own outward normals; edges against edges where both are
//! convex ridges and the normal lies between their facets' normals. What moves fast is found by the time at which
//! the four points become coplanar.
//!
//! The list is ordered by surface and vertex, then by surface and edge, and depends neither on the number of
//! threads nor on earlier calls.

mod edge;
mod feature;
mod fold;
mod skin;
mod sweep;
#[cfg(test)]
mod tests;
mod vertex;

use crate::aabb::Aabb;
use fold::Folds;
use pliant_linalg::Vec3;
use rayon::prelude::*;
use skin::Skin;
use thiserror::Error;
use vertex::Scratch;

/// Vertices or edges that one task looks after.
const BATCH: usize = 128;

/// Distances below this fraction of the alarm distance count as touching, so that flush faces and shallow overlaps
/// beside an edge do not depend on rounding.
const FLUSH: f64 = 1e-3;

/// Distances below this fraction of the alarm distance have no usable direction.
const TINY: f64 = 1e-7;

/// One surface that may come near others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProximitySurface {
    /// Corners of each facet as point numbers: triangles, counter-clockwise seen from outside; or, when `planar`,
    /// edges `[a, b, a]` in a plane z = const with the body on their left. Facets that repeat a corner otherwise
    /// are ignored.
    pub facets: Vec<[u32; 3]>,
    /// Whether the facets are edges around a plane body. Plane and solid bodies never touch each other.
    pub planar: bool,
    /// Whether parts of the surface may touch each other.
    pub touches_itself: bool,
    /// Surfaces of one group never touch each other: links of a chain, fixed obstacles.
    pub group: Option<u32>,
}

/// What kind of features are near each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NearKind {
    /// Vertex of a, triangle of b: four points.
    VertexFace,
    /// Vertex of a, edge of the plane body b: three points.
    VertexEdge,
    /// Edge of a across edge of b: four points.
    EdgeEdge,
}

/// Two features near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// a, whose weights are positive, and b.
    pub surfaces: [u32; 2],
    /// Which features.
    pub kind: NearKind,
    /// Vertex and corners of the facet, or the ends of a's edge and of b's; unused places repeat the first.
    pub points: [u32; 4],
    /// Barycentric: those of a sum to 1, those of b to −1; zero at unused places.
    pub weights: [f64; 4],
    /// Points in use.
    pub count: usize,
    /// Unit vector out of b, the direction in which a must be pushed.
    pub normal: Vec3,
    /// normal · Σ weights·positions, m; negative when a has entered b.
    pub gap: f64,
}

impl Near {
    /// normal · Σ weights·vectors: the gap from positions, its change from displacements.
    pub fn along_normal(&self, vectors: &[Vec3]) -> f64 {
        let sum = (0..self.count).fold(Vec3::ZERO, |s, i| {
            s + vectors[self.points[i] as usize] * self.weights[i]
        });
        self.normal.dot(sum)
    }
}

/// Why surfaces cannot be searched.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ProximityError {
    /// A facet names a point that does not exist.
    #[error(
        "facet {facet} of surface {surface} uses point {point}, but there are only {point_count} points"
    )]
    PointOutOfRange {
        /// The surface, counted from 0.
        surface: usize,
        /// The facet, counted from 0.
        facet: usize,
        /// The point it names.
        point: u32,
        /// Number of points.
        point_count: usize,
    },
    /// An edge of a plane body is not written as `[a, b, a]`.
    #[error(
        "facet {facet} of surface {surface} is no edge: facets of a plane body repeat their first point, [a, b, a]"
    )]
    NotAnEdge {
        /// The surface, counted from 0.
        surface: usize,
        /// The facet, counted from 0.
        facet: usize,
    },
}

/// Positions and coming displacements at one call.
#[derive(Clone, Copy)]
struct Motion<'a> {
    positions: &'a [Vec3],
    /// Empty when nothing moves.
    displacements: &'a [Vec3],
    alarm: f64,
    flush: f64,
    tiny: f64,
}

impl Motion<'_> {
    #[inline]
    fn at(&self, point: u32) -> Vec3 {
        self.positions[point as usize]
    }

    #[inline]
    fn shift(&self, point: u32) -> Vec3 {
        match self.displacements.get(point as usize) {
            Some(&d) => d,
            None => Vec3::ZERO,
        }
    }

    fn moves(&self) -> bool {
        !self.displacements.is_empty()
    }
}

/// A run of vertices or edges of one surface, with its answers and working memory.
#[derive(Clone, Debug)]
struct Batch {
    surface: usize,
    range: std::ops::Range<usize>,
    of_edges: bool,
    found: Vec<Near>,
    scratch: Scratch,
}

/// Finds near features; keeps its trees between calls and only refits them.
#[derive(Clone, Debug)]
pub struct Proximity {
    skins: Vec<Skin>,
    /// Of each surface, what may touch the surface itself.
    folds: Vec<Folds>,
    point_count: usize,
    /// Surfaces near each surface, ascending.
    partners: Vec<Vec<u32>>,
    batches: Vec<Batch>,
    found: Vec<Near>,
    /// Whether everything is searched, for comparison.
    #[cfg(test)]
    leave_nothing_out: bool,
}

impl Proximity {
    /// Prepares the connections of the surfaces; the trees are built at the first call of [`Proximity::find`].
    pub fn new(
        surfaces: Vec<ProximitySurface>,
        point_count: usize,
    ) -> Result<Proximity, ProximityError> {
        for (surface, s) in surfaces.iter().enumerate() {
            for (facet, corners) in s.facets.iter().enumerate() {
                if let Some(&point) = corners.iter().find(|&&p| p as usize >= point_count) {
                    return Err(ProximityError::PointOutOfRange {
                        surface,
                        facet,
                        point,
                        point_count,
                    });
                }
                if s.planar && corners[2] != corners[0] {
                    return Err(ProximityError::NotAnEdge { surface, facet });
                }
            }
        }
        let skins: Vec<Skin> = surfaces.iter().map(Skin::new).collect();
        let mut batches = Vec::new();
        for of_edges in [false, true] {
            for (surface, skin) in skins.iter().enumerate() {
                let count = if of_edges {
                    skin.edges.len()
                } else {
                    skin.vertices.len()
                };
                batches.extend((0..count).step_by(BATCH).map(|first| Batch {
                    surface,
                    range: first..(first + BATCH).min(count),
                    of_edges,
                    found: Vec::new(),
                    scratch: Scratch::default(),
                }));
            }
        }
        Ok(Proximity {
            partners: vec![Vec::new(); skins.len()],
            folds: vec![Folds::default(); skins.len()],
            skins,
            point_count,
            batches,
            found: Vec::new(),
            #[cfg(test)]
            leave_nothing_out: false,
        })
    }

    /// The same with the shapes at rest known, so that ridges which contact makes blunt stay ridges.
    ///
    /// # Panics
    /// When the list does not have one entry a point.
    pub fn with_rest(mut self, positions: &[Vec3]) -> Proximity {
        assert_eq!(positions.len(), self.point_count, "one position a point");
        let motion = Motion {
            positions,
            displacements: &[],
            alarm: 0.0,
            flush: 0.0,
            tiny: 0.0,
        };
        for skin in &mut self.skins {
            skin.refresh(&motion);
            skin.note_ridges(&motion);
        }
        self
    }

    /// Features within `alarm` (m) of each other, on either side, and those that would meet if every point moved by
    /// its displacement (m; none for no motion), however far they are now.
    ///
    /// # Panics
    /// When the lists do not have one entry a point.
    pub fn find(&mut self, positions: &[Vec3], displacements: &[Vec3], alarm: f64) -> &[Near] {
        assert_eq!(positions.len(), self.point_count, "one position a point");
        assert!(
            displacements.is_empty() || displacements.len() == self.point_count,
            "one displacement a point, or none"
        );
        let alarm = alarm.max(0.0);
        let moving = displacements.iter().any(|&d| d != Vec3::ZERO);
        let motion = Motion {
            positions,
            displacements: if moving { displacements } else { &[] },
            alarm,
            flush: FLUSH * alarm,
            tiny: TINY * alarm,
        };
        self.skins.par_iter_mut().for_each(|s| s.bound(&motion));
        self.pair_up(alarm);
        self.skins
            .par_iter_mut()
            .zip(&self.partners)
            .filter(|(_, partners)| !partners.is_empty())
            .for_each(|(skin, _)| skin.refresh(&motion));
        (self.folds.par_iter_mut().zip(&self.skins))
            .filter(|(_, skin)| skin.touches_itself && !skin.planar)
            .for_each(|(folds, skin)| folds.find(skin, alarm));
        #[cfg(test)]
        if self.leave_nothing_out {
            self.folds.iter_mut().for_each(|f| f.marks.fill(true));
        }
        let (skins, folds, partners) = (&self.skins, &self.folds, &self.partners);
        self.batches.par_iter_mut().for_each(|batch| {
            batch.found.clear();
            let near = &partners[batch.surface];
            if near.is_empty() {
                return;
            }
            let Batch {
                surface,
                range,
                of_edges,
                found,
                scratch,
            } = batch;
            let skin = &skins[*surface];
            for i in range.clone() {
                // any of the facets around would be marked
                let facet = match of_edges {
                    true => skin.edges[i].facets[0],
                    false => skin.vertex_facets.row(i)[0],
                };
                let folded =
                    skin.planar || folds[*surface].marks.get(facet as usize) != Some(&false);
                let wanted = |partner: u32| folded || partner as usize != *surface;
                if *of_edges {
                    edge::search(skins, *surface, i, near, wanted, &motion, scratch, found);
                } else {
                    vertex::search(skins, *surface, i, near, wanted, &motion, scratch, found);
                }
            }
        });
        self.found.clear();
        for batch in &self.batches {
            self.found.extend_from_slice(&batch.found);
        }
        &self.found
    }

    /// Broad phase: surfaces whose boxes come within `alarm` of each other.
    fn pair_up(&mut self, alarm: f64) {
        for list in &mut self.partners {
            list.clear();
        }
        for a in 0..self.skins.len() {
            if self.skins[a].touches_itself {
                self.partners[a].push(a as u32);
            }
            for b in a + 1..self.skins.len() {
                let (s, t) = (&self.skins[a], &self.skins[b]);
                let kept_apart = s.group.is_some() && s.group == t.group;
                if kept_apart || s.planar != t.planar {
                    continue;
                }
                // a's box as it moves in b's frame
                let shift = s.drift - t.drift;
                let moved = Aabb {
                    low: s.bounds.low + shift,
                    high: s.bounds.high + shift,
                };
                if s.bounds.union(&moved).grown(alarm).overlaps(&t.bounds) {
                    self.partners[a].push(b as u32);
                    self.partners[b].push(a as u32);
                }
            }
        }
        for list in &mut self.partners {
            list.sort_unstable();
        }
    }
}
