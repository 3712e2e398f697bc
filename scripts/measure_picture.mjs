// Numbers about a picture for tests that judge by structure: a line of JSON.
//
// usage: node scripts/measure_picture.mjs PICTURE [X,Y,W,H]... [--other PICTURE]
//   each region gives its mean colour; --other counts pixels that differ by more than 3 of 255, and their box
import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';

const words = process.argv.slice(2);
const at = words.indexOf('--other');
const other = at >= 0 ? PNG.sync.read(readFileSync(words.splice(at, 2)[1])) : null;
const image = PNG.sync.read(readFileSync(words[0]));

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

function changed() {
  const box = { count: 0, left: image.width, right: -1, top: image.height, bottom: -1 };
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      const k = 4 * (y * image.width + x);
      const far = [0, 1, 2].some((c) => Math.abs(image.data[k + c] - other.data[k + c]) > 3);
      if (!far) continue;
      box.count++;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  }
  return box;
}

const regions = words.slice(1).map((word) => meanOf(word.split(',').map(Number)));
console.log(JSON.stringify({ lit: lit(), regions, changed: other ? changed() : undefined }));
