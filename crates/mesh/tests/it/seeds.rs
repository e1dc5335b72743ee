//! Meshes to write and files to damage.

use pliant_linalg::vec3;
use pliant_mesh::file::runs::Runs;
use pliant_mesh::file::{Cells, Format, RawMesh};
use pliant_mesh::generate::{Split, TriangleSplit, bar, rectangle};
use pliant_mesh::region::Layers;

/// A solid with regions, sparse node ids, a node that nobody uses, and triangles with regions of their own.
pub fn solid() -> RawMesh {
    let mut mesh = bar(vec3(0.1, 0.2, 0.3), [1, 1, 3], Split::Six).unwrap();
    mesh.assign_layers(
        2,
        Layers::Count(3),
        &["harte Schale (außen)", "soft", "Kern, weich"],
    )
    .unwrap();
    let mut raw = RawMesh::from(mesh);
    raw.positions
        .insert(2, vec3(-0.0, 1e-300, 12345.678901234567));
    for node in raw.tetrahedra.nodes.iter_mut().flatten() {
        *node += u32::from(*node >= 2);
    }
    raw.node_ids = (0..raw.positions.len() as u64)
        .map(|i| 1000 - 7 * i)
        .collect();
    let nodes = raw.tetrahedra.nodes[..3]
        .iter()
        .map(|n| [n[0], n[2], n[1]])
        .collect();
    raw.triangles = Cells {
        nodes,
        regions: vec![1, 0, 1],
        region_names: vec!["soft".to_string(), "skin at the top".to_string()],
        ids: Runs::counting(1, 3),
        lines: Runs::default(),
    };
    raw
}

/// A solid with one region.
pub fn plain() -> RawMesh {
    RawMesh::from(bar(vec3(1.0, 1.0, 1.0), [1, 1, 1], Split::Five).unwrap())
}

/// A plane mesh with regions.
pub fn plane() -> RawMesh {
    let mut mesh = rectangle([0.3, 0.1], [4, 2], TriangleSplit::Crossed).unwrap();
    mesh.assign_layers(0, Layers::Count(4), &["muscle", "tendon – Ω"])
        .unwrap();
    RawMesh::from(mesh)
}

/// A mesh in a format that is one file.
pub fn written(mesh: &RawMesh, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    format.write(mesh, &mut bytes).unwrap();
    bytes
}

