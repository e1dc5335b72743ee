// Colours of bodies, fields and states: those of the pictures in reports (crates/scene/src/picture/colour.rs), in OKLCh.

const encode = (c) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);

/** sRGB bytes of a colour; what sRGB cannot show loses chroma. */
export function oklch(lightness, chroma, hue) {
  for (; ; chroma *= 0.96) {
    const a = chroma * Math.cos((hue * Math.PI) / 180), b = chroma * Math.sin((hue * Math.PI) / 180);
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const linear = [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s];
    if (linear.every((c) => c > -1e-4 && c < 1.0001) || chroma < 1e-3) {
      return linear.map((c) => Math.round(255 * encode(Math.min(Math.max(c, 0), 1))));
    }
  }
}

const BODIES = [[0.66, 0.125, 248], [0.73, 0.145, 54], [0.68, 0.12, 158], [0.63, 0.16, 22], [0.62, 0.13, 300], [0.85, 0.14, 101], [0.8, 0.09, 198], [0.76, 0.12, 350]].map((c) => oklch(...c));

/** Regions of a body differ in lightness. */
const TONES = [1, 0.72, 1.22, 0.86, 1.1];

export function bodyColour(index, region = 0) {
  const colour = BODIES[index % BODIES.length], tone = TONES[region % TONES.length];
  return tone === 1 ? colour : colour.map((c) => Math.min(255, c * tone));
}

/** Pale where an element simply deforms, clumps apart from each other in hue. */
export const STATES = Array.from({ length: 256 }, (_, state) => {
  if (state === 0) return oklch(0.93, 0.012, 95);
  return oklch(0.56 + 0.08 * ((state - 1) % 3), 0.13, (248 + 137.508 * (state - 1)) % 360);
});

/** 256 colours from dark blue to light yellow, three bytes each; lightness grows linearly. */
export const MAP = new Uint8Array(768);
for (let i = 0; i < 256; i++) {
  const t = i / 255;
  MAP.set(oklch(0.28 + 0.65 * t, 0.092 + 0.2 * (t - 0.38) ** 2, 290 - 188 * t), 3 * i);
}

/** Errors: white to red, so that they are not taken for a field. */
export const HEAT = new Uint8Array(768);
for (let i = 0; i < 256; i++) {
  const t = i / 255;
  HEAT.set(oklch(0.95 - 0.5 * t, 0.01 + 0.19 * t, 40 - 15 * t), 3 * i);
}

export const css = ([r, g, b]) => `rgb(${r} ${g} ${b})`;
const LINES = [[0.6, 0.14, 250], [0.68, 0.15, 50], [0.62, 0.13, 160], [0.6, 0.17, 20], [0.6, 0.14, 300], [0.75, 0.13, 95], [0.7, 0.1, 205], [0.65, 0.13, 345], [0.5, 0.05, 260], [0.55, 0.1, 130], [0.72, 0.08, 30], [0.45, 0.1, 280]].map((c) => css(oklch(...c)));
export const line = (index) => LINES[index % LINES.length];
