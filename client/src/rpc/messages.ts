/**
 * Calls across a boundary: between a page and its host, and between the host and a worker thread. The client numbers
 * its calls. Each gets one reply or failure, preceded by progress or by the items of a stream.
 */

/** A method as a type: parameters, result, and content of progress. An AsyncIterable as the result is streamed. */
export interface Method<Params = unknown, Result = unknown, Progress = unknown> {
  readonly params: Params;
  readonly result: Result;
  readonly progress?: Progress;
}

/** Constrains a type that maps names to methods. */
export type MethodTable<Table> = { readonly [Name in keyof Table]: Method };

export type ProgressOf<Row extends Method> = NonNullable<Row['progress']>;

/** The number of items that a stream may be ahead of its reader. */
export const itemsAhead = 2;

export type ToServer =
  | {
      readonly kind: 'request';
      readonly call: number;
      readonly name: string;
      readonly content: unknown;
    }
  | { readonly kind: 'cancel'; readonly call: number }
  /** The reader has taken an item of a stream. */
  | { readonly kind: 'taken'; readonly call: number }
  | { readonly kind: 'event'; readonly name: string; readonly content: unknown }
  /** The client is new, such as a reloaded page: nobody waits for the calls of the previous one. */
  | { readonly kind: 'opened' };

export type ToClient =
  | { readonly kind: 'reply'; readonly call: number; readonly content: unknown }
  | { readonly kind: 'failure'; readonly call: number; readonly failure: Failure }
  | { readonly kind: 'progress'; readonly call: number; readonly content: unknown }
  | { readonly kind: 'item'; readonly call: number; readonly content: unknown }
  | { readonly kind: 'event'; readonly name: string; readonly content: unknown };

/** Why a call failed. The message is for the user. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

export const cancelled = { code: 'cancelled', message: 'Cancelled.' } as const;

const fromClient: ReadonlySet<unknown> = new Set(['request', 'cancel', 'taken', 'event', 'opened']);
const fromServer: ReadonlySet<unknown> = new Set(['reply', 'failure', 'progress', 'item', 'event']);

export function isToServer(value: unknown): value is ToServer {
  return isMessage(value, fromClient);
}

export function isToClient(value: unknown): value is ToClient {
  return isMessage(value, fromServer);
}

function isMessage(value: unknown, kinds: ReadonlySet<unknown>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, call, name, failure } = value as Partial<Record<string, unknown>>;
  if (!kinds.has(kind)) return false;
  if ((kind === 'event' || kind === 'request') && typeof name !== 'string') return false;
  if (kind === 'failure' && (typeof failure !== 'object' || failure === null)) return false;
  return kind === 'event' || kind === 'opened' || Number.isSafeInteger(call);
}
