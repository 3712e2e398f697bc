// Runs the glTF validator on GLB files, one line per file. Ends with 1 when a file has an error or
// a warning, or when there is no file at all; hints and infos are listed only.
// usage: node scripts/validate_glb.mjs FILE_OR_FOLDER...
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const severities = ['error', 'warning', 'info', 'hint'];

// Links are not followed: one may lead to a folder above.
function glbFilesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return glbFilesIn(path);
    return entry.isFile() && entry.name.endsWith('.glb') ? [path] : [];
  });
}

function glbFilesBelow(path) {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) {
    console.error(`validate_glb: ${path} is not there`);
    process.exit(1);
  }
  return status.isDirectory() ? glbFilesIn(path).sort() : [path];
}

async function loadValidator() {
  try {
    return (await import('gltf-validator')).default;
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.error('validate_glb: the package gltf-validator is missing; run "npm ci" first');
    process.exit(1);
  }
}

async function isValid(validator, file) {
  const bytes = new Uint8Array(readFileSync(file));
  let issues;
  try {
    ({ issues } = await validator.validateBytes(bytes, { uri: file }));
  } catch (error) {
    console.log(`BAD ${file}: ${error}`);
    return false;
  }
  const valid = issues.numErrors === 0 && issues.numWarnings === 0;
  console.log(`${valid ? 'ok' : 'BAD'} ${file}: ${issues.numErrors} errors, ` +
    `${issues.numWarnings} warnings, ${issues.numInfos} infos, ${issues.numHints} hints`);
  for (const { severity, code, message, pointer } of issues.messages) {
    console.log(`  ${severities[severity]} ${code} at ${pointer ?? 'the file'}: ${message}`);
  }
  return valid;
}

const files = process.argv.slice(2).flatMap(glbFilesBelow);
if (files.length === 0) {
  console.error('validate_glb: no GLB file found');
  process.exit(1);
}
const validator = await loadValidator();
for (const file of files) {
  if (!(await isValid(validator, file))) process.exitCode = 1;
}
