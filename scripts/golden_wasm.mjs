// Golden state hashes in WebAssembly: every scene of tests/golden/scenes.txt must give the hashes
// that the native builds give. The module must import nothing and be small.
// usage: golden_wasm.mjs PACKAGE_FOLDER [LAST_FRAME]
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const LARGEST = 1_364_000; // bytes: docs/decisions/0021

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [folder, lastArgument] = process.argv.slice(2);
if (!folder) {
  console.error('usage: golden_wasm.mjs PACKAGE_FOLDER [LAST_FRAME]');
  process.exit(1);
}
const last = lastArgument ? Number(lastArgument) : Infinity;
const fail = (text) => {
  console.error(`golden: ${text}`);
  process.exitCode = 1;
};

const bytes = readFileSync(join(folder, 'supple.wasm'));
const imports = WebAssembly.Module.imports(await WebAssembly.compile(bytes));
if (imports.length > 0) fail(`the module imports ${imports.map(({ name }) => name).join(', ')}`);
if (bytes.length > LARGEST) fail(`the module has ${bytes.length} bytes; ${LARGEST} are allowed`);

const linesOf = (path) => readFileSync(join(root, path), 'utf8').split('\n')
  .filter((line) => line.trim() && !line.startsWith('#')).map((line) => line.trim().split(/\s+/));

// Everything that a scene may name.
const meshes = Object.fromEntries(readdirSync(join(root, 'scenes/meshes'))
  .map((name) => [`meshes/${name}`, readFileSync(join(root, 'scenes/meshes', name))]));

const { load } = await import(pathToFileURL(resolve(folder, 'supple.mjs')));
const supple = await load();
let frames = 0;
for (const [name] of linesOf('tests/golden/scenes.txt')) {
  const file = `scenes/${name}.json`;
  const scene = supple.loadScene(file, readFileSync(join(root, file)), meshes);
  for (const [frame, hash] of linesOf(`tests/golden/${name}.txt`)) {
    if (Number(frame) > last) break;
    while (scene.frame < Number(frame)) scene.step();
    frames++;
    if (scene.hash() !== hash) {
      fail(`${name} differs at frame ${frame}: ${scene.hash()} instead of ${hash}`);
      break;
    }
  }
  scene.free();
}
if (frames === 0) fail('no frame was compared');
if (!process.exitCode) {
  console.log(`golden: ${frames} frames agree; the module has ${bytes.length} bytes, no imports`);
}
