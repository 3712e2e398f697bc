// Supple in JavaScript: loads supple.wasm and gives its scenes as objects. supple.d.ts says what
// everything is.

/** What a call has refused, in words for a person. */
export class SuppleError extends Error {
  constructor(message, code, line = 0, column = 0) {
    super(message);
    this.name = 'SuppleError';
    this.code = code;
    this.line = line;
    this.column = column;
  }
}

// Every answer but 0 is a failure.
const OK = 0;
const NO_MEMORY = 'out of memory';

// The order of scene_numbers in exports.c; a number says how many there are under one name.
const infoKeys = [
  ['fps', 1], ['frames', 1], ['substeps', 1], ['sweeps', 1], ['gravity', 3], ['bodies', 1],
  ['colliders', 1], ['attachments', 1], ['particles', 1], ['clusters', 1], ['vertices', 1],
  ['triangles', 1], ['mass', 1], ['background', 3],
];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The module's memory, as JavaScript sees it. It may grow in any call, so no view is kept. */
class Memory {
  constructor(wasm) {
    this.wasm = wasm;
  }

  bytes(address, length) {
    return new Uint8Array(this.wasm.memory.buffer, address, length);
  }

  ints(address, length) {
    return new Int32Array(this.wasm.memory.buffer, address, length);
  }

  floats(address, length) {
    return new Float32Array(this.wasm.memory.buffer, address, length);
  }

  doubles(address, length) {
    return new Float64Array(this.wasm.memory.buffer, address, length);
  }

  /** A text that ends with a zero; null at address 0. */
  text(address) {
    if (address === 0) return null;
    const all = new Uint8Array(this.wasm.memory.buffer);
    return decoder.decode(all.subarray(address, all.indexOf(0, address)));
  }

  /** Calls `use` with the address of the text, which is gone afterwards. */
  withText(text, use) {
    const bytes = encoder.encode(`${text}\0`);
    const address = this.wasm.allocate(bytes.length);
    if (address === 0) throw new SuppleError(NO_MEMORY, NO_MEMORY);
    try {
      this.bytes(address, bytes.length).set(bytes);
      return use(address);
    } finally {
      this.wasm.release(address);
    }
  }
}

const toBytes = (content) => {
  if (typeof content === 'string') return encoder.encode(content);
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  if (ArrayBuffer.isView(content)) {
    return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  }
  throw new TypeError('the content of a file must be a string, an ArrayBuffer or a view of one');
};

const checkCount = (name, value, least, most) => {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new SuppleError(`${name} must be a whole number from ${least} to ${most}`, 'bad argument');
};

/** A scene and its world; made by Supple.loadScene. */
class Scene {
  #wasm;
  #memory;
  #handle; // 0 once it is freed
  #surfaces = null;

  constructor(wasm, name, content, files) {
    this.#wasm = wasm;
    this.#memory = new Memory(wasm);
    this.#handle = wasm.scene_new();
    if (this.#handle === 0) throw new SuppleError(NO_MEMORY, NO_MEMORY);
    try {
      const folder = name.slice(0, name.lastIndexOf('/') + 1);
      const entries = files instanceof Map ? files : Object.entries(files);
      for (const [path, bytes] of entries) {
        this.#addFile(path.startsWith('/') ? path : folder + path, bytes);
      }
      this.#addFile(name, content);
      this.#check(this.#memory.withText(name, (path) => wasm.scene_load(this.#handle, path)));
    } catch (error) {
      this.free();
      throw error;
    }
  }

  #addFile(path, content) {
    const bytes = toBytes(content);
    const at = this.#memory.withText(path, (text) =>
      this.#wasm.scene_add_file(this.#handle, text, bytes.length));
    if (at === 0) throw new SuppleError(`${path}: ${NO_MEMORY}`, NO_MEMORY);
    this.#memory.bytes(at, bytes.length).set(bytes);
  }

  get #self() {
    if (this.#handle === 0) throw new SuppleError('this scene was freed', 'stale handle');
    return this.#handle;
  }

  #check(result) {
    if (result === OK) return;
    const code = this.#memory.text(this.#wasm.result_name(result));
    const text = this.#memory.text(this.#wasm.error_text(this.#self)) || code;
    throw new SuppleError(text, code, this.#wasm.error_line(this.#self),
      this.#wasm.error_column(this.#self));
  }

