/** Renders catalog rows, columns and names as Markdown for hovers and completion details. */
import { format, functionPage, operatorPage, proseOf } from '../../language/src/editing.ts';
import {
  applyEdits,
  type Column,
  type Columns,
  columnOfField,
  type FunctionRow,
  type OperatorRow,
  type Parameter,
  quoteName,
  type ScalarOperatorRow,
  type Schema,
  type Signature,
  typeLabel,
  wireTypeLabel,
} from '../../language/src/index.ts';

/** The maximum number of columns that a hover lists. The hover shows only the number of the remaining columns. */
const maxColumns = 24;

export function code(text: string): string {
  const fence = fenceFor(text, 3);
  return `${fence}axiom-apl\n${text}\n${fence}`;
}

export function inline(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const fence = fenceFor(line, 1);
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${line}${gap}${fence}`;
}

/** Returns a fence of backticks that is longer than any run of backticks in the text. */
function fenceFor(text: string, least: number): string {
  let longest = least - 1;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** Escapes text written by users, such as a field's description, so that it is never shown as Markdown or links. */
export function plain(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>|~&!@]|:(?=\/\/)|(?<=www)\./gi, '\\$&')
    .replace(/^(\s*)([#+=-]|\d+(?=[.)]))/gm, (_, gap, mark) =>
      /\d/.test(mark) ? `${gap}${mark}\\` : `${gap}\\${mark}`,
    )
    .replace(/\r?\n/g, '  \n');
}

function parameterLabel(parameter: Parameter): string {
  if (parameter.type === 'wildcard') return parameter.name;
  const name = `${parameter.name}: ${typeLabel(parameter.type)}`;
  return parameter.optional ? `[${name}]` : name;
}

/** Returns the labels of a signature's parameters. The label of a repeatable parameter ends in an ellipsis. */
export function parameterLabels({ parameters, repeating }: Signature): readonly string[] {
  return parameters.map((parameter, index) => {
    const repeats = parameter.variadic || index + 1 === repeating;
    return repeats ? `${parameterLabel(parameter)}, …` : parameterLabel(parameter);
  });
}

function returnLabel(row: FunctionRow, signature: Signature): string {
  const { returns } = signature;
  const type =
    typeof returns === 'string'
      ? returns
      : 'sameAs' in returns
        ? `type of ${returns.sameAs}`
        : `type named by ${returns.typeArgument}`;
  return row.unit === undefined ? type : `${type} (${row.unit})`;
}

export function signatureLabel(row: FunctionRow, signature: Signature): string {
  return `${row.name}(${parameterLabels(signature).join(', ')}): ${returnLabel(row, signature)}`;
}

function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join('\n\n');
}

function details(aliasOf: string | undefined, note: string | undefined) {
  return [aliasOf && `Alias of ${inline(aliasOf)}.`, note && `*${note}*`];
}

export function functionMarkdown(row: FunctionRow): string {
  const { summary, note, example } = proseOf(row);
  const page = functionPage(row);
  return paragraphs(
    code(row.signatures.map((signature) => signatureLabel(row, signature)).join('\n')),
    row.approximate ? `${summary} The result is an estimate.` : summary,
    ...details(row.aliasOf, note),
    example === `${row.name}()` ? undefined : code(example),
    page && `[Documentation](${page})`,
  );
}

/** The maximum line width of an example in the completion details, which don't wrap lines. */
const exampleWidth = 42;

export function operatorMarkdown(row: OperatorRow): string {
  const { syntax, summary, note, example } = proseOf(row);
  const page = operatorPage(row);
  return paragraphs(
    code(syntax),
    summary,
    ...details(row.aliasOf, note),
    code(applyEdits(example, format(example, { width: exampleWidth }))),
    page && `[Documentation](${page})`,
  );
}

export function scalarOperatorMarkdown(row: ScalarOperatorRow): string {
  const { caseSensitiveVariant: variant, negation } = row;
  const others = [
    variant && `Case-sensitive variant: ${inline(variant)}.`,
    negation && `Negation: ${inline(negation)}.`,
  ].filter((other) => other !== undefined);
  const { summary, example } = proseOf(row);
  const listed = others.length === 0 ? undefined : others.join(' ');
  return paragraphs(`**${plain(row.name)}**`, summary, listed, code(example));
}

/** Returns a column's type: `long`, or `long | string` for a stored field of several types. */
export function columnType(column: Column): string {
  if (column.type !== 'unknown' || column.wireType === undefined) return column.type;
  return wireTypeLabel(column.wireType);
}

export function columnDetail(column: Column): string {
  return column.unit === undefined ? columnType(column) : `${columnType(column)}, ${column.unit}`;
}

/** Describes a column. `made` describes the column's definition in the query, if there is one. */
export function columnMarkdown(column: Column, made?: string): string {
  const { name, description, dataset, hidden } = column;
  return paragraphs(
    code(`${name}: ${columnDetail(column)}`),
    description && plain(description),
    dataset && `Field of *${plain(dataset)}*.`,
    hidden ? 'Hidden: completion, lists of fields and results leave it out.' : undefined,
    made,
  );
}

export function columnsLine(columns: Columns, most = maxColumns): string {
  const visible = columns.list.filter(({ hidden }) => !hidden);
  const shown = visible
    .slice(0, most)
    .map((column) => `${inline(column.name)} ${plain(columnType(column))}`);
  const more = visible.length - shown.length;
  if (more > 0) shown.push(`${more.toLocaleString('en-US')} more`);
  if (columns.open) shown.push(visible.length > 0 ? 'possibly others' : 'unknown');
  return shown.length === 0 ? 'none' : shown.join(', ');
}

export function columnCount({ list, open }: Columns, noun = 'column'): string {
  const count = list.filter(({ hidden }) => !hidden).length;
  const counted = `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
  return open ? `${counted} known` : counted;
}

/** Describes a dataset or view with its fields, or only its name if the schema doesn't contain it. */
export function datasetMarkdown(name: string, schema: Schema, deployment?: string): string {
  const dataset = schema.datasets.find((candidate) => candidate.name === name);
  const lines = [code(`${dataset?.kind ?? 'dataset'} ${quoteName(name)}`)];
  if (dataset?.description !== undefined) lines.push(plain(dataset.description));
  if (dataset?.fields.some(({ hidden }) => !hidden)) {
    const list = dataset.fields.map((field) => columnOfField(field, name));
    const fields = { list, open: dataset.complete === false };
    lines.push(`${columnCount(fields, 'field')}: ${columnsLine(fields)}`);
  }
  if (deployment !== undefined) lines.push(plain(`Deployment: ${deployment}`));
  return lines.join('\n\n');
}
