/**
 * Completion in a dataset of 10,000 fields against one without any, asked of the language server as a process of its
 * own: the time until its answer has been read, sent and parsed again included, after each typed letter.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import {
  type CompletionList,
  createProtocolConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type ProtocolConnection,
} from 'vscode-languageserver/node';
import type { DatasetsResult, FieldsResult } from '../../../server/src/protocol.ts';
import * as protocol from '../../../server/src/protocol.ts';
import { root } from '../../house/sources.ts';
import { type Measure, measure, median, middle } from '../measure.ts';

const fieldCount = 10_000;
const barMs = 10;
const barOfRatio = 2;
const rounds = 5;
/** Completions in a round on each side; those of the first are not counted, since programs warm up. */
const completions = 40;

const types = ['string', 'integer', 'float', 'boolean', 'datetime'];
const fields = Array.from({ length: fieldCount }, (_, index) => ({
  name: index % 2 === 0 ? `attributes.group${index % 97}.value${index}` : `request_header_${index}`,
  type: types[index % types.length] as string,
}));

/** What is completed, and where in it letters are typed. */
const queries: readonly (readonly [string, string, string])[] = [
  ['after where', '| where ', 'request'],
  ['after extend and where', '| extend other = 1\n| where other == 1 and ', 'attr'],
  ['in summarize by', '| summarize count() by ', 'value'],
];

class Server {
  readonly #child: ChildProcess;
  readonly #connection: ProtocolConnection;
  #version = 1;

  constructor(file: string) {
    this.#child = fork(file, ['--node-ipc'], { execArgv: [], stdio: 'inherit' });
    this.#connection = createProtocolConnection(
      new IPCMessageReader(this.#child),
      new IPCMessageWriter(this.#child),
    );
    this.#connection.onRequest(
      protocol.datasetsRequest,
      (): DatasetsResult => ({
        datasets: ['wide', 'empty'].map((name) => ({ name, kind: 'dataset' })),
        complete: true,
      }),
    );
    this.#connection.onRequest(
      protocol.fieldsRequest,
      ({ dataset }: protocol.FieldsParams): FieldsResult => ({
        fields: dataset === 'wide' ? fields : [],
        complete: true,
      }),
    );
    this.#connection.listen();
  }

  async start(): Promise<void> {
    await this.#connection.sendRequest('initialize', {
      processId: null,
      rootUri: null,
      capabilities: {
        textDocument: { completion: { completionList: { itemDefaults: ['editRange'] } } },
      },
    });
    await this.#connection.sendNotification('initialized', {});
    const textDocument = { uri, languageId: 'axiom-apl', version: this.#version, text: '' };
    await this.#connection.sendNotification('textDocument/didOpen', { textDocument });
  }

  /** Milliseconds until the completion at the end of a text is there, and what it offers. */
  async complete(text: string): Promise<{ ms: number; list: CompletionList }> {
    const textDocument = { uri, version: ++this.#version };
    const lines = text.split('\n');
    const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
    const start = performance.now();
    await this.#connection.sendNotification('textDocument/didChange', {
      textDocument,
      contentChanges: [{ text }],
    });
    const list = await this.#connection.sendRequest<CompletionList>('textDocument/completion', {
      textDocument,
      position,
    });
    return { ms: performance.now() - start, list };
  }

  async end(): Promise<void> {
    this.#connection.dispose();
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill();
    await ended;
  }
}

const uri = 'file:///query.apl';

export async function completionMeasures(): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aplomb-bench-'));
  const file = join(folder, 'server.cjs');
  await build({
    stdin: { contents: "import './server/src/main.ts';", resolveDir: root },
    outfile: file,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    bundle: true,
    minify: true,
  });
  const server = new Server(file);
  try {
    await server.start();
    const measures: Measure[] = [];
    for (const [name, stages, typed] of queries) {
      measures.push(...(await measuresOf(server, name, stages, typed)));
    }
    return measures;
  } finally {
    await server.end();
    rmSync(folder, { recursive: true });
  }
}

async function measuresOf(
  server: Server,
  name: string,
  stages: string,
  typed: string,
): Promise<Measure[]> {
  const against: Measure[] = [];
  const limit: Measure[] = [];
  for (let round = 0; round <= rounds; round++) {
    const times = { wide: [] as number[], empty: [] as number[] };
    for (let run = 0; run < completions; run++) {
      const word = typed.slice(0, run % (typed.length + 1));
      for (const dataset of ['wide', 'empty'] as const) {
        const { ms, list } = await server.complete(`['${dataset}']\n${stages}${word}`);
        const offers = list.items.some((item) => item.data?.dataset === 'wide');
        if (offers !== (dataset === 'wide')) throw new Error(`${word} offered the wrong fields`);
        times[dataset].push(ms);
      }
    }
    if (round === 0) continue;
    const [wide, empty] = [median(times.wide), median(times.empty)];
    const of = `completion ${name}, 10,000 fields`;
    against.push(measure('schema', `${of} against none`, 'ms', wide, empty, barOfRatio));
    limit.push(measure('schema', `${of} against 10 ms`, 'ms', wide, barMs, 1));
  }
  return [middle(against), middle(limit)];
}
