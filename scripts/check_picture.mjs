// Judges pictures of scenes by their structure, since pixels differ between machines:
// * bodies cover a sensible share of it, and as many of them are seen as expected;
// * no larger part is black or burnt out;
// * no vertex of a body lies below the ground;
// * it looks like the same picture drawn anew, so it is not out of date.
//
// usage: node scripts/check_picture.mjs poster PICTURE IDS ANEW POSES LEAST MOST
//        node scripts/check_picture.mjs row SHEET ROWS CELLS ROW [ANEW IDS]
//        node scripts/check_picture.mjs alike PICTURE ANEW
//   PICTURE  the picture to judge (.png)
//   IDS      the same view drawn with --overlay ids (.png)
//   ANEW     the same view drawn again; few samples will do (.png)
//   POSES    poses of the run that led to it (.pc2); the last one counts. The ground is at height 0
//   LEAST    bodies that must be seen, and MOST of them
//   SHEET    a contact sheet (.png) of ROWS rows with CELLS cells each; ROW, from 0, is judged
import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';

const coverage = { least: 0.05, most: 0.6 };
const cellCoverage = { least: 0.02, most: 0.6 }; // also at the start and at the end of a run
const visible = 10; // pixels of a body that is seen
const dark = { below: 4, share: 0.02 }; // of 255
const burnt = { above: 251, share: 0.02 };
const ground = -0.001; // m
const difference = 3; // of 255, mean over the picture: few samples give 2, a frame too late 4

const faults = [];
function demand(holds, text) {
  if (!holds) faults.push(text);
}
function refuse(text) {
  console.error(`check_picture: ${text}`);
  process.exit(1);
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const read = (path) => PNG.sync.read(readFileSync(path));

// calls visit(red, green, blue) for every pixel
function forPixels(image, visit) {
  for (let k = 0; k < image.data.length; k += 4) {
    visit(image.data[k], image.data[k + 1], image.data[k + 2]);
  }
}

// pixels of each body that is seen
function areasOf(ids) {
  const sizes = new Map(); // by colour
  forPixels(ids, (red, green, blue) => {
    const colour = (red << 16) | (green << 8) | blue;
    if (colour !== 0) sizes.set(colour, (sizes.get(colour) ?? 0) + 1);
  });
  return [...sizes.values()];
}

function checkCover(ids, { least, most }) {
  const covered = areasOf(ids).reduce((sum, area) => sum + area, 0) / (ids.width * ids.height);
  demand(covered >= least && covered <= most,
    `bodies cover ${percent(covered)}, not ${percent(least)} to ${percent(most)}`);
  return `bodies on ${percent(covered)}`;
}

function checkBodies(ids, least, most) {
  const seen = areasOf(ids).filter((area) => area >= visible).length;
  demand(seen >= least && seen <= most, `${seen} bodies are seen, not ${least} to ${most}`);
  return `${seen} are seen`;
}

function checkLight(picture) {
  let darkPixels = 0;
  let burntPixels = 0;
  forPixels(picture, (red, green, blue) => {
    const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    if (luminance < dark.below) darkPixels++;
    if (luminance > burnt.above) burntPixels++;
  });
  const pixels = picture.width * picture.height;
  demand(darkPixels < dark.share * pixels, `${percent(darkPixels / pixels)} is black`);
  demand(burntPixels < burnt.share * pixels, `${percent(burntPixels / pixels)} is burnt out`);
  return `${percent(darkPixels / pixels)} black, ${percent(burntPixels / pixels)} burnt out`;
}

function checkAge(picture, anew) {
  let sum = 0;
  for (let k = 0; k < picture.data.length; k++) sum += Math.abs(picture.data[k] - anew.data[k]);
  const mean = sum / (3 * picture.width * picture.height); // the fourth channel is the same
  demand(mean < difference, `it is out of date: drawn anew it differs by ${mean.toFixed(1)} of 255`);
  return `${mean.toFixed(1)} of 255 from anew`;
}

function checkGround(bytes) {
  const header = 32;
  const points = bytes.readInt32LE(16);
  const poses = bytes.readInt32LE(28);
  let lowest = Infinity;
  for (let k = 0; k < points; k++) {
    lowest = Math.min(lowest, bytes.readFloatLE(header + 12 * ((poses - 1) * points + k) + 4));
  }
  demand(lowest >= ground, `a vertex is ${(-1000 * lowest).toFixed(1)} mm below the ground`);
  return `lowest vertex at ${(1000 * lowest).toFixed(1)} mm`;
}

function checkSizes(picture, others) {
  const { width, height } = picture;
  if (others.some((image) => image.width !== width || image.height !== height)) {
    refuse(`pictures of ${width}x${height} and of other sizes cannot be compared`);
  }
}

function tell(path, found) {
  console.log(`${faults.length > 0 ? 'BAD' : 'ok'} ${path}: ${found.join(', ')}`);
  for (const fault of faults) console.log(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  faults.length = 0;
}

function judgePoster([path, idsPath, anewPath, posesPath, least, most]) {
  const [picture, ids, anew] = [path, idsPath, anewPath].map(read);
  checkSizes(picture, [ids, anew]);
  tell(path, [checkCover(ids, coverage), checkBodies(ids, least, most), checkLight(picture),
    checkAge(picture, anew), checkGround(readFileSync(posesPath))]);
}

function part(image, x, y, width, height) {
  const cell = new PNG({ width, height });
  PNG.bitblt(image, cell, x, y, width, height, 0, 0);
  return cell;
}

function judgeRow([path, rows, cells, row, ...otherPaths]) {
  const [sheet, ...others] = [path, ...otherPaths].map(read); // drawn anew, and ids
  const width = sheet.width / cells;
  const height = sheet.height / rows;
  if (!Number.isInteger(width) || !Number.isInteger(height)) {
    refuse(`${path} has not ${rows} rows of ${cells} cells`);
  }
  checkSizes(part(sheet, 0, 0, sheet.width, height), others);
  for (let column = 0; column < cells; column++) {
    const x = column * width;
    const [anew, ids] = others.map((image) => part(image, x, 0, width, height));
    const cell = part(sheet, x, row * height, width, height);
    tell(`${path}, row ${Number(row) + 1}, cell ${column + 1}`,
      [checkLight(cell), ...(ids ? [checkCover(ids, cellCoverage), checkAge(cell, anew)] : [])]);
  }
}

function judgeAlike([path, anewPath]) {
  const [picture, anew] = [path, anewPath].map(read);
  checkSizes(picture, [anew]);
  tell(path, [checkLight(picture), checkAge(picture, anew)]);
}

const [what, ...rest] = process.argv.slice(2);
if (what === 'poster' && rest.length === 6) judgePoster(rest);
else if (what === 'row' && (rest.length === 4 || rest.length === 6)) judgeRow(rest);
else if (what === 'alike' && rest.length === 2) judgeAlike(rest);
else refuse('see the usage at the head of this file');
