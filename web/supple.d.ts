/** Worlds of soft bodies in WebAssembly. */

/** What a call has refused. Nothing has changed, but for a film that was broken off. */
export class SuppleError extends Error {
  /** The kind of failure: "bad file", "not found", "bad argument", "out of memory", ... */
  readonly code: string;
  /** Place in the scene file, from 1; 0 where there is none. */
  readonly line: number;
  readonly column: number;
  constructor(message: string, code: string, line?: number, column?: number);
}

export type Content = string | ArrayBuffer | ArrayBufferView;

export interface SceneInfo {
  /** "" where the file gives none */
  readonly name: string;
  /** The kernels that run: "wasm". */
  readonly simd: string;
  /** Frames per second; `step` goes on by one. */
  readonly fps: number;
  /** Frames of a whole run. */
  readonly frames: number;
  readonly substeps: number;
  readonly sweeps: number;
  /** m/s² */
  readonly gravity: [number, number, number];
  readonly bodies: number;
  readonly colliders: number;
  readonly attachments: number;
  readonly particles: number;
  readonly clusters: number;
  /** Of all surfaces together. */
  readonly vertices: number;
  readonly triangles: number;
  /** kg */
  readonly mass: number;
  /** Linear RGB. */
  readonly background: [number, number, number];
}

/** The drawn surface of a body. Its polygons stay, its vertices move. One without polygons is a
 * cloud: its vertices are drawn as spheres. */
export interface Surface {
  readonly name: string;
  /** Where its vertices begin among those of all surfaces, and how many there are. */
  readonly firstVertex: number;
  readonly vertexCount: number;
  /** Polygon i has the corners starts[i] .. starts[i + 1] - 1, which count from firstVertex. */
  readonly starts: Int32Array;
  readonly corners: Int32Array;
  /** Linear RGB. */
  readonly colour: [number, number, number];
  /** 0..1 */
  readonly roughness: number;
  /** Of the spheres of a cloud, m; 0 where there are polygons. */
  readonly pointRadius: number;
}

export interface Scene {
  /** Frames that were stepped. */
  readonly frame: number;
  readonly info: SceneInfo;
  /** What is allowed but looks like a mistake, a sentence each. */
  readonly notes: string[];
  readonly surfaces: readonly Surface[];
  /** Goes on by one frame: moves what the scene moves, then everything else. */
  step(): void;
  /** State of the world as 16 hexadecimal digits, the same as `supple hash` gives anywhere. */
  hash(): string;
  /**
   * x, y, z (m) of the vertices of all surfaces. A view into the module's memory, good until the
   * next call of anything: take it anew each frame, copy what must stay.
   */
  vertices(): Float32Array;
  /**
   * Steps `frames` frames and returns them, with the one that is now, as a GLB. At most `kept`
   * (2..120) of them are stored, evenly spaced. One that fails on the way (memory) has stepped.
   */
  film(frames: number, kept?: number): Uint8Array;
  /** Gives the memory back. Everything but another `free` throws afterwards. */
  free(): void;
}

export interface Supple {
  readonly version: string;
  /**
   * A scene from the text of a scene file. `name` stands in messages. `files` holds the meshes and
   * animations under the paths by which the scene names them: relative ones count from the folder
   * of `name`.
   */
  loadScene(name: string, content: Content, files?: Record<string, Content> | Map<string, Content>): Scene;
}

/** Loads supple.wasm: beside this file, or from a URL, a response, bytes or a compiled module. */
export function load(
  source?: string | URL | Response | BufferSource | WebAssembly.Module,
): Promise<Supple>;
