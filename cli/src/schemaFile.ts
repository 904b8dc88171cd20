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
import { FileError } from '../../system/src/commandLine.ts';
import { readInput, rejectEscapingLink } from './input.ts';

/** Reads a schema file. Throws a FileError that states the problem and its location in the file. */
export function readSchema(path: string): Schema {
  rejectEscapingLink(path);
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
  /** The service may add types, so only a user's file is restricted to known types. */
  #knownTypesOnly = true;

  constructor(file: string) {
    this.#file = file;
  }

  /** `location` is a path such as `datasets[0].fields[2].type`. */
  #reject(location: string, expected: string): never {
    throw new FileError(
      `Invalid schema in ${this.#file}: ${location === '' ? 'the file' : location} must be ${expected}.`,
    );
  }

  schema(value: unknown): Schema {
    if (Array.isArray(value)) {
      this.#knownTypesOnly = false;
      return { complete: true, datasets: this.#datasets(value, '', 'datasetName') };
    }
    if (!isMembers(value)) {
      this.#reject('', 'an object with "datasets", or the array that /v1/datasets/_fields returns');
    }
    return {
      datasets: this.#datasets(value['datasets'], 'datasets', 'name'),
      ...this.#flag(value, 'complete', ''),
    };
  }

  #datasets(value: unknown, location: string, nameKey: string): DatasetSchema[] {
    const names = new Set<string>();
    return this.#list(value, location).map((one, i) => {
      const at = `${location}[${i}]`;
      const members = this.#members(one, at);
      const name = this.#text(members, nameKey, at);
      if (names.has(name)) this.#reject(`${at}.${nameKey}`, `unique, but "${name}" is used twice`);
      names.add(name);
      const kind = members['kind'];
      if (kind !== undefined && kind !== 'dataset' && kind !== 'view')
        this.#reject(`${at}.kind`, '"dataset" or "view"');
      return {
        name,
        fields: this.#list(members['fields'], `${at}.fields`).map((field, k) =>
          this.#field(field, `${at}.fields[${k}]`),
        ),
        ...(kind && { kind }),
        ...this.#optionalStrings(members, ['description'], at),
        ...this.#flag(members, 'complete', at),
      };
    });
  }

  #field(value: unknown, location: string): FieldSchema {
    const members = this.#members(value, location);
    return {
      name: this.#text(members, 'name', location),
      type: this.#type(members, location),
      ...this.#optionalStrings(members, ['unit', 'description'], location),
      ...this.#flag(members, 'hidden', location),
    };
  }

  #type(members: Members, location: string): string {
    const type = members['type'];
    if (typeof type !== 'string') this.#reject(`${location}.type`, 'a string');
    if (type === '') return 'unknown';
    const known = type === 'unknown' || !scalarTypesOfWire(type).includes('unknown');
    if (this.#knownTypesOnly && !known) {
      this.#reject(
        `${location}.type`,
        `unknown, or one or more of string, integer, float, boolean, datetime, timespan, array and map, separated by |, but is "${type}"`,
      );
    }
    return type;
  }

  #members(value: unknown, location: string): Members {
    return isMembers(value) ? value : this.#reject(location, 'an object');
  }

  #list(value: unknown, location: string): readonly unknown[] {
    return Array.isArray(value) ? value : this.#reject(location, 'an array');
  }

  #text(members: Members, key: string, location: string): string {
    const value = members[key];
    return typeof value === 'string' && value !== ''
      ? value
      : this.#reject(`${location}.${key}`, 'a non-empty string');
  }

  /** In the service's response, optional strings may be absent, null or empty. */
  #optionalStrings<K extends string>(
    members: Members,
    keys: readonly K[],
    location: string,
  ): { readonly [P in K]?: string } {
    const found: { [P in K]?: string } = {};
    for (const key of keys) {
      const value = members[key] ?? '';
      if (typeof value !== 'string') this.#reject(`${location}.${key}`, 'a string');
      if (value !== '' && !(key === 'unit' && value === 'none')) found[key] = value;
    }
    return found;
  }

  #flag<K extends string>(members: Members, key: K, location: string): { [P in K]?: boolean } {
    const value = members[key] ?? undefined;
    if (value === undefined) return {};
    if (typeof value === 'boolean') return { [key]: value } as { [P in K]: boolean };
    return this.#reject(location === '' ? key : `${location}.${key}`, 'true or false');
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
