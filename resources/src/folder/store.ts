// The interface to a deployment's resources for comparing and applying folders, implemented over HTTP.
import type { KindName } from '../kinds.ts';
import type { Members } from '../value.ts';

/** A value, or the reason there is none. */
export type StoreResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      /** What happened, as a sentence. */
      readonly reason: string;
      /**
       * Whether every other request would fail too, for example without a connection or a valid token, or over a rate
       * limit.
       */
      readonly isFatal: boolean;
    };

export interface ResourceStore {
  /** The names of all datasets. */
  datasets(): Promise<StoreResult<readonly string[]>>;
  createDataset(name: string): Promise<StoreResult<unknown>>;
  /** Returns all records of a kind; of one dataset if the kind belongs to datasets. */
  list(kind: KindName, dataset: string | undefined): Promise<StoreResult<readonly Members[]>>;
  get(kind: KindName, id: string): Promise<StoreResult<Members>>;
  create(kind: KindName, body: unknown): Promise<StoreResult<Members>>;
  update(kind: KindName, id: string, body: unknown): Promise<StoreResult<Members>>;
  delete(kind: KindName, id: string): Promise<StoreResult<unknown>>;
  /** Returns the problems of a body that creates or updates a resource, found by its schema without a request. */
  problems(kind: KindName, action: 'create' | 'update', body: unknown): Promise<readonly string[]>;
}

/** The progress of an operation. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly message: string;
}

export interface OperationContext {
  readonly signal?: { readonly aborted: boolean };
  readonly onProgress?: (progress: Progress) => void;
}

/** The operation was canceled. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';

  constructor() {
    super('Cancelled.');
  }
}

export function checkCancelled({ signal }: OperationContext): void {
  if (signal?.aborted) throw new Cancelled();
}
