/** What a pipeline starts with. */

import { none } from '../../append.ts';
import type { Span } from '../../text.ts';
import type { Cursor } from '../cursor.ts';
import { decodeString } from '../strings.ts';
import type {
  ColumnDeclaration,
  DatasetSource,
  DatatableSource,
  Expression,
  ExpressionSource,
  ExternaldataSource,
  Missing,
  ParenthesizedSource,
  Pipeline,
  PrintSource,
  Property,
  Source,
  TableCall,
} from '../tree.ts';
import { assignments } from './assignments.ts';
import { expression, startsExpression } from './expressions.ts';
import { operatorNameHere } from './keywords.ts';
import { list } from './lists.ts';
import { atName, columnDeclaration, looseName, optName } from './names.ts';
import { operatorNames, sourceNames } from './operators.ts';
import { pipeline, unknownOperator } from './pipeline.ts';
import { withProperties } from './properties.ts';
import { searchOperator } from './search.ts';
import { atWord } from './sql.ts';
import { unionOperator } from './union.ts';

/** Productions of the words that start a source of their own; `Span` is the word. */
const productions: ReadonlyMap<string, (c: Cursor, keyword: Span) => Source> = new Map<
  string,
  (c: Cursor, keyword: Span) => Source
>([
  ['print', print],
  ['datatable', datatable],
  ['externaldata', externaldata],
  ['table', table],
  ['union', unionOperator],
  ['search', searchOperator],
]);

/** Whether the current word starts a source of its own, and is not the name of a dataset. */
export function startsTable(c: Cursor): boolean {
  if (c.kind !== 'word') return false;
  const word = c.textOf(c.token);
  if (!sourceNames.has(word)) return false;
  if (word === 'table') return c.at('(', 1);
  const next = c.peek(1);
  if (next.kind === 'punctuation') return c.textOf(next) !== '|' && c.textOf(next) !== '=';
  return next.kind !== 'end';
}

/** Whether an operator stands where a source should be, as in `where status == 200` on its own. */
export function atOperatorWithoutSource(c: Cursor): boolean {
  if (c.kind !== 'word' || startsTable(c)) return false;
  const name = operatorNameHere(c);
  if (!operatorNames.has(name) || sourceNames.has(name)) return false;
  const next = c.peek(name.includes('-') ? 3 : 1);
  return next.kind !== 'end';
}

/** A source; the window may hold more, as the `on` of a join. A `Missing`, with a problem, for none. */
export function source(c: Cursor): Source {
  if (c.at('(')) return parenthesizedSource(c);
  if (startsTable(c)) {
    const keyword = c.advance();
    return (productions.get(c.textOf(keyword)) as NonNullable<ReturnType<typeof productions.get>>)(
      c,
      keyword,
    );
  }
  if (c.kind === 'string') return stringSource(c);
  const isCall = c.kind === 'word' ? c.at('(', 1) : c.at(']', 2) && c.at('(', 3);
  if (startsKustoTable(c)) {
    const word = c.advance();
    return unknownOperator(c, c.textOf(word), word);
  }
  if (atSelect(c)) return select(c);
  if (atName(c) && !isCall) return datasetSource(c);
  return startsExpression(c) ? expressionSource(c) : noSource(c);
}

/** Words that start a query in Kusto but not in APL. */
const kustoSources = new Set('evaluate find range'.split(' '));

/** Whether one of them starts a table here; each may also be the name of a dataset or a function. */
export function startsKustoTable(c: Cursor): boolean {
  return c.kind === 'word' && kustoSources.has(c.textOf(c.token)) && c.peek(1).kind === 'word';
}

/** Whether a query of SQL starts here: `select`, and a `from` farther on. */
function atSelect(c: Cursor): boolean {
  if (!atWord(c, 'select', 0) || c.at('=', 1)) return false;
  for (let ahead = 2; ahead <= longestSelect && c.peek(ahead).kind !== 'end'; ahead++) {
    if (atWord(c, 'from', ahead)) return true;
  }
  return false;
}

/** How many tokens of a `select` are looked through for its `from`. */
const longestSelect = 500;

/** A query of SQL; nothing of it is of use here. */
function select(c: Cursor): Missing {
  const { start, end } = c.token;
  c.report('expected-source', { start, end });
  c.skipRest();
  return { kind: 'Missing', start, end: c.lastEnd };
}

function noSource(c: Cursor): Missing {
  c.expected('expected-source');
  if (c.kind !== 'unknown') return c.missing();
  const token = c.advance();
  return { kind: 'Missing', start: token.start, end: token.end };
}

