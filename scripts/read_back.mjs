// Reads animations with the loaders of three.js and compares every point with the .pc2 of the same
// run. One line per file; ends with 1 at the first difference.
// usage: node scripts/read_back.mjs FPS CACHE.pc2 FILE...   (.mdd, .usda, .glb with every pose)
import { readFileSync } from 'node:fs';

async function load(path) {
  try {
    return await import(`three/addons/${path}`);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.error('read_back: the package three is missing; run "npm ci" first');
    process.exit(1);
  }
}

function check(good, message) {
  if (!good) throw new Error(message);
}

function bytesOf(file) {
  const bytes = readFileSync(file);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

// All frames of a .pc2 as arrays of x, y, z.
function readCache(file) {
  const view = new DataView(bytesOf(file));
  const points = view.getUint32(16, true), frames = view.getUint32(28, true);
  check(view.byteLength === 32 + 12 * points * frames, `${file} is cut off`);
  return Array.from({ length: frames }, (_, frame) =>
    Float32Array.from({ length: 3 * points }, (_, i) =>
      view.getFloat32(32 + 4 * (3 * points * frame + i), true)));
}

function checkPoints(found, wanted, where) {
  check(found.length === wanted.length, `${where}: ${found.length / 3} points, not ${wanted.length / 3}`);
  const bad = wanted.findIndex((value, i) => !(found[i] === value));
  check(bad < 0, `${where}: point ${Math.floor(bad / 3)} has ${found[bad]}, not ${wanted[bad]}`);
}

function checkTimes(found, frames, fps) {
  check(found.length === frames, `${found.length} times, not ${frames}`);
  found.forEach((time, frame) =>
    check(time === Math.fround(frame / fps), `frame ${frame} is at ${time} s`));
}

async function checkMdd(file, cache, fps) {
  const { MDDLoader } = await load('loaders/MDDLoader.js');
  const { morphTargets, clip } = new MDDLoader().parse(bytesOf(file));
  check(morphTargets.length === cache.length, `${morphTargets.length} frames, not ${cache.length}`);
  checkTimes(clip.tracks[0].times, cache.length, fps);
  morphTargets.forEach((target, frame) => checkPoints(target.array, cache[frame], `frame ${frame}`));
  return `${cache.length} frames`;
}

const float = (values) => Float32Array.from(values);

// The parser knows time samples; the loader makes a mesh that stands still of them, and nothing of
// clouds.
async function checkUsda(file, cache, fps) {
  const { USDAParser } = await load('loaders/usd/USDAParser.js');
  const { USDLoader } = await load('loaders/USDLoader.js');
  const text = readFileSync(file, 'utf8');
  const { specsByPath } = new USDAParser().parseData(text);
  const stage = specsByPath['/'].fields;
  check(stage.upAxis === 'Y' && stage.metersPerUnit === 1, 'the stage is not in metres with y up');
  check(stage.timeCodesPerSecond === fps && stage.framesPerSecond === fps, 'it has another speed');
  const ofType = (path, ...types) => types.includes(specsByPath[path].fields.typeName);
  const prims = Object.keys(specsByPath).filter((path) => ofType(path, 'Mesh', 'Points'));
  const field = (prim, name) => specsByPath[`${prim}.${name}`].fields;
  const samples = prims.map((prim) => field(prim, 'points').timeSamples);
  cache.forEach((points, frame) => {
    check(samples.every(({ times }) => times.length === cache.length && times[frame] === frame),
      `frame ${frame} is not in all prims`);
    checkPoints(float(samples.flatMap(({ values }) => values[frame])), points, `frame ${frame}`);
  });

  const meshes = [];
  const drawn = prims.flatMap((path, k) => (ofType(path, 'Mesh') ? [k] : []));
  new USDLoader().parse(text).traverse((object) => object.isMesh && meshes.push(object));
  check(meshes.length === drawn.length, `${meshes.length} meshes of ${drawn.length} prims`);
  meshes.forEach((mesh, i) => {
    const k = drawn[i];
    const counts = field(prims[k], 'faceVertexCounts').default;
    const corners = field(prims[k], 'faceVertexIndices').default;
    const triangles = counts.reduce((sum, count) => sum + count - 2, 0);
    const { position } = mesh.geometry.attributes;
    check(position.count === 3 * triangles, `${prims[k]} is drawn with ${position.count} corners`);
    const places = new Set();
    const points = float(samples[k].values[0]);
    for (const corner of corners) places.add(points.slice(3 * corner, 3 * corner + 3).join());
    for (let i = 0; i < position.count; i++) {
      check(places.has(position.array.slice(3 * i, 3 * i + 3).join()), `${prims[k]}: a strange corner`);
    }
  });
  return `${cache.length} frames of ${prims.length} prims`;
}

// Every pose but the first is kept as its difference from that.
async function checkGlb(file, cache, fps) {
  const { GLTFLoader } = await load('loaders/GLTFLoader.js');
  const gltf = await new GLTFLoader().parseAsync(bytesOf(file), '');
  const meshes = [];
  gltf.scene.traverse((object) => (object.isMesh || object.isPoints) && meshes.push(object));
  const all = (pick) => float(meshes.flatMap(({ geometry }) => Array.from(pick(geometry).array)));
  checkPoints(all((geometry) => geometry.attributes.position), cache[0], 'frame 0');
  for (let frame = 1; frame < cache.length; frame++) {
    const wanted = cache[frame].map((value, i) => Math.fround(value - cache[0][i]));
    const found = all((geometry) => geometry.morphAttributes.position[frame - 1]);
    checkPoints(found, wanted, `frame ${frame}`);
  }
  check(gltf.animations.length === 1, `${gltf.animations.length} animations`);
  for (const track of gltf.animations[0].tracks) checkTimes(track.times, cache.length, fps);
  return `${cache.length} frames of ${meshes.length} meshes`;
}

const checks = { mdd: checkMdd, usda: checkUsda, glb: checkGlb };

const [fps, cacheFile, ...files] = process.argv.slice(2);
const cache = readCache(cacheFile);
for (const file of files) {
  try {
    console.log(`ok ${file}: ${await checks[file.split('.').pop()](file, cache, Number(fps))}`);
  } catch (error) {
    console.log(`BAD ${file}: ${error.stack}`);
    process.exitCode = 1;
  }
}
