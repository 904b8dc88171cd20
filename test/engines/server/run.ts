/** Runs the query of a request on a connection and sends its result, all but the end of the answer. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from './answer.ts';
import { type Connection, type Engine, ID_SETTING, literal, type Progress } from './engine.ts';
import { blockRows, defaultFormat, formatOf } from './formats.ts';
import type { QueryRequest } from './request.ts';
import { parseStatement, replaceWord, type Statement } from './statement.ts';

/** How often the progress is reported while a query has no rows, as `interactive_delay` has it. */
const PROGRESS_MS = 100;

/** Statements that chdb gives block by block. */
const streamed = new Set(['SELECT', 'WITH', '(']);

export async function run(
  engine: Engine,
  connection: Connection,
  request: QueryRequest,
  answer: Answer,
): Promise<void> {
  const statement = parseStatement(request.sql);
  const values = new Map([
    ...request.settings,
    ...request.parameters,
    [ID_SETTING, request.queryId] as const,
    // It could not be taken back in a session.
    ...(request.mayWrite || request.session ? [] : [['readonly', '2'] as const]),
  ]);
  if (request.database !== undefined)
    await connection.query(`USE ${identifier(request.database)}`, 'Null');
  await connection.set(values);
  try {
    await runStatement({ engine, connection, request, answer, statement });
  } finally {
    if (request.session !== undefined)
      await connection.reset([ID_SETTING, ...request.settings.keys()]);
  }
}

interface Run {
  readonly engine: Engine;
  readonly connection: Connection;
  readonly request: QueryRequest;
  readonly answer: Answer;
  readonly statement: Statement;
}

async function runStatement(run: Run): Promise<void> {
  const { connection, request, answer, statement } = run;
  const format = statement.format ?? request.format ?? defaultFormat;
  const { queryId, encoding } = request;
  const start = (known: {
    readonly read?: Progress;
    readonly written?: { rowsWritten: number; bytesWritten: number };
  }) => answer.start({ queryId, format, ...(encoding ? { encoding } : {}), ...known });
  if (statement.keyword === 'INSERT') {
    start({ written: await connection.insert(request.sql) });
  } else if (streamed.has(statement.keyword) && formatOf(format).headerLines !== undefined) {
    await sendBlocks(run, format, (read) => start(read === undefined ? {} : { read }));
  } else {
    const text =
      statement.keyword === 'KILL'
        ? replaceWord(statement.text, 'query_id', `Settings[${literal(ID_SETTING)}]`)
        : statement.text;
    const result = await connection.query(text, format);
    start({});
    await answer.write(result);
  }
}

async function sendBlocks(
  { engine, connection, request, answer, statement }: Run,
  formatName: string,
  start: (read: Progress | undefined) => void,
): Promise<void> {
  const format = formatOf(formatName);
  const { queryId, waitsForEnd } = request;
  const held: Buffer[] = [];
  let hasStarted = false;
  let isFirst = true;
  let progress: Progress | undefined;

  const send = async (bytes: Buffer) => {
    if (waitsForEnd) {
      held.push(bytes);
      return;
    }
    if (!hasStarted) start(progress);
    hasStarted = true;
    await answer.write(bytes);
  };
  const report = async () => {
    progress = (await engine.progress(queryId)) ?? progress;
    if (!format.hasProgress || progress === undefined) return;
    await send(progressLine(progress, answer.elapsedNs()));
  };

  for await (const block of reporting(
    connection.blocks(statement.text, formatName),
    format.hasProgress ? report : undefined,
  )) {
    if (answer.isClosed) return;
    if (isFirst || format.hasProgress || waitsForEnd) await report();
    await send(blockRows(format, block, isFirst));
    isFirst = false;
  }
  if (!hasStarted) start(progress);
  for (const bytes of held) await answer.write(bytes);
}

/** Passes the blocks on, and calls `report` at intervals while one is awaited. */
async function* reporting(
  blocks: AsyncGenerator<Buffer>,
  report: (() => Promise<void>) | undefined,
): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const next = blocks.next();
      // It is awaited below, where its error is thrown.
      next.catch(() => undefined);
      while (report !== undefined) {
        const isHere = await Promise.race([
          next.then(
            () => true,
            () => true,
          ),
          pause(PROGRESS_MS, false),
        ]);
        if (isHere) break;
        await report();
      }
      const { value, done } = await next;
      if (done) return;
      yield value;
    }
  } finally {
    await blocks.return(undefined);
  }
}

function progressLine(progress: Progress, elapsedNs: number): Buffer {
  const members = {
    read_rows: String(progress.readRows),
    read_bytes: String(progress.readBytes),
    total_rows_to_read: String(progress.totalRows),
    elapsed_ns: String(elapsedNs),
  };
  return Buffer.from(`${JSON.stringify({ progress: members })}\n`);
}

function identifier(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}
