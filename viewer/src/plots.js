// Small plots of what a step reports, on canvases of their own; hover to read.

import { line } from './colours.js';

const MOST = 900;
const PREFIXES = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']];

/** A number with three digits and a prefix for its unit. */
export function nice(value, unit = '') {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size === 0) return `0${unit && ` ${unit}`}`;
  if (!unit) return size >= 1e5 || size < 1e-3 ? value.toExponential(1) : String(+value.toPrecision(3));
  const [scale, prefix] = PREFIXES.find(([s]) => size >= 0.9995 * s) ?? PREFIXES[PREFIXES.length - 1];
  return `${+(value / scale).toPrecision(3)} ${prefix}${unit}`;
}

/** Rows of the last steps, by simulation. */
export class Rows {
  constructor(columns) {
    this.columns = columns;
    this.at = Object.fromEntries(columns.map((name, index) => [name, index]));
    this.stages = columns.slice(columns.indexOf('error') + 1);
    this.clear();
  }

  clear() { this.panes = [[], []]; }

  add(numbers) {
    const width = this.columns.length;
    for (let i = 0; i + width <= numbers.length; i += width) {
      const row = numbers.slice(i, i + width), own = this.panes[row[this.at.pane]] ?? [];
      const last = own[own.length - 1];
      if (last && row[this.at.time] < last[this.at.time] - 1e-6) own.length = 0; // it was reset
      own.push(row);
      if (own.length > MOST) own.shift();
    }
  }

  csv() {
    const rows = this.panes.flat().map((row) => Array.from(row, (v) => +v.toPrecision(7)).join(','));
    return [this.columns.join(','), ...rows].join('\n') + '\n';
  }
}

/** What each plot shows: lines of (name, value of a row). */
function plan(rows, panes) {
  const { at, stages } = rows;
  const column = (name, label, pane = 0, scale = 1) => ({ label, pane, of: (row) => row[at[name]] * scale });
  const both = (name, more) => panes.map((pane, index) => ({ ...column(name, pane.method, index), ...more }));
  const list = [
    panes.length > 1
      ? { title: 'Time per step', unit: 's', lines: both('wall') }
      : { title: 'Time per step', unit: 's', stacked: true, lines: stages.map((stage) => column(stage, stage)) },
    { title: 'Unknowns', unit: '', lines: both('dofs') },
    { title: 'Energy', unit: 'J', lines: [column('kinetic', 'kinetic'), column('elastic', 'elastic'), column('loss', 'lost')] },
    { title: 'Residual', unit: '', log: true, lines: panes.length > 1 ? both('residual') : [column('residual', 'linear'), column('newton', 'Newton')] },
  ];
  if (panes.length > 1) list.splice(1, 0, { title: 'Error', unit: 'm', lines: [column('error', `${panes[1].method} against ${panes[0].method}`, 1)] });
  panes.forEach((pane, index) => {
    if (pane.thresholds?.length) list.push({ title: pane.method === 'conjac' ? 'Stretching speed Ṡ' : 'Predicted strain rate', unit: '1/s', log: true, levels: pane.thresholds, lines: [column('metric', 'largest', index)] });
  });
  list.push({ title: 'Contacts', unit: '', lines: both('contacts') });
  return list;
}

export class Plots {
  constructor(root) { this.root = root; this.list = []; }

  /** Makes the plots for these simulations. */
  make(rows, panes) {
    this.rows = rows;
    this.root.replaceChildren();
    this.list = plan(rows, panes).map((plot) => {
      const box = document.createElement('div');
      box.className = 'plot';
      box.innerHTML = `<h3>${plot.title}<span></span></h3><canvas></canvas><div class="keys"></div><div class="tip" hidden></div>`;
      plot.lines.forEach((l, i) => {
        l.colour = line(i);
        if (plot.lines.length > 1) {
          const key = document.createElement('span');
          key.innerHTML = `<b></b>${l.label}`;
          key.firstChild.style.background = l.colour;
          box.querySelector('.keys').append(key);
          l.key = key;
        }
      });
      const [canvas, now, tip] = ['canvas', 'h3 span', '.tip'].map((s) => box.querySelector(s));
      const made = { ...plot, box, canvas, now, tip, hover: null };
      canvas.addEventListener('pointermove', (e) => { made.hover = e.offsetX; this.draw(); });
      canvas.addEventListener('pointerleave', () => { made.hover = null; this.draw(); });
      this.root.append(box);
      return made;
    });
  }

  draw() {
    if (!this.root.offsetParent) return; // not in view
    const style = getComputedStyle(document.documentElement);
    const [ink, rule] = ['--soft', '--line'].map((name) => style.getPropertyValue(name));
    for (const plot of this.list) this.one(plot, ink, rule);
  }

