/**
 * Names and messages with escape sequences and direction marks, given to every command of `aplomb`: none of them reaches
 * the terminal. Files, folders, options, queries, resources, archives and answers of a service are foreign.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { printableJson, printableSource } from '../../language/src/index.ts';
import { writeArchive } from '../../local/src/backup/archive.ts';
import { escapeForTerminal } from '../../local/src/commands/export.ts';
import { openStore } from '../../local/src/store/store.ts';
import { Folder, type Outcome } from '../cli/run.ts';
import { json, LoopbackServer } from '../client/loopback.ts';

/** Sets the title of a terminal, colors text in two encodings, and turns the direction of text around. */
const hostile = 'a\u001b]0;owned\u0007\u001b[31m\u009b31m\u007f\u202eb';
/** The part of the name that a file system accepts. */
const name = process.platform === 'win32' ? 'a\u009b31m\u007f\u202eb' : hostile;

let folder: Folder;
let server: LoopbackServer;
before(async () => {
  folder = new Folder();
  folder.files({
    [`${name}.apl`]: `['${hostile}'] | wher ${hostile}`,
    [`bad/${name}.apl`]: new Uint8Array([0xff, 0xfe]),
    [`${name}.csv`]: `${hostile},n\n1,${hostile}\n`,
    [`${name}.json`]: `{"${hostile}": [1}`,
    [`schema.json`]: JSON.stringify({ datasets: [{ name: 'logs', fields: [{ name: hostile }] }] }),
    [`${name}/aplomb.json`]: JSON.stringify({ format: 1, kinds: ['monitors'] }),
    [`${name}/monitors/${name}.json`]: JSON.stringify({ name: hostile, [hostile]: hostile }),
    [`push/aplomb.json`]: JSON.stringify({ format: 1, kinds: ['monitors'] }),
    [`push/monitors/${name}.json`]: JSON.stringify({
      name: hostile,
      type: 'Threshold',
      aplQuery: `['logs'] // ${hostile}`,
    }),
    [`marker/aplomb.json`]: JSON.stringify({ format: 1, kinds: [hostile] }),
  });
  server = await LoopbackServer.start((response, { method, url }) =>
    method === 'GET' && url.includes('monitors')
      ? json(response, 200, [{ id: hostile, name: hostile, type: hostile, aplQuery: hostile }])
      : json(response, 400, { code: 400, message: hostile }),
  );
  const store = await openStore({ folder: join(folder.path, 'data'), log: () => undefined });
  await store.close();
});
after(async () => {
  await server[Symbol.asyncDispose]();
  folder.remove();
});

/** Runs a command and checks that it printed something, and nothing that a terminal obeys. */
async function run(args: readonly string[], input = ''): Promise<Outcome> {
  const env = {
    APLOMB_TOKEN: 'xaat-test',
    XDG_STATE_HOME: join(folder.path, 'state'),
    LOCALAPPDATA: join(folder.path, 'state'),
  };
  const outcome = await folder.run(args, input, env);
  const printed = outcome.out + outcome.err;
  assert.notEqual(printed, '', args.join(' '));
  assert.equal(/[^\P{C}\n]/u.exec(printed)?.index, undefined, JSON.stringify(printed));
  return outcome;
}

