// The panel, the buttons and the keys.

const $ = (id) => document.getElementById(id);

/** An entry of the menu of fields. */
export const select = (field) => $('field').querySelector(`option[value=${field}]`);

const KEYS = [['space', 'play, pause'], ['S', 'one step'], ['R', 'back to the start'], ['F', 'show everything'], ['C', 'cut'], ['W', 'wireframe'], ['X', 'cross-section'], ['K', 'contact forces'], ['N', 'dynamic nodes'], ['E', 'carried surface'], ['G', 'ground'], ['1 … 6', 'colour by'], ['M', 'next method'], ['B', 'side by side'], ['P', 'panel'], ['D', 'light, dark'], ['?', 'this help']];

function save(name, href) {
  const link = document.createElement('a');
  Object.assign(link, { download: name, href });
  link.click();
}

function fill(menu, names, value) {
  if (menu.dataset.names !== names.join()) {
    menu.replaceChildren(...names.map(([v, text, group]) => Object.assign(document.createElement('option'), { value: v, textContent: text ?? v, title: group ?? '' })));
    menu.dataset.names = names.join();
  }
  if (document.activeElement !== menu || menu.value !== value) menu.value = value;
}

const step = (h) => (h >= 0.00095 ? `${+(1000 * h).toPrecision(3)} ms` : `${+(1e6 * h).toPrecision(3)} µs`);

/** What sliders of materials say of their value. */
const times = (value) => `${+(10 ** value).toPrecision(3)} ×`;
const MATERIAL = { e: times, rho: times, drag: (value) => `+ ${+(+value).toPrecision(3)} 1/s` };

/** Brings the panel up to date with the server. */
export function showStatus(state) {
  const s = state.status;
  $('play').classList.toggle('playing', s.playing);
  $('play').title = s.playing ? 'Pause (space)' : 'Play (space)';
  for (const item of document.querySelectorAll('.live')) item.hidden = !s.live;
  $('cut').hidden = !s.live;
  $('take').hidden = s.steers;
  $('watching').textContent = s.steers ? (s.pages > 1 ? `${s.pages - 1} other ${s.pages > 2 ? 'pages watch' : 'page watches'}.` : '') : 'Another page steers; this one watches.';
  if (!s.live) return;
  const scenes = state.scenes.includes(s.scene) ? state.scenes : [s.scene, ...state.scenes];
  fill($('scene'), scenes.map((n) => [n]), s.scene);
  fill($('method'), state.methods.map((m) => [m.name]), s.methods[0]);
  fill($('other'), [['', 'nothing'], ...state.methods.map((m) => [m.name])], s.methods[1] ?? '');
  $('method-text').textContent = state.methods.find((m) => m.name === s.methods[0])?.description ?? '';
  if (document.activeElement !== $('h')) $('h').value = Math.log10(s.timeStep);
  const material = { e: Math.log10(s.stiffness), rho: Math.log10(s.density), drag: s.drag };
  for (const id in material) {
    if (document.activeElement !== $(id)) $(id).value = material[id];
    $(`${id}-text`).textContent = MATERIAL[id](material[id]);
  }
  $('h-text').textContent = step(s.timeStep);
  $('record').textContent = s.recording ? 'Stop recording' : 'Record';
  $('record').classList.toggle('recording', s.recording);
  $('fetch').hidden = s.recording || !s.recorded;
}

