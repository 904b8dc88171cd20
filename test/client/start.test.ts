// Modules that the extension must not load when it starts: the API schemas and the HTTP client, which load with the
// first request, the language client, which loads with the first APL document, and Intl. Each takes as long to load as
// a large part of the client.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../house/sources.ts';

/** Loads the bundle with a `vscode` of empty classes, and prints the files it requires from its folder. */
const loading = `
const Module = require('node:module');
const load = Module._load;
const vscode = new Proxy({}, { get: (members, name) => (members[name] ??= class {}) });
const required = [];
Module._load = function (request, ...rest) {
  if (request === 'vscode') return vscode;
  if (request.startsWith('./')) required.push(request);
  return load.call(this, request, ...rest);
};
const client = require(process.argv[2]);
console.log(JSON.stringify({ exported: Object.keys(client), required }));
`;

/** Runs before the client, and makes every use of Intl throw. */
const withoutIntl = `
const broken = (owner, name) =>
  Object.defineProperty(owner, name, {
    get() {
      throw new Error(name + ' is used');
    },
  });
for (const name of Object.getOwnPropertyNames(Intl)) broken(Intl, name);
for (const { prototype } of [Number, BigInt, Date, String, Array])
  for (const name of Object.getOwnPropertyNames(prototype))
    if (name.includes('Locale')) broken(prototype, name);
`;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aplomb-start-'));
  const build = ['esbuild.mjs', '--production', '--only=client.cjs', `--outdir=${folder}`];
  execFileSync(process.execPath, build, { cwd: root, stdio: 'pipe' });
  await writeFile(join(folder, 'loading.cjs'), loading);
  await writeFile(join(folder, 'withoutIntl.cjs'), withoutIntl);
});
after(() => rm(folder, { recursive: true, force: true }));

describe('the client bundle', () => {
  it('contains no API schemas, HTTP client or language client', async () => {
    const { inputs } = JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8'));
    assert.ok(inputs.includes('client/src/service/service.ts'));
    const later =
      /(?:^|\/)(?:node_modules\/(?:typebox|undici|vscode-[\w-]+)\/|api\/src\/(?:schema|resources)\b)/;
    assert.deepEqual(
      inputs.filter((path: string) => later.test(path)),
      [],
    );
  });

  it('loads without using Intl or requiring deferred bundles', () => {
    const args = ['--require', join(folder, 'withoutIntl.cjs'), join(folder, 'loading.cjs')];
    const printed = execFileSync(process.execPath, [...args, join(folder, 'client.cjs')], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    assert.deepEqual(JSON.parse(printed), { exported: ['activate'], required: [] });
  });
});
