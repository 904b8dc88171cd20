/** `aplomb export DATASET --data FOLDER`: writes the events of a dataset, or the rows of a query, to a file. */
import { once } from 'node:events';
import { printableJson } from '../../../language/src/index.ts';
import { megabytes } from '../../../system/src/progressLine.ts';
import type { ExportFormat } from '../answers/exportFormats.ts';
import { defined } from '../defined.ts';
import { answerExport } from '../routes/export.ts';
import { nowNanos } from '../time.ts';
import { withWriteProgress } from './backup.ts';
import { checkOutput, writeOutput } from './outputFile.ts';
import { progressLine } from './progressLine.ts';
import { bytesOf, send, withDeployment } from './serving.ts';

export interface ExportArguments {
  readonly data: string;
  readonly apl: string;
  readonly format: ExportFormat;
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly output: string | undefined;
}

/** Writes the file and returns the message to print. If it throws, it leaves no file. */
export async function exportRows(given: ExportArguments, signal: AbortSignal): Promise<string> {
  const { data, apl, format, start, end, output } = given;
  if (output !== undefined) await checkOutput(output);
  const body = { apl, format, ...defined({ startTime: start, endTime: end }) };
  const since = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - since) / 1_000);
    progressLine.show(`Reading the events: ${seconds} s`);
  }, SHOW_MS);
  const write = async (bytes: number, chunks: AsyncIterable<Uint8Array>) => {
    clearInterval(timer);
    const all = withWriteProgress(chunks, bytes, signal);
    if (output === undefined) await toStdout(all);
    else await writeOutput(output, all);
    return output === undefined ? '' : `${output}: ${megabytes(bytes)}.`;
  };
  try {
    return await withDeployment(data, {
      running: async (serving) => {
        const answer = await send(serving, 'POST', '/_local/export', signal, body);
        return write(Number(answer.headers['content-length']), bytesOf(answer, signal));
      },
      stopped: async (store) => {
        const request = ownRequest(body, signal);
        const { headers, body: chunks } = await answerExport(request, store, nowNanos());
        return write(Number(headers.get('content-length')), chunks as ReadableStream<Uint8Array>);
      },
    });
  } finally {
    clearInterval(timer);
    progressLine.clear();
  }
}

const SHOW_MS = 250;

/** Creates the request as a running deployment would receive it. */
function ownRequest(body: unknown, signal: AbortSignal) {
  const bytes = Buffer.from(JSON.stringify(body));
  return {
    method: 'POST',
    url: 'http://127.0.0.1/_local/export',
    headers: { get: () => null },
    signal,
    body: ReadableStream.from([bytes]) as ReadableStream<Uint8Array>,
  };
}

async function toStdout(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const { stdout } = process;
  const shown = stdout.isTTY ? escapeForTerminal(chunks) : chunks;
  for await (const chunk of shown) {
    if (!stdout.write(chunk)) await once(stdout, 'drain');
  }
}

/** Escapes control characters for a terminal, which doesn't change the JSON's meaning. */
export async function* escapeForTerminal(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield printableJson(decoder.decode(chunk, { stream: true }));
  yield printableJson(decoder.decode());
}
