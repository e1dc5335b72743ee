// Obstacles: their triangles once, moved by the functions of time that the scene gives (docs/recording.md).

import * as THREE from 'three';

function value(profile, t) {
  if ('constant' in profile) return profile.constant;
  if (profile.sine) {
    const { offset, amplitude, frequency, phase } = profile.sine;
    return offset + amplitude * Math.sin(2 * Math.PI * frequency * t + phase);
  }
  const { keys, smooth } = profile.keys;
  if (!keys.length) return 0;
  const after = keys.findIndex(([time]) => time > t);
  if (after < 0) return keys[keys.length - 1][1];
  if (after === 0) return keys[0][1];
  const [[t0, a], [t1, b]] = [keys[after - 1], keys[after]];
  const s = (t - t0) / (t1 - t0);
  return a + (b - a) * (smooth ? s * s * (3 - 2 * s) : s);
}

export class Obstacles {
  constructor() {
    this.group = new THREE.Group();
    this.material = new THREE.MeshStandardMaterial({ color: 0xb9b7b0, roughness: 0.85, side: THREE.DoubleSide });
    this.inner = new THREE.MeshStandardMaterial({ color: 0xb9b7b0, roughness: 0.85, side: THREE.FrontSide });
    this.list = [];
  }

  shape(scene) {
    this.group.children.forEach((mesh) => mesh.geometry.dispose());
    this.group.clear();
    this.list = [];
    const { obstacleVertices: x, obstacleTriangles: triangles } = scene.data;
    for (const obstacle of scene.obstacles) {
      const [first, end] = obstacle.triangles;
      const flat = new Float32Array(9 * (end - first));
      for (let k = 3 * first, o = 0; k < 3 * end; k++, o += 3) flat.set(x.subarray(3 * triangles[k], 3 * triangles[k] + 3), o);
      const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(flat, 3));
      geometry.computeVertexNormals();
      const mesh = new THREE.Mesh(geometry, obstacle.look === 'hollow' ? this.inner : this.material);
      mesh.receiveShadow = true;
      mesh.castShadow = obstacle.look === 'solid';
      // a level plane is what the ground shows
      mesh.visible = !(obstacle.look === 'plane' && obstacle.plane?.[1][2] > 0.999 && !obstacle.motion);
      mesh.matrixAutoUpdate = false;
      this.group.add(mesh);
      this.list.push({ mesh, obstacle });
    }
  }

  /** The height of level ground, if the scene has some. */
  floor(scene) {
    const level = scene.obstacles.filter((o) => o.look === 'plane' && o.plane?.[1][2] > 0.999);
    return level.length ? Math.max(...level.map((o) => o.plane[0][2])) : null;
  }

  move(time) {
    for (const { mesh, obstacle: { motion } } of this.list) {
      if (!motion) continue;
      const matrix = new THREE.Matrix4();
      if (motion.rotation) {
        const { axis, centre, angle } = motion.rotation;
        matrix.makeTranslation(...centre)
          .multiply(new THREE.Matrix4().makeRotationAxis(new THREE.Vector3(...axis), value(angle, time)))
          .multiply(new THREE.Matrix4().makeTranslation(...centre.map((c) => -c)));
      }
      if (motion.translation) matrix.premultiply(new THREE.Matrix4().makeTranslation(...motion.translation.map((p) => value(p, time))));
      mesh.matrix.copy(matrix);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  /** Bounds of what is closed, for the camera. */
  bounds() {
    const box = new THREE.Box3();
    for (const { mesh, obstacle } of this.list) if (obstacle.look !== 'plane') box.expandByObject(mesh);
    return box;
  }
}
