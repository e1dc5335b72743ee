// The page of `pliant view`: puts socket, picture, plots and panel together.

import { MAP, HEAT, STATES, css } from './colours.js';
import { MARKS } from './arrows.js';
import { Plots, Rows, nice } from './plots.js';
import { bindPanel, select, showStatus } from './panel.js';
import { Socket } from './socket.js';
import { Stage } from './stage.js';
import { Tools } from './tools.js';

const $ = (id) => document.getElementById(id);
const state = { live: true, steers: false, playing: false, carried: false, methods: [], status: {}, frames: 0, owed: 0, view: { field: 'body', embedded: true, contacts: false, markers: false, section: null } };

const saved = localStorage.getItem('theme');
document.documentElement.dataset.theme = saved ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

const stage = new Stage($('picture'));
const plots = new Plots($('plots'));
let rows = null, scene = null, frame = null, scale = 0, plotted = 0;

const socket = new Socket({
  open() {
    $('lost').hidden = true;
    state.owed = 0;
    socket.ask('view', state.view);
  },
  close() {
    if (scene || state.tried) $('lost').hidden = false;
    state.tried = true;
    tools.letGo();
  },
  hello(message) {
    rows = new Rows(message.columns);
    state.methods = message.methods;
    state.scenes = message.scenes;
    state.version = message.version;
  },
  status(message) {
    Object.assign(state, { live: message.live, steers: message.steers, playing: message.playing, status: message });
    showStatus(state);
    if (message.notice && message.notice.number !== state.noticed) {
      state.noticed = message.notice.number;
      notice(message.notice.text);
    }
  },
  scene(message) {
    const fresh = !scene || scene.scene !== message.scene || scene.live !== message.live;
    const again = !scene || scene.panes.length !== message.panes.length;
    scene = message;
    state.carried = message.carried && state.view.embedded;
    if ((fresh || again) && message.live) rows?.clear(); // those of a recording come once, perhaps before it
    stage.shape(message, state.carried, fresh || again);
    scale = 0;
    frame = null;
    plots.make(rows, message.panes);
    $('title').textContent = message.title;
    document.title = `${message.title} · Pliant`;
    $('description').textContent = message.description;
    $('embedded-row').hidden = !message.carried;
    $('timeline').hidden = message.live;
    if (!message.live) Object.assign($('seek'), { max: message.data.times.length - 1 });
    $('versus').hidden = message.panes.length < 2;
    $('loading').hidden = true;
    select('error').disabled = message.panes.length < 2;
    if (message.panes.length < 2 && state.view.field === 'error') look({ field: 'body' });
    if (state.view.section) look({ section: stage.wanted() });
    labels();
    if (fresh && message.notices?.length) notice(message.notices.some((n) => n.includes('stand-in')) ? 'Generated meshes stand in for scans that are not on this machine.' : message.notices.join(' '));
  },
  rows(message) { rows.add(message.data.rows); },
  frame(message) { frame = message; state.fresh = true; state.owed++; },
});

const tools = new Tools(stage, socket, state, $('overlay'));

/** Changes what is looked at. */
function look(change) {
  Object.assign(state.view, change);
  $('field').value = state.view.field;
  for (const key of ['contacts', 'markers', 'embedded']) $(key).checked = state.view[key];
  scale = 0;
  socket.ask('view', state.view);
}

/** Shows the last frame that came. */
function show() {
  const { data, panes } = frame;
  if (scene.carried && frame.carried !== state.carried) {
    state.carried = frame.carried;
    stage.shape(scene, state.carried, false);
  }
  const { field } = frame.view;
  let most = 0;
  panes.forEach((_, i) => { for (const values of [data[`s${i}`], data[`ks${i}`]]) for (const v of values ?? []) if (v > most) most = v; });
  scale = most > scale ? most : 0.985 * scale + 0.015 * most; // follows slowly, so that colours do not flicker
  const { section } = frame.view;
  stage.cross(section);
  stage.panes.forEach((pane, i) => {
    pane.bodies.move(data[`x${i}`]);
    pane.obstacles.move(frame.time);
    if (data[`s${i}`]) pane.bodies.colourByValue(data[`s${i}`], scale, field === 'error');
    else if (data[`t${i}`]) pane.bodies.colourByState(data[`t${i}`]);
    else pane.bodies.colourByBody();
    const cut = { places: data[`k${i}`], bodies: data[`kb${i}`], regions: data[`kr${i}`], states: data[`kt${i}`], values: data[`ks${i}`] };
    pane.cap.show(cut, section?.slice(0, 3).map((c) => -c), scale, field === 'error');
    pane.cap.within(frame.carried ? pane.bodies.mesh.geometry : null, stage.clip);
    pane.arrows.show(data[`c${i}`], stage.size);
    pane.dots.show(data[`m${i}`], stage.size);
  });
  stage.lower(data.x0);
  tools.show(frame.hand);
  $('clock').textContent = `${frame.time.toFixed(3)} s`;
  $('pace').textContent = frame.playing && scene.live && frame.pace > 0 ? `${frame.pace >= 9.95 ? Math.round(frame.pace) : frame.pace.toFixed(2)}×` : '–';
  if (frame.index !== undefined) { $('seek').value = frame.index; plots.now = frame.time; }
  legend(field, data);
  facts(panes);
  labels();
  state.frames++;
  stage.dirty = true;
}

