/**
 * Checks queries before they are stored. Rejects syntax errors, and returns all other problems as notices in a header.
 */
import { type Message, RESPONSE_HEADERS } from '../../../api/src/index.ts';
import type { Schema } from '../../../language/src/index.ts';
import { MAIN_THREAD_FIELDS_MAX, MAIN_THREAD_QUERY_CHARS_MAX } from '../limits.ts';
import { readInThread } from '../planThread.ts';
import { readQuery } from '../queryReading.ts';
import { sourceDataOf, sourcesOf } from '../sources.ts';
import { type Call, Reply } from './handler.ts';
import { positionOf, queryError } from './queryErrors.ts';

/** A query of a resource. `location` distinguishes several queries of one resource in messages. */
export interface DocumentQuery {
  readonly apl: string | undefined;
  readonly location?: string;
}

/** The caller who stores a query. Notices and suggestions contain only names that this caller may query. */
export type Requester = Pick<Call<'createMonitor'>, 'store' | 'caller' | 'signal'>;

/** The notices must fit in a header. */
const NOTICES_MAX = 10;
const NOTICE_LENGTH_MAX = 300;

/** Returns notices about problems in the queries. Throws an ApiError if a query has a syntax error. */
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

async function readAll(queries: readonly string[], { store, caller, signal }: Requester) {
  const { schema } = sourcesOf(store, caller);
  if (fitsMainThread(queries, schema)) return queries.map((text) => readQuery(text, schema));
  return readInThread(queries, sourceDataOf(store, caller), signal);
}

/** Matches queries whose analysis time grows with the total number of fields. */
const MANY_DATASETS = /\*|\bsearch\b/;

/** Reports whether the analysis is short enough not to block other requests. */
export function fitsMainThread(queries: readonly string[], { datasets }: Schema): boolean {
  const length = queries.reduce((sum, text) => sum + text.length, 0);
  if (length > MAIN_THREAD_QUERY_CHARS_MAX) return false;
  if (!queries.some((text) => MANY_DATASETS.test(text))) return true;
  const fields = datasets.reduce((sum, dataset) => sum + dataset.fields.length, 0);
  return fields <= MAIN_THREAD_FIELDS_MAX;
}

/** Returns a response with the resource as its body and the notices in a header. */
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
