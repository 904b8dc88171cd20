// A check of a deployment, the resources that it uses, and the assertions for checks.
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

/** The resources that checks find in the deployment. */
export interface World {
  readonly requests: Requests;
  /** A dataset with known events. */
  readonly dataset: string;
  /** A dataset for storing events. */
  readonly scratch: string;
}

export interface Check {
  readonly endpoint: EndpointKey;
  readonly name: string;
  /** Whether the check needs a personal token. */
  readonly personal?: boolean;
  /** Throws an AssertionError if the deployment violates the contract. */
  readonly run: (world: World) => Promise<void>;
}

/** Returns the endpoint with a method and path, or undefined if the table lacks it. */
export function endpointAt(method: Method, path: string): EndpointKey | undefined {
  return endpointKeys.find((key) => {
    const row = endpointRow(key);
    return row.method === method && row.path === path;
  });
}

/** Asserts success as the endpoint's row describes it, and returns the body. */
export async function granted(requests: Requests, key: EndpointKey, asking: Asking = {}) {
  return (await succeeded(requests, key, asking)).body;
}

/** Asserts success as the endpoint's row describes it, and returns the response. */
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

/** Asserts a refusal with one of these statuses in the documented shape, and returns the body. */
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

/** Asserts that the response has a trace id and the headers for remaining limits. */
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
