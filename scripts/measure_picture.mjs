// Numbers about a picture for tests that judge by structure: a line of JSON.
//
// usage: node scripts/measure_picture.mjs PICTURE [X,Y,W,H]... [--crop X,Y,W,H] [--other PICTURE] [--ids PICTURE]
//   each region gives its mean colour
//   --crop   looks at this part of the picture alone
//   --other  counts pixels that differ by more than 3 of 255 with their box, and those that differ at all
//   --ids    the same view drawn with --overlay ids: place, size, mean colour and hues of each body, by its number
import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';

const hueStep = 30; // degrees; hues of one step count once
const hueShare = 0.02; // of a body's pixels, to count
const hueSpan = 40; // of 255, between the channels of what is no grey
const idSpread = 0x9e3779; // as in tool/render/ids.c

const read = (path) => PNG.sync.read(readFileSync(path));
const numbers = (word) => word.split(',').map(Number);

const words = process.argv.slice(2);
function option(name) {
  const at = words.indexOf(name);
  return at >= 0 ? words.splice(at, 2)[1] : null;
}

function crop(whole, [x, y, width, height]) {
  const part = new PNG({ width, height });
  PNG.bitblt(whole, part, x, y, width, height, 0, 0);
  return part;
}

const window = option('--crop');
const otherPath = option('--other');
const idsPath = option('--ids');
const whole = read(words[0]);
const image = window ? crop(whole, numbers(window)) : whole;

function readAlike(path) {
  const other = read(path);
  if (other.width === image.width && other.height === image.height) return other;
  throw new Error(`${path} is not as large as ${words[0]}`);
}

function meanOf([x, y, width, height]) {
  const sum = [0, 0, 0];
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++) {
      for (let k = 0; k < 3; k++) sum[k] += image.data[4 * (row * image.width + column) + k];
    }
  }
  return sum.map((value) => Math.round(value / (width * height)));
}

function lit() {
  let count = 0;
  for (let k = 0; k < image.data.length; k += 4) {
    if (image.data[k] + image.data[k + 1] + image.data[k + 2] > 0) count++;
  }
  return count;
}

function changed(other) {
  const box = { count: 0, left: image.width, right: -1, top: image.height, bottom: -1, different: 0 };
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      const k = 4 * (y * image.width + x);
      const apart = Math.max(...[0, 1, 2].map((c) => Math.abs(image.data[k + c] - other.data[k + c])));
      if (apart > 0) box.different++;
      if (apart <= 3) continue;
      box.count++;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  }
  return box;
}

// 0 .. 360 / hueStep - 1, or -1 for greys
function hueOf(rgb) {
  const [r, g, b] = rgb;
  const span = Math.max(r, g, b) - Math.min(r, g, b);
  if (span < hueSpan) return -1;
  const sixth = r >= g && r >= b ? (g - b) / span : g >= b ? 2 + (b - r) / span : 4 + (r - g) / span;
  return Math.floor(((60 * sixth + 360) % 360) / hueStep);
}

function numberOf(colour) {
  for (let body = 0; ; body++) {
    if (((body + 1) * idSpread) % 2 ** 24 === colour) return body;
  }
}

function bodiesIn(ids) {
  const seen = new Map(); // colour -> sums
  for (let y = 0; y < ids.height; y++) {
    for (let x = 0; x < ids.width; x++) {
      const k = 4 * (y * ids.width + x);
      const colour = ids.data.readUIntBE(k, 3);
      if (colour === 0) continue;
      if (!seen.has(colour)) seen.set(colour, { count: 0, x: 0, y: 0, sum: [0, 0, 0], hues: new Map() });
      const body = seen.get(colour);
      const rgb = [...image.data.subarray(k, k + 3)];
      const hue = hueOf(rgb);
      body.count++;
      body.x += x + 0.5;
      body.y += y + 0.5;
      rgb.forEach((value, c) => { body.sum[c] += value; });
      if (hue >= 0) body.hues.set(hue, (body.hues.get(hue) ?? 0) + 1);
    }
  }
  const bodies = [];
  for (const [colour, { count, x, y, sum, hues }] of seen) {
    bodies[numberOf(colour)] = {
      count,
      x: x / count,
      y: y / count,
      mean: sum.map((value) => Math.round(value / count)),
      hues: [...hues.values()].filter((pixels) => pixels >= hueShare * count).length,
    };
  }
  return bodies;
}

console.log(JSON.stringify({
  width: image.width,
  height: image.height,
  lit: lit(),
  regions: words.slice(1).map((word) => meanOf(numbers(word))),
  changed: otherPath ? changed(readAlike(otherPath)) : undefined,
  bodies: idsPath ? bodiesIn(readAlike(idsPath)) : undefined,
}));
