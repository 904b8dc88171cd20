// Describes problems with a value in sentences.

export interface Problem {
  /** JSON pointer, which is empty for the value itself. */
  readonly path: string;
  /** The message without a final period, such as `tolerance must be at most 100, got 120`. */
  readonly message: string;
}

/** The JSON Schema keywords that the strict and the tolerant reader support. */
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

/** Describes a value: quotes and truncates strings, and names the type of lists and objects. */
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

/** Describes a value by its type only, because a value from the service may be secret. */
export function describeType(value: unknown): string {
  const kind = typeof value === 'bigint' ? 'number' : typeof value;
  return kind === 'object' ? describeValue(value) : (TYPE_NAMES[kind] ?? 'nothing');
}

/** Describes the type of a schema, such as `a time or null` for a nullable timestamp. */
export function describeSchemaType(schema: SchemaNode): string {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types
    .map((type) =>
      type === 'string' && schema.format !== undefined ? 'a time' : (TYPE_NAMES[type] ?? type),
    )
    .join(' or ');
}

export function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function memberPath(pointer: string, name: string | number): string {
  // Few names need escaping, and this is called for every member of every record.
  if (typeof name === 'number' || !/[~/]/.test(name)) return `${pointer}/${name}`;
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Formats a JSON pointer for messages: `charts[0].query.apl`, or `rootName` for the value itself. */
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
