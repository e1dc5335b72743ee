// The picture: one camera, one or two simulations side by side, each in a scene of its own.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Arrows, Dots } from './arrows.js';
import { Bodies } from './body.js';
import { Cap } from './cap.js';
import { Ground } from './ground.js';
import { Obstacles } from './obstacles.js';

/** One simulation in the picture. */
class Pane {
  constructor(options) {
    this.scene = new THREE.Scene();
    this.bodies = new Bodies(options);
    this.cap = new Cap(options);
    this.obstacles = new Obstacles();
    this.ground = new Ground();
    this.arrows = new Arrows();
    this.dots = new Dots();
    this.sky = new THREE.HemisphereLight(0xffffff, 0xb8b2a8, 1.35);
    this.sun = new THREE.DirectionalLight(0xfff6ea, 2.3);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    this.fill = new THREE.DirectionalLight(0xdfe9ff, 0.5);
    this.hand = new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]), new THREE.LineBasicMaterial({ color: 0xd84315, depthTest: false, transparent: true }));
    this.knob = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), new THREE.MeshBasicMaterial({ color: 0xd84315, depthTest: false, transparent: true }));
    this.hand.renderOrder = this.knob.renderOrder = 3;
    this.hand.frustumCulled = false;
    this.hand.visible = this.knob.visible = false;
    this.sky.position.set(0, 0, 1);
    this.scene.add(this.bodies.mesh, this.cap.group, this.obstacles.group, this.ground.group, this.arrows.mesh, this.dots.mesh, this.sky, this.sun, this.sun.target, this.fill, this.hand, this.knob);
  }
}

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.options = { wire: { value: 0 }, opened: { value: 0 } };
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, stencil: true, preserveDrawingBuffer: false, powerPreference: 'high-performance' });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.localClippingEnabled = true;
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => { this.dirty = true; });
    this.panes = [new Pane(this.options)];
    this.clip = new THREE.Plane(new THREE.Vector3(-1, 0, 0), 0);
    this.section = { on: false, axis: 1, at: 0.5 };
    this.size = 1;
    this.centre = new THREE.Vector3();
    this.showGround = true;
    this.dirty = true;
    new ResizeObserver(() => { this.dirty = true; }).observe(canvas);
  }

  /** Takes a scene; the camera is moved only if it is another one. */
  shape(scene, carried, fresh) {
    while (this.panes.length < scene.panes.length) this.panes.push(new Pane(this.options));
    this.panes.length = scene.panes.length;
    for (const pane of this.panes) {
      pane.bodies.shape(scene, carried);
      pane.obstacles.shape(scene);
    }
    this.planar = scene.bodies.every((b) => b.planar);
    const box = new THREE.Box3().setFromArray(scene.data.rest);
    const size = box.getSize(new THREE.Vector3()).length() || 1;
    const solid = this.panes[0].obstacles.bounds();
    // obstacles count as far as they are of the size of the bodies
    const seen = box.clone();
    if (!solid.isEmpty()) seen.union(solid.intersect(box.clone().expandByScalar(0.6 * size)));
    const floor = this.panes[0].obstacles.floor(scene);
    const height = floor ?? seen.min.z - 0.12 * (seen.max.z - seen.min.z);
    if (floor !== null && floor > box.min.z - 1.5 * size) seen.min.z = Math.min(seen.min.z, floor);
    this.floor = floor === null ? null : height;
    this.height = height;
    this.lowest = height - 1.2 * size;
    this.box = seen;
    this.size = seen.getSize(new THREE.Vector3()).length();
    this.centre = seen.getCenter(new THREE.Vector3());
    for (const pane of this.panes) {
      pane.ground.place(this.centre, this.size, height);
      pane.ground.group.visible = this.showGround && !this.planar;
      this.light(pane);
    }
    this.theme();
    if (fresh) this.frame();
    this.dirty = true;
  }

  light(pane) {
    const { sun, fill } = pane, s = this.size;
    const away = this.planar ? [-0.3, 0.4, 1] : [-0.55, -0.6, 1.25];
    sun.position.copy(this.centre).add(new THREE.Vector3(...away).multiplyScalar(1.6 * s));
    sun.target.position.copy(this.centre);
    fill.position.copy(this.centre).add(new THREE.Vector3(1, -0.6, 0.25).multiplyScalar(s));
    const camera = sun.shadow.camera;
    camera.left = camera.bottom = -1.1 * s; camera.right = camera.top = 1.1 * s;
    camera.near = 0.2 * s; camera.far = 5 * s;
    camera.updateProjectionMatrix();
    sun.shadow.normalBias = 0.005 * s;
    sun.shadow.bias = -0.0006;
    sun.castShadow = !this.planar;
  }

  theme() {
    this.dark = document.documentElement.dataset.theme === 'dark';
    for (const pane of this.panes) {
      pane.scene.background = new THREE.Color(this.dark ? 0x14171b : 0xeef1f4);
      pane.ground.ink(this.dark);
      pane.sky.intensity = this.dark ? 0.95 : 1.35;
      pane.obstacles.material.color.set(this.dark ? 0x6d7278 : 0xc4c2bc);
      pane.obstacles.inner.color.copy(pane.obstacles.material.color);
    }
    this.dirty = true;
  }

  /** Ground that the scene does not name gives way to what comes lower. */
  lower(x) {
    if (this.floor !== null) return;
    let low = Infinity;
    for (let i = 2; i < x.length; i += 3) if (x[i] < low) low = x[i];
    if (low - 0.02 * this.size >= this.height || this.height <= this.lowest) return; // what falls for ever is let go
    this.height = Math.max(low - 0.04 * this.size, this.lowest);
    for (const pane of this.panes) pane.ground.place(this.centre, this.size, this.height);
  }

  /** Everything in view, from the front and a little above. */
  frame() {
    const [, , w, h] = this.rectangle(0);
    const up = this.planar ? [0, 1, 0] : [0, 0, 1];
    this.camera.up.set(...up);
    const direction = this.planar ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(-0.5, -1, 0.42).normalize();
    this.camera.aspect = w / h;
    // the box as the camera sees it, with a margin for what moves
    const right = new THREE.Vector3(...up).cross(direction).normalize();
    const above = direction.clone().cross(right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360), wide = tall * this.camera.aspect;
    let distance = 0;
    for (let i = 0; i < 8; i++) {
      const corner = new THREE.Vector3(i & 1 ? this.box.max.x : this.box.min.x, i & 2 ? this.box.max.y : this.box.min.y, i & 4 ? this.box.max.z : this.box.min.z).sub(this.centre);
      const along = corner.dot(direction);
      distance = Math.max(distance, along + Math.abs(corner.dot(right)) / wide, along + Math.abs(corner.dot(above)) / tall);
    }
    distance *= 1.2;
    this.controls.target.copy(this.centre);
    this.camera.position.copy(this.centre).addScaledVector(direction, distance);
    this.camera.near = 0.01 * this.size; this.camera.far = 60 * this.size;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = 0.05 * this.size;
    this.controls.maxDistance = 30 * this.size;
    // OrbitControls reads which way is up when it is made
    this.controls._quat?.setFromUnitVectors(this.camera.up, new THREE.Vector3(0, 1, 0));
    this.controls._quatInverse?.copy(this.controls._quat).invert();
    this.controls.update();
    this.dirty = true;
  }

  /** The plane of the cross-section as it is set: n and d of n · x + d > 0, where what is seen lies; null for none. */
  wanted() {
    const { on, axis, at } = this.section;
    if (!on || !this.box) return null;
    const low = this.box.min.getComponent(axis), high = this.box.max.getComponent(axis);
    const margin = 0.1 * (high - low);
    const place = low - margin + at * (high - low + 2 * margin);
    // what is on the side of the camera goes
    const side = this.camera.position.getComponent(axis) > this.centre.getComponent(axis) ? 1 : -1;
    return [0, 1, 2].map((k) => (k === axis ? -side : 0)).concat(side * place);
  }

  /** Cuts what is drawn along the plane that the server has cut along: the face fits. */
  cross(plane) {
    this.opened = !!plane;
    if (plane) { this.clip.normal.set(plane[0], plane[1], plane[2]); this.clip.constant = plane[3]; }
    for (const { bodies: { material } } of this.panes) {
      if (!!material.clippingPlanes === this.opened) continue;
      material.clippingPlanes = plane ? [this.clip] : null;
      material.clipShadows = true;
    }
    this.options.opened.value = plane ? 1 : 0;
  }

  /** Left, top, width and height of a pane in CSS pixels. */
  rectangle(index) {
    const w = this.canvas.clientWidth || 1, h = this.canvas.clientHeight || 1, n = this.panes.length;
    if (n === 1) return [0, 0, w, h];
    return w >= h ? [(index * w) / n, 0, w / n, h] : [0, (index * h) / n, w, h / n];
  }

  /** The pane under a place of the canvas, and the ray from the camera through it. */
  ray(x, y) {
    for (let index = 0; index < this.panes.length; index++) {
      const [left, top, w, h] = this.rectangle(index);
      if (x < left || y < top || x >= left + w || y >= top + h) continue;
      const caster = new THREE.Raycaster();
      this.camera.aspect = w / h; // the canvas may have another size than when it was drawn
      this.camera.updateProjectionMatrix();
      this.camera.updateMatrixWorld();
      caster.setFromCamera(new THREE.Vector2((2 * (x - left)) / w - 1, 1 - (2 * (y - top)) / h), this.camera);
      return { index, ray: caster.ray };
    }
    return null;
  }

  /** What is under a place of the canvas. */
  pick(x, y) {
    const found = this.ray(x, y);
    if (!found) return null;
    const hidden = this.opened ? (p) => this.clip.distanceToPoint(p) < 0 : null;
    const hit = this.panes[found.index].bodies.pick(found.ray, hidden);
    return hit && { ...hit, pane: found.index };
  }

  /** Where a vertex is on the canvas; for tests. */
  screen(vertex, index = 0) {
    const p = new THREE.Vector3().fromArray(this.panes[index].bodies.x, 3 * vertex).project(this.camera);
    const [left, top, w, h] = this.rectangle(index);
    return [left + (w * (p.x + 1)) / 2, top + (h * (1 - p.y)) / 2];
  }

  draw() {
    const { canvas, renderer } = this;
    const w = canvas.clientWidth, h = canvas.clientHeight, ratio = Math.min(devicePixelRatio || 1, 2);
    if (!w || !h) return;
    if (canvas.width !== Math.floor(w * ratio) || canvas.height !== Math.floor(h * ratio)) {
      renderer.setPixelRatio(ratio);
      renderer.setSize(w, h, false);
    }
    renderer.setScissorTest(true);
    this.panes.forEach((pane, index) => {
      const [left, top, width, height] = this.rectangle(index);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      renderer.setViewport(left, h - top - height, width, height);
      renderer.setScissor(left, h - top - height, width, height);
      renderer.render(pane.scene, this.camera);
    });
  }

  /** A PNG of the picture. */
  png() {
    this.draw();
    return this.canvas.toDataURL('image/png');
  }
}
