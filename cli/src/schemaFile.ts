/**
 * Reads what is known of datasets from a JSON file, in one of two shapes: Aplomb's own,
 *   { "complete": true, "datasets": [{ "name": "logs", "fields": [{ "name": "status", "type": "integer" }] }] }
 * and the service's answer to GET /v1/datasets/_fields,
 *   [{ "datasetName": "logs", "fields": [{ "name": "status", "type": "integer" }] }]
 */
import {
  type DatasetSchema,
  type FieldSchema,
  type Schema,
  scalarTypesOfWire,
} from '../../language/src/index.ts';
import { readInput } from './input.ts';
import { FileError } from './usage.ts';

/**
 * The schema in a file.
 * @throws FileError that says what is wrong, and where in the file.
 */
export function readSchema(path: string): Schema {
  const { name, text } = readInput(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FileError(`${name} is not JSON: ${(error as Error).message}.`);
  }
  return new Reader(name).schema(value);
}

type Members = Readonly<Record<string, unknown>>;

class Reader {
  readonly #file: string;
  /** A type that a person wrote may be misspelt; one that the service answers may be new. */
  #knownTypesOnly = true;

  constructor(file: string) {
    this.#file = file;
  }

  /** Refuses a value, naming its place as `datasets[0].fields[2].type`. */
  #refuse(place: string, expected: string): never {
    throw new FileError(
      `${this.#file} is no schema: ${place === '' ? 'the file' : place} must be ${expected}.`,
    );
  }

  schema(value: unknown): Schema {
    if (Array.isArray(value)) {
      this.#knownTypesOnly = false;
      return { complete: true, datasets: this.#datasets(value, '', 'datasetName') };
    }
    if (!isMembers(value)) {
      this.#refuse('', 'an object with "datasets", or the list that /v1/datasets/_fields answers');
    }
    const complete = this.#flag(value, 'complete', '');
    return {
      datasets: this.#datasets(value['datasets'], 'datasets', 'name'),
      ...(complete === undefined ? {} : { complete }),
    };
  }

  #datasets(value: unknown, place: string, nameKey: string): DatasetSchema[] {
    const names = new Set<string>();
    return this.#list(value, place).map((one, i) => {
      const at = `${place}[${i}]`;
      const members = this.#members(one, at);
      const name = this.#text(members, nameKey, at);
      if (names.has(name))
        this.#refuse(`${at}.${nameKey}`, `a name not used before ("${name}" is)`);
      names.add(name);
      const complete = this.#flag(members, 'complete', at);
      const kind = members['kind'];
      if (kind !== undefined && kind !== 'dataset' && kind !== 'view')
        this.#refuse(`${at}.kind`, '"dataset" or "view"');
      return {
        name,
        fields: this.#list(members['fields'], `${at}.fields`).map((field, k) =>
          this.#field(field, `${at}.fields[${k}]`),
        ),
        ...(kind === undefined ? {} : { kind }),
        ...this.#words(members, ['description'], at),
        ...(complete === undefined ? {} : { complete }),
      };
    });
  }

  #field(value: unknown, place: string): FieldSchema {
    const members = this.#members(value, place);
    const hidden = this.#flag(members, 'hidden', place);
    return {
      name: this.#text(members, 'name', place),
      type: this.#type(members, place),
      ...this.#words(members, ['unit', 'description'], place),
      ...(hidden === undefined ? {} : { hidden }),
    };
  }

  #type(members: Members, place: string): string {
    const type = members['type'];
    if (typeof type !== 'string') this.#refuse(`${place}.type`, 'a text');
    if (type === '') return 'unknown';
    const known = type === 'unknown' || !scalarTypesOfWire(type).includes('unknown');
    if (this.#knownTypesOnly && !known) {
      this.#refuse(
        `${place}.type`,
        `unknown, or of string, integer, float, boolean, datetime, timespan, array and map, with | between several ("${type}" is not)`,
      );
    }
    return type;
  }

  #members(value: unknown, place: string): Members {
    return isMembers(value) ? value : this.#refuse(place, 'an object');
  }

  #list(value: unknown, place: string): readonly unknown[] {
    return Array.isArray(value) ? value : this.#refuse(place, 'a list');
  }

  #text(members: Members, key: string, place: string): string {
    const value = members[key];
    return typeof value === 'string' && value !== ''
      ? value
      : this.#refuse(`${place}.${key}`, 'a text that is not empty');
  }

  /** Texts that may be missing, null or empty, which the service writes where there is none. */
  #words<K extends string>(
    members: Members,
    keys: readonly K[],
    place: string,
  ): { readonly [P in K]?: string } {
    const found: { [P in K]?: string } = {};
    for (const key of keys) {
      const value = members[key] ?? '';
      if (typeof value !== 'string') this.#refuse(`${place}.${key}`, 'a text');
      if (value !== '' && !(key === 'unit' && value === 'none')) found[key] = value;
    }
    return found;
  }

  #flag(members: Members, key: string, place: string): boolean | undefined {
    const value = members[key] ?? undefined;
    if (value === undefined || typeof value === 'boolean') return value;
    return this.#refuse(place === '' ? key : `${place}.${key}`, 'true or false');
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
