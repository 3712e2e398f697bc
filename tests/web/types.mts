// Uses all that supple.d.ts declares. Compiled only.
import { load, SuppleError, type Scene, type Surface } from 'supple';

const supple = await load(new URL('https://example.org/supple.wasm'));
await load(new Uint8Array(8));
await load();
const scene: Scene = supple.loadScene('a.json', '{}', { 'a.obj': new ArrayBuffer(1), 'b.obj': '' });
scene.step();
const texts: string[] = [supple.version, scene.hash(), scene.info.name, ...scene.notes];
const [x, y, z]: [number, number, number] = scene.info.gravity;
const bytes: Uint8Array = scene.film(3, scene.frame);
const firstOf = (surface: Surface): number => scene.vertices()[3 * surface.firstVertex];
export const all = [texts, x + y + z, bytes, scene.surfaces.map(firstOf)];

// @ts-expect-error frames are counted by step alone
scene.frame = 2;
// @ts-expect-error a scene has a name
supple.loadScene({});
try {
  scene.free();
} catch (error) {
  if (error instanceof SuppleError) console.log(error.code, error.line + error.column);
}
