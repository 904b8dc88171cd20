/** Catalog rows and columns as the Markdown of hovers and completion details. */
import {
  type Column,
  type Columns,
  type FunctionRow,
  type OperatorRow,
  type Parameter,
  type ScalarOperatorRow,
  type Signature,
  typeLabel,
  wireTypeLabel,
} from '../../language/src/index.ts';

/** The most columns listed in one hover; the rest are counted. */
const mostColumns = 24;

export function code(text: string): string {
  return `\`\`\`axiom-apl\n${text}\n\`\`\``;
}

function parameterLabel(parameter: Parameter): string {
  if (parameter.type === 'wildcard') return parameter.name;
  const name = `${parameter.name}: ${typeLabel(parameter.type)}`;
  return parameter.optional ? `[${name}]` : name;
}

/** The parameters, with `…` behind those that may repeat. */
function parameterLabels({ parameters, repeating }: Signature): readonly string[] {
  return parameters.flatMap((parameter, index) => {
    const repeats = parameter.variadic || index + 1 === repeating;
    return repeats ? [parameterLabel(parameter), '…'] : [parameterLabel(parameter)];
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

export function functionMarkdown(row: FunctionRow): string {
  return [
    code(row.signatures.map((signature) => signatureLabel(row, signature)).join('\n')),
    row.summary,
    ...(row.note === undefined ? [] : [`*${row.note}*`]),
    code(row.example),
  ].join('\n\n');
}

export function operatorMarkdown(row: OperatorRow): string {
  return [
    code(row.syntax),
    row.summary,
    ...(row.note === undefined ? [] : [`*${row.note}*`]),
    code(row.example),
  ].join('\n\n');
}

export function scalarOperatorMarkdown(row: ScalarOperatorRow): string {
  return [`**${row.name}**`, row.summary, code(row.example)].join('\n\n');
}

/** `long`, or `long | string` for a stored field of several types. */
export function columnType(column: Column): string {
  if (column.type !== 'unknown' || column.wireType === undefined) return column.type;
  return wireTypeLabel(column.wireType);
}

export function columnDetail(column: Column): string {
  return column.unit === undefined ? columnType(column) : `${columnType(column)}, ${column.unit}`;
}

export function columnMarkdown(column: Column): string {
  return [
    code(`${column.name}: ${columnDetail(column)}`),
    ...(column.description === undefined ? [] : [column.description]),
    ...(column.dataset === undefined ? [] : [`Field of *${column.dataset}*.`]),
  ].join('\n\n');
}

/** One line: the columns by name and type. */
export function columnsLine(columns: Columns): string {
  const shown = columns.list
    .slice(0, mostColumns)
    .map((column) => `\`${column.name}\` ${columnType(column)}`);
  const more = columns.list.length - shown.length;
  if (more > 0) shown.push(`${more} more`);
  if (columns.open) shown.push(columns.list.length > 0 ? 'others not known' : 'not known');
  return shown.length === 0 ? 'none' : shown.join(', ');
}
