/**
 * Queries inside of resources, read before the resource is kept. One that does not parse is refused with its line
 * and column. What else would keep it from running now is told in a header of the answer, in the shape that notices
 * of queries have.
 */
import { type Message, RESPONSE_HEADERS } from '../../../api/src/index.ts';
import type { Schema } from '../../../language/src/index.ts';
import { KEPT_FIELDS_AT_ONCE_MAX, KEPT_QUERIES_AT_ONCE_MAX } from '../limits.ts';
import { readInThread } from '../planThread.ts';
import { type QueryReading, readQuery } from '../queryReading.ts';
import { sourceDataOf, sourcesOf } from '../sources.ts';
import { type Call, Reply } from './handler.ts';
import { positionOf, queryError } from './queryErrors.ts';

/** A query, and where in the resource it is: empty for its only one. */
export interface KeptQuery {
  readonly apl: string | undefined;
  readonly where?: string;
}

/** Whose request it is: notices name only what the sender may query, in suggestions too. */
export type Reader = Pick<Call<'createMonitor'>, 'store' | 'caller' | 'signal'>;

/** More notices would not fit a header, and nobody reads them. */
const NOTICES_MAX = 10;
const NOTICE_LENGTH_MAX = 300;

/** Reads the queries of a resource, and gives the notices about them. Throws an ApiError for one that does not parse. */
export async function readKept(
  reader: Reader,
  queries: readonly KeptQuery[],
): Promise<readonly Message[]> {
  const texts = queries.flatMap(({ apl, where = '' }) =>
    apl === undefined || apl.trim() === '' ? [] : [{ apl, where }],
  );
  const readings = await readAll(
    texts.map(({ apl }) => apl),
    reader,
  );
  const messages: Message[] = [];
  for (const [i, { errors, notices }] of readings.entries()) {
    const { apl, where } = texts[i]!;
    const prefix = where === '' ? '' : `${where}: `;
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
  texts: readonly string[],
  { store, caller, signal }: Reader,
): Promise<readonly QueryReading[]> {
  const { schema } = sourcesOf(store, caller);
  if (isQuick(texts, schema)) return texts.map((text) => readQuery(text, schema));
  return readInThread(texts, sourceDataOf(store, caller), signal);
}

/** A source of every dataset, or of many: what it costs grows with all of their fields. */
const READS_MANY = /\*|\bsearch\b/;

/** Whether reading queries takes so little that other requests need not be spared. */
export function isQuick(texts: readonly string[], { datasets }: Schema): boolean {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > KEPT_QUERIES_AT_ONCE_MAX) return false;
  if (!texts.some((text) => READS_MANY.test(text))) return true;
  const fields = datasets.reduce((sum, dataset) => sum + dataset.fields.length, 0);
  return fields <= KEPT_FIELDS_AT_ONCE_MAX;
}

/** The answer with a resource that was kept, and the notices about its queries. */
export function keptReply(document: object, messages: readonly Message[], status = 200): Reply {
  if (messages.length === 0) return new Reply(status, document);
  const text = JSON.stringify(messages).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return new Reply(status, document, { [RESPONSE_HEADERS.messages]: text });
}
