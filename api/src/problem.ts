// What is wrong with a value, in words that name the member and say what it should be.

/** One thing wrong with a value. */
export interface Problem {
  /** Where, as a JSON pointer; empty for the value itself. */
  readonly path: string;
  /** What, as a sentence without a full stop: `tolerance must be at most 100, got 120`. */
  readonly message: string;
}

/** The parts of a schema that are looked at when reading. */
export interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode;
  readonly items?: SchemaNode;
  readonly required?: readonly string[];
  readonly 'x-read'?: 'key' | 'whole';
  readonly 'x-rule'?: string;
  readonly 'x-words'?: string;
}

const QUOTED_MAX = 40;

/** A value in a few words: short text quoted, numbers as they are, the rest by its kind. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length <= QUOTED_MAX
        ? JSON.stringify(value)
        : `${JSON.stringify(value.slice(0, QUOTED_MAX))}… (${value.length} characters)`;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'a list' : 'an object';
    default:
      return 'nothing';
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** A value by its kind alone: what a service sends may be secret. */
export function describeType(value: unknown): string {
  const kind = typeof value === 'bigint' ? 'number' : typeof value;
  return kind === 'object' ? describeValue(value) : (TYPE_NAMES[kind] ?? 'nothing');
}

/** A schema's JSON type in words: `a time or null` for a nullable timestamp. */
export function describeSchemaType(schema: SchemaNode): string {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types
    .map((type) =>
      type === 'string' && schema.format !== undefined ? 'a time' : (TYPE_NAMES[type] ?? type),
    )
    .join(' or ');
}

/** A pointer's segments, unescaped. */
export function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer to a member. */
export function memberPath(pointer: string, name: string | number): string {
  // Asked for each member of each record that is read; hardly any name has either character.
  if (typeof name === 'number' || !/[~/]/.test(name)) return `${pointer}/${name}`;
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A pointer as people write it: `charts[0].query.apl`; `rootName` for the value itself. */
export function nameOf(pointer: string, rootName: string): string {
  let name = '';
  for (const segment of segmentsOf(pointer)) {
    const short = segment.length <= QUOTED_MAX ? segment : `${segment.slice(0, QUOTED_MAX)}…`;
    if (/^\d+$/.test(short)) name += `[${short}]`;
    else if (/^[\w$-]+$/.test(short)) name += name === '' ? short : `.${short}`;
    else name += `[${JSON.stringify(short)}]`;
  }
  return name === '' ? rootName : name;
}
