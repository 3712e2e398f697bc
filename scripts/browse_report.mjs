// Opens a report in Chromium, in light and in dark, wide and on a phone, and looks at it as a reader would:
// nothing may fail, nothing may be fetched, pictures and charts must show, text must stand out.
// Leaves a screenshot of each. usage: node scripts/browse_report.mjs CHROMIUM REPORT.html SCREENSHOT_PREFIX
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const leastContrast = 4.5; // of body text, as WCAG 2 asks for
const visits = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1000, height: 700 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1000, height: 700 } },
  { name: 'wide', colorScheme: 'light', viewport: { width: 1400, height: 900 }, beside: true },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 800 }, beside: false },
];

const [executablePath, report, prefix] = process.argv.slice(2);
if (!prefix) {
  console.error('usage: browse_report.mjs CHROMIUM REPORT.html SCREENSHOT_PREFIX');
  process.exit(1);
}
const address = pathToFileURL(resolve(report)).href;

// What a page can say about itself; runs inside of it.
function inspect() {
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((text) => {
      const value = Number(text) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const opaque = (colour) => colour !== 'transparent' && !/, 0\)$/.test(colour);
  const backgrounds = [document.body, document.documentElement]
    .map((element) => getComputedStyle(element).backgroundColor)
    .filter(opaque);
  return {
    title: document.title,
    images: [...document.images].map((image) => [image.naturalWidth, image.naturalHeight]),
    charts: [...document.querySelectorAll('svg')].map((chart) => {
      const { width, height } = chart.getBoundingClientRect();
      return [width, height];
    }),
    text: luminance(getComputedStyle(document.body).color),
    background: backgrounds.length > 0 ? luminance(backgrounds[0]) : 1,
    // two scenes: do their halves stand beside each other?
    beside: [...document.querySelectorAll('.sides')].filter((sides) => sides.children.length === 2)
      .map(({ children: [a, b] }) => a.getBoundingClientRect().right <= b.getBoundingClientRect().left),
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
}

function faultsOf(page, scheme, beside) {
  const faults = [];
  const empty = ([width, height]) => !(width > 0 && height > 0);
  const contrast = (Math.max(page.text, page.background) + 0.05) /
    (Math.min(page.text, page.background) + 0.05);
  if (!page.title) faults.push('the page has no title');
  if (page.images.length === 0) faults.push('there is no picture');
  if (page.images.some(empty)) faults.push('a picture does not show');
  if (page.charts.length === 0) faults.push('there is no chart');
  if (page.charts.some(empty)) faults.push('a chart does not show');
  if (contrast < leastContrast) faults.push(`text has a contrast of ${contrast.toFixed(1)} only`);
  if ((scheme === 'dark') !== page.background < page.text) faults.push(`it does not turn ${scheme}`);
  if (beside !== undefined && page.beside.some((is) => is !== beside)) {
    faults.push(`two scenes do ${beside ? 'not ' : ''}stand beside each other`);
  }
  if (page.overflow > 0) faults.push(`it is ${page.overflow} pixels wider than the window`);
  return faults;
}

async function visit(browser, { name, colorScheme, viewport, beside }) {
  const faults = [];
  const page = await browser.newPage({ colorScheme, viewport });
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (url !== address && !/^(data|blob):/.test(url)) faults.push(`it fetches ${url}`);
  });
  await page.goto(address);
  const seen = await page.evaluate(inspect);
  faults.push(...faultsOf(seen, colorScheme, beside));
  await page.screenshot({ path: `${prefix}-${name}.png`, fullPage: true });
  await page.close();
  console.log(`${faults.length > 0 ? 'BAD' : 'ok'} ${report} (${name}): ` +
    `${seen.images.length} pictures, ${seen.charts.length} charts`);
  for (const fault of faults) console.log(`  ${fault}`);
  return faults.length === 0;
}

const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--no-first-run'],
});
for (const how of visits) {
  if (!(await visit(browser, how))) process.exitCode = 1;
}
await browser.close();
