/**
 * From the start of a process to its first completion, the memory it has then, and what is loaded for
 * it. Both sides are a script that loads its bundle, tells it the schema and completes one query, ours with
 * the server's own completion and so with both faces of the language; beside that, the language server
 * itself is started and asked over IPC, handshake included. The core is `index.ts` alone: what analyses.
 */
import { fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import {
  createProtocolConnection,
  IPCMessageReader,
  IPCMessageWriter,
} from 'vscode-languageserver/node';
import { type Measure, measure, median } from '../measure.ts';
import { kustoFiles, kustoProgram } from './kusto.ts';
import { schema } from './schema.ts';

const root = join(import.meta.dirname, '../../..');
const rounds = 7;

const query = "['sample-http-logs']\n| where status == '500' and req_";
const place = JSON.stringify({ query, schema });

/** Completes once with the functions that the server completes with, and tells its memory. */
const ourProgram = `
import { SourceText } from './language/src/index.ts';
import { Documents } from './server/src/documents.ts';
import { completion } from './server/src/features/completion.ts';
const { query, schema } = ${place};
const document = { uri: 'file:///query.apl', version: 1, text: new SourceText(query) };
const snapshot = new Documents().snapshot(document, schema);
console.log(completion(snapshot, query.length).items.length, process.memoryUsage.rss());
`;

const theirProgram = `
${kustoProgram(schema)}
const { query } = ${place};
const block = Language.Editor.CodeScript.From$1(query, globals).GetBlockAtPosition(query.length);
const { Items } = block.Service.GetCompletionItems(query.length);
console.log(Items.Count ?? Items.length, process.memoryUsage.rss());
`;

export async function startMeasures(): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aplomb-bench-'));
  try {
    return await measuresIn(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measuresIn(folder: string): Promise<Measure[]> {
  const program = join(folder, 'ours.cjs');
  const server = join(folder, 'server.cjs');
  await bundle({ contents: ourProgram, resolveDir: root, loader: 'ts' }, program);
  await bundle({ contents: "import './server/src/main.ts';", resolveDir: root }, server);
  const ours: Started[] = [];
  const theirs: Started[] = [];
  const served: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await started([program]));
    theirs.push(await started(['--eval', theirProgram]));
    served.push(await serverStarted(server));
  }
  const time = (of: readonly Started[]) => median(of.map(({ ms }) => ms));
  const memory = (of: readonly Started[]) => median(of.map(({ rss }) => rss)) / 2 ** 20;
  const core = await bundled("export * from './language/src/index.ts';");
  const their = kustoFiles.reduce((size, file) => size + zipped(readFileSync(file)), 0);
  return [
    measure('language', 'start to first completion', 'ms', time(ours), time(theirs), 1 / 8),
    measure(
      'language',
      'start to first completion, the server',
      'ms',
      median(served),
      time(theirs),
      1 / 8,
    ),
    measure('language', 'resident memory then', 'MiB', memory(ours), memory(theirs), 1 / 2),
    measure(
      'language',
      'core, minified and gzipped',
      'KB',
      zipped(core) / 1000,
      their / 1000,
      1 / 8,
    ),
  ];
}

type Source = { readonly contents: string; readonly resolveDir: string; readonly loader?: 'ts' };

/** As `npm run build` bundles for production. */
async function bundle(stdin: Source, outfile: string): Promise<void> {
  const node = { platform: 'node', format: 'cjs', target: 'node22' } as const;
  await build({ stdin, outfile, ...node, bundle: true, minify: true, legalComments: 'none' });
}

async function bundled(contents: string): Promise<Uint8Array> {
  const options = { bundle: true, minify: true, format: 'esm', write: false } as const;
  const { outputFiles } = await build({ stdin: { contents, resolveDir: root }, ...options });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

function zipped(bytes: Uint8Array): number {
  return gzipSync(bytes, { level: 9 }).length;
}

interface Started {
  readonly ms: number;
  readonly rss: number;
}

/** Runs node until it prints how many items it offers and its memory in bytes. */
function started(args: readonly string[]): Promise<Started> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    child.once('error', reject);
    child.once('exit', () => reject(new Error('ended without a completion')));
    child.stdout.once('data', (printed: Buffer) => {
      const ms = performance.now() - start;
      const [items, rss] = printed.toString().split(' ').map(Number);
      if (!items || !rss) reject(new Error(`offered nothing: ${printed}`));
      else resolve({ ms, rss });
    });
  });
}

const document = { uri: 'file:///query.apl', languageId: 'axiom-apl', version: 1, text: query };

/** Milliseconds until the server has answered; its client knows the schema as soon as it is asked. */
async function serverStarted(file: string): Promise<number> {
  const start = performance.now();
  const child = fork(file, ['--node-ipc'], { execArgv: [], stdio: 'inherit' });
  const connection = createProtocolConnection(
    new IPCMessageReader(child),
    new IPCMessageWriter(child),
  );
  try {
    connection.onRequest('aplomb/datasets', () => {
      const datasets = schema.datasets.map(({ name }) => ({ name, kind: 'dataset' }));
      return { datasets, complete: false };
    });
    connection.onRequest('aplomb/fields', ({ dataset }: { dataset: string }) => {
      const known = schema.datasets.find(({ name }) => name === dataset);
      return { fields: known?.fields ?? [], complete: known !== undefined };
    });
    connection.listen();
    await connection.sendRequest('initialize', {
      processId: null,
      rootUri: null,
      capabilities: {},
    });
    await connection.sendNotification('initialized', {});
    await connection.sendNotification('textDocument/didOpen', { textDocument: document });
    const position = { line: 1, character: query.length - query.indexOf('\n') - 1 };
    const textDocument = { uri: document.uri };
    const answer = await connection.sendRequest<{ items: readonly unknown[] }>(
      'textDocument/completion',
      { textDocument, position },
    );
    if (answer.items.length === 0) throw new Error('the server offered nothing');
    return performance.now() - start;
  } finally {
    connection.dispose();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    await ended;
  }
}
