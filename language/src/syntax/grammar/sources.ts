/** Parses the source of a pipeline. */
import { none } from '../../append.ts';
import { sourceOperators } from '../../operators/index.ts';
import { isTransformName } from '../../operators/names.ts';
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
  Name,
  ParenthesizedSource,
  Pipeline,
  PrintSource,
  Source,
  TableCall,
} from '../tree.ts';
import { assignments } from './assignments.ts';
import { expression, startsExpression } from './expressions.ts';
import { operatorNameHere } from './keywords.ts';
import { list } from './lists.ts';
import { atName, columnDeclaration, looseName, optName } from './names.ts';
import { parsedOperator, pipeline, unknownOperator } from './pipeline.ts';
import { withProperties } from './properties.ts';
import { atWord } from './sql.ts';

type Production = (c: Cursor, keyword: Span) => Source;

const productions: ReadonlyMap<string, Production> = new Map<string, Production>([
  ['print', print],
  ['datatable', datatable],
  ['externaldata', externaldata],
  ['table', table],
  ['union', (c, keyword) => parsedOperator(sourceOperators.union, c, keyword)],
  ['search', (c, keyword) => parsedOperator(sourceOperators.search, c, keyword)],
]);

/** Returns whether the current word is the keyword of a source rather than a dataset name. */
export function startsTable(c: Cursor): boolean {
  if (c.kind !== 'word') return false;
  const word = c.textOf(c.token);
  if (!productions.has(word)) return false;
  if (word === 'table') return c.at('(', 1);
  const next = c.peek(1);
  if (next.kind === 'punctuation') return c.textOf(next) !== '|' && c.textOf(next) !== '=';
  return next.kind !== 'end';
}

/** Returns whether an operator is used as a source, as in the query `where status == 200`. */
export function atOperatorWithoutSource(c: Cursor): boolean {
  if (c.kind !== 'word' || startsTable(c)) return false;
  const name = operatorNameHere(c);
  if (!isTransformName(name) || productions.has(name)) return false;
  const next = c.peek(name.includes('-') ? 3 : 1);
  return next.kind !== 'end';
}

/** Parses a source, or reports that none starts here. */
export function source(c: Cursor): Source {
  if (c.at('(')) return parenthesizedSource(c);
  if (startsTable(c)) {
    const keyword = c.advance();
    return (productions.get(c.textOf(keyword)) as Production)(c, keyword);
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

const kustoSources = new Set('evaluate find range'.split(' '));

/** Returns whether a Kusto source such as `range` starts here. */
export function startsKustoTable(c: Cursor): boolean {
  return c.kind === 'word' && kustoSources.has(c.textOf(c.token)) && c.peek(1).kind === 'word';
}

/** Returns whether an SQL query starts here: `select`, with a `from` later in the window. */
function atSelect(c: Cursor): boolean {
  if (!atWord(c, 'select', 0) || c.at('=', 1)) return false;
  for (let ahead = 2; ahead <= longestSelect && c.peek(ahead).kind !== 'end'; ahead++) {
    if (atWord(c, 'from', ahead)) return true;
  }
  return false;
}

const longestSelect = 500;

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

/** Parses a quoted dataset name without brackets, and reports the missing brackets. */
function stringSource(c: Cursor): DatasetSource {
  const { start, end } = c.token;
  const name = decodeString(c.textOf(c.token));
  c.report('quote-name', c.token, { name });
  c.advance();
  const found = { kind: 'Name', name, quoted: true, start, end } as const;
  return { kind: 'DatasetSource', name: found, start, end };
}

/** Parses an expression used as a query. Reports this use only if the expression has no problems of its own. */
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
  const name = optName(c) as Name;
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

/** Parses the table of a join or union: one source, or a pipeline in brackets. */
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
  const properties = withProperties(c);
  return { kind: 'ExternaldataSource', columns, urls, properties, ...c.since(keyword) };
}

function table(c: Cursor, keyword: Span): TableCall {
  const argument = c.bracket(expression) ?? c.missing();
  return { kind: 'TableCall', argument, start: keyword.start, end: c.lastEnd };
}

/** Parses `(name:type, …)`. Reports a missing `(`. */
export function columnDeclarations(c: Cursor): readonly ColumnDeclaration[] {
  if (!c.at('(')) {
    c.expected('expected-opening', { opening: '(' });
    return atName(c) ? bareDeclarations(c) : [];
  }
  const found = c.bracket((c) => list(c, columnDeclaration, { trailing: true }));
  return (found ?? []).filter((column) => column !== undefined);
}

/** Parses `name:type, …)` if the opening bracket is missing. */
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

function bracketedValues(c: Cursor): readonly Expression[] {
  if (!c.at('[')) {
    c.expected('expected-opening', { opening: '[' });
    return [];
  }
  return c.bracket((c) => (c.atEnd ? [] : list(c, expression, { trailing: true }))) ?? [];
}