/// Files written by hand, with what our writers never write.
pub const BY_HAND: [(Format, &str); 17] = [
    (
        Format::Gmsh22,
        "\u{feff}$Comments\nanything\n$EndComments\r\n$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n$PhysicalNames\n2
2 7 \"skin\"\n3 7 \"my  body\"\n$EndPhysicalNames\n$Nodes\n6\n900 0 0 0\n20 1 0 0\n\n30 0 1e0 0\n44 0 0 1.\n5 1 1 1
77 9 9 9\n$EndNodes\n$Elements\n6\n1 15 2 0 1 900\n2 1 0 900 20\n3 2 2 7 1 900 20 30\n10 4 3 7 1 0 900 20 30 44
12 4 2 -7 1 20 30 44 5\n13 15 2 0 1 5\n$EndElements\n",
    ),
    (
        Format::Gmsh41,
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n1 0 1 2\n1 0 0 0 0\n1 0 0 0 1 1 0 1 5 0
1 0 0 0 1 1 1 2 3 9 1 1\n2 0 0 0 1 1 1 0 0\n$EndEntities\n$Nodes\n2 5 1 9\n2 1 1 3\n1\n2\n3\n0 0 0 0 0\n1 0 0 1 0
0 1 0 0 1\n3 1 0 2\n4\n9\n0 0 1\n1 1 1\n$EndNodes\n$Elements\n3 3 1 3\n2 1 2 1\n1 1 2 3\n3 2 4 1\n2 1 2 3 4
3 1 4 1\n3 2 3 4 9\n$EndElements\n$NodeData\nwhatever\n$EndNodeData\n",
    ),
    (
        Format::Gmsh22,
        "$NOD\n4\n2 0 0 0\n3 1 0 0\n4 0 1 0\n8 0 0 1\n$ENDNOD\n$ELM\n2\n1 2 1 1 3 2 3 4\n2 4 6 6 4 2 3 4 8\n$ENDELM",
    ),
    (
        Format::Vtk,
        "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 1 0 0\n0 1 0 0 0 1 1 1 1\n
CELLS 3 13\n4 0 1 2 3\n4 1 2 3 4\n2 0 1\nCELL_TYPES 3\n10 10 3\nPOINT_DATA 5\nVECTORS v float\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
METADATA\nINFORMATION 0\n\nCELL_DATA 3\nSCALARS stress float 1\nLOOKUP_TABLE default\n0.5 1 2\nFIELD FieldData 1\nregion 1 3 int\n7 4 0\n",
    ),
    (
        Format::Vtk,
        "# vtk DataFile Version 3.0\nbinary\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float
\0\0\0\0\0\0\0\0\0\0\0\0\x3f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x3f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x3f\0\0\0
CELLS 1 5\n\0\0\0\x04\0\0\0\0\0\0\0\x01\0\0\0\x02\0\0\0\x03\nCELL_TYPES 1\n\0\0\0\x0a\nCELL_DATA 1\nSCALARS region int 1
LOOKUP_TABLE default\n\0\0\0\x05\n",
    ),
    (
        Format::Vtk,
        "# vtk DataFile Version 5.1\nv\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n0 0 0 1 0 0 1 1 0 0 1 0\n
POLYGONS 2 4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2 3\n",
    ),
    (
        Format::VtuText,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">
<UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\"
 format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\"
 format=\"ascii\">0 1 2 3</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray>
<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10</DataArray></Cells><CellData><DataArray type=\"Int32\"
 Name=\"region\" format=\"ascii\">3</DataArray></CellData></Piece></UnstructuredGrid></VTKFile>\n",
    ),
    // compressed, and empty: no blocks, of size 0
    (
        Format::Vtu,
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt32\"
 compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid><Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"><Points>
<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"/></Points><Cells>
<DataArray type=\"Int32\" Name=\"connectivity\" format=\"appended\" offset=\"0\"/>
<DataArray type=\"Int32\" Name=\"offsets\" format=\"appended\" offset=\"0\"/>
<DataArray type=\"UInt8\" Name=\"types\" format=\"appended\" offset=\"0\"/></Cells></Piece></UnstructuredGrid>
<AppendedData encoding=\"raw\">_\0\0\0\0\0\0\0\0\0\0\0\0</AppendedData></VTKFile>\n",
    ),
    (
        Format::Medit,
        "# region 7 \"rigid part\"\n MeshVersionFormatted\t2 # a comment\nDimension\n3 Vertices 5\n0 0 0 1  1 0 0 1.5
0 1 0 0\n0 0 1. 0 1e0 1 .1d1 0\nCorners 2 1 2\nAngleOfCornerBound 10.1\nEdges 1\n1 2 3\nHexahedra 1 1 2 3 4 5 1 2 3 0
Triangles\n2\n1 2 3 7\n2 3\n4 -2\ntetrahedra 2\n1 2 3 4 0 2 3 4 5\n7\nRequiredVertices\n0\nEnd\n",
    ),
    (
        Format::Vega,
        "# region inner \"weiches Inneres\"\n*VERTICES\n5 3 0 0\n1 0 0 0\n2, 1, 0, 0\n3 0 1 0\n\n4 0 0 1\n5 1 1 1\n*ELEMENTS
CUBIC\n1 8 0\n9 1 2 3 4 5 1 2 3\n*ELEMENTS\nTET\n4 4 0\n1 1 2 3 4\n2 2 3 4 5\n3 1 2 3 5\n4 1 2 4 5\n
*MATERIAL m\nENU, 1000, 1e9, 0.45\n*SET outer\n1, 2,\n3,\n*SET inner\n2-3\n*REGION\nouter, m\n*REGION\ninner, m\n",
    ),
    (
        Format::Abaqus,
        "*Heading\n anything\n*Part, name=P\n*Node\n10, 0, 0, 0\n20, 1., 0.\n30, , 1e0\n40, 0, 0, 1d0\n5, 1, 1, 1
*Element, type=C3D4H,\n elset=\"my set\"\n1, 10, 20, 30,\n40\n7, 20, 30, 40, 5\n*ELEMENT, TYPE=C3D4\n8, 10, 20, 30, 5
*Element, type=S3R, elset=Skin\n11, 10, 20, 30\n*Element, type=C3D8\n12, 1, 2, 3, 4, 5,\n6, 7, 8
*Elset, elset=odd, generate\n1, 11, 2\n*Elset, elset=Both\nodd, 8\n*Solid Section, elset=Both, material=m\n1.,
*End Part\n*Assembly, name=A\n*Instance, name=I, part=P\n0., 0., 0.\n*End Instance\n*End Assembly\n",
    ),
    (
        Format::Tobj,
        "# c\nv 0 0 0\nv 1 0 0\r\nv 0 1 0 # d\nv 0 0 1\nv 1 1 1\nt 0 1 2 3\nt 1 2 3 4\n",
    ),
    (
        Format::Obj,
        "# region g1 \"zwei Wörter\"\nmtllib a.mtl\no Box 7\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\nvt 0 0\nvn 0 0 1
f 1/1/1 2//1 3/1\ng g1\ns off\nusemtl x\nv 0 0 1\nv 2 2 2\nf -1 -2 \\\n1 2\nl 1 2\np 1\n",
    ),
    (
        Format::Stl,
        "solid erster Teil\n facet normal nan 0 1\n  outer loop\n   vertex 0 0 0.1\n   vertex 1 0 0\n   vertex 0 1 0
  endloop\n endfacet\nendsolid erster Teil\n\nSOLID\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 0 0 0.1
vertex 2 2 2\nvertex 3 3 4\nendloop\nendfacet\nendsolid\n",
    ),
    (
        Format::Ply,
        "ply\nformat ascii 1.0\ncomment made by hand\nelement camera 1\nproperty float f\nproperty list uchar int l
element vertex 4\nproperty uchar red\nproperty float32 x\nproperty float y\nproperty double z\nelement face 3
property list uchar int vertex_index\nproperty uchar flag\nend_header\n.5 2 1 2\n255 0 0 0\n0 1. 0 0.1\n\n0 0 .5e1 0
0 1 1 1\n3 0 1 2 7\n4 0 1 2 3 7\n2 0 1 7\n",
    ),
    (
        Format::Ply,
        "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty short x\nproperty float y\nproperty uchar z
element face 2\nproperty list ushort ushort vertex_indices\nend_header\n\0\x01\x3f\0\0\0\x02\0\x02\x3f\x10\0\0\x03\0\x03\x3f\x20\0\0\x04\0\x03\0\0\0\x01\0\x02\0\x03\0\x02\0\x01\0\0",
    ),
    (
        Format::Off,
        "# c\nCOFF 4 3 0\n0 0 0 255 0 0 255\n1 0 0\n\n0 1 0 1 1 1\n0 0 1\n3 0 1 2\n4 0 1 2 3 255 0 0\n2 0 1\n",
    ),
];

/// The files of a TetGen mesh: nodes, elements, faces.
pub fn tetgen(mesh: &RawMesh) -> [Vec<u8>; 3] {
    pliant_mesh::file::tetgen::PARTS.map(|(_, write)| {
        let mut bytes = Vec::new();
        write(mesh, &mut bytes).unwrap();
        bytes
    })
}
