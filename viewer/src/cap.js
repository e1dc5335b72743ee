// The face of a cross-section: triangles that the server cuts out of the elements (crates/view/src/section.rs).
//
// Elements of a cage reach out of the surface that they carry. There the face is drawn only where the line of sight is inside of that
// surface: of what the plane leaves of it, more back sides than front sides lie on the line.

import * as THREE from 'three';
import { paintCorners, paintTriangles, surfaceMaterial } from './body.js';
import { STATES, bodyColour } from './colours.js';

function counting(side, operation) {
  return new THREE.MeshBasicMaterial({ side, colorWrite: false, depthWrite: false, depthTest: false, stencilWrite: true, stencilFunc: THREE.AlwaysStencilFunc, stencilFail: operation, stencilZFail: operation, stencilZPass: operation });
}

export class Cap {
  constructor(options) {
    this.material = surfaceMaterial(options);
    Object.assign(this.material, { stencilRef: 0, stencilFunc: THREE.NotEqualStencilFunc, stencilFail: THREE.ZeroStencilOp, stencilZFail: THREE.ZeroStencilOp, stencilZPass: THREE.ZeroStencilOp });
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), this.material);
    this.masks = [[THREE.BackSide, THREE.IncrementWrapStencilOp], [THREE.FrontSide, THREE.DecrementWrapStencilOp]].map((how) => new THREE.Mesh(this.mesh.geometry, counting(...how)));
    this.group = new THREE.Group().add(...this.masks, this.mesh);
    this.masks.forEach((mask) => { mask.renderOrder = 1; });
    this.mesh.renderOrder = 2;
    for (const mesh of this.group.children) { mesh.frustumCulled = false; mesh.visible = false; }
    this.room = 0;
  }

  /** `cut` has the places of corners, and bodies, regions, states or values; `normal` is that of the face. */
  show(cut, normal, most, heat) {
    const corners = cut.places ? cut.places.length / 3 : 0;
    this.mesh.visible = corners > 0;
    if (!corners) return;
    if (corners > this.room) {
      this.room = Math.ceil(1.5 * corners);
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * this.room), 3));
      geometry.setAttribute('normal', new THREE.BufferAttribute(new Float32Array(3 * this.room), 3));
      geometry.setAttribute('color', new THREE.BufferAttribute(new Uint8Array(3 * this.room), 3, true));
      this.mesh.geometry.dispose();
      this.mesh.geometry = geometry;
    }
    const { position, normal: normals, color } = this.mesh.geometry.attributes;
    position.array.set(cut.places);
    for (let k = 0; k < corners; k++) normals.array.set(normal, 3 * k);
    if (cut.values) paintCorners(color, corners, (k) => cut.values[k], most, heat);
    else if (cut.states) paintTriangles(color, corners / 3, (t) => STATES[cut.states[t]]);
    else paintTriangles(color, corners / 3, (t) => bodyColour(cut.bodies[t], cut.regions?.[t]));
    position.needsUpdate = normals.needsUpdate = true;
    this.mesh.geometry.setDrawRange(0, corners);
  }

  /** Only inside of a surface that a plane cuts; anywhere without one. */
  within(surface, clip) {
    this.material.stencilWrite = !!surface;
    for (const mask of this.masks) {
      mask.visible = !!surface && this.mesh.visible;
      if (surface) mask.geometry = surface;
      mask.material.clippingPlanes = surface ? [clip] : null;
    }
  }
}