  one(plot, ink, rule) {
    const { canvas, lines, stacked, log } = plot, { at, panes } = this.rows;
    const w = canvas.clientWidth, h = canvas.clientHeight, ratio = Math.min(devicePixelRatio || 1, 2);
    if (canvas.width !== Math.round(w * ratio)) { canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio); }
    const g = canvas.getContext('2d');
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, w, h);
    const all = lines.map((l) => panes[l.pane] ?? []);
    const longest = all.reduce((a, b) => (b.length > a.length ? b : a), []);
    plot.box.classList.toggle('empty', longest.length < 2);
    if (longest.length < 2) return;
    const t0 = longest[0][at.time], t1 = longest[longest.length - 1][at.time];
    // stage times jump: what is read off is the mean of a few steps
    const values = lines.map((l, i) => smooth(all[i].map(l.of), stacked || plot.title === 'Time per step' ? 7 : 1));
    let low = 0, high = 0;
    if (stacked) high = Math.max(...robust(longest.map((_, k) => values.reduce((s, v) => s + (v[k] ?? 0), 0))));
    else {
      const flat = values.flat().filter((v) => Number.isFinite(v) && (!log || v > 0));
      if (log) {
        for (const level of plot.levels ?? []) flat.push(level);
        if (!flat.length) { plot.now.textContent = 'direct: none'; return; }
      }
      low = Math.min(log ? Infinity : 0, ...flat); high = Math.max(...flat);
    }
    if (log) { low = Math.floor(Math.log10(Math.max(low, 1e-18))); high = Math.max(low + 1, Math.ceil(Math.log10(high))); }
    else if (high === low) high = low + 1;
    const left = 0, top = 13, bottom = h - 14, right = w - 1;
    const px = (t) => left + ((t - t0) / (t1 - t0 || 1)) * (right - left);
    const py = (v) => { const u = log ? Math.log10(Math.max(v, 1e-18)) : v; return bottom - ((u - low) / (high - low)) * (bottom - top); };
    g.strokeStyle = rule; g.fillStyle = ink; g.lineWidth = 1; g.font = '10px system-ui, sans-serif';
    for (const share of log && (high - low) % 2 ? [0, 1] : [0, 0.5, 1]) {
      const v = low + share * (high - low), y = Math.round(py(log ? 10 ** v : v)) + 0.5;
      g.beginPath(); g.moveTo(left, y); g.lineTo(right, y); g.stroke();
      g.fillText(log ? `1e${Math.round(v)}` : nice(v, plot.unit), left + 1, y - 2);
    }
    g.textAlign = 'right'; g.fillText(`${t1.toFixed(2)} s`, right, h - 3); g.textAlign = 'left'; g.fillText(`${t0.toFixed(2)} s`, left, h - 3);
    for (const level of plot.levels ?? []) {
      g.setLineDash([4, 3]); g.strokeStyle = ink; g.beginPath(); g.moveTo(left, py(level)); g.lineTo(right, py(level)); g.stroke(); g.setLineDash([]);
    }
    if (this.now >= t0 && this.now < t1) { g.strokeStyle = ink; g.beginPath(); g.moveTo(px(this.now), top); g.lineTo(px(this.now), bottom); g.stroke(); }
    const base = longest.map(() => 0);
    lines.forEach((l, i) => {
      const rows = all[i], v = values[i];
      g.beginPath();
      if (stacked) {
        rows.forEach((row, k) => g.lineTo(px(row[at.time]), py(base[k] + v[k])));
        for (let k = rows.length - 1; k >= 0; k--) { g.lineTo(px(rows[k][at.time]), py(base[k])); base[k] += v[k]; }
        g.fillStyle = l.colour; g.fill();
        if (l.key) l.key.hidden = Math.max(...v) < 0.02 * high;
      } else {
        rows.forEach((row, k) => { if (!log || v[k] > 0) g.lineTo(px(row[at.time]), py(v[k])); });
        g.strokeStyle = l.colour; g.lineWidth = 1.6; g.stroke();
      }
    });
    const last = (i) => values[i][values[i].length - 1] ?? 0;
    plot.now.textContent = stacked ? nice(lines.reduce((s, _, i) => s + last(i), 0), plot.unit) : lines.length === 1 ? nice(last(0), plot.unit) : '';
    plot.tip.hidden = plot.hover === null;
    if (plot.hover === null) return;
    const t = t0 + ((plot.hover - left) / (right - left)) * (t1 - t0);
    const near = (rows) => { let k = rows.findIndex((row) => row[at.time] >= t); return k < 0 ? rows.length - 1 : k; };
    g.strokeStyle = ink; g.lineWidth = 1; g.beginPath(); g.moveTo(plot.hover, top); g.lineTo(plot.hover, bottom); g.stroke();
    const read = lines.map((l, i) => [l, values[i][near(all[i])]]).filter(([, v]) => Number.isFinite(v) && (!stacked || v > 0.01 * high));
    plot.tip.innerHTML = `<b>${t.toFixed(3)} s</b><br>` + read.map(([l, v]) => `${l.label}: ${nice(v, plot.unit)}`).join('<br>');
    const tipWidth = plot.tip.offsetWidth;
    plot.tip.style.left = `${Math.min(Math.max(0, plot.hover + 10), w - tipWidth)}px`;
  }
}

function smooth(values, window) {
  if (window <= 1) return values;
  let sum = 0;
  return values.map((v, k) => { sum += v - (k >= window ? values[k - window] : 0); return sum / Math.min(k + 1, window); });
}

/** Without the few largest: one slow step must not flatten the rest. */
function robust(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return [1.15 * sorted[Math.floor(0.985 * (sorted.length - 1))]];
}