const FIELDS = { displacement: ['Displacement', 'm'], speed: ['Speed', 'm/s'], stress: ['Von Mises stress', 'Pa'], error: ['Error between methods', 'm'] };
const KEYS = { rigidify: [['elastic', 0], ['rigid, a colour for each clump', 1, 2, 3]], subspace: [['trained space', 0], ['full space', 1]] };

/** Kinds of marks in a frame: names, colours and how many there are. */
function marks(data) {
  const counts = MARKS.map(() => 0);
  for (let k = 3; k < (data.m0?.length ?? 0); k += 4) counts[data.m0[k]]++;
  return MARKS.map((mark, kind) => ({ ...mark, count: counts[kind] })).filter(({ count }) => count);
}

function legend(field, data) {
  const scalar = FIELDS[field] && data.s0, states = field === 'state';
  const marked = marks(data);
  $('legend').hidden = !scalar && !states && !state.view.contacts && !marked.length;
  $('legend-bar').hidden = $('legend-ends').hidden = !scalar;
  const keys = [];
  if (scalar) {
    const [name, unit] = FIELDS[field];
    $('legend-name').textContent = name;
    const [a, b, c] = $('legend-ends').children;
    a.textContent = `0 ${unit}`; b.textContent = nice(scale / 2, unit); c.textContent = nice(scale, unit);
    const g = $('legend-bar').getContext('2d'), table = field === 'error' ? HEAT : MAP;
    for (let i = 0; i < 220; i++) {
      const o = 3 * Math.round((255 * i) / 219);
      g.fillStyle = css(table.subarray(o, o + 3)); g.fillRect(i, 0, 1, 12);
    }
  } else if (states) {
    const method = frame.panes.map((p) => p.method).find((m) => KEYS[m] || m === 'conjac');
    $('legend-name').textContent = method ? `What ${method} does` : 'This method treats all elements alike';
    const rigid = data.t0?.some((s) => s > 191) ? [['rigid bodies', 255, 254, 253]] : [];
    for (const [text, ...indices] of [...(KEYS[method] ?? []), ...rigid]) keys.push(indices.map((i) => `<b style="background:${css(STATES[i])}"></b>`).join('') + text);
  } else $('legend-name').textContent = '';
  const arrows = stage.panes[0].arrows;
  if (state.view.contacts) keys.push(`<b style="background:#d84315"></b>contact forces, up to ${nice(arrows.most, 'N')}`);
  for (const { colour, text, count } of marked) keys.push(`<b style="background:${colour};border-radius:50%"></b>${count} ${text}`);
  $('legend-keys').innerHTML = keys.map((k) => `<div>${k}</div>`).join('');
}

function facts(panes) {
  const list = [['nodes', scene.nodes.toLocaleString('en')], ['elements', scene.elements.toLocaleString('en')], ['triangles shown', ((state.carried ? scene.data.carriedTriangles : scene.data.triangles).length / 3).toLocaleString('en')]];
  const [first, second] = panes;
  if (scene.live) {
    list.push(['unknowns', first.dofs.toLocaleString('en')], ['time per step', nice(first.wall, 's')], ['contacts', first.contacts], ['largest stress', nice(first.stress, 'Pa')]);
    if (first.fullNodes) list.push(['full nodes', first.fullNodes.toLocaleString('en')]);
  } else list.push(['frame', `${frame.index + 1} of ${scene.data.times.length}`], ['step', frame.step.toLocaleString('en')]);
  $('facts').innerHTML = list.map(([k, v]) => `<div><dt>${k}</dt><dd>${v}</dd></div>`).join('');
  if (second) {
    const ratio = second.total > 0 && first.steps > 3 ? first.total / second.total : NaN;
    $('speedup').textContent = Number.isFinite(ratio) ? `${ratio.toFixed(2)}×` : '–';
    $('error').textContent = `${nice(second.error, 'm')} (${(100 * second.error / frame.diagonal).toPrecision(2)} %)`;
    state.speedup = ratio; state.error = second.error;
  }
}

/** Names of the methods above the pictures. */
function labels() {
  const box = $('labels');
  if (!scene || scene.panes.length < 2) return box.replaceChildren();
  const html = scene.panes.map((pane, index) => {
    const [left, top, w] = stage.rectangle(index), wall = frame?.panes[index]?.wall;
    return `<span style="left:${left + w - 14}px;top:${top + 16}px">${pane.method}<i>${wall ? nice(wall, 's') : ''}</i></span>`;
  });
  const [left, top, w, h] = stage.rectangle(1);
  html.push(left > 0 ? `<hr style="left:${left}px;top:0;width:1px;height:${h}px">` : `<hr style="left:0;top:${top}px;width:${w}px;height:1px">`);
  box.innerHTML = html.join('');
}

function notice(text) {
  const box = $('notice');
  box.textContent = text;
  box.hidden = false;
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => { box.hidden = true; }, 7000);
}

function loop() {
  requestAnimationFrame(loop);
  stage.controls.update();
  const fresh = state.fresh && frame && scene;
  if (fresh) { state.fresh = false; show(); }
  if (stage.dirty) { stage.dirty = false; stage.draw(); }
  // also for frames that another scene made worthless: each one that came lets the next one come
  for (; state.owed > 0; state.owed--) socket.ask('ready');
  if (rows && performance.now() - plotted > 100) { plotted = performance.now(); plots.draw(); }
}

bindPanel({ state, stage, socket, tools, look, labels, rows: () => rows, plots });
// for tests and for the curious
window.pliant = { state, stage, tools, socket, rows: () => rows, scene: () => scene, frame: () => frame };
requestAnimationFrame(loop);