/** The arguments of each command that make it print something foreign. */
const uses: Readonly<Record<string, readonly (readonly string[])[]>> = {
  check: [
    ['check', `${name}.apl`],
    ['check', `${name}.apl`, '--format', 'json'],
    ['check', `${name}.apl`, '--format', 'sarif'],
    ['check', `${name}.apl`, '--schema', 'schema.json'],
    ['check', `${name}.apl`, '--schema', `${name}.json`],
    ['check', `missing-${name}`],
    ['check', 'bad'],
    ['check', `--${hostile}`],
    ['check', '--disable', hostile, `${name}.apl`],
    ['check', '--format', hostile, `${name}.apl`],
  ],
  format: [
    ['format', '--check', `${name}.apl`],
    ['format', '--write', `${name}.apl`, `missing-${name}`],
    ['format', '--width', hostile, `${name}.apl`],
    ['format', 'bad'],
  ],
  explain: [['explain', hostile]],
  ingest: [
    ['ingest', `${name}.csv`, '--check'],
    ['ingest', `${name}.csv`, '--dataset', 'logs', '--url', 'URL'],
    ['ingest', `missing-${name}`, '--dataset', 'logs', '--url', 'URL'],
    ['ingest', `${name}.json`, '--check'],
    ['ingest', `${name}.csv`, '--dataset', hostile],
    ['ingest', `${name}.csv`, '--dataset', 'logs', '--url', hostile],
    ['ingest', `${name}.csv`, '--dataset', 'logs', '--data', hostile],
    ['ingest', `${name}.csv`, '--check', '--csv-types', `${hostile}=integer`],
  ],
  mcp: [
    ['mcp', `missing-${name}`],
    ['mcp', `--${hostile}`],
    ['mcp', '--url', hostile, '--not-production'],
    ['mcp', '--url', `http://x.test/${hostile}`],
  ],
  pull: [
    ['pull', `new-${name}`, '--url', 'URL'],
    ['pull', `new-${name}`, '--url', hostile],
    ['pull', 'marker', '--url', 'URL'],
  ],
  push: [
    ['push', name, '--url', 'URL', '--yes'],
    ['push', 'push', '--url', 'URL', '--yes', '--dry-run'],
    ['push', 'push', '--url', 'URL', '--yes'],
    ['push', 'marker', '--url', 'URL', '--yes'],
  ],
  serve: [
    ['serve', '--data', 'x', '--port', hostile],
    ['serve', '--data', 'x', '--engine', hostile],
    ['serve', '--data', 'x', '--engine', 'clickhouse', '--clickhouse-url', hostile],
    ['serve', '--data', 'x', '--allow-external', hostile],
    ['serve', '--data', `${name}.apl`],
    ['serve', `--${hostile}`],
  ],
  backup: [
    ['backup', `${name}.apl`, '--data', 'data'],
    ['backup', `${name}.tar`, '--data', `missing-${name}`],
    ['backup', `${name}.tar`, '--data', 'data'],
  ],
  'rotate-tokens': [
    ['rotate-tokens', hostile],
    ['rotate-tokens', '--data', `missing-${name}`],
  ],
  restore: [
    ['restore', 'member.tar', '--data', 'restored'],
    ['restore', 'table.tar', '--data', 'restored'],
    ['restore', 'created.tar', '--data', `restored-${name}`],
    ['restore', `missing-${name}.tar`, '--data', 'restored'],
    ['restore', 'created.tar', '--data', `${name}.apl`],
  ],
  export: [
    ['export', hostile, '--data', 'data', '--format', 'ndjson'],
    ['export', '--query', `['x'] | where ${hostile}`, '--data', 'data', '--format', 'ndjson'],
    ['export', 'logs', '--data', 'data', '--format', hostile],
    ['export', 'logs', '--data', 'data', '--format', 'ndjson', '-o', `${name}.apl`],
  ],
};

/** Writes an archive as a hostile author does. */
async function archive(file: string, manifest: object, extra?: string): Promise<void> {
  const database = readFileSync(join(folder.path, 'data', 'data.duckdb'));
  const members = [
    ['manifest.json', Buffer.from(JSON.stringify(manifest))] as const,
    ...(extra === undefined ? [] : [[extra, Buffer.from('x')] as const]),
    ['data.duckdb', database] as const,
  ].map(([member, content]) => ({ name: member, bytes: content.length, content }));
  const pieces: Uint8Array[] = [];
  for await (const piece of writeArchive(members)) pieces.push(piece);
  writeFileSync(join(folder.path, file), Buffer.concat(pieces));
}

describe('hostile names do not control the terminal', () => {
  before(async () => {
    const manifest = { format: 1, created: '2026-01-01T00:00:00Z', tables: [] };
    const tables = [{ schema: 'events', name: hostile, rows: 1 }];
    await archive('member.tar', manifest, hostile);
    await archive('table.tar', { ...manifest, tables });
    await archive('created.tar', { ...manifest, created: hostile });
    mkdirSync(join(folder.path, 'state'), { recursive: true });
  });

  it('in any command', async () => {
    const { err } = await run(['']);
    const commands = /The commands are (.*)\.$/m.exec(err)?.[1]?.split(', ');
    assert.deepEqual(commands?.sort(), Object.keys(uses).sort());
    await run([hostile]);
  });

  for (const [command, lines] of Object.entries(uses)) {
    it(`in aplomb ${command}`, async () => {
      for (const args of lines) await run(args.map((arg) => (arg === 'URL' ? server.url : arg)));
    });
  }
});

describe('output without escaping', () => {
  it('is used for formatted text, except on a terminal', async () => {
    const text = `['logs'] // ${hostile}\n`;
    const { out } = await folder.run(['format', '-'], text);
    assert.equal(out, text);
    assert.equal(
      printableSource(`\t${hostile}\r\n`),
      '\ta\\u001b]0;owned\\u0007\\u001b[31m\\u009b31m\\u007f\\u202eb\r\n',
    );
    assert.equal(printableSource('a\rb'), 'a\\u000db');
  });

  it('is used for exported events, except on a terminal, where they keep their values', async () => {
    const value = { [hostile]: `${hostile}\u{e0001}é` };
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    let shown = '';
    for await (const piece of escapeForTerminal(oneByOne(bytes))) shown += piece;
    assert.doesNotMatch(shown, /[^\P{C}\n]/u);
    assert.deepEqual(JSON.parse(shown), value);
  });

  it('is used for JSON, whose values stay the same', () => {
    const report = JSON.stringify({ path: `${hostile}\u{1d173}` }, null, 2);
    assert.doesNotMatch(printableJson(report), /[^\P{C}\n]/u);
    assert.deepEqual(JSON.parse(printableJson(report)), JSON.parse(report));
  });
});

async function* oneByOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (const byte of bytes) yield new Uint8Array([byte]);
}
