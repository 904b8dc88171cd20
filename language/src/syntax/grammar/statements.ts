/** Parses statements separated by `;`: `let`, `set`, `declare query_parameters` and the query itself. */
import { packed } from '../../append.ts';
import { defined } from '../../defined.ts';
import type { Cursor } from '../cursor.ts';
import type {
  DeclareStatement,
  Expression,
  LetStatement,
  Pipeline,
  QueryParameter,
  QueryStatement,
  SetStatement,
  Stage,
  Statement,
} from '../tree.ts';
import { expression } from './expressions.ts';
import { list } from './lists.ts';
import { atQuotedName, looseName, name, optName, typeName } from './names.ts';
import { pipeline, stages } from './pipeline.ts';
import { startsKustoTable, startsTable } from './sources.ts';

const semicolon = 59;

export function statements(c: Cursor): readonly Statement[] {
  const found: Statement[] = [];
  let end = -1;
  while (!c.atEnd) {
    if (c.eat(';')) continue;
    const before = c.index;
    // Search for the next `;` only if the last one found has been passed.
    if (end < c.index) end = c.find(semicolon);
    const statement = c.within(end, oneStatement);
    found.push(endStatement(c, statement));
    if (c.index === before) c.advance();
  }
  return packed(found);
}

function oneStatement(c: Cursor): Statement {
  const named = c.peek(1).kind === 'word';
  if (c.at('let') && (named || atQuotedName(c, 1) || c.at('=', 1))) return letStatement(c);
  if (c.at('set') && named) return setStatement(c);
  if (c.at('declare') && named) return declareStatement(c);
  return queryStatement(c);
}

/** Consumes the `;` after a statement. Also consumes and reports a misplaced `;` between two stages. */
function endStatement(c: Cursor, statement: Statement): Statement {
  if (statement.kind !== 'QueryStatement') {
    if (!c.eat(';')) {
      // An unterminated string probably includes the `;`, and is already reported.
      const swallowed = c.tokens[c.index - 1]?.flaw === 'unterminated-string';
      if (!c.atEnd && !swallowed) c.expected('expected-semicolon');
      return statement;
    }
    return { ...statement, end: c.lastEnd };
  }
  const more: Stage[] = [];
  while (c.at(';') && c.at('|', 1)) {
    c.report('stray-semicolon', c.token);
    c.advance();
    for (const stage of c.within(c.find(semicolon), stages)) more.push(stage);
  }
  const end = c.lastEnd;
  c.eat(';');
  if (more.length === 0)
    return c.lastEnd === statement.end ? statement : { ...statement, end: c.lastEnd };
  const before = statement.pipeline;
  const pipeline = { ...before, stages: [...before.stages, ...more], end };
  return { ...statement, pipeline, end: c.lastEnd };
}

function queryStatement(c: Cursor): QueryStatement {
  const found = pipeline(c);
  return { kind: 'QueryStatement', pipeline: found, start: found.start, end: c.lastEnd };
}

function letStatement(c: Cursor): LetStatement {
  const start = c.advance().start;
  const found = name(c);
  if (!c.eat('=')) c.expected('expected-word', { word: '=' });
  const value = letValue(c);
  return { kind: 'LetStatement', name: found, value, start, end: c.lastEnd };
}

/** Parses the value of a `let` statement: a pipeline or an expression. Reports a user-defined function. */
function letValue(c: Cursor): Expression | Pipeline {
  const bracketed = c.at('(');
  const behind = bracketed ? c.tokens[c.closeOf(c.index)] : undefined;
  if (behind !== undefined && c.textOf(behind) === '{') return functionValue(c);
  const starts = startsTable(c) || startsKustoTable(c) || (bracketed && c.opensPipeline);
  return starts || pipeFollowsOperand(c) ? pipeline(c) : expression(c);
}

/**
 * Returns whether a pipe follows the operand. A `[` after whitespace isn't part of the operand, because it may start
 * the next query.
 */
function pipeFollowsOperand(c: Cursor): boolean {
  let ahead = looseName(c, '-.')?.length ?? (c.at('(') || c.at('[') ? 0 : 1);
  const apart = ahead > 0 && !c.isAdjacent(ahead);
  if (c.at('(', ahead) || (c.at('[', ahead) && !apart))
    ahead = c.closeOf(c.index + ahead) - c.index;
  return c.at('|', ahead);
}

/** Parses and reports `(x:long) { … }`, Kusto's syntax for a function. */
function functionValue(c: Cursor): Expression {
  const start = c.token.start;
  c.report('no-functions', c.token);
  c.skipRest();
  return { kind: 'Missing', start, end: c.lastEnd };
}

function setStatement(c: Cursor): SetStatement {
  const start = c.advance().start;
  const option = name(c);
  const value = c.eat('=') ? expression(c) : undefined;
  return { kind: 'SetStatement', name: option, ...defined({ value }), start, end: c.lastEnd };
}

function declareStatement(c: Cursor): DeclareStatement {
  const start = c.advance().start;
  if (!c.eat('query_parameters')) {
    c.expected('expected-word', { word: 'query_parameters' });
    c.skipRest();
  }
  let parameters: readonly (QueryParameter | undefined)[] = [];
  if (c.at('(')) parameters = c.bracket((c) => list(c, queryParameter)) ?? [];
  else if (!c.atEnd) c.expected('expected-opening', { opening: '(' });
  return {
    kind: 'DeclareStatement',
    parameters: parameters.filter((parameter) => parameter !== undefined),
    start,
    end: c.lastEnd,
  };
}

function queryParameter(c: Cursor): QueryParameter | undefined {
  const found = optName(c);
  if (found === undefined) {
    c.expected('expected-name');
    return undefined;
  }
  const type = c.eat(':') ? typeName(c) : undefined;
  const defaultValue = c.eat('=') ? expression(c) : undefined;
  const parts = defined({ type, defaultValue });
  return { kind: 'QueryParameter', name: found, ...parts, ...c.since(found) };
}
