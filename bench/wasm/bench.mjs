// Times Supple in WebAssembly beside Supple's native SSE2 kernels and beside Rapier, in turn, and
// keeps the least time of each. docs/performance.md says what the rows are.
// usage: bench.mjs CLOUDS_WASM NATIVE_BENCH [FILTER] [--json] [--check]
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import RAPIER from '@dimforge/rapier3d-compat';

const BELOW_FLOOR = 7; // exit code
const TRIES = 3; // of a row that is below its floor
const DT = 1 / 60; // s of a substep, as in cloud.h
const SUBSTEPS = 4;

const words = process.argv.slice(2);
const flags = new Set(words.filter((word) => word.startsWith('--')));
const [module, native, filter = ''] = words.filter((word) => !word.startsWith('--'));
if (!native || [...flags].some((flag) => flag !== '--json' && flag !== '--check')) {
  console.error('usage: bench.mjs CLOUDS_WASM NATIVE_BENCH [FILTER] [--json] [--check]');
  process.exit(1);
}

const least = (a, b) => (a < b ? a : b);

/** Milliseconds that this process has computed; whoever else is busy does not count. */
const computed = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Milliseconds of one call, over a turn of at least 20 ms. */
function timeTurn(call) {
  const start = computed();
  let calls = 0;
  let now;
  do {
    call();
    calls++;
    now = computed();
  } while (now - start < 20);
  return (now - start) / calls;
}

/** Least milliseconds of a call of each of the subjects, which take turns. */
function timeInTurns(subjects, turns) {
  const times = subjects.map(() => Infinity);
  for (let turn = 0; turn < turns; turn++) {
    subjects.forEach((subject, i) => { times[i] = least(times[i], timeTurn(subject.step)); });
  }
  return times;
}

// ---- Subjects ----

const NO_OUTPUT = () => 8; // "bad descriptor": the module says something only where it fails
const { instance: { exports: wasm } } = await WebAssembly.instantiate(readFileSync(module), {
  wasi_snapshot_preview1: { fd_write: NO_OUTPUT, fd_seek: NO_OUTPUT, fd_close: NO_OUTPUT },
});
wasm._initialize();

/** Bodies of loose points, each one rigid cluster, moved by Supple. */
function createSupple(bodies, points) {
  const handle = wasm.cloud_create(bodies, points);
  if (handle === 0) throw new Error('Supple refused the bodies');
  const floats = (at, count) => new Float32Array(wasm.memory.buffer, at, count).slice();
  const doubles = (at, count) => new Float64Array(wasm.memory.buffer, at, count).slice();
  return {
    step() {
      if (wasm.cloud_step(handle) !== SUBSTEPS) throw new Error('a step of Supple failed');
    },
    places: () => doubles(wasm.cloud_places(handle), 3 * bodies * points),
    rest: floats(wasm.cloud_rest(handle), 3 * points),
    velocities: floats(wasm.cloud_velocities(handle), 3 * bodies * points),
    origins: doubles(wasm.cloud_origins(handle), 3 * bodies),
    free: () => wasm.cloud_destroy(handle),
  };
}

/**
 * The same bodies, moved by Rapier: soft bodies without a surface, held by shape matching alone.
 * Steps and substeps are as long and as many as Supple's. `iterations` come on top of the one of a
 * substep; Rapier's default is 3.
 */
function createRapier(cloud, bodies, points, iterations) {
  const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
  world.timestep = SUBSTEPS * DT;
  world.integrationParameters.numSolverIterations = SUBSTEPS;
  const all = [];
  for (let b = 0; b < bodies; b++) {
    const positions = cloud.rest.map((x, i) => x + cloud.origins[3 * b + (i % 3)]);
    const body = world.createSoftBody(new RAPIER.SoftBodyDesc(positions)
      .setShapeMatching(true)
      .setParticleMass(1)
      .setNoSurfaceCollider()
      .setAdditionalPgsIterations(iterations)
      .setCanSleep(false));
    for (let i = 0; i < points; i++) {
      const [x, y, z] = cloud.velocities.subarray(3 * (b * points + i), 3 * (b * points + i + 1));
      body.setParticleVelocity(i, { x, y, z });
    }
    all.push(body);
  }
  return {
    step: () => world.step(),
    places: () => Float64Array.from(all.flatMap((body) => [...body.particlePositions()])),
    free: () => world.free(),
  };
}

