/**
 * `externaldata`: reads a table from files. Each column is read as a string or JSON, and then converted to its declared
 * type.
 */
import type { BoundExpression, BoundSource } from '../../../../language/src/index.ts';
import { PlanError } from '../errors.ts';
import { pointerTo } from '../expressions.ts';
import type { ExternalFile } from '../plan.ts';
import type { Item } from '../relation.ts';
import type { Planning } from '../scope.ts';
import * as print from '../sql.ts';
import { type Sql, sql } from '../sql.ts';
import { addColumn, extended, Ids, newTable, type Table } from '../table.ts';
import { convert, type ValueType, value, valueType } from '../values.ts';

type Externaldata = Extract<BoundSource, { kind: 'externaldata' }>;

interface File extends Omit<ExternalFile, 'path'> {
  readonly path: Sql;
  readonly url: string;
}

/** A file format. `read` returns a query with a column of type `type` for each of the `ids`. */
interface Format {
  readonly type: ValueType;
  readonly read: (file: File, names: readonly string[], ids: readonly Sql[], skip: boolean) => Sql;
}

const formats: Readonly<Record<string, Format>> = {
  csv: { type: 'string', read: delimited(',') },
  tsv: { type: 'string', read: delimited('\t') },
  scsv: { type: 'string', read: delimited(';') },
  psv: { type: 'string', read: delimited('|') },
  json: { type: 'dynamic', read: json('newline_delimited') },
  multijson: { type: 'dynamic', read: json('unstructured') },
  txt: { type: 'string', read: lines },
  raw: { type: 'string', read: whole },
};

export function planExternaldata(source: Externaldata, planning: Planning): Table {
  const names = source.columns.list.map(({ name }) => name);
  const ids = new Ids();
  const read = names.map((name) => ids.free(name));
  const parts = source.urls.map((node) => {
    const file = fileOf(node, planning);
    const format = formatOf(source, file);
    const values = format.read(file, names, read.map(print.identifier), source.ignoreFirstRecord);
    return { type: format.type, values };
  });
  const [first] = parts;
  if (first === undefined) {
    throw new PlanError('invalid-argument', source, 'externaldata requires a URL.');
  }
  if (parts.some(({ type }) => type !== first.type)) {
    const message = 'The URLs of one externaldata must all be JSON or all be text.';
    throw new PlanError('invalid-argument', source, message);
  }
  const all = print.join(
    parts.map(({ values }) => sql`SELECT * FROM ${print.parenthesized(values)} AS t`),
    '\nUNION ALL\n',
  );
  const table = newTable({ kind: 'table', name: print.parenthesized(all) }, [], ids);
  const items: Item[] = [];
  const columns = source.columns.list.map(({ name, type }, i) => {
    const text = value(print.column(read[i] as string), first.type);
    return addColumn(name, convert(text, valueType(type)), ids, items);
  });
  return { ...extended(table, items, ids), columns };
}

function fileOf(node: BoundExpression, planning: Planning): File {
  if (node.kind !== 'literal' || typeof node.value !== 'string') {
    throw new PlanError(
      'invalid-argument',
      node,
      'A URL of externaldata must be a constant string.',
    );
  }
  const file = planning.context.externalFiles?.get(node.value);
  if (file === undefined) {
    const message = 'The external data has not been read.';
    throw new PlanError('unsupported-operator', node, message);
  }
  return { ...file, path: print.text(file.path), url: node.value };
}

function formatOf(source: Externaldata, { url }: File): Format {
  const ending = /\.(\w+)(?:[?#].*)?$/.exec(url)?.[1]?.toLowerCase() ?? '';
  const named = source.format?.toLowerCase();
  const name = named ?? (Object.hasOwn(formats, ending) ? ending : 'csv');
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (format !== undefined) return format;
  const known = Object.keys(formats).join(', ');
  const message = `externaldata does not support the format ${name}. Use ${known}.`;
  throw new PlanError('invalid-argument', source, message);
}

function delimited(delimiter: string): Format['read'] {
  return ({ path, width }, _, ids, skip) => {
    // Read all columns of the file, but return only the declared ones. Missing values are null.
    const count = Math.max(width, ids.length);
    const names = Array.from({ length: count }, (_value, i) => print.text(`c${i}`));
    const columns = print.join(names.map((name) => sql`${name}: 'VARCHAR'`));
    const shown = ids.map((id, i) => sql`${print.identifier(`c${i}`)} AS ${id}`);
    return sql`SELECT ${print.join(shown)} FROM read_csv(${path}, auto_detect = false, header = false, skip = ${skip ? sql`1` : sql`0`}, delim = ${print.text(delimiter)}, quote = '"', escape = '"', null_padding = true, strict_mode = false, max_line_size = 8388608, columns = {${columns}})`;
  };
}

function json(format: 'newline_delimited' | 'unstructured'): Format['read'] {
  return ({ path, isList }, names, ids, skip) => {
    const structure = print.text(isList ? 'array' : format);
    const shown = ids.map((id, i) => {
      return sql`json_extract("json", ${pointerTo(names[i] as string)}) AS ${id}`;
    });
    const offset = skip ? sql` OFFSET 1` : print.nothing;
    return sql`SELECT ${print.join(shown)} FROM read_json_objects(${path}, format = ${structure}, maximum_object_size = 8388608)${offset}`;
  };
}

function lines({ path }: File, _: readonly string[], ids: readonly Sql[], skip: boolean): Sql {
  const all = sql`regexp_split_to_array(rtrim(content, chr(10)), chr(13) || '?' || chr(10))`;
  const kept = skip ? sql`list_slice(${all}, 2, NULL)` : all;
  return sql`SELECT ${padded(sql`unnest(${kept})`, ids)} FROM read_text(${path})`;
}

function whole({ path }: File, _: readonly string[], ids: readonly Sql[]): Sql {
  return sql`SELECT ${padded(sql`content`, ids)} FROM read_text(${path})`;
}

function padded(first: Sql, ids: readonly Sql[]): Sql {
  const values = ids.map((id, i) => sql`${i === 0 ? first : sql`CAST(NULL AS VARCHAR)`} AS ${id}`);
  return print.join(values);
}
