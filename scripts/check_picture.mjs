// Judges a picture of a scene by its structure, since pixels differ between machines:
// * bodies cover a sensible share of it, and as many of them are seen as expected;
// * no larger part is black or burnt out;
// * no vertex of a body lies below the ground;
// * it looks like the same picture drawn anew, so it is not out of date.
//
// usage: node scripts/check_picture.mjs PICTURE IDS ANEW POSES LEAST MOST
//   PICTURE  the picture to judge (.png)
//   IDS      the same view drawn with --overlay ids (.png)
//   ANEW     the same view drawn again; few samples will do (.png)
//   POSES    poses of the run that led to it (.pc2); the last one counts. The ground is at height 0
//   LEAST    bodies that must be seen, and MOST of them
import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';

const coverage = { least: 0.05, most: 0.6 };
const visible = 10; // pixels of a body that is seen
const dark = { below: 4, share: 0.02 }; // of 255
const burnt = { above: 251, share: 0.02 };
const ground = -0.001; // m
const difference = 3; // of 255, mean over the picture: few samples give 2, a frame too late 4

const [picturePath, idsPath, anewPath, posesPath, least, most] = process.argv.slice(2);
if (!most) {
  console.error('usage: check_picture.mjs PICTURE IDS ANEW POSES LEAST MOST');
  process.exit(1);
}

const faults = [];
function demand(holds, text) {
  if (!holds) faults.push(text);
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const read = (path) => PNG.sync.read(readFileSync(path));

// calls visit(red, green, blue) for every pixel
function forPixels(image, visit) {
  for (let k = 0; k < image.data.length; k += 4) {
    visit(image.data[k], image.data[k + 1], image.data[k + 2]);
  }
}

function checkBodies(ids) {
  const sizes = new Map(); // colour -> pixels
  forPixels(ids, (red, green, blue) => {
    const colour = (red << 16) | (green << 8) | blue;
    if (colour !== 0) sizes.set(colour, (sizes.get(colour) ?? 0) + 1);
  });
  const areas = [...sizes.values()];
  const covered = areas.reduce((sum, area) => sum + area, 0) / (ids.width * ids.height);
  const seen = areas.filter((area) => area >= visible).length;
  demand(covered >= coverage.least && covered <= coverage.most,
    `bodies cover ${percent(covered)}, not ${percent(coverage.least)} to ${percent(coverage.most)}`);
  demand(seen >= least && seen <= most, `${seen} bodies are seen, not ${least} to ${most}`);
  return `${seen} bodies on ${percent(covered)}`;
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

const picture = read(picturePath);
const ids = read(idsPath);
const anew = read(anewPath);
for (const [path, image] of [[idsPath, ids], [anewPath, anew]]) {
  if (image.width !== picture.width || image.height !== picture.height) {
    console.error(`check_picture: ${path} is not as large as ${picturePath}`);
    process.exit(1);
  }
}
const found = [checkBodies(ids), checkLight(picture), checkAge(picture, anew),
  checkGround(readFileSync(posesPath))];
console.log(`${faults.length > 0 ? 'BAD' : 'ok'} ${picturePath}: ${found.join(', ')}`);
for (const fault of faults) console.log(`  ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;
