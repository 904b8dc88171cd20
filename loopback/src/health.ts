/**
 * What a process of the local deployment answers about itself to anybody who asks, with a proof that it knows the
 * owner's token. The proof covers both ends of the connection, so that a program can't relay the question from a
 * connection of its own, whether it listens at another port or had this one before.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const HEALTH_PATH = '/_local/health';

export type ProcessState = 'opening' | 'open' | 'restarting' | 'ending';

export interface Health {
  readonly pid: number;
  readonly state: ProcessState;
  /** The proof for the nonce of the request. */
  readonly proof: string;
}

/** Both ends of a connection to the local deployment. */
export interface Ends {
  /** The port of the deployment. */
  readonly port: number;
  /** The address and port of the client, such as `127.0.0.1:50000`. */
  readonly client: string;
}

/** Returns the port of an address. */
export function portOf(url: URL): number {
  return Number(url.port || 80);
}

/** Returns the answer to a request for health. */
export function healthOf(
  token: string,
  ends: Ends,
  nonce: string,
  pid: number,
  state: ProcessState,
): Health {
  return { pid, state, proof: proofOf(token, ends, nonce, pid, state) };
}

/** Reads an answer; undefined unless the process that gave it on this connection knows the token. */
export function provenHealth(
  token: string,
  ends: Ends,
  nonce: string,
  text: string,
): Health | undefined {
  let health: Partial<Health>;
  try {
    health = Object(JSON.parse(text));
  } catch {
    return undefined;
  }
  const { pid, state } = health as Health;
  const expected = Buffer.from(proofOf(token, ends, nonce, pid, state));
  const given = Buffer.from(String(health.proof));
  const isProven = given.length === expected.length && timingSafeEqual(given, expected);
  return isProven ? (health as Health) : undefined;
}

function proofOf(
  token: string,
  ends: Ends,
  nonce: string,
  pid: number,
  state: ProcessState,
): string {
  const message = JSON.stringify([HEALTH_PATH, ends.port, ends.client, nonce, pid, state]);
  return createHmac('sha256', token).update(message).digest('base64url');
}
