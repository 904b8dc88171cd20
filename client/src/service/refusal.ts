// Converts error responses and invalid responses into failures. Error bodies aren't specified, so each member is used
// only if it has the expected type.
import { parsedJson, RESPONSE_HEADERS } from '../../../api/src/plain.ts';
import type { Failure, FailurePlace } from './failure.ts';
import { type HttpAnswer, retryAfterSeconds } from './http.ts';
import { withoutSecret } from './withoutSecret.ts';

const MESSAGE_CHARACTERS_MAX = 2_000;

const statusWords: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'The service rejected the token.',
  403: 'The token does not have the required permission.',
  404: 'The item does not exist.',
  409: 'An item with this name already exists.',
  412: 'The item was changed by someone else.',
  413: 'The request is too large for the service.',
  422: 'The request is incomplete.',
  429: 'The rate limit or the query limit is exceeded.',
  430: 'The ingest or query limit is exceeded.',
  432: 'The query exceeds the memory limit of the service.',
  500: 'The service reported an internal error.',
  501: 'The service does not support this operation.',
  502: 'A proxy answered 502: it received no valid response from the service.',
  503: 'The service is temporarily unavailable.',
  504: 'A proxy answered 504: the service did not respond in time.',
};

export function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status <= 299;
}

/** Returns the failure for an error response. `secret` is removed from its text. */
export function refusal(answer: HttpAnswer, host: string, secret: string | undefined): Failure {
  const body = objectOf(answer.text);
  const detail = objectIn(body?.detail);
  const ofService = textIn(body?.message) ?? textIn(body?.error);
  // Ignore a proxy's plain text, because it only repeats the status.
  const isOfProxy = answer.status === 502 || answer.status === 504;
  const said = ofService ?? (isOfProxy ? undefined : plainText(answer));
  const better = textIn(detail?.message) ?? said;
  const message =
    better ?? statusWords[answer.status] ?? `The service responded with status ${answer.status}.`;
  const places = placesIn(body?.errors, detail, message).map((place) => ({
    ...place,
    message: sentence(withoutSecret(place.message, secret)),
    ...(place.code !== undefined && { code: withoutSecret(place.code, secret) }),
  }));
  // Ignore a code that only repeats the status.
  const given = textIn(body?.code);
  const code = textIn(body?.reason) ?? (given === String(answer.status) ? undefined : given);
  return {
    kind: 'refused',
    host,
    status: answer.status,
    message: sentence(withoutSecret(message, secret)),
    ...(code !== undefined && { code: withoutSecret(code, secret) }),
    ...(places.length > 0 && { places }),
    byService: ofService !== undefined,
    ...traceOf(answer),
    ...waitOf(answer),
  };
}

/** Returns the failure for a response whose status is a success but whose body is invalid. */
export function unreadable(answer: HttpAnswer, host: string, why: string): Failure {
  return {
    kind: 'unreadable',
    host,
    status: answer.status,
    message: `The response of ${host} is not valid: ${isPage(answer) ? pageWords : why.replace(/\.$/, '')}.`,
    ...traceOf(answer),
  };
}

const pageWords =
  'it is a web page. Check the address, and whether a proxy asks you to sign in in a browser';

/** Returns whether a response is a web page, such as a proxy's sign-in page. */
export function isPage(answer: HttpAnswer): boolean {
  const type = answer.header('content-type') ?? '';
  return type.startsWith('text/html') || /^\s*<(?:!doctype html|html)/i.test(answer.text);
}

export function traceOf(answer: HttpAnswer): { traceId?: string } {
  const traceId = answer.header(RESPONSE_HEADERS.trace);
  return traceId ? { traceId } : {};
}

function waitOf(answer: HttpAnswer): { retryAfterSeconds?: number } {
  const stated = retryAfterSeconds(answer.header(RESPONSE_HEADERS.retryAfter));
  const seconds = stated ?? (answer.status === 429 ? secondsToReset(answer) : undefined);
  return seconds === undefined ? {} : { retryAfterSeconds: seconds };
}

/** Returns the seconds until the last of the exceeded limits is reset; of all limits if no exceeded limit is known. */
function secondsToReset(answer: HttpAnswer): number | undefined {
  const families = [
    [RESPONSE_HEADERS.rateRemaining, RESPONSE_HEADERS.rateReset],
    [RESPONSE_HEADERS.queryRemaining, RESPONSE_HEADERS.queryReset],
  ] as const;
  const resets = families.map(([remaining, reset]) => ({
    isExceeded: Number(answer.header(remaining) ?? Number.NaN) <= 0,
    seconds: Math.ceil(Number(answer.header(reset) ?? Number.NaN) - Date.now() / 1_000),
  }));
  const stated = resets.filter(({ seconds }) => Number.isFinite(seconds));
  const exceeded = stated.filter(({ isExceeded }) => isExceeded);
  const counting = exceeded.length > 0 ? exceeded : stated;
  if (counting.length === 0) return undefined;
  return Math.max(0, ...counting.map(({ seconds }) => seconds));
}

/** Returns the object that the JSON text contains; undefined for other text. */
export function objectOf(text: string): Record<string, unknown> | undefined {
  return objectIn(parsedJson(text));
}

function objectIn(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

const PLACES_MAX = 100;

/**
 * Finds the error's positions: in the list of the local deployment, in the detail's line and column, or at the start
 * of the message.
 */
function placesIn(
  errors: unknown,
  detail: Record<string, unknown> | undefined,
  message: string,
): FailurePlace[] {
  if (Array.isArray(errors)) {
    const places = errors.slice(0, PLACES_MAX).flatMap((error) => extentIn(objectIn(error)) ?? []);
    if (places.length > 0) return places;
  }
  const written = /^(?:\s*error:)?\s*line:?\s*(\d{1,9}),?\s*col(?:umn)?:?\s*(\d{1,9})/i.exec(
    message,
  );
  const line = positive(detail?.line) ?? positive(Number(written?.[1]));
  const column = positive(detail?.column) ?? positive(Number(written?.[2]));
  if (line === undefined) return [];
  return [{ message, line, ...(column !== undefined && { column }) }];
}

function extentIn(error: Record<string, unknown> | undefined): FailurePlace | undefined {
  const message = textIn(error?.message);
  const line = positive(error?.line);
  if (message === undefined || line === undefined) return undefined;
  const [column, endLine, endColumn] = [error?.column, error?.endLine, error?.endColumn].map(
    positive,
  );
  const code = textIn(error?.code);
  return {
    message,
    line,
    ...(code !== undefined && { code }),
    ...(column !== undefined && { column }),
    ...(endLine !== undefined && endColumn !== undefined && { endLine, endColumn }),
  };
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

/** Returns the body if it is short plain text, neither JSON nor HTML. */
function plainText(answer: HttpAnswer): string | undefined {
  const text = answer.text.trim();
  if (text === '' || text.length > MESSAGE_CHARACTERS_MAX) return undefined;
  return /^[<{[]/.test(text) ? undefined : text;
}

/** Shortens text and ends it with a full stop. */
function sentence(text: string): string {
  const cut =
    text.length > MESSAGE_CHARACTERS_MAX ? `${text.slice(0, MESSAGE_CHARACTERS_MAX)}…` : text;
  return /[.!?…]$/.test(cut) ? cut : `${cut}.`;
}
