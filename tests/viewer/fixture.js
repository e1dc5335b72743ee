// A server and a browser for the tests.

import { execFileSync, spawn } from 'node:child_process';
import { chromium } from 'playwright-core';

export const [, , pliant, executablePath, ...chosen] = process.argv;

/** How long anything may take: machines that run these tests may be slow and busy. */
export const PATIENCE = 1000 * (process.env.PATIENCE ?? 120);

/** Runs `pliant` to its end. */
export const run = (...args) => execFileSync(pliant, args, { stdio: ['ignore', 'ignore', 'pipe'] });

/** `pliant view` with arguments; resolves when it has told its address. */
export function serve(...args) {
  const child = spawn(pliant, ['view', ...args, '--no-open', '--threads', '1'], { stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let text = '', errors = '';
    child.stderr.on('data', (d) => { errors += d; });
    child.on('exit', (code) => reject(new Error(`pliant view ended with ${code}: ${errors}`)));
    child.stdout.on('data', (data) => {
      text += data;
      const url = text.match(/http:\S+/)?.[0];
      if (url) {
        child.removeAllListeners('exit');
        const ended = new Promise((done) => child.on('exit', (code) => done(code)));
        const stop = () => { child.kill('SIGINT'); return ended; };
        resolve({ url, port: new URL(url).port, stop });
      }
    });
  });
}

export async function launch() {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--use-angle=swiftshader', '--ignore-gpu-blocklist', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--mute-audio'],
  });
}

/** Console messages that are no fault of the page: a browser tells of a refused connection by itself while the server is away. */
const EXPECTED = /WebSocket connection to .* failed|ERR_CONNECTION_REFUSED|GPU stall due to ReadPixels/;

/** A page at an address, with everything that it complains about. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints = [];
  page.on('console', (m) => { if (['error', 'warning'].includes(m.type()) && !EXPECTED.test(m.text())) complaints.push(`${m.type()}: ${m.text()}`); });
  page.on('pageerror', (e) => complaints.push(`exception: ${e.stack ?? e.message}`));
  page.complaints = complaints;
  await page.goto(url);
  await page.waitForFunction(() => window.pliant?.state.frames > 0, null, { timeout: PATIENCE });
  return page;
}

export function check(condition, text) {
  if (!condition) throw new Error(text);
}

/** How many different colours the picture has, and whether the middle differs from the border. */
export async function colours(page) {
  return page.evaluate(() => {
    const { stage } = window.pliant;
    const source = stage.canvas;
    stage.draw();
    const copy = Object.assign(document.createElement('canvas'), { width: 160, height: 100 });
    const g = copy.getContext('2d');
    g.drawImage(source, 0, 0, 160, 100);
    const { data } = g.getImageData(0, 0, 160, 100);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) seen.add(`${data[i] >> 3},${data[i + 1] >> 3},${data[i + 2] >> 3}`);
    return seen.size;
  });
}
