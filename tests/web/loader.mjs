// The JavaScript around the module: what it gives, what it refuses, and with which words.
// usage: loader.mjs PACKAGE_FOLDER
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = resolve(process.argv[2] ?? 'build/wasm/package');
const root = fileURLToPath(new URL('../..', import.meta.url));
const { load, SuppleError } = await import(pathToFileURL(join(folder, 'supple.mjs')));
const supple = await load();
const read = (path) => readFileSync(join(root, path));
const hello = read('scenes/hello.json');

/** A ball that falls. */
const ball = (subdivisions, more = {}) => JSON.stringify({
  version: 1,
  bodies: [{ name: 'ball', shape: { icosphere: { subdivisions } }, ...more }],
});

/** The error that `call` throws. */
function errorOf(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof SuppleError, `not a SuppleError: ${error}`);
    return error;
  }
  return assert.fail('nothing was thrown');
}

test('the version is that of the header and of the package', () => {
  const header = read('include/supple/base.h').toString();
  const part = (name) => header.match(`SUP_VERSION_${name} ([0-9]+)`)[1];
  const version = ['MAJOR', 'MINOR', 'PATCH'].map(part).join('.');
  assert.equal(supple.version, version);
  assert.equal(JSON.parse(readFileSync(join(folder, 'package.json'))).version, version);
});

test('the module comes from bytes, an address, a response or a compiled module', async () => {
  const path = join(folder, 'supple.wasm');
  const bytes = readFileSync(path);
  const response = new Response(bytes, { headers: { 'content-type': 'text/plain' } });
  const sources = [bytes, pathToFileURL(path), pathToFileURL(path).href, response,
    await WebAssembly.compile(bytes)];
  for (const source of sources) assert.equal((await load(source)).version, supple.version);
  await assert.rejects(load(new Response('', { status: 404, statusText: 'gone' })), /404 gone/);
  await assert.rejects(load(new Uint8Array(8)), WebAssembly.CompileError);
});

test('a scene tells what is in it', () => {
  const scene = supple.loadScene('scenes/hello.json', hello);
  const { info, surfaces } = scene;
  assert.equal(info.simd, 'wasm');
  assert.equal(info.fps, 60);
  assert.deepEqual(info.gravity, [0, -9.81, 0]);
  assert.equal(info.background.length, 3);
  assert.equal(surfaces.length, info.bodies);
  assert.ok(info.particles > 0 && info.mass > 0 && info.clusters > 0);
  let vertices = 0;
  let triangles = 0;
  for (const { name, firstVertex, vertexCount, starts, corners, colour, roughness } of surfaces) {
    assert.ok(name.length > 0);
    assert.equal(firstVertex, vertices);
    assert.equal(starts[0], 0);
    assert.equal(starts.at(-1), corners.length);
    assert.ok(corners.every((corner) => corner >= 0 && corner < vertexCount));
    assert.ok([...colour, roughness].every((part) => part >= 0 && part <= 1));
    vertices += vertexCount;
    triangles += corners.length - 2 * (starts.length - 1);
  }
  assert.equal(info.vertices, vertices);
  assert.equal(info.triangles, triangles);
  assert.equal(scene.vertices().length, 3 * vertices);
  scene.free();
});

test('a step moves the vertices and the hash', () => {
  const scene = supple.loadScene('ball.json', ball(2));
  const before = scene.vertices().slice();
  const hash = scene.hash();
  assert.match(hash, /^[0-9a-f]{16}$/);
  assert.equal(scene.frame, 0);
  for (let i = 0; i < 30; i++) scene.step();
  assert.equal(scene.frame, 30);
  assert.notEqual(scene.hash(), hash);
  const fallen = before[1] - scene.vertices()[1]; // g t^2 / 2 after half a second
  assert.ok(Math.abs(fallen - 9.81 / 8) < 0.05, `it fell by ${fallen} m`);
  scene.free();
});

test('a bad scene is refused with its place', () => {
  const unknown = errorOf(() => supple.loadScene('bad.json', '{\n  "version": 1,\n  "bodys": []\n}'));
  assert.match(unknown.message, /^bad\.json:3:3: unknown key "bodys"/);
  assert.deepEqual([unknown.code, unknown.line, unknown.column], ['bad file', 3, 3]);
  const range = errorOf(() => supple.loadScene('a/b.json', ball(2, { mass: -1 })));
  assert.match(range.message, /^a\/b\.json:1:\d+: .*mass/);
  assert.equal(errorOf(() => supple.loadScene('empty.json', '')).code, 'bad file');
  assert.throws(() => supple.loadScene('number.json', 17), TypeError);
});

