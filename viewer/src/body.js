// The surface of all bodies of one simulation: triangles with corners of their own, so that colours may belong to triangles, and
// normals that are smooth except across creases of the rest shape.

import * as THREE from 'three';
import { HEAT, MAP, STATES, bodyColour } from './colours.js';

const CREASE = Math.cos((38 * Math.PI) / 180);

/** Smooth groups: for each corner the number of its group, and how many there are. */
function smoothGroups(rest, triangles) {
  const corners = triangles.length, count = corners / 3;
  const normals = new Float32Array(corners);
  for (let t = 0; t < count; t++) {
    const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
    const ux = rest[b] - rest[a], uy = rest[b + 1] - rest[a + 1], uz = rest[b + 2] - rest[a + 2];
    const vx = rest[c] - rest[a], vy = rest[c + 1] - rest[a + 1], vz = rest[c + 2] - rest[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    const length = Math.hypot(x, y, z) || 1;
    normals.set([x / length, y / length, z / length], 3 * t);
  }
  const first = new Uint32Array(rest.length / 3 + 1);
  for (const v of triangles) first[v + 1]++;
  for (let v = 0; v + 1 < first.length; v++) first[v + 1] += first[v];
  const at = first.slice(), around = new Uint32Array(corners);
  for (let c = 0; c < corners; c++) around[at[triangles[c]]++] = c;
  const group = new Uint32Array(corners);
  let groups = 0;
  for (let v = 0; v + 1 < first.length; v++) {
    const own = around.subarray(first[v], first[v + 1]);
    const parent = Array.from(own, (_, i) => i);
    const root = (i) => { while (parent[i] !== i) i = parent[i]; return i; };
    for (let i = 0; i < own.length; i++) {
      const p = 3 * Math.floor(own[i] / 3);
      for (let j = 0; j < i; j++) {
        const q = 3 * Math.floor(own[j] / 3);
        const dot = normals[p] * normals[q] + normals[p + 1] * normals[q + 1] + normals[p + 2] * normals[q + 2];
        if (dot > CREASE) parent[root(i)] = root(j);
      }
    }
    const number = new Map();
    own.forEach((corner, i) => {
      const r = root(i);
      if (!number.has(r)) number.set(r, groups++);
      group[corner] = number.get(r);
    });
  }
  return { group, groups };
}

/** A material that can draw edges of triangles, and inner sides hatched, like the face of a cut, where a section opens a body. */
export function surfaceMaterial(options) {
  const material = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.58, metalness: 0.02, side: THREE.DoubleSide, shadowSide: THREE.BackSide });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.wire = options.wire;
    shader.uniforms.opened = options.opened;
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vCorner;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nint corner = gl_VertexID % 3;\nvCorner = vec3(corner == 0, corner == 1, corner == 2);');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec3 vCorner;\nuniform float wire;\nuniform float opened;')
      .replace('#include <color_fragment>', 'diffuseColor.rgb *= pow(vColor.rgb, vec3(2.2)); // tables are sRGB')
      .replace('#include <opaque_fragment>', 'if (opened > 0.5 && !gl_FrontFacing) outgoingLight = diffuseColor.rgb * (0.40 + 0.14 * step(0.5, fract((gl_FragCoord.x - gl_FragCoord.y) / 14.0)));\n#include <opaque_fragment>')
      .replace('#include <dithering_fragment>', '#include <dithering_fragment>\nvec3 width = fwidth(vCorner);\nvec3 off = smoothstep(vec3(0.0), width * 1.2, vCorner);\nfloat small = smoothstep(0.9, 0.25, max(width.x, max(width.y, width.z)));\ngl_FragColor.rgb *= 1.0 - 0.6 * wire * small * (1.0 - min(off.x, min(off.y, off.z)));');
  };
  return material;
}

/** Colours of triangles with corners of their own: three bytes of `of` each. */
export function paintTriangles(attribute, count, of) {
  const { array } = attribute;
  for (let t = 0; t < count; t++) {
    const [r, g, b] = of(t);
    for (let o = 9 * t; o < 9 * t + 9; o += 3) { array[o] = r; array[o + 1] = g; array[o + 2] = b; }
  }
  attribute.needsUpdate = true;
}

/** Colours of corners by values between 0 and `most`. */
export function paintCorners(attribute, count, of, most, heat) {
  const { array } = attribute, table = heat ? HEAT : MAP, factor = most > 0 ? 255 / most : 0;
  for (let k = 0; k < count; k++) {
    const c = 3 * Math.min(255, Math.max(0, Math.round(of(k) * factor) || 0)), o = 3 * k;
    array[o] = table[c]; array[o + 1] = table[c + 1]; array[o + 2] = table[c + 2];
  }
  attribute.needsUpdate = true;
}

export class Bodies {
  constructor(options) {
    this.material = surfaceMaterial(options);
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false; // a geometry without normals would be drawn flat, and that choice is kept
    this.mesh.castShadow = this.mesh.receiveShadow = true;
  }