/** A dataset's name in quotes but without its brackets: read as the dataset that is meant. */
function stringSource(c: Cursor): DatasetSource {
  const { start, end } = c.token;
  const name = decodeString(c.textOf(c.token));
  c.report('quote-name', c.token, { name });
  c.advance();
  return {
    kind: 'DatasetSource',
    name: { kind: 'Name', name, quoted: true, start, end },
    start,
    end,
  };
}

/** Said only of an expression that is whole, since then nothing else is. */
function expressionSource(c: Cursor): ExpressionSource {
  const before = c.problems.length;
  const value = expression(c);
  const span = { start: value.start, end: c.lastEnd };
  if (c.problems.length === before && c.atEnd) c.note('lone-expression', span);
  return { kind: 'ExpressionSource', expression: value, ...span };
}

function datasetSource(c: Cursor): DatasetSource {
  const loose = looseName(c, '-.');
  if (loose !== undefined) {
    const start = c.token.start;
    const span = { start, end: c.peek(loose.length - 1).end };
    c.report('quote-name', span, { name: loose.name });
    c.jump(c.index + loose.length);
    const name = { kind: 'Name', name: loose.name, quoted: false, ...span } as const;
    return { kind: 'DatasetSource', name, ...span };
  }
  const name = optName(c);
  if (name === undefined) throw new Error('a dataset was read where no name starts');
  return { kind: 'DatasetSource', name, start: name.start, end: name.end };
}

function parenthesizedSource(c: Cursor): ParenthesizedSource {
  const start = c.token.start;
  const inner = c.bracket(pipeline) ?? emptyPipeline(c);
  return { kind: 'ParenthesizedSource', pipeline: inner, start, end: c.lastEnd };
}

function emptyPipeline(c: Cursor): Pipeline {
  const source = c.missing();
  return { kind: 'Pipeline', source, stages: none, start: source.start, end: source.end };
}

/** The table on the right of a join or in a union: one source, with a pipeline only inside brackets. */
export function tableOperand(c: Cursor): Pipeline | Missing {
  const found = source(c);
  if (found.kind === 'Missing') return found;
  return { kind: 'Pipeline', source: found, stages: none, start: found.start, end: found.end };
}

function print(c: Cursor, keyword: Span): PrintSource {
  return { kind: 'PrintSource', items: assignments(c), start: keyword.start, end: c.lastEnd };
}

function datatable(c: Cursor, keyword: Span): DatatableSource {
  const columns = columnDeclarations(c);
  const values = bracketedValues(c);
  return { kind: 'DatatableSource', columns, values, start: keyword.start, end: c.lastEnd };
}

function externaldata(c: Cursor, keyword: Span): ExternaldataSource {
  const columns = columnDeclarations(c);
  const urls = bracketedValues(c);
  const properties: readonly Property[] = withProperties(c);
  return {
    kind: 'ExternaldataSource',
    columns,
    urls,
    properties,
    start: keyword.start,
    end: c.lastEnd,
  };
}

function table(c: Cursor, keyword: Span): TableCall {
  const argument = c.bracket(expression) ?? c.missing();
  return { kind: 'TableCall', argument, start: keyword.start, end: c.lastEnd };
}

/** `(name:type, …)`; the current token is `(`. */
export function columnDeclarations(c: Cursor): readonly ColumnDeclaration[] {
  if (!c.at('(')) {
    c.expected('expected-opening', { opening: '(' });
    return atName(c) ? bareDeclarations(c) : [];
  }
  const found = c.bracket((c) => list(c, columnDeclaration, { trailing: true }));
  return (found ?? []).filter((column) => column !== undefined);
}

/** `name:type, …)` behind a bracket that is missing; what does not go on so is left. */
function bareDeclarations(c: Cursor): ColumnDeclaration[] {
  const found: ColumnDeclaration[] = [];
  while (atName(c)) {
    const column = columnDeclaration(c);
    if (column !== undefined) found.push(column);
    if (!c.eat(',')) break;
  }
  c.eat(')');
  return found;
}

/** `[value, …]`, a comma allowed behind the last. */
function bracketedValues(c: Cursor): readonly Expression[] {
  if (!c.at('[')) {
    c.expected('expected-opening', { opening: '[' });
    return [];
  }
  return c.bracket((c) => (c.atEnd ? [] : list(c, expression, { trailing: true }))) ?? [];
}
