// What must work in a browser. Nothing waits for a fixed time: every wait is for something that happens.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { PATIENCE, check, colours, open, run, serve } from './fixture.js';

const ask = (page, what, more) => page.evaluate(([w, m]) => window.pliant.socket.ask(w, m), [what, more ?? {}]);
const until = (page, condition, argument) => page.waitForFunction(condition, argument, { timeout: PATIENCE });
const shot = (page, name) => page.screenshot({ path: `${name}.png` });
const clean = (page) => check(page.complaints.length === 0, `the page complains: ${page.complaints.join('; ')}`);

/** What a click downloads. */
async function download(page, button, name) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  await file.saveAs(name);
  return readFileSync(name);
}

async function session(browser, args, options, test) {
  const server = await serve(...args);
  try {
    const page = await open(browser, server.url, options);
    await test(page, server);
    clean(page);
    await page.context().close();
  } finally {
    check((await server.stop()) === 0, 'Ctrl-C does not end pliant view cleanly');
  }
}

export const loads_and_plays = (browser) => session(browser, ['demo', '--paused'], {}, async (page) => {
  check((await colours(page)) > 40, 'the picture is blank');
  check((await page.textContent('h1')).includes('five soft shapes'), 'no title');
  const before = await page.evaluate(() => window.pliant.frame().time);
  await page.click('#play');
  await until(page, (t) => window.pliant.frame().time > t + 0.3, before);
  check(parseFloat(await page.textContent('#clock')) > 0, 'the clock stands');
  await shot(page, 'demo');
  await page.keyboard.press('Space');
  await until(page, () => !window.pliant.state.playing);
  await page.keyboard.press('r');
  await until(page, () => window.pliant.frame()?.time === 0);
  await page.keyboard.press('?');
  check(await page.isVisible('#help'), 'no help');
  await shot(page, 'help');
  await page.keyboard.press('Escape');
});

export const dragging_moves_the_body = (browser) => session(browser, ['cantilever', '--paused'], {}, async (page) => {
  // the free end: the vertex with the largest x that can be seen and touched
  const [vertex, x, y] = await page.evaluate(() => {
    const { stage, scene } = window.pliant, rest = scene().data.rest;
    const order = [...Array(rest.length / 3).keys()].sort((a, b) => rest[3 * b] - rest[3 * a]);
    for (const v of order) {
      const [px, py] = stage.screen(v);
      const hit = stage.pick(px - 3, py);
      if (hit && Math.abs(hit.point.x - rest[3 * v]) < 0.1 * stage.size) return [hit.vertex, px - 3, py];
    }
    return null;
  });
  const place = () => page.evaluate((v) => Array.from(window.pliant.stage.panes[0].bodies.x.slice(3 * v, 3 * v + 3)), vertex);
  const box = await page.locator('#picture').boundingBox();
  const before = await place();
  await page.mouse.move(box.x + x, box.y + y);
  await page.mouse.down();
  await page.mouse.move(box.x + x, box.y + y - 60, { steps: 4 });
  await page.mouse.move(box.x + x, box.y + y - 140, { steps: 4 });
  await until(page, () => window.pliant.state.playing && window.pliant.frame().hand);
  const size = await page.evaluate(() => window.pliant.stage.size);
  // positions come from the server: it has moved there
  await until(page, ([v, z, s]) => window.pliant.stage.panes[0].bodies.x[3 * v + 2] > z + 0.04 * s, [vertex, before[2], size]);
  await shot(page, 'pull');
  await page.mouse.up();
  await until(page, () => !window.pliant.frame().hand);
});