  step() {
    this.#check(this.#wasm.scene_step(this.#self));
  }

  get frame() {
    return this.#wasm.scene_frame(this.#self);
  }

  hash() {
    return BigInt.asUintN(64, this.#wasm.scene_hash(this.#self)).toString(16).padStart(16, '0');
  }

  get info() {
    const info = {
      name: this.#memory.text(this.#wasm.scene_name(this.#self)),
      simd: this.#memory.text(this.#wasm.scene_simd(this.#self)),
    };
    const total = infoKeys.reduce((sum, [, count]) => sum + count, 0);
    const numbers = this.#memory.doubles(this.#wasm.scene_numbers(this.#self), total);
    let next = 0;
    for (const [key, count] of infoKeys) {
      info[key] = count === 1 ? numbers[next] : [...numbers.subarray(next, next + count)];
      next += count;
    }
    return info;
  }

  get notes() {
    const notes = [];
    for (let text; (text = this.#memory.text(this.#wasm.scene_note(this.#self, notes.length)));) {
      notes.push(text);
    }
    return notes;
  }

  get surfaces() {
    const self = this.#self;
    if (this.#surfaces) return this.#surfaces;
    const wasm = this.#wasm;
    const memory = this.#memory;
    let firstVertex = 0;
    this.#surfaces = Array.from({ length: wasm.surface_count(self) }, (_, index) => {
      const polygons = wasm.surface_polygon_count(self, index);
      const starts = memory.ints(wasm.surface_starts(self, index), polygons + 1).slice();
      const surface = {
        name: memory.text(wasm.surface_name(self, index)),
        firstVertex,
        vertexCount: wasm.surface_point_count(self, index),
        starts,
        corners: memory.ints(wasm.surface_corners(self, index), starts[polygons]).slice(),
        colour: [...memory.floats(wasm.surface_colour(self, index), 3)],
        roughness: wasm.surface_roughness(self, index),
        pointRadius: wasm.surface_point_radius(self, index),
      };
      firstVertex += surface.vertexCount;
      return surface;
    });
    return this.#surfaces;
  }

  vertices() {
    const address = this.#wasm.scene_vertices(this.#self);
    if (address === 0) throw new SuppleError('the vertices cannot be read', 'stale handle');
    return this.#memory.floats(address, 3 * this.info.vertices);
  }

  film(frames, kept = 60) {
    const wasm = this.#wasm;
    checkCount('frames', frames, 0, 1000000);
    checkCount('kept', kept, 2, 120);
    this.#check(wasm.film_open(this.#self, frames + 1, kept));
    try {
      this.#check(wasm.film_frame(this.#self));
      for (let i = 0; i < frames; i++) {
        this.step();
        this.#check(wasm.film_frame(this.#self));
      }
      this.#check(wasm.film_close(this.#self));
      return this.#memory.bytes(wasm.film_bytes(this.#self), wasm.film_size(this.#self)).slice();
    } finally {
      wasm.film_forget(this.#self);
    }
  }

  free() {
    if (this.#handle !== 0) this.#wasm.scene_free(this.#handle);
    this.#handle = 0;
  }
}

/** One instance of the module; its scenes share a memory. */
class Supple {
  #wasm;

  constructor(wasm) {
    this.#wasm = wasm;
  }

  get version() {
    return new Memory(this.#wasm).text(this.#wasm.version());
  }

  loadScene(name, content, files = {}) {
    if (typeof name !== 'string') throw new TypeError('the name of a scene must be a string');
    return new Scene(this.#wasm, name, content, files);
  }
}

/** A module from a response; a server that calls it anything but application/wasm is forgiven. */
const compileResponse = async (response) => {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
};

const compile = async (source) => {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof Response !== 'undefined' && source instanceof Response) return compileResponse(source);
  if (typeof source !== 'string' && !(source instanceof URL)) return WebAssembly.compile(source);
  const url = new URL(source, import.meta.url);
  if (url.protocol === 'file:') { // node, whose fetch reads no files
    const { readFile } = await import(/* webpackIgnore: true */ 'node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  return compileResponse(await fetch(url));
};

/** Loads supple.wasm: beside this file, or from a URL, a response, bytes or a compiled module. */
export async function load(source = new URL('supple.wasm', import.meta.url)) {
  const { exports } = await WebAssembly.instantiate(await compile(source));
  exports._initialize();
  return new Supple(exports);
}
