// The resources of a deployment, as a folder is compared with them. Whoever has HTTP provides it.
import type { KindName } from '../kinds.ts';
import type { Members } from '../value.ts';

/** A value, or why there is none. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      /** What happened, as a sentence. */
      readonly reason: string;
      /** Whether it would happen to every other request as well: no connection, no valid token. */
      readonly ends: boolean;
    };

export interface ResourceStore {
  /** The names of all datasets. */
  datasets(): Promise<Answer<readonly string[]>>;
  createDataset(name: string): Promise<Answer<unknown>>;
  /** All records of a kind, of a dataset where the kind belongs to one. */
  list(kind: KindName, dataset: string | undefined): Promise<Answer<readonly Members[]>>;
  get(kind: KindName, id: string): Promise<Answer<Members>>;
  create(kind: KindName, body: unknown): Promise<Answer<Members>>;
  update(kind: KindName, id: string, body: unknown): Promise<Answer<Members>>;
  delete(kind: KindName, id: string): Promise<Answer<unknown>>;
  /** What the service would refuse about a body that creates or changes a resource, as sentences. */
  problems(kind: KindName, action: 'create' | 'update', body: unknown): Promise<readonly string[]>;
}

/** How far something is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly message: string;
}

export interface Running {
  readonly signal?: { readonly aborted: boolean };
  readonly onProgress?: (progress: Progress) => void;
}

/** The work was cancelled. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';

  constructor() {
    super('Cancelled.');
  }
}

export function checkCancelled({ signal }: Running): void {
  if (signal?.aborted) throw new Cancelled();
}