export const a_method_switch_keeps_the_state = (browser) => session(browser, ['rigidify/blob', '--paused', '--method', 'full'], {}, async (page) => {
  for (let i = 0; i < 4; i++) await ask(page, 'step');
  await until(page, () => window.pliant.frame()?.step === 4);
  const before = await page.evaluate(() => [window.pliant.frame().time, Array.from(window.pliant.stage.panes[0].bodies.x)]);
  await page.selectOption('#method', 'rigidify');
  await until(page, () => window.pliant.frame()?.panes[0].method === 'rigidify');
  const after = await page.evaluate(() => [window.pliant.frame().time, Array.from(window.pliant.stage.panes[0].bodies.x)]);
  check(before[0] === after[0], `time was ${before[0]}, is ${after[0]}`);
  check(before[1].every((v, i) => v === after[1][i]), 'the shape has changed');
  await page.keyboard.press('5');
  await page.click('#play');
  await until(page, () => window.pliant.frame()?.data.t0?.some((s) => s > 0));
  await shot(page, 'states');
});

export const fields_and_contacts = (browser) => session(browser, ['contact/stack'], {}, async (page) => {
  await page.click('[data-tab=look]');
  await page.selectOption('#field', 'stress');
  await page.check('#contacts');
  await until(page, () => window.pliant.frame()?.data.s0 && window.pliant.stage.panes[0].arrows.mesh.count > 0);
  check((await page.textContent('#legend')).includes('Pa'), 'no units in the legend');
  await shot(page, 'stress');
  await page.check('#wire');
  await page.keyboard.press('x'); // keys work after a click into the panel, too
  await until(page, () => window.pliant.frame().view.section && window.pliant.stage.panes[0].cap.mesh.visible);
  await shot(page, 'section');
  check((await colours(page)) > 40, 'the section is blank');
  // the face of the section moves with the slider and is coloured like the bodies
  const face = () => page.evaluate(() => { const { k0, ks0 } = window.pliant.frame().data; return [k0.length, Math.max(...ks0), k0[1]]; });
  const [corners, stress, place] = await face();
  check(corners > 0 && corners % 9 === 0 && stress > 0, 'the face of the section is empty');
  await page.locator('#section-at').fill('0.4');
  await until(page, (y) => Math.abs(window.pliant.frame().data.k0?.[1] - y) > 1e-3, place);
  const png = await download(page, '#save-picture', 'saved.png');
  check(png.length > 10000 && png.subarray(1, 4).toString() === 'PNG', 'no picture');
});

export const dynamic_nodes_are_marked = (browser) => session(browser, ['conjac/twist'], {}, async (page) => {
  await page.keyboard.press('n');
  await until(page, () => window.pliant.stage.panes[0].dots.mesh.count > 0 && window.pliant.frame().step > 3);
  check(/\d+ dynamic nodes/.test(await page.textContent('#legend')), 'the legend does not tell of dynamic nodes');
  await shot(page, 'dynamic-nodes');
});

export async function trained_spaces_show_their_regions(browser) {
  if (!existsSync('capsule-small.pliant-model')) run('train', 'subspace/capsule-small');
  const scene = readFileSync('../../scenes/subspace/capsule-small.toml', 'utf8');
  writeFileSync('capsule.toml', scene.replace('[solver]', '[solver.subspace]\nmodel = "capsule-small.pliant-model"\n\n[solver]\nmethod = "subspace"'));
  await session(browser, ['capsule.toml', '--paused'], {}, async (page) => {
    await page.selectOption('#speed', '0.25');
    await page.click('[data-tab=look]');
    await page.selectOption('#field', 'state');
    await page.click('#play');
    // it bends, touches the pipe and leaves it again
    const parts = ['What subspace does', 'trained space', 'full space', 'cubature elements', 'full nodes'];
    await until(page, (all) => { const text = document.getElementById('legend').textContent; return window.pliant.frame()?.data.t0?.some((s) => s === 1) && all.every((part) => text.includes(part)); }, parts);
    await ask(page, 'pause');
    await shot(page, 'subspace');
  });
}

