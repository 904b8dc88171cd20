/**
 * Resources other than datasets, as JSON documents. What a document has beyond the declared members
 * is kept as it came.
 */

import type { Engine } from './duckdb.ts';
import { Gate } from './gate.ts';

export type ResourceKind =
  | 'monitor'
  | 'dashboard'
  | 'view'
  | 'annotation'
  | 'saved query'
  | 'virtual field';

export type Document = Readonly<Record<string, unknown>>;

export class Resources {
  readonly #engine: Engine;
  // They are few and small, so they are kept in memory too, in the order in which they were made.
  readonly #byKind = new Map<ResourceKind, Map<string, Document>>();
  readonly #changing = new Gate();
  #version = 0;

  private constructor(engine: Engine) {
    this.#engine = engine;
  }

  static async open(engine: Engine): Promise<Resources> {
    const resources = new Resources(engine);
    await engine.use(async (session) => {
      await session.run(
        'CREATE TABLE IF NOT EXISTS aplomb.resources (kind VARCHAR, id VARCHAR, document VARCHAR)',
      );
      const rows = await session.rows<[ResourceKind, string, string]>(
        'SELECT kind, id, document FROM aplomb.resources ORDER BY rowid',
      );
      for (const [kind, id, json] of rows) {
        resources.#of(kind).set(id, JSON.parse(json) as Document);
      }
    });
    return resources;
  }

  /** Grows with every change, so that what was made of the resources can be kept until then. */
  get version(): number {
    return this.#version;
  }

  list<T extends Document>(kind: ResourceKind): T[] {
    return [...this.#of(kind).values()] as T[];
  }

  get<T extends Document>(kind: ResourceKind, id: string): T | undefined {
    return this.#of(kind).get(id) as T | undefined;
  }

  /**
   * Changes one resource: `change` gets what is there and gives what shall be there, or undefined to
   * delete it. Changes happen one after another, so what `change` decides on cannot be outdated.
   */
  change<T extends Document>(
    kind: ResourceKind,
    id: string,
    change: (current: T | undefined) => T | undefined,
  ): Promise<T | undefined> {
    return this.#changing.alone(async () => {
      const documents = this.#of(kind);
      const current = documents.get(id) as T | undefined;
      const next = change(current);
      if (next === current) return next;
      await this.#engine.use((session) =>
        next === undefined
          ? session.run('DELETE FROM aplomb.resources WHERE kind = ? AND id = ?', [kind, id])
          : current === undefined
            ? session.run('INSERT INTO aplomb.resources VALUES (?, ?, ?)', [
                kind,
                id,
                JSON.stringify(next),
              ])
            : session.run('UPDATE aplomb.resources SET document = ? WHERE kind = ? AND id = ?', [
                JSON.stringify(next),
                kind,
                id,
              ]),
      );
      if (next === undefined) documents.delete(id);
      else documents.set(id, next);
      this.#version++;
      return next;
    });
  }

  #of(kind: ResourceKind): Map<string, Document> {
    let documents = this.#byKind.get(kind);
    if (documents === undefined) {
      documents = new Map();
      this.#byKind.set(kind, documents);
    }
    return documents;
  }
}
