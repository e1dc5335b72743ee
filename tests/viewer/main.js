// Runs the tests one after the other, each with a page of its own.

import { chosen, launch } from './fixture.js';
import * as tests from './tests.js';

const browser = await launch();
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (chosen.length && !chosen.includes(name)) continue;
  const began = Date.now();
  try {
    await test(browser);
    console.log(`ok   ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.error(`FAIL ${name}: ${error.stack ?? error}`);
  }
}
await browser.close();
process.exit(failed ? 1 : 0);
