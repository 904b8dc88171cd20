/**
 * Defines the local deployment's response to health requests from any client, with a proof that the process knows the
 * owner's token. The proof covers both ends of the connection, so that a program on another port, or on this port
 * earlier, can't relay the request over its own connection.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const HEALTH_PATH = '/_local/health';

export type ProcessState = 'opening' | 'open' | 'restarting' | 'ending';

export interface Health {
  readonly pid: number;
  readonly state: ProcessState;
  /** The proof for the request's nonce. */
  readonly proof: string;
}

/** Both ends of a connection to the local deployment. */
export interface ConnectionEnds {
  /** The port of the deployment. */
  readonly port: number;
  /** The address and port of the client, such as `127.0.0.1:50000`. */
  readonly client: string;
}

/** Returns the port of an address. */
export function portOf(url: URL): number {
  return Number(url.port || 80);
}

/** Returns the response to a health request. */
export function healthResponse(
  token: string,
  ends: ConnectionEnds,
  nonce: string,
  pid: number,
  state: ProcessState,
): Health {
  return { pid, state, proof: computeProof(token, ends, nonce, pid, state) };
}

/** Parses a response; undefined unless the responding process has proven on this connection that it knows the token. */
export function verifyHealth(
  token: string,
  ends: ConnectionEnds,
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
  const expected = Buffer.from(computeProof(token, ends, nonce, pid, state));
  const given = Buffer.from(String(health.proof));
  const isProven = given.length === expected.length && timingSafeEqual(given, expected);
  return isProven ? (health as Health) : undefined;
}

function computeProof(
  token: string,
  ends: ConnectionEnds,
  nonce: string,
  pid: number,
  state: ProcessState,
): string {
  const message = JSON.stringify([HEALTH_PATH, ends.port, ends.client, nonce, pid, state]);
  return createHmac('sha256', token).update(message).digest('base64url');
}