test('meshes come from the files that are given', () => {
  const scene = (files) => supple.loadScene('there/scene.json',
    ball(2, { shape: { mesh: { file: 'meshes/star.obj' } } }), files);
  const missing = errorOf(() => scene());
  assert.match(missing.message, /^there\/scene\.json:1:\d+: .*meshes\/star\.obj/);
  assert.equal(missing.line, 1);
  const star = read('scenes/meshes/star.obj');
  const loaded = scene({ 'meshes/star.obj': star, 'unused.obj': '' });
  assert.equal(loaded.surfaces[0].vertexCount, star.toString().match(/^v /gm).length);
  assert.equal(loaded.surfaces[0].pointRadius, 0);
  loaded.free();
  const absolute = supple.loadScene('there/scene.json',
    ball(2, { shape: { mesh: { file: '/star.obj' } } }), { '/star.obj': star });
  absolute.free();
  scene(new Map([['meshes/star.obj', star]])).free();
  assert.throws(() => supple.loadScene(), TypeError);
  const cloud = scene({ 'meshes/star.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n' });
  assert.equal(cloud.surfaces[0].corners.length, 0);
  assert.equal(cloud.surfaces[0].pointRadius, 0.5);
  cloud.free();
  const broken = errorOf(() => scene({ 'meshes/star.obj': 'v 1 2\n' }));
  assert.match(broken.message, /meshes\/star\.obj:1/);
});

test('notes tell what looks like a mistake', () => {
  const scene = supple.loadScene('two.json', JSON.stringify({
    version: 1,
    bodies: [0, 1].map((i) => ({ name: `b${i}`, shape: 'box', position: [0.1 * i, 0, 0] })),
  }));
  assert.equal(scene.notes.length, 1);
  assert.match(scene.notes[0], /b0.*b1|b1.*b0/);
  scene.free();
});

test('a freed scene is refused, freeing it again is not', () => {
  const scene = supple.loadScene('ball.json', ball(1));
  const { surfaces } = scene;
  scene.free();
  scene.free();
  const uses = [() => scene.step(), () => scene.hash(), () => scene.frame, () => scene.info,
    () => scene.notes, () => scene.surfaces, () => scene.vertices(), () => scene.film(1)];
  for (const use of uses) assert.equal(errorOf(use).message, 'this scene was freed');
  assert.ok(surfaces[0].corners.length > 0); // copies stay
});

test('two scenes at once go their own ways', () => {
  const run = (count) => {
    const scenes = Array.from({ length: count }, () => supple.loadScene('hello.json', hello));
    for (let i = 0; i < 10; i++) for (const scene of scenes) scene.step();
    const hashes = scenes.map((scene) => scene.hash());
    for (const scene of scenes) scene.free();
    return hashes;
  };
  const [alone] = run(1);
  assert.deepEqual(run(2), [alone, alone]);
});

test('memory that grows leaves old views empty, and new ones right', async () => {
  const own = await load();
  const small = own.loadScene('ball.json', ball(1));
  small.step();
  const view = small.vertices();
  const copy = view.slice();
  const big = own.loadScene('big.json', ball(5));
  assert.equal(view.length, 0);
  assert.deepEqual(small.vertices(), copy);
  small.step();
  big.step();
  small.free();
  big.free();
});

test('memory comes back', async () => {
  const own = await load();
  const use = () => {
    const scene = own.loadScene('ball.json', ball(3));
    scene.film(2);
    assert.throws(() => own.loadScene('ball.json', ball(3).slice(1)), SuppleError);
    const { buffer } = scene.vertices();
    scene.free();
    return buffer.byteLength;
  };
  const first = use();
  for (let i = 0; i < 50; i++) assert.equal(use(), first);
});

test('a film is a GLB, and goes on from where the scene is', () => {
  const scene = supple.loadScene('ball.json', ball(1));
  const film = scene.film(5);
  assert.equal(scene.frame, 5);
  const head = new DataView(film.buffer);
  assert.equal(head.getUint32(0, true), 0x46546c67); // "glTF"
  assert.equal(head.getUint32(8, true), film.length);
  assert.ok(scene.film(5).length > 0);
  assert.equal(scene.frame, 10);
  for (const wrong of [1.5, -1, 2 ** 32, '3', NaN, undefined]) {
    assert.match(errorOf(() => scene.film(wrong)).message, /frames must be a whole number/);
  }
  assert.match(errorOf(() => scene.film(5, 1)).message, /kept must be a whole number from 2 to 120/);
  assert.equal(scene.frame, 10);
  scene.free();
});
