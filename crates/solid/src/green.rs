//! Green's strain of the elements, E = ½ (FᵀF − 1), for those who look at results.

use crate::model::Model;
use pliant_linalg::{Mat3, Vec3};

/// Strain of each element at the given positions: xx, yy, zz, xy, xz, yz in the axes of the rest shape; tensor components, so that xy is
/// half of the angle that engineers call γ. Zero for elements of rigid bodies up to rounding.
pub fn green_strain(model: &Model, positions: &[Vec3], strain: &mut [[f64; 6]]) {
    for (nodes, strain) in model.element_nodes.iter().zip(strain) {
        let Some(inverse) = edges(&model.rest, nodes).inverse() else {
            *strain = [0.0; 6]; // models refuse flat elements
            continue;
        };
        let f = edges(positions, nodes) * inverse;
        let c = f.transpose() * f;
        let [x, y, z] = [0, 1, 2].map(|row| c.row(row));
        *strain = [
            (x.x - 1.0) / 2.0,
            (y.y - 1.0) / 2.0,
            (z.z - 1.0) / 2.0,
            x.y / 2.0,
            x.z / 2.0,
            y.z / 2.0,
        ];
    }
}

/// Edges from the first corner as columns; of a triangle in a plane z = constant the third is the unit vector out of it.
fn edges(places: &[Vec3], &[a, b, c, d]: &[u32; 4]) -> Mat3 {
    let [pa, pb, pc, pd] = [a, b, c, d].map(|n| places[n as usize]);
    let third = if d == a { Vec3::AXES[2] } else { pd - pa };
    Mat3::from_columns(pb - pa, pc - pa, third)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{MaterialModel, MaterialSpecification};
    use crate::model::BodySpecification;
    use pliant_linalg::vec3;
    use pliant_mesh::generate::{Split, TriangleSplit, bar, rectangle};

    fn model(mesh: pliant_mesh::Mesh) -> Model {
        let material =
            MaterialSpecification::new(MaterialModel::StableNeoHookean, 1e4, 0.3, 1000.0);
        let body = BodySpecification::uniform("bar", mesh, material);
        Model::build(vec![body], Vec::new(), Vec3::ZERO).unwrap()
    }

    /// What a turned simple shear by γ has in all elements.
    #[test]
    fn turned_shear_has_its_strain() {
        let gamma = 0.3;
        let turn = Mat3::rotation(vec3(0.0, 0.0, 1.0), 1.2);
        let shear = |x: &Vec3| turn * vec3(x.x + gamma * x.y, x.y, x.z);
        let solid = bar(vec3(0.2, 0.1, 0.1), [3, 2, 2], Split::Five).unwrap();
        let plane = rectangle([0.2, 0.1], [3, 2], TriangleSplit::Alternating).unwrap();
        for mesh in [solid, plane] {
            let model = model(mesh);
            let positions: Vec<Vec3> = model.rest.iter().map(shear).collect();
            let mut strain = vec![[f64::NAN; 6]; model.element_count()];
            green_strain(&model, &positions, &mut strain);
            // FᵀF − 1 = [0, γ; γ, γ²]
            let expected = [0.0, gamma * gamma / 2.0, 0.0, gamma / 2.0, 0.0, 0.0];
            for (e, (&found, wanted)) in (strain.iter())
                .flat_map(|s| s.iter().zip(expected))
                .enumerate()
            {
                assert!((found - wanted).abs() < 1e-12, "{e}: {found} {wanted}");
            }
        }
    }
}
