/** Describes a name in a query: a column with its definition, a function, a dataset, a `let` name or a parameter. */
import {
  type BoundQuery,
  type Column,
  contains,
  functionNamed,
  operatorNamed,
  pathAt,
  quoteName,
  type Reference,
} from '../../../../language/src/index.ts';
import type { QueryState, Snapshot } from '../../documents.ts';
import {
  code,
  columnCount,
  columnMarkdown,
  columnsLine,
  datasetMarkdown,
  functionMarkdown,
  inline,
} from '../../markdown.ts';
import type { Found } from './literals.ts';

/** Maximum number of characters of a displayed expression. */
const longestShown = 80;

export function nameHover(
  snapshot: Snapshot,
  query: QueryState,
  at: number,
  deployment?: string,
): Found | undefined {
  const { bound } = query.analysis;
  const reference = bound.references.find((candidate) => contains(candidate, at));
  if (reference === undefined) return undefined;
  const { meaning } = reference;
  const text =
    meaning.kind === 'dataset'
      ? datasetMarkdown(meaning.name, snapshot.schema, deployment)
      : meaningMarkdown(meaning, snapshot, query);
  return text === undefined ? undefined : { span: reference, text };
}

function meaningMarkdown(
  meaning: Exclude<Reference['meaning'], { readonly kind: 'dataset' }>,
  snapshot: Snapshot,
  query: QueryState,
): string | undefined {
  switch (meaning.kind) {
    case 'column':
      return columnMarkdown(meaning.column, madeBy(meaning.column, snapshot, query));
    case 'function': {
      const row = functionNamed(meaning.name);
      return row && functionMarkdown(row);
    }
    case 'let':
      return letMarkdown(meaning.name, meaning.type, query.analysis.bound);
    case 'parameter':
      return parameterMarkdown(meaning.name, meaning.type, query.analysis.bound);
    case 'unknown':
      return undefined;
  }
}

function madeBy({ definition }: Column, snapshot: Snapshot, query: QueryState): string | undefined {
  if (definition === undefined) return undefined;
  const { tree } = query.analysis;
  const path = pathAt(tree, definition.start);
  const line = snapshot.lines.positionAt(query.start + definition.start).line + 1;
  const operator = path.findLast((node) => 'keyword' in node);
  const keyword =
    operator !== undefined && 'keyword' in operator
      ? tree.text.slice(operator.keyword.start, operator.keyword.end)
      : undefined;
  const by =
    keyword === undefined || operatorNamed(keyword) === undefined
      ? `Defined on line ${line}`
      : `Defined by ${inline(keyword)} on line ${line}`;
  const assignment = path.findLast(({ kind }) => kind === 'Assignment');
  if (assignment === undefined) return `${by}.`;
  return `${by}: ${inline(shortened(tree.text.slice(assignment.start, assignment.end)))}`;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > longestShown ? `${line.slice(0, longestShown)}…` : line;
}

function letMarkdown(name: string, type: string, bound: BoundQuery): string {
  const value = bound.lets.findLast((one) => one.name === name)?.value;
  const head = `let ${quoteName(name)}: ${type}`;
  if (value === undefined) return outerLetMarkdown(head, name, bound);
  const written = shortened(bound.tree.text.slice(value.start, value.end));
  if (value.kind !== 'pipeline') return code(`${head} = ${written}`);
  const { columns } = value;
  return [code(`${head} = ${written}`), `${columnCount(columns)}: ${columnsLine(columns)}`].join(
    '\n\n',
  );
}

function outerLetMarkdown(head: string, name: string, { outer }: BoundQuery): string {
  const found = outer.find((one) => one.name === name);
  if (found === undefined) return code(head);
  const parts = [code(`${head} = ${shortened(found.written)}`), 'Declared in a cell above.'];
  if (found.columns) parts.push(`${columnCount(found.columns)}: ${columnsLine(found.columns)}`);
  return parts.join('\n\n');
}

function parameterMarkdown(name: string, type: string, bound: BoundQuery): string {
  const found = bound.parameters.find((one) => one.name === name)?.defaultValue;
  const written = found && ` = ${shortened(bound.tree.text.slice(found.start, found.end))}`;
  return [
    code(`parameter ${quoteName(name)}: ${type}${written ?? ''}`),
    'A dashboard provides the value.',
  ].join('\n\n');
}
