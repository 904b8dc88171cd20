/**
 * Queries inside of resources, read before the resource is kept. One that does not parse is refused with its line
 * and column. What else would keep it from running now is told in a header of the answer, in the shape that notices
 * of queries have.
 */
import { type Message, RESPONSE_HEADERS } from '../../../api/src/index.ts';
import type { Schema } from '../../../language/src/index.ts';
import { MAIN_THREAD_FIELDS_MAX, MAIN_THREAD_QUERY_CHARS_MAX } from '../limits.ts';
import { readInThread } from '../planThread.ts';
import { type QueryReading, readQuery } from '../queryReading.ts';
import { sourceDataOf, sourcesOf } from '../sources.ts';
import { type Call, Reply } from './handler.ts';
import { positionOf, queryError } from './queryErrors.ts';

/** A query, and where in the resource it is: empty for its only one. */
export interface DocumentQuery {
  readonly apl: string | undefined;
  readonly location?: string;
}

/** Whose request it is: notices name only what the sender may query, in suggestions too. */
export type Requester = Pick<Call<'createMonitor'>, 'store' | 'caller' | 'signal'>;

/** More notices would not fit a header, and nobody reads them. */
const NOTICES_MAX = 10;
const NOTICE_LENGTH_MAX = 300;

/** Reads the queries of a resource, and gives the notices about them. Throws an ApiError for one that does not parse. */
export async function checkDocumentQueries(
  requester: Requester,
  queries: readonly DocumentQuery[],
): Promise<readonly Message[]> {
  const nonEmpty = queries.flatMap(({ apl, location = '' }) =>
    apl === undefined || apl.trim() === '' ? [] : [{ apl, location }],
  );
  const readings = await readAll(
    nonEmpty.map(({ apl }) => apl),
    requester,
  );
  const messages: Message[] = [];
  for (const [i, { errors, notices }] of readings.entries()) {
    const { apl, location } = nonEmpty[i]!;
    const prefix = location === '' ? '' : `${location}: `;
    if (errors.length > 0) throw queryError(apl, errors, prefix);
    for (const { code, message, start } of notices) {
      const { line, column } = positionOf(apl, start);
      const text = `line: ${line}, col: ${column}: ${prefix}${message}`.slice(0, NOTICE_LENGTH_MAX);
      messages.push({ priority: 'warn', code, count: 1, msg: text });
    }
  }
  return messages.slice(0, NOTICES_MAX);
}

async function readAll(
  queries: readonly string[],
  { store, caller, signal }: Requester,
): Promise<readonly QueryReading[]> {
  const { schema } = sourcesOf(store, caller);
  if (fitsMainThread(queries, schema)) return queries.map((text) => readQuery(text, schema));
  return readInThread(queries, sourceDataOf(store, caller), signal);
}

/** A source of every dataset, or of many: what it costs grows with all of their fields. */
const MANY_DATASETS = /\*|\bsearch\b/;

/** Whether reading queries takes so little that other requests need not be spared. */
export function fitsMainThread(queries: readonly string[], { datasets }: Schema): boolean {
  const length = queries.reduce((sum, text) => sum + text.length, 0);
  if (length > MAIN_THREAD_QUERY_CHARS_MAX) return false;
  if (!queries.some((text) => MANY_DATASETS.test(text))) return true;
  const fields = datasets.reduce((sum, dataset) => sum + dataset.fields.length, 0);
  return fields <= MAIN_THREAD_FIELDS_MAX;
}

/** The answer with a resource that was kept, and the notices about its queries. */
export function replyWithNotices(
  document: object,
  messages: readonly Message[],
  status = 200,
): Reply {
  if (messages.length === 0) return new Reply(status, document);
  const text = JSON.stringify(messages).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return new Reply(status, document, { [RESPONSE_HEADERS.messages]: text });
}
