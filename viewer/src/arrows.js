// Forces of contacts as arrows, and marked nodes as dots.

import * as THREE from 'three';

const MOST = 4000;

/** A shaft and a head of length one along y, as one geometry. */
function arrow() {
  const shaft = new THREE.CylinderGeometry(0.03, 0.03, 0.75, 8).translate(0, 0.375, 0).toNonIndexed();
  const head = new THREE.ConeGeometry(0.1, 0.27, 12).translate(0, 0.865, 0).toNonIndexed();
  const geometry = new THREE.BufferGeometry();
  for (const name of ['position', 'normal']) {
    const [a, b] = [shaft, head].map((g) => g.attributes[name].array);
    const both = new Float32Array(a.length + b.length);
    both.set(a); both.set(b, a.length);
    geometry.setAttribute(name, new THREE.BufferAttribute(both, 3));
  }
  return geometry;
}

function instances(geometry, material) {
  const mesh = new THREE.InstancedMesh(geometry, material, MOST);
  mesh.count = 0;
  mesh.frustumCulled = false;
  return mesh;
}

export class Arrows {
  constructor() {
    this.mesh = instances(arrow(), new THREE.MeshStandardMaterial({ color: 0xd84315, roughness: 0.5, emissive: 0x4a1200 }));
    this.most = 0;
  }

  /** `contacts` has six numbers each, m and N; the largest force is drawn as long as a tenth of `size`. */
  show(contacts, size) {
    const count = Math.min(MOST, contacts ? contacts.length / 6 : 0);
    const force = new THREE.Vector3(), up = new THREE.Vector3(0, 1, 0), at = new THREE.Vector3();
    let most = 0;
    for (let i = 0; i < count; i++) most = Math.max(most, Math.hypot(contacts[6 * i + 3], contacts[6 * i + 4], contacts[6 * i + 5]));
    this.most = Math.max(most, 0.97 * this.most);
    const matrix = new THREE.Matrix4(), turn = new THREE.Quaternion(), scale = new THREE.Vector3();
    for (let i = 0; i < count; i++) {
      at.fromArray(contacts, 6 * i);
      force.fromArray(contacts, 6 * i + 3);
      const strength = Math.sqrt(force.length() / (this.most || 1)); // square roots show weak ones too
      const long = Math.max(0.14 * size * strength, 1e-9);
      turn.setFromUnitVectors(up, force.normalize());
      matrix.compose(at, turn, scale.set(long, long, long));
      this.mesh.setMatrixAt(i, matrix);
    }
    this.mesh.count = count;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/** Kinds of marks by number (crates/view/src/picture.rs); `size` is a share of that of the scene. */
export const MARKS = [
  { text: 'quasi-static nodes', colour: '#8a949e', size: 0.009 },
  { text: 'dynamic nodes', colour: '#e64a19', size: 0.009 },
  { text: 'cubature elements', colour: '#7b1fa2', size: 0.006 },
  { text: 'full nodes', colour: '#0288d1', size: 0.003 },
];
const KINDS = MARKS.map(({ colour }) => new THREE.Color(colour));

export class Dots {
  constructor() {
    const material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.92 });
    this.mesh = instances(new THREE.SphereGeometry(1, 12, 8), material);
    this.mesh.renderOrder = 2;
  }

  /** `markers` has four numbers each: where, m, and what. */
  show(markers, size) {
    const count = Math.min(MOST, markers ? markers.length / 4 : 0);
    const matrix = new THREE.Matrix4();
    for (let i = 0; i < count; i++) {
      const kind = markers[4 * i + 3], r = size * MARKS[kind].size;
      matrix.makeScale(r, r, r).setPosition(markers[4 * i], markers[4 * i + 1], markers[4 * i + 2]);
      this.mesh.setMatrixAt(i, matrix);
      this.mesh.setColorAt(i, KINDS[kind]);
    }
    this.mesh.count = count;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}