  /** Takes the surfaces of a scene, those of the bodies or those that they carry along. */
  shape(scene, carried) {
    this.triangles = carried ? scene.data.carriedTriangles : scene.data.triangles;
    const rest = carried ? scene.data.carriedRest : scene.data.rest;
    Object.assign(this, smoothGroups(rest, this.triangles));
    const corners = this.triangles.length;
    this.bodyOf = new Uint8Array(corners / 3);
    scene.bodies.forEach((body, index) => {
      const [first, end] = carried ? body.carriedTriangles : body.triangles;
      this.bodyOf.fill(index % 256, first, end);
    });
    this.regionOf = scene.data[carried ? 'carriedRegions' : 'regions'];
    this.sums = new Float32Array(3 * this.groups);
    const geometry = new THREE.BufferGeometry();
    const attribute = (array, size, normalized) => new THREE.BufferAttribute(array, size, normalized).setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute('position', attribute(new Float32Array(3 * corners), 3));
    geometry.setAttribute('normal', attribute(new Float32Array(3 * corners), 3));
    geometry.setAttribute('color', attribute(new Uint8Array(3 * corners), 3, true));
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    this.mesh.visible = true;
    this.move(rest);
    this.tinted = false;
    this.colourByBody();
  }

  /** Puts the corners where the vertices are. */
  move(x) {
    this.x = x;
    const { triangles, group, sums } = this;
    const { position, normal } = this.mesh.geometry.attributes;
    const p = position.array, n = normal.array;
    sums.fill(0);
    for (let i = 0; i < triangles.length; i += 3) {
      const a = 3 * triangles[i], b = 3 * triangles[i + 1], c = 3 * triangles[i + 2], o = 3 * i;
      const ax = x[a], ay = x[a + 1], az = x[a + 2];
      const ux = (p[o + 3] = x[b]) - ax, uy = (p[o + 4] = x[b + 1]) - ay, uz = (p[o + 5] = x[b + 2]) - az;
      const vx = (p[o + 6] = x[c]) - ax, vy = (p[o + 7] = x[c + 1]) - ay, vz = (p[o + 8] = x[c + 2]) - az;
      p[o] = ax; p[o + 1] = ay; p[o + 2] = az;
      const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
      for (let k = i; k < i + 3; k++) {
        const g = 3 * group[k];
        sums[g] += nx; sums[g + 1] += ny; sums[g + 2] += nz;
      }
    }
    for (let k = 0; k < triangles.length; k++) {
      const g = 3 * group[k], o = 3 * k;
      const length = Math.hypot(sums[g], sums[g + 1], sums[g + 2]) || 1;
      n[o] = sums[g] / length; n[o + 1] = sums[g + 1] / length; n[o + 2] = sums[g + 2] / length;
    }
    position.needsUpdate = normal.needsUpdate = true;
  }

  colourByBody() {
    if (this.tinted) return; // as it was in the last frame
    this.colourTriangles((t) => bodyColour(this.bodyOf[t], this.regionOf?.[t]));
    this.tinted = true;
  }

  /** By what the method does with the element behind each triangle. */
  colourByState(states) {
    this.colourTriangles((t) => STATES[states[t]]);
  }

  colourTriangles(of) {
    this.tinted = false;
    paintTriangles(this.mesh.geometry.attributes.color, this.triangles.length / 3, of);
  }

  /** By values at the vertices between 0 and `most`. */
  colourByValue(values, most, heat) {
    this.tinted = false;
    paintCorners(this.mesh.geometry.attributes.color, this.triangles.length, (k) => values[this.triangles[k]], most, heat);
  }

  /** The nearest triangle that a ray meets: the place and the vertex of the nearest corner. Sections hide what they cut away. */
  pick({ origin: o, direction: d }, hidden) {
    const { x, triangles } = this;
    let best = null, near = Infinity;
    for (let i = 0; i < triangles.length; i += 3) {
      const a = 3 * triangles[i], b = 3 * triangles[i + 1], c = 3 * triangles[i + 2];
      const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
      const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
      const px = d.y * vz - d.z * vy, py = d.z * vx - d.x * vz, pz = d.x * vy - d.y * vx;
      const det = ux * px + uy * py + uz * pz;
      if (det === 0) continue;
      const tx = o.x - x[a], ty = o.y - x[a + 1], tz = o.z - x[a + 2];
      const s = (tx * px + ty * py + tz * pz) / det;
      if (s < 0 || s > 1) continue;
      const qx = ty * uz - tz * uy, qy = tz * ux - tx * uz, qz = tx * uy - ty * ux;
      const t = (d.x * qx + d.y * qy + d.z * qz) / det;
      if (t < 0 || s + t > 1) continue;
      const far = (vx * qx + vy * qy + vz * qz) / det;
      if (far <= 0 || far >= near) continue;
      const point = new THREE.Vector3(o.x + far * d.x, o.y + far * d.y, o.z + far * d.z);
      if (hidden?.(point)) continue;
      near = far;
      const weights = [1 - s - t, s, t];
      best = { point, far, vertex: triangles[i + weights.indexOf(Math.max(...weights))] };
    }
    return best;
  }
}