export function bindPanel({ state, stage, socket, tools, look, labels, rows, plots }) {
  const toggle = (id) => { const box = $(id); if (!box.closest('[hidden]:not(section)')) { box.checked = !box.checked; box.dispatchEvent(new Event('change')); } };
  const playPause = () => socket.ask(state.playing ? 'pause' : 'play');
  // a click leaves the keys to the picture
  $('transport').addEventListener('mousedown', (e) => e.preventDefault());
  $('play').onclick = playPause;
  $('step').onclick = () => socket.ask('step');
  $('reset').onclick = () => socket.ask('reset');
  $('frame').onclick = () => stage.frame();
  $('cut').onclick = () => tools.setCutting(!tools.cutting);
  $('take').onclick = () => socket.ask('take');
  $('seek').oninput = (e) => { socket.ask('pause'); socket.ask('seek', { frame: +e.target.value }); };
  $('scene').onchange = (e) => { $('loading').hidden = false; socket.ask('scene', { name: e.target.value }); e.target.blur(); };
  const method = (name, pane = 0) => socket.ask('method', { pane, name });
  $('method').onchange = (e) => { method(e.target.value); e.target.blur(); };
  const compare = (name) => { socket.ask('compare', { method: name || null }); if (name) look({ field: 'error' }); };
  $('other').onchange = (e) => { compare(e.target.value); e.target.blur(); };
  $('speed').onchange = (e) => { socket.ask('speed', { ratio: +e.target.value }); e.target.blur(); };
  $('h').oninput = (e) => { $('h-text').textContent = step(10 ** e.target.value); };
  $('h').onchange = (e) => { socket.ask('time-step', { seconds: +(10 ** e.target.value).toPrecision(3) }); e.target.blur(); };
  for (const id in MATERIAL) {
    $(id).oninput = (e) => { $(`${id}-text`).textContent = MATERIAL[id](e.target.value); };
    $(id).onchange = (e) => {
      const factor = (name) => +(10 ** $(name).value).toPrecision(3);
      socket.ask('material', { stiffness: factor('e'), density: factor('rho'), drag: +$('drag').value });
      e.target.blur();
    };
  }
  $('record').onclick = () => socket.ask('record', { on: !state.status.recording });
  $('field').onchange = (e) => { look({ field: e.target.value }); e.target.blur(); };
  for (const key of ['contacts', 'markers', 'embedded']) $(key).onchange = (e) => look({ [key]: e.target.checked });
  $('wire').onchange = (e) => { stage.options.wire.value = e.target.checked ? 1 : 0; stage.dirty = true; };
  $('ground').onchange = (e) => { stage.showGround = e.target.checked; stage.panes.forEach((p) => { p.ground.group.visible = e.target.checked && !stage.planar; }); stage.dirty = true; };
  const cross = () => { Object.assign(stage.section, { on: $('section').checked, axis: +$('section-axis').value, at: +$('section-at').value }); $('section-row').hidden = !stage.section.on; look({ section: stage.wanted() }); };
  for (const id of ['section', 'section-axis', 'section-at']) { $(id).onchange = cross; $(id).oninput = cross; }
  $('save-picture').onclick = () => save('pliant.png', stage.png());
  $('save-plots').onclick = () => save('pliant.csv', URL.createObjectURL(new Blob([rows().csv()], { type: 'text/csv' })));
  const theme = () => {
    const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    localStorage.setItem('theme', next);
    stage.theme();
  };
  $('theme').onclick = theme;

  const panel = $('panel');
  const open = (on) => { panel.classList.toggle('closed', !on); $('panel-open').classList.toggle('on', on); requestAnimationFrame(labels); };
  $('panel-open').onclick = () => open(panel.classList.contains('closed'));
  $('panel-close').onclick = () => open(false);
  const tab = (name) => {
    for (const button of document.querySelectorAll('[data-tab]')) button.setAttribute('aria-selected', button.dataset.tab === name);
    for (const page of document.querySelectorAll('[data-page]')) page.hidden = page.dataset.page !== name;
    plots.draw();
  };
  for (const button of document.querySelectorAll('[data-tab]')) button.onclick = () => tab(button.dataset.tab);
  tab('scene');
  open(innerWidth > 760);
  window.addEventListener('resize', labels);

  $('keys').innerHTML = KEYS.map(([key, what]) => `<div><dt>${what}</dt><dd><kbd>${key}</kbd></dd></div>`).join('');
  $('help-open').onclick = () => $('help').showModal();
  const fields = [...$('field').options].map((o) => o.value);
  const actions = {
    ' ': playPause, s: () => socket.ask('step'), r: () => socket.ask('reset'), f: () => stage.frame(), c: () => tools.setCutting(!tools.cutting),
    w: () => toggle('wire'), x: () => toggle('section'), k: () => toggle('contacts'), n: () => toggle('markers'), e: () => toggle('embedded'), g: () => toggle('ground'),
    p: () => open(panel.classList.contains('closed')), d: theme, '?': () => $('help').showModal(), h: () => $('help').showModal(),
    m: () => { const at = state.methods.findIndex((m) => m.name === state.status.methods[0]); method(state.methods[(at + 1) % state.methods.length].name); },
    b: () => compare(state.status.methods.length > 1 ? null : state.status.methods[0] === 'full' ? 'rigidify' : 'full'),
    Escape: () => tools.setCutting(false), ArrowRight: () => socket.ask('step'),
  };
  addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || $('help').open) return;
    // keys that what has the focus needs itself
    const focus = document.activeElement;
    const own = { SELECT: /./, BUTTON: /^( |Enter)$/, INPUT: focus?.type === 'range' ? /^(Arrow|Page|Home|End)/ : /^ $/ }[focus?.tagName];
    if (own?.test(e.key)) return;
    const action = /^[1-6]$/.test(e.key) ? () => { if (!select(fields[e.key - 1]).disabled) look({ field: fields[e.key - 1] }); } : actions[e.key] ?? actions[e.key.toLowerCase()];
    if (!action) return;
    e.preventDefault();
    action();
  });
}
