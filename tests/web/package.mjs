// The package as its users have it: in node_modules of a folder of their own. Runs the examples of
// docs/webassembly.md (```js after the line <!-- run -->) there, and checks the types.
// usage: package.mjs PACKAGE_FOLDER
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync }
  from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'supple-package-'));

/** Runs node; its output is shown where it fails. */
function run(title, ...words) {
  try {
    execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    console.log(`ok ${title}`);
  } catch (error) {
    console.log(`BAD ${title}\n${error.stdout}${error.stderr}`);
    process.exitCode = 1;
  }
}

try {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve(process.argv[2]), join(folder, 'node_modules/supple'));
  symlinkSync(join(root, 'scenes'), join(folder, 'scenes'));

  const page = readFileSync(join(root, 'docs/webassembly.md'), 'utf8');
  const examples = [...page.matchAll(/^<!-- run -->\n```js\n(.*?)^```$/gms)];
  if (examples.length === 0) throw new Error('docs/webassembly.md has no example');
  for (const [i, [, text]] of examples.entries()) {
    writeFileSync(join(folder, `example-${i + 1}.mjs`), text);
    run(`example ${i + 1} of docs/webassembly.md`, `example-${i + 1}.mjs`);
  }

  copyFileSync(join(root, 'tests/web/types.mts'), join(folder, 'types.mts'));
  run('types', join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict',
    '--target', 'es2022', '--module', 'nodenext', 'types.mts');
} finally {
  rmSync(folder, { recursive: true });
}