export async function carried_surfaces(browser) {
  run('mesh', 'make', 'torus', '--force', 'torus.msh');
  run('mesh', 'convert', '--force', 'torus.msh', 'torus.obj');
  run('mesh', 'tetrahedralize', '--embed', '--edge', '250mm', '--force', 'torus.obj', 'cage.msh');
  writeFileSync('carried.toml', 'title = "a torus in a cage"\n[time]\nstep = "10 ms"\nduration = "5 s"\n[[body]]\nname = "torus"\nmesh.file = { path = "cage.msh", render = "torus.obj" }\n[body.material]\nyoung = "50 kPa"\npoisson = 0.3\n[[drive]]\nselect.side = "-x"\nfix = true\n');
  await session(browser, ['carried.toml', '--paused'], {}, async (page) => {
    const triangles = () => page.evaluate(() => window.pliant.stage.panes[0].bodies.triangles.length);
    await page.click('[data-tab=look]');
    await page.check('#section');
    await until(page, () => window.pliant.frame()?.view.section && window.pliant.stage.panes[0].cap.mesh.visible);
    await shot(page, 'carried');
    const carried = await triangles();
    await page.uncheck('#embedded');
    await until(page, () => window.pliant.frame() && !window.pliant.frame().carried);
    check((await triangles()) !== carried, 'the surface is the same');
    await shot(page, 'own-surface');
  });
}

export const plots_fill = (browser) => session(browser, ['cantilever'], {}, async (page) => {
  await page.click('[data-tab=plots]');
  const drawn = () => [...document.querySelectorAll('.plot canvas')].filter((c) => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v)).length >= 4;
  await until(page, drawn);
  await page.hover('.plot canvas');
  await until(page, () => !document.querySelector('.plot .tip').hidden);
  check(/\d s/.test(await page.textContent('.plot .tip')), 'nothing to read off');
  await shot(page, 'plots');
  const [head, ...lines] = (await download(page, '#save-plots', 'saved.csv')).toString().trim().split('\n');
  const at = head.split(',').indexOf('time');
  check(lines.length > 20 && lines.every((l, i) => i === 0 || +l.split(',')[at] > +lines[i - 1].split(',')[at]), 'plot data is not one row a step');
});

export const metrics_have_thresholds = (browser) => session(browser, ['rigidify/beam'], {}, async (page) => {
  await page.click('[data-tab=plots]');
  await until(page, () => [...document.querySelectorAll('.plot h3')].some((h) => /strain rate.*1\/s/.test(h.textContent)));
  check((await page.evaluate(() => window.pliant.scene().panes[0].thresholds)).length === 2, 'no thresholds');
  await page.locator('.plot:has-text("strain rate") canvas').scrollIntoViewIfNeeded();
  await shot(page, 'thresholds');
});