/** Bodies that flew apart, or never moved, do not do the work that is timed. */
function checkWork(name, cloud, subject, bodies, points) {
  const places = subject.places();
  let moved = 0;
  for (let b = 0; b < bodies; b++) {
    const middle = [0, 0, 0];
    for (let i = 0; i < 3 * points; i++) middle[i % 3] += places[3 * b * points + i] / points;
    for (let i = 0; i < 3 * points; i++) {
      const place = places[3 * b * points + i];
      if (!(Math.abs(place - middle[i % 3]) < 2)) throw new Error(`${name}: a body lost its shape`);
      moved += Math.abs(place - cloud.rest[i] - cloud.origins[3 * b + (i % 3)]);
    }
  }
  if (!(moved / places.length > 1e-3)) throw new Error(`${name}: nothing moved`);
}

// ---- Rows ----

/** ns per point and substep, beside the native bench, which runs in a process of its own. */
function measureNative() {
  const points = 10000;
  const supple = createSupple(1, points);
  let value = Infinity;
  let reference = Infinity;
  for (let round = 0; round < 3; round++) {
    const [ms] = timeInTurns([supple], 40);
    value = least(value, 1e6 * ms / (SUBSTEPS * points));
    const { rows: [row] } = JSON.parse(execFileSync(native, ['cluster.simd.10000', '--json'],
      { stdio: ['ignore', 'pipe', 'ignore'] }));
    if (!row) throw new Error('the native bench measures no SSE2 kernels here');
    reference = least(reference, row.reference.value);
  }
  checkWork('Supple', supple, supple, 1, points);
  supple.free();
  return { value, reference };
}

/** ms per step of 4 substeps. */
function measureRapier(iterations) {
  const bodies = 384;
  const points = 144;
  const supple = createSupple(bodies, points);
  const rapier = createRapier(supple, bodies, points, iterations);
  const [value, reference] = timeInTurns([supple, rapier], 40);
  checkWork('Supple', supple, supple, bodies, points);
  checkWork('Rapier', supple, rapier, bodies, points);
  supple.free();
  rapier.free();
  return { value, reference };
}

const rows = [
  {
    name: 'wasm.native.10000', unit: 'ns/point', reference: 'native SSE2', floor: 0.4, goal: null,
    measure: measureNative,
  },
  {
    name: 'wasm.rapier.384x144', unit: 'ms/step', reference: 'Rapier', floor: 20, goal: 100,
    measure: () => measureRapier(0),
  },
  {
    name: 'wasm.rapier.384x144.default', unit: 'ms/step', reference: 'Rapier', floor: 20, goal: 100,
    measure: () => measureRapier(3),
  },
].filter(({ name }) => name.includes(filter));
if (rows.length === 0) {
  console.error(`bench: no row is called like ${filter}`);
  process.exit(2);
}

await RAPIER.init();
const results = rows.map(({ measure, ...row }) => {
  let best = null;
  for (let n = 0; n < (flags.has('--check') ? TRIES : 1); n++) {
    console.error(`${row.name}${n > 0 ? ': again, it was below its floor' : ''}`);
    const figures = measure();
    const ratio = figures.reference / figures.value;
    if (!best || ratio > best.ratio) best = { ...figures, ratio };
    if (best.ratio >= row.floor) break;
  }
  return {
    name: row.name, value: best.value, unit: row.unit,
    reference: { name: row.reference, value: best.reference }, ratio: best.ratio,
    floor: row.floor, goal: row.goal,
  };
});

if (flags.has('--json')) {
  console.log(JSON.stringify({ rows: results }, null, 2));
} else {
  for (const { name, value, unit, reference, ratio, floor, goal } of results) {
    console.log(`${name.padEnd(27)} ${value.toPrecision(4)} ${unit}, ${reference.name} `
      + `${reference.value.toPrecision(4)}: ratio ${ratio.toPrecision(3)}, floor ${floor}`
      + `${goal ? `, goal ${goal}` : ''}`);
  }
}
for (const { name, ratio, floor } of results) {
  if (flags.has('--check') && !(ratio >= floor)) {
    console.error(`bench: ${name} is below its floor`);
    process.exitCode = BELOW_FLOOR;
  }
}
