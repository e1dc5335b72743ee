// What a pointer does: pull a body, turn the picture, cut.

import * as THREE from 'three';

export class Tools {
  constructor(stage, socket, state, overlay) {
    Object.assign(this, { stage, socket, state, overlay, cutting: false });
    const { canvas } = stage;
    canvas.addEventListener('pointerdown', (e) => this.down(e), { capture: true });
    canvas.addEventListener('pointermove', (e) => this.move(e));
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) canvas.addEventListener(name, (e) => this.up(e));
  }

  place(e) {
    const box = this.stage.canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }

  setCutting(on) {
    this.cutting = on && this.state.live;
    this.stage.canvas.classList.toggle('cut', this.cutting);
    document.getElementById('cut').classList.toggle('on', this.cutting);
  }

  down(e) {
    if (e.button !== 0 || !e.isPrimary) {
      this.letGo(); // a second finger: turn and zoom
      this.stage.controls.enabled = true;
      return;
    }
    const [x, y] = this.place(e);
    if (this.cutting) {
      this.stage.controls.enabled = false;
      this.cut = { from: [x, y], to: [x, y] };
      this.stage.canvas.setPointerCapture(e.pointerId);
      return;
    }
    const hit = this.state.live && this.state.steers && this.stage.pick(x, y);
    if (!hit) return;
    this.stage.controls.enabled = false;
    this.stage.canvas.setPointerCapture(e.pointerId);
    this.stage.canvas.classList.add('pull');
    const normal = this.stage.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, hit.point);
    this.pull = { ...hit, plane };
    this.socket.ask('grab', { vertex: hit.vertex, embedded: this.state.carried, point: hit.point.toArray() });
    if (!this.state.playing) this.socket.ask('play');
  }

  move(e) {
    const [x, y] = this.place(e);
    if (this.cut) {
      this.cut.to = [x, y];
      this.drawCut();
    } else if (this.pull) {
      const found = this.stage.ray(x, y);
      const point = found && found.ray.intersectPlane(this.pull.plane, new THREE.Vector3());
      if (point) {
        this.pull.point = point;
        this.socket.ask('pull', { point: point.toArray() });
      }
    } else if (e.pointerType === 'mouse' && e.buttons === 0 && this.state.live && performance.now() - (this.looked ?? 0) > 80) {
      this.looked = performance.now();
      this.stage.canvas.classList.toggle('body', !!this.stage.pick(x, y));
    }
  }

  up() {
    if (this.cut) this.finishCut();
    this.letGo();
    this.stage.controls.enabled = true;
  }

  letGo() {
    if (this.pull) this.socket.ask('release');
    this.pull = this.cut = null;
    this.stage.canvas.classList.remove('pull');
    this.drawCut();
    this.stage.dirty = true;
  }

  drawCut() {
    this.overlay.innerHTML = this.cut ? `<line x1="${this.cut.from[0]}" y1="${this.cut.from[1]}" x2="${this.cut.to[0]}" y2="${this.cut.to[1]}"/>` : '';
  }

  /** The plane through the camera and the line that was drawn. */
  finishCut() {
    const [a, b] = [this.cut.from, this.cut.to].map(([x, y]) => this.stage.ray(x, y)?.ray);
    if (a && b && Math.hypot(this.cut.to[0] - this.cut.from[0], this.cut.to[1] - this.cut.from[1]) > 12) {
      const normal = a.direction.clone().cross(b.direction).normalize();
      this.socket.ask('cut', { point: a.origin.toArray(), normal: normal.toArray() });
    }
    this.setCutting(false);
  }

  /** Draws the spring of the hand in each pane. */
  show(hand) {
    const { stage, pull } = this;
    stage.panes.forEach((pane) => {
      const on = !!(hand && pull);
      pane.hand.visible = pane.knob.visible = on;
      if (!on) return;
      const x = pane.bodies.x, v = 3 * pull.vertex, p = pane.hand.geometry.attributes.position;
      p.setXYZ(0, x[v], x[v + 1], x[v + 2]);
      p.setXYZ(1, pull.point.x, pull.point.y, pull.point.z);
      p.needsUpdate = true;
      pane.knob.position.copy(pull.point);
      pane.knob.scale.setScalar(0.009 * stage.size);
    });
  }
}
