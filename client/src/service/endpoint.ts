// Builds addresses, checks tokens and reads responses, as declared by the rows of `api`. Loaded with the first call,
// because building the schemas would slow activation.

import { setImmediate } from 'node:timers/promises';
import {
  buildPath,
  buildQuery,
  checkStrict,
  type EndpointKey,
  endpointRow,
  type PathParams,
  type Problem,
  type QueryParams,
  type ReadResponse,
  type ReadResult,
  readTolerant,
  type Tolerant,
  type TSchema,
} from '../../../api/src/index.ts';
import { parsedJson, RESPONSE_HEADERS, tokenKind } from '../../../api/src/plain.ts';
import { errorMessage } from '../words/errors.ts';
import { type Failure, failed, type Outcome } from './failure.ts';
import type { HttpAnswer } from './http.ts';
import { isSuccess, refusal, traceOf, unreadable } from './refusal.ts';
import type { CallArguments, Connection, Reply } from './service.ts';

export { endpointRow };

export function addressOf<K extends EndpointKey>(
  key: K,
  call: CallArguments<K>,
  { general, edge }: Pick<Connection, 'general' | 'edge'>,
): Outcome<URL> {
  const base = endpointRow(key).host === 'edge' ? edge : general;
  try {
    const path = buildPath(key, call.params ?? ({} as PathParams<K>));
    const query = buildQuery(key, call.query ?? ({} as QueryParams<K>));
    return { ok: true, value: new URL(`${base}${path}${query}`) };
  } catch (error) {
    const message = `The address of the request is not valid: ${errorMessage(error)}.`;
    return failed({ kind: 'unreachable', host: base, message });
  }
}

/** Returns a failure if the token is missing or the endpoint doesn't accept its kind. */
export function refusedToken(
  key: EndpointKey,
  token: string | undefined,
  url: URL,
): Failure | undefined {
  if (token === undefined) {
    return { kind: 'token', host: url.host, message: `No token is stored for ${url.origin}.` };
  }
  const kind = tokenKind(token);
  const { tokens } = endpointRow(key);
  if (kind === undefined || tokens.includes(kind)) return undefined;
  const [wanted, given] =
    kind === 'personal' ? ['an API token', 'a personal'] : ['a personal token', 'an API'];
  return {
    kind: 'token',
    host: url.host,
    message: `This operation requires ${wanted}. The token stored for ${url.origin} is ${given} token.`,
  };
}

/** Returns the reasons why the service would reject a body. */
export function bodyProblems(key: EndpointKey, body: unknown): string[] {
  const { body: schema } = endpointRow(key);
  if (schema === undefined) return [];
  return checkStrict(schema, body, 'the document').map(({ message }) => message);
}

export function readBody(key: EndpointKey, raw: unknown): ReadResult<TSchema> {
  const { response } = endpointRow(key);
  if (response === undefined) throw new Error(`The endpoint ${key} answers with nothing.`);
  return readTolerant(response, raw, 'the response');
}

/** The number of records between two pauses. Reading them takes about ten milliseconds. */
const PIECE = 5_000;

/** Reads a body like `readBody`, but with pauses, so that a long list doesn't block the extension host. */
async function readInPieces(key: EndpointKey, raw: unknown): Promise<ReadResult<TSchema>> {
  if (!Array.isArray(raw) || raw.length <= PIECE) return readBody(key, raw);
  const typed: unknown[] = [];
  const notes: Problem[] = [];
  for (let at = 0; at < raw.length; at += PIECE) {
    await setImmediate();
    const reading = readBody(key, raw.slice(at, at + PIECE));
    if (!reading.ok) return reading;
    typed.push(...(reading.typed as readonly unknown[]));
    notes.push(...reading.notes);
  }
  return { ok: true, value: raw, typed: typed as Tolerant<TSchema>, notes };
}

export async function readReply<K extends EndpointKey>(
  key: K,
  answer: HttpAnswer,
  host: string,
  token: string | undefined,
): Promise<Outcome<Reply<K>>> {
  if (!isSuccess(answer)) return failed(refusal(answer, host, token));
  const success = (typed: unknown, raw: unknown): Outcome<Reply<K>> => ({
    ok: true,
    value: { typed: typed as ReadResponse<K>, raw, notices: noticesOf(answer) },
    ...traceOf(answer),
  });
  if (endpointRow(key).response === undefined) return success(undefined, undefined);
  if (answer.text.trim() === '') return failed(unreadable(answer, host, 'it is empty'));
  const raw = parsedJson(answer.text);
  if (raw === undefined) return failed(unreadable(answer, host, 'it is not JSON'));
  const reading = await readInPieces(key, raw);
  if (!reading.ok) return failed(unreadable(answer, host, reading.problem.message));
  return success(reading.typed, raw);
}

/** Returns the notices in the response header, if it is valid. */
function noticesOf(answer: HttpAnswer): readonly string[] {
  const text = answer.header(RESPONSE_HEADERS.messages);
  const messages = text === undefined ? [] : parsedJson(text);
  return (Array.isArray(messages) ? messages : []).flatMap((message) =>
    typeof message?.msg === 'string' && message.msg.trim() !== '' ? message.msg.trim() : [],
  );
}
