/** Translates the field names of a structured query to APL. */
import { quoteName, quoteText } from '../../../language/src/index.ts';
import type { Sources } from '../sources.ts';
import type { Dataset } from '../store/datasetRecords.ts';
import { badMember } from './errors.ts';

interface FieldText {
  readonly text: string;
  /** `unknown` for computed fields and for values in map fields. */
  readonly type: string;
}

export class Fields {
  readonly #types: ReadonlyMap<string, string>;
  readonly #maps: readonly string[];
  readonly computed = new Set<string>();
  readonly #dataset: string;

  constructor({ document, layout }: Dataset, { schema }: Sources) {
    const stored = schema.datasets.find(({ name }) => name === layout.name);
    this.#types = new Map(stored?.fields.map(({ name, type }) => [name, type]));
    this.#maps = document.mapFields ?? [];
    this.#dataset = layout.name;
  }

  /** Translates the field `name` to APL. Throws an ApiError that names the invalid member, `where`. */
  of(name: string, where: string): FieldText {
    if (name === '') throw badMember(where, 'name a field');
    if (this.computed.has(name)) return { text: quoteName(name), type: 'unknown' };
    const type = this.#types.get(name);
    if (type !== undefined) return { text: quoteName(name), type };
    const map = this.#maps.find((each) => name.startsWith(`${each}.`));
    if (map !== undefined) {
      const keys = name.slice(map.length + 1).split('.');
      const path = keys.map((key) => `[${quoteText(key)}]`).join('');
      return { text: quoteName(map) + path, type: 'unknown' };
    }
    throw badMember(
      where,
      `name a field of the dataset ${JSON.stringify(this.#dataset)}, got ${JSON.stringify(name)}`,
    );
  }
}
