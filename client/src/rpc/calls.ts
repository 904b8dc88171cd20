/**
 * Calls across a boundary: between a page and its host, and between the host and a worker thread. The client numbers
 * its calls. Each gets one reply or failure, preceded by progress or by the items of a stream.
 */

/** The types of a method's parameters, result and progress. A result of type AsyncIterable is streamed. */
export interface Method<Params = unknown, Result = unknown, Progress = unknown> {
  readonly params: Params;
  readonly result: Result;
  readonly progress?: Progress;
}

/** Constrains a type that maps names to methods. */
export type MethodTable<Table> = { readonly [Name in keyof Table]: Method };

export type ProgressOf<Row extends Method> = NonNullable<Row['progress']>;

/** The number of items that a stream may send ahead of its reader. */
export const itemsAhead = 2;

interface Numbered {
  readonly call: number;
}

interface Named {
  readonly name: string;
  readonly content: unknown;
}

export type ToServer =
  | ({ readonly kind: 'request' } & Numbered & Named)
  /** `taken`: the reader has consumed one item of the stream. */
  | ({ readonly kind: 'cancel' | 'taken' } & Numbered)
  | ({ readonly kind: 'event' } & Named)
  /** The client is new, for example after a page reload, so the previous client's calls are cancelled. */
  | { readonly kind: 'opened' };

export type ToClient =
  | ({ readonly kind: 'reply' | 'progress' | 'item'; readonly content: unknown } & Numbered)
  | ({ readonly kind: 'failure'; readonly failure: Failure } & Numbered)
  | ({ readonly kind: 'event' } & Named);

/** The reason why a call failed. The message is for the user. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** A failure whose message is for the user. Messages of other errors appear only in the log. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export const cancelled = { code: 'cancelled', message: 'Cancelled.' } as const;

export function isToServer(value: unknown): value is ToServer {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, call, name } = value as Partial<Record<string, unknown>>;
  if (kind === 'opened') return true;
  if (kind === 'event') return typeof name === 'string';
  if (!Number.isSafeInteger(call)) return false;
  return kind === 'cancel' || kind === 'taken' || (kind === 'request' && typeof name === 'string');
}
