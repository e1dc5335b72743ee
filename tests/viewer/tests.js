// What must work in a browser.

import { check, colours, open, serve } from './fixture.js';

const ask = (page, what, more) => page.evaluate(([w, m]) => window.pliant.socket.ask(w, m), [what, more ?? {}]);
const until = (page, condition, argument) => page.waitForFunction(condition, argument, { timeout: 20000 });
const shot = (page, name) => page.screenshot({ path: `${name}.png` });
const clean = (page) => check(page.complaints.length === 0, `the page complains: ${page.complaints.join('; ')}`);

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
  await page.check('#section');
  await page.waitForTimeout(300);
  await shot(page, 'section');
  check((await colours(page)) > 40, 'the section is blank');
});

export const plots_fill = (browser) => session(browser, ['cantilever'], {}, async (page) => {
  await page.click('[data-tab=plots]');
  await until(page, () => window.pliant.rows().panes[0].length > 20);
  await page.waitForTimeout(400);
  const drawn = await page.evaluate(() => [...document.querySelectorAll('.plot canvas')].map((c) => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v)));
  check(drawn.length >= 4 && drawn.filter(Boolean).length >= 4, `plots are empty: ${drawn}`);
  await page.hover('.plot canvas');
  await until(page, () => !document.querySelector('.plot .tip').hidden);
  check(/\d s/.test(await page.textContent('.plot .tip')), 'nothing to read off');
  await shot(page, 'plots');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-plots')]);
  check(download.suggestedFilename().endsWith('.csv'), 'no plot data');
});

export const side_by_side = (browser) => session(browser, ['conjac/twist', '--method', 'full'], {}, async (page) => {
  await page.selectOption('#other', 'conjac');
  await until(page, () => window.pliant.stage.panes.length === 2 && window.pliant.state.error > 0 && Number.isFinite(window.pliant.state.speedup));
  check((await page.textContent('#speedup')).includes('×') && /m \(/.test(await page.textContent('#error')), 'no comparison');
  check(await page.isVisible('#legend'), 'no legend of the error');
  await page.waitForTimeout(1500);
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
  await page.waitForSelector('#lost:not([hidden])', { timeout: 10000 });
  await shot(page, 'lost');
  const again = await serve('cantilever', '--port', server.port);
  await page.waitForSelector('#lost', { state: 'hidden', timeout: 15000 });
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
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#fetch')]);
  await download.saveAs('session.pliant');
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
