// The package in Chromium, served as files: the golden hashes of a scene must be the same there.
// Ends with 77 (skipped) where there is no Chromium. usage: browser.mjs PACKAGE_FOLDER
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const LAST_FRAME = 60;
const SKIPPED = 77;

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(executablePath)) {
  console.log(`browser: skipped, there is no ${executablePath}`);
  process.exit(SKIPPED);
}
const folder = resolve(process.argv[2]);
const root = fileURLToPath(new URL('../..', import.meta.url));
const types = { '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.json': 'application/json' };
const files = new Map([
  ...['supple.mjs', 'supple.wasm'].map((name) => [`/${name}`, join(folder, name)]),
  ['/scene.json', join(root, 'scenes/hello.json')],
]);
const server = createServer(({ url }, response) => {
  if (url === '/') {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Supple</title><link rel="icon" href="data:,">');
  } else if (files.has(url)) {
    response.setHeader('content-type', types[extname(url)]);
    response.end(readFileSync(files.get(url)));
  } else {
    response.statusCode = 404;
    response.end();
  }
});
await new Promise((done) => { server.listen(0, '127.0.0.1', done); });

const wanted = readFileSync(join(root, 'tests/golden/hello.txt'), 'utf8').trim().split('\n')
  .map((line) => line.split(' ')).filter(([frame]) => Number(frame) <= LAST_FRAME);

/** Runs inside the page. */
async function hashes(frames) {
  const { load } = await import('/supple.mjs');
  const supple = await load();
  const scene = supple.loadScene('hello.json', await (await fetch('/scene.json')).text());
  return frames.map((frame) => {
    while (scene.frame < frame) scene.step();
    return scene.hash();
  });
}

const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--no-first-run'],
});
try {
  const page = await browser.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const got = await page.evaluate(hashes, wanted.map(([frame]) => Number(frame)));
  wanted.forEach(([frame, hash], i) => {
    if (got[i] !== hash) faults.push(`frame ${frame}: ${got[i]} instead of ${hash}`);
  });
  for (const fault of faults) console.error(`browser: ${fault}`);
  if (faults.length > 0 || wanted.length === 0) process.exitCode = 1;
  else console.log(`browser: ${wanted.length} frames agree in ${browser.version()}`);
} finally {
  await browser.close();
  server.close();
}
