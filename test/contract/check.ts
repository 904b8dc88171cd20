// One thing to check of a deployment, what it is checked in, and the words that checks are written in.
import assert from 'node:assert/strict';
import {
  checkStrict,
  type EndpointKey,
  endpointKeys,
  endpointRow,
  type Method,
  RESPONSE_HEADERS,
} from '../../api/src/index.ts';
import type { Answer, Asking, Requests } from './target.ts';

/** What checks find in the deployment. */
export interface World {
  readonly requests: Requests;
  /** A dataset with the events of `events`. */
  readonly dataset: string;
  /** A dataset to store events in. */
  readonly scratch: string;
}

export interface Check {
  readonly endpoint: EndpointKey;
  readonly name: string;
  /** Whether it needs a personal token. */
  readonly personal?: boolean;
  /** Throws an AssertionError where the deployment does otherwise. */
  readonly run: (world: World) => Promise<void>;
}

/** The endpoint of a method and path; undefined where the table does not have it yet. */
export function endpointAt(method: Method, path: string): EndpointKey | undefined {
  return endpointKeys.find((key) => {
    const row = endpointRow(key);
    return row.method === method && row.path === path;
  });
}

/** Demands success as the endpoint's row describes it, and gives the body. */
export async function granted(requests: Requests, key: EndpointKey, asking: Asking = {}) {
  return (await succeeded(requests, key, asking)).body;
}

/** Demands success as the endpoint's row describes it, and gives the answer. */
export async function succeeded(
  requests: Requests,
  key: EndpointKey,
  asking: Asking = {},
): Promise<Answer> {
  const answer = await requests.call(key, asking);
  const row = endpointRow(key);
  const about = `${row.method} ${row.path}: ${answer.status} ${answer.text.slice(0, 500)}`;
  assert.ok(row.status.includes(answer.status), about);
  if (row.response !== undefined) {
    assert.deepEqual(checkStrict(row.response, answer.body, 'the answer'), [], about);
  }
  hasHeaders(answer, key);
  requests.shown.add(key);
  return answer;
}

/** Demands a refusal with one of these statuses, in the documented shape, and gives the body. */
export async function refused(
  requests: Requests,
  key: EndpointKey,
  asking: Asking,
  statuses: readonly number[] = [400, 422],
) {
  const answer = await requests.call(key, asking);
  isRefusal(answer, key, statuses);
  return answer.body;
}

export function isRefusal(answer: Answer, key: EndpointKey, statuses: readonly number[]): void {
  const row = endpointRow(key);
  const about = `${row.method} ${row.path}: ${answer.status} ${answer.text.slice(0, 500)}`;
  assert.ok(statuses.includes(answer.status), about);
  assert.deepEqual(checkStrict(row.error, answer.body, 'the answer'), [], about);
  assert.match(String(answer.body.message), /\w/, about);
  hasHeaders(answer, key);
}

/** Every answer has a trace id and what is left of the limits. */
function hasHeaders({ headers }: Answer, key: EndpointKey): void {
  assert.match(headers.get(RESPONSE_HEADERS.trace) ?? '', /\w/, `${key}: no trace id`);
  for (const name of limitHeaders) {
    assert.match(headers.get(name) ?? '', /^\d+$/, `${key}: no ${name}`);
  }
}

const limitHeaders = [
  RESPONSE_HEADERS.rateLimit,
  RESPONSE_HEADERS.rateRemaining,
  RESPONSE_HEADERS.rateReset,
];
