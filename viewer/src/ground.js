// Ground: a grid that fades away and takes shadows.

import * as THREE from 'three';

export class Ground {
  constructor() {
    this.grid = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShaderMaterial({
      transparent: true,
      depthWrite: false,
      uniforms: { cell: { value: 0.1 }, radius: { value: 1 }, centre: { value: new THREE.Vector2() }, ink: { value: new THREE.Color(0x000000) } },
      vertexShader: 'varying vec2 place; void main() { vec4 w = modelMatrix * vec4(position, 1.0); place = w.xy; gl_Position = projectionMatrix * viewMatrix * w; }',
      fragmentShader: `varying vec2 place; uniform float cell; uniform float radius; uniform vec2 centre; uniform vec3 ink;
        float lines(float size) { vec2 p = place / size; vec2 w = fwidth(p); vec2 d = abs(fract(p - 0.5) - 0.5) / w; return (1.0 - min(min(d.x, d.y), 1.0)) * (1.0 - smoothstep(0.15, 0.6, max(w.x, w.y))); }
        void main() { float fade = 1.0 - smoothstep(0.25, 1.0, length(place - centre) / radius); float a = max(0.10 * lines(cell), 0.22 * lines(10.0 * cell)); gl_FragColor = vec4(ink, a * fade); }`,
    }));
    this.shade = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial({ opacity: 0.24, depthWrite: false }));
    this.shade.receiveShadow = true;
    this.group = new THREE.Group();
    this.group.add(this.shade, this.grid);
  }

  /** Around what is seen, at a height. */
  place(centre, size, height) {
    const decade = 10 ** Math.floor(Math.log10(size / 4));
    this.grid.material.uniforms.cell.value = decade;
    this.grid.material.uniforms.radius.value = 3.2 * size;
    this.grid.material.uniforms.centre.value.set(centre.x, centre.y);
    for (const mesh of [this.shade, this.grid]) {
      mesh.scale.setScalar(9 * size);
      mesh.position.set(centre.x, centre.y, height - 1e-3 * size);
    }
  }

  ink(dark) {
    this.grid.material.uniforms.ink.value.set(dark ? 0xffffff : 0x10202c);
    this.shade.material.opacity = dark ? 0.45 : 0.22;
  }
}
