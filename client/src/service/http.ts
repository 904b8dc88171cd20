// Sends one HTTP request over undici, with a deadline, cancellation, safe retries and a size limit for the response.
// Redirects are not followed. A successful body is read as text, or passed on in chunks.
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from '../../../api/src/plain.ts';
import { CHUNK_BYTES, passOn, type TakeChunk } from './chunks.ts';
import { type Failure, failed, networkFailure } from './failure.ts';
import { notingStart } from './noteStart.ts';
import { withoutSecret } from './withoutSecret.ts';

/** The default maximum size of an unpacked response, in bytes. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

const TRIES = 3;
const FIRST_WAIT_MS = 200;
/** The longest wait in milliseconds. If the service asks for more, the failure is reported instead. */
const LONGEST_WAIT_MS = 5_000;
const repeatableStatuses = new Set([500, 502, 503, 504]);

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly dispatcher: Dispatcher;
  readonly signal?: AbortSignal | undefined;
  /** The deadline for all attempts, including waits. */
  readonly timeoutMs: number;
  /** Whether repeating the request has no additional effect. */
  readonly repeatable: boolean;
  readonly answerBytesMax?: number;
  /** Receives a successful body in chunks. If absent, the body is read as text. */
  readonly take?: TakeChunk | undefined;
}

/** A response of any status except a redirect. */
export interface HttpAnswer {
  readonly ok: true;
  readonly status: number;
  /** The body; empty if it was passed to `take`. */
  readonly text: string;
  header(name: string): string | undefined;
}

export type HttpOutcome = HttpAnswer | { readonly ok: false; readonly failure: Failure };

/** Sends a request and reads the response. Never throws. */
export async function send(request: HttpRequest): Promise<HttpOutcome> {
  const deadline = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
  const { take } = request;
  let taken = false;
  const call: HttpRequest = {
    ...request,
    take:
      take &&
      ((chunk) => {
        taken = true;
        return take(chunk);
      }),
  };
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await sendOnce(call, signal, deadline);
    // Don't retry once `take` has received bytes, because they can't be withdrawn.
    const mayRepeat = call.repeatable && !taken && attempt < TRIES;
    const wait = mayRepeat ? waitBefore(outcome, attempt) : undefined;
    if (wait === undefined) return outcome;
    try {
      await sleep(wait, undefined, { signal });
    } catch {
      return failed(stopped(call, deadline));
    }
  }
}

/** Returns the milliseconds to wait before the next attempt; undefined if there is no next attempt. */
function waitBefore(outcome: HttpOutcome, attempt: number): number | undefined {
  const backoff = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  if (!outcome.ok) return outcome.failure.kind === 'unreachable' ? backoff : undefined;
  if (!repeatableStatuses.has(outcome.status)) return undefined;
  const asked = retryAfterSeconds(outcome.header(RESPONSE_HEADERS.retryAfter));
  if (asked === undefined) return backoff;
  return asked * 1000 <= LONGEST_WAIT_MS ? asked * 1000 : undefined;
}

/** Returns the seconds of a Retry-After header, which is a number or a date. */
export function retryAfterSeconds(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

async function sendOnce(
  call: HttpRequest,
  signal: AbortSignal,
  deadline: AbortSignal,
): Promise<HttpOutcome> {
  const host = call.url.host;
  let sent = false;
  const dispatcher = notingStart(call.dispatcher, () => {
    sent = true;
  });
  try {
    // Load undici with the first request, so that activation doesn't wait for it.
    const { request } = await import('undici');
    const answer = await request(call.url, {
      method: call.method,
      headers: { 'accept-encoding': 'gzip', ...call.headers },
      body: call.body ?? null,
      dispatcher,
      signal,
      headersTimeout: call.timeoutMs,
      bodyTimeout: call.timeoutMs,
    });
    const received = (name: string) => [answer.headers[name]].flat()[0];
    const header = (name: string) => {
      const value = received(name);
      return value === undefined ? undefined : withoutSecret(value, tokenIn(call));
    };
    if (answer.statusCode >= 300 && answer.statusCode < 400) {
      // Add a listener, because destroying the unread body would otherwise be an uncaught error.
      answer.body.on('error', () => {}).destroy();
      const failure = redirected(call.url, answer.statusCode, received('location'));
      return failed({ ...failure, message: withoutSecret(failure.message, tokenIn(call)) });
    }
    const limit = call.answerBytesMax ?? ANSWER_BYTES_MAX;
    const body = unpacked(answer.body, header('content-encoding'));
    const { statusCode: status } = answer;
    // Don't pass on a web page, which isn't a response of the service. The caller reports it.
    const isPage = header('content-type')?.startsWith('text/html') === true;
    if (call.take && !isPage && status >= 200 && status <= 299) {
      const complete = await passOn(body, call.take, limit);
      return complete ? { ok: true, status, text: '', header } : failed(tooLarge(host, limit));
    }
    const text = await readText(body, limit);
    if (text === undefined) return failed(tooLarge(host, limit));
    return { ok: true, status, text, header };
  } catch (error) {
    const failure = signal.aborted ? stopped(call, deadline) : networkFailure(error, host);
    return failed({ ...failure, message: withoutSecret(failure.message, tokenIn(call)), sent });
  }
}

function tokenIn({ headers }: HttpRequest): string | undefined {
  return headers[REQUEST_HEADERS.authorization]?.replace(/^Bearer /, '');
}

function unpacked(body: Dispatcher.ResponseData['body'], encoding: string | undefined): Readable {
  if (encoding?.toLowerCase() !== 'gzip') return body;
  const stream = createGunzip({ chunkSize: CHUNK_BYTES });
  body.on('error', (error) => stream.destroy(error));
  stream.on('close', () => body.destroy());
  return body.pipe(stream);
}

/** Reads the body as text. Returns undefined if it is longer than `limit` bytes. */
async function readText(body: Readable, limit: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop destroys the stream, so nothing else is needed to end it.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function stopped(call: HttpRequest, deadline: AbortSignal): Failure {
  const host = call.url.host;
  if (call.signal?.aborted || !deadline.aborted) {
    return { kind: 'cancelled', host, message: 'The request was cancelled.' };
  }
  const seconds = Math.round(call.timeoutMs / 100) / 10;
  return { kind: 'timeout', host, message: `${host} did not respond within ${seconds} s.` };
}

function redirected(url: URL, status: number, location: string | undefined): Failure {
  const isValid = location !== undefined && URL.canParse(location, url.href);
  const target = isValid ? new URL(location, url).origin : 'another address';
  return {
    kind: 'redirected',
    host: url.host,
    status,
    message: `${url.host} redirects to ${target}. Redirects are not followed, to protect the token. If that address is correct, set it in the deployment.`,
  };
}

function tooLarge(host: string, limit: number): Failure {
  const megabytes = Math.round(limit / 1024 / 1024);
  return {
    kind: 'tooLarge',
    host,
    message: `The response of ${host} exceeds ${megabytes} MB. Request fewer rows or columns.`,
  };
}