export const side_by_side = (browser) => session(browser, ['conjac/twist', '--method', 'full'], {}, async (page) => {
  await page.selectOption('#other', 'conjac');
  await until(page, () => window.pliant.stage.panes.length === 2 && window.pliant.state.error > 0 && Number.isFinite(window.pliant.state.speedup));
  check((await page.textContent('#speedup')).includes('×') && /m \(/.test(await page.textContent('#error')), 'no comparison');
  check(await page.isVisible('#legend'), 'no legend of the error');
  await until(page, () => window.pliant.frame().step > 40);
  await shot(page, 'side-by-side');
  const heat = await page.evaluate(() => Math.max(...window.pliant.frame().data.s1));
  check(heat > 0, 'no error');
});

export const phone = (browser) => session(browser, ['demo'], { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }, async (page) => {
  check((await colours(page)) > 40, 'the picture is blank');
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth && [...document.querySelectorAll('#transport button')].every((b) => { const r = b.getBoundingClientRect(); return b.hidden || (r.left >= 0 && r.right <= innerWidth && r.bottom <= innerHeight && r.height >= 40); }));
  check(await fits(), 'buttons are cut off or small');
  await shot(page, 'phone');
  await page.tap('#panel-open');
  check(await page.isVisible('#panel'), 'no panel');
  await page.tap('[data-tab=plots]');
  await until(page, () => window.pliant.rows().panes[0].length > 10);
  check(await fits(), 'buttons are cut off beside the panel');
  await shot(page, 'phone-panel');
  await page.tap('#panel-close');
  // a finger pulls a body up, while nothing moves so that it is met
  await ask(page, 'pause');
  await until(page, () => window.pliant.frame() && !window.pliant.state.playing);
  const [x, y, vertex] = await page.evaluate(() => {
    const { stage } = window.pliant, box = stage.canvas.getBoundingClientRect();
    for (let k = 0; k < 4000; k++) {
      const px = ((k * 0.618034) % 1) * box.width, py = (((k * 0.754878) % 1) * 0.4 + 0.4) * box.height;
      const hit = stage.pick(px, py);
      if (hit) return [box.left + px, box.top + py, hit.vertex];
    }
    return null;
  });
  const touch = await page.context().newCDPSession(page);
  const finger = (type, ...points) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([px, py]) => ({ x: px, y: py })) });
  const before = await page.evaluate((v) => window.pliant.stage.panes[0].bodies.x[3 * v + 2], vertex);
  await finger('touchStart', [x, y]);
  for (let k = 1; k <= 8; k++) await finger('touchMove', [x, y - 20 * k]);
  await until(page, () => window.pliant.frame()?.hand);
  await until(page, ([v, z]) => window.pliant.stage.panes[0].bodies.x[3 * v + 2] > z + 0.03 * window.pliant.stage.size, [vertex, before]);
  await shot(page, 'phone-pull');
  await finger('touchEnd');
  await until(page, () => !window.pliant.frame().hand);
  check(await page.evaluate(() => window.pliant.state.playing), 'pulling has stopped the simulation');
});

export const cut_in_the_dark = (browser) => session(browser, ['cantilever', '--paused'], { colorScheme: 'dark' }, async (page) => {
  const nodes = await page.evaluate(() => window.pliant.scene().nodes);
  const box = await page.locator('#picture').boundingBox();
  await page.keyboard.press('c');
  await page.mouse.move(box.x + box.width / 2, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 10, box.y + box.height - 120, { steps: 3 });
  await page.mouse.up();
  await until(page, (n) => window.pliant.scene().nodes > n && window.pliant.frame(), nodes);
  await page.click('#play');
  await until(page, () => window.pliant.frame()?.step > 25);
  await shot(page, 'dark');
});

export async function connection_is_lost_and_found(browser) {
  const server = await serve('cantilever');
  const page = await open(browser, server.url);
  await server.stop();
  await page.waitForSelector('#lost:not([hidden])');
  await shot(page, 'lost');
  const again = await serve('cantilever', '--port', server.port);
  await page.waitForSelector('#lost', { state: 'hidden' });
  await until(page, () => window.pliant.frame()?.time > 0);
  clean(page);
  await page.context().close();
  await again.stop();
}

export const recordings_have_a_time_line = (browser) => session(browser, ['cantilever'], {}, async (page) => {
  await page.click('#record');
  await until(page, () => window.pliant.state.status.recording);
  const began = await page.evaluate(() => window.pliant.frame().time);
  await until(page, (t) => window.pliant.frame().time > t + 0.3, began);
  await page.click('#record');
  await page.waitForSelector('#fetch:not([hidden])');
  await download(page, '#fetch', 'session.pliant');
  await ask(page, 'pause'); // two pages that move are slow to draw here
  const server = await serve('session.pliant', '--paused');
  try {
    const player = await open(browser, server.url);
    check(await player.isVisible('#seek'), 'no time line');
    const last = await player.evaluate(() => +document.getElementById('seek').max);
    check(last > 5, `only ${last} frames`);
    await player.locator('#seek').fill(String(last));
    await until(player, (n) => window.pliant.frame().index === n, last);
    await shot(player, 'recording');
    clean(player);
    await player.context().close();
  } finally {
    await server.stop();
  }
});
