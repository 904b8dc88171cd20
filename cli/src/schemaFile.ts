/**
 * Reads the schema of datasets from a JSON file in one of two formats: Aplomb's format,
 *   { "complete": true, "datasets": [{ "name": "logs", "fields": [{ "name": "status", "type": "integer" }] }] }
 * and the response of the service to GET /v1/datasets/_fields,
 *   [{ "datasetName": "logs", "fields": [{ "name": "status", "type": "integer" }] }]
 */
import {
  type DatasetSchema,
  type FieldSchema,
  type Schema,
  scalarTypesOfWire,
} from '../../language/src/index.ts';
import { readInput, refuseLeavingLink } from './input.ts';
import { FileError } from './usage.ts';

/**
 * Reads the schema in a file.
 * @throws FileError with the cause and its location in the file.
 */
export function readSchema(path: string): Schema {
  refuseLeavingLink(path);
  const { name, text } = readInput(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FileError(`Invalid JSON in ${name}: ${(error as Error).message}.`);
  }
  return new Reader(name).schema(value);
}

type Members = Readonly<Record<string, unknown>>;

class Reader {
  readonly #file: string;
  /** Whether unknown types are errors. A type written by a user may be misspelled; one from the service may be new. */
  #knownTypesOnly = true;

  constructor(file: string) {
    this.#file = file;
  }

  /** Rejects a value at a location such as `datasets[0].fields[2].type`. */
  #refuse(place: string, expected: string): never {
    throw new FileError(
      `Invalid schema in ${this.#file}: ${place === '' ? 'the file' : place} must be ${expected}.`,
    );
  }

  schema(value: unknown): Schema {
    if (Array.isArray(value)) {
      this.#knownTypesOnly = false;
      return { complete: true, datasets: this.#datasets(value, '', 'datasetName') };
    }
    if (!isMembers(value)) {
      this.#refuse('', 'an object with "datasets", or the array that /v1/datasets/_fields returns');
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
      if (names.has(name)) this.#refuse(`${at}.${nameKey}`, `unique, but "${name}" is used twice`);
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
    if (typeof type !== 'string') this.#refuse(`${place}.type`, 'a string');
    if (type === '') return 'unknown';
    const known = type === 'unknown' || !scalarTypesOfWire(type).includes('unknown');
    if (this.#knownTypesOnly && !known) {
      this.#refuse(
        `${place}.type`,
        `unknown, or one or more of string, integer, float, boolean, datetime, timespan, array and map, separated by |, but is "${type}"`,
      );
    }
    return type;
  }

  #members(value: unknown, place: string): Members {
    return isMembers(value) ? value : this.#refuse(place, 'an object');
  }

  #list(value: unknown, place: string): readonly unknown[] {
    return Array.isArray(value) ? value : this.#refuse(place, 'an array');
  }

  #text(members: Members, key: string, place: string): string {
    const value = members[key];
    return typeof value === 'string' && value !== ''
      ? value
      : this.#refuse(`${place}.${key}`, 'a non-empty string');
  }

  /** Returns optional strings, which may be missing, null or empty in the service's response. */
  #words<K extends string>(
    members: Members,
    keys: readonly K[],
    place: string,
  ): { readonly [P in K]?: string } {
    const found: { [P in K]?: string } = {};
    for (const key of keys) {
      const value = members[key] ?? '';
      if (typeof value !== 'string') this.#refuse(`${place}.${key}`, 'a string');
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
