// Evidence about a deployment's fields, from this window and from the disk. Changes are written after a delay.
import {
  type FieldEvidence,
  type FieldSource,
  joinEvidence,
  type Statement,
  withStatement,
} from './mergeFields.ts';
import type { KeptList, KeptSchema, SchemaFile } from './schemaFile.ts';

/** Storage for a schema, shared by windows. Never rejects. */
export type SchemaDisk = Pick<SchemaFile, 'read' | 'write'>;

export class FieldStore {
  readonly #disk: SchemaDisk | undefined;
  readonly #writeAfter: number;
  #kept: KeptSchema | undefined;
  /** Datasets whose version on disk is outdated. */
  readonly #notKept = new Set<string>();
  /** Evidence from this window. */
  readonly #own = new Map<string, FieldEvidence>();
  /** Evidence from this window and the disk. */
  readonly #all = new Map<string, FieldEvidence>();
  #unwritten = new Set<string>();
  #unwrittenList: KeptList | undefined;
  #gone = new Set<string>();
  #writing: NodeJS.Timeout | undefined;
  #isDisposed = false;

  /** `writeAfter` is the delay in milliseconds during which changes are collected before a write. */
  constructor(disk: SchemaDisk | undefined, writeAfter: number) {
    this.#disk = disk;
    this.#writeAfter = writeAfter;
  }

  /** Reads the disk. Returns the stored list of datasets, if there is one. */
  async load(): Promise<KeptList | undefined> {
    this.#kept = await this.#disk?.read();
    return this.#kept?.list;
  }

  /** The names of the datasets on disk. */
  get names(): readonly string[] {
    return this.#kept?.names ?? [];
  }

  evidence(dataset: string): FieldEvidence {
    const known = this.#all.get(dataset);
    if (known !== undefined) return known;
    const kept = this.#notKept.has(dataset) ? undefined : this.#kept?.evidence(dataset);
    const all = joinEvidence(kept ?? {}, this.#own.get(dataset) ?? {});
    this.#all.set(dataset, all);
    return all;
  }

  add(dataset: string, source: FieldSource, statement: Statement): void {
    const own = this.#own.get(dataset) ?? {};
    const before = own[source];
    this.#own.set(dataset, withStatement(own, source, statement));
    this.#all.delete(dataset);
    this.#gone.delete(dataset);
    if (before && JSON.stringify(before.fields) === JSON.stringify(statement.fields)) return;
    this.#unwritten.add(dataset);
    this.#writeLater();
  }

  delete(dataset: string): void {
    this.#own.delete(dataset);
    this.#all.delete(dataset);
    this.#unwritten.delete(dataset);
    this.#gone.add(dataset);
    this.#notKept.add(dataset);
    this.#writeLater();
  }

  /** Writes a list together with the next changes. */
  keepList(list: KeptList): void {
    this.#unwrittenList = list;
    this.#writeLater();
  }

  async flush(): Promise<void> {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    if (this.#disk === undefined) return;
    const names = [...this.#unwritten];
    const evidence = new Map(names.map((name) => [name, this.#own.get(name) ?? {}] as const));
    const [list, gone] = [this.#unwrittenList, this.#gone];
    if (evidence.size === 0 && list === undefined && gone.size === 0) return;
    this.#unwritten = new Set();
    this.#gone = new Set();
    this.#unwrittenList = undefined;
    await this.#disk.write({ list, evidence, gone });
  }

  dispose(): void {
    this.#isDisposed = true;
    void this.flush();
  }

  #writeLater(): void {
    if (this.#disk === undefined || this.#isDisposed) return;
    this.#writing ??= setTimeout(() => void this.flush(), this.#writeAfter);
    this.#writing.unref();
  }
}
