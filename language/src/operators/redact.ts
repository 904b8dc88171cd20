/** The operator `redact`, which replaces matches of regular expressions in some or all fields. */
import { type Binder, report, type Scope } from '../binding/binder.ts';
import type { BoundExpression } from '../binding/bound.ts';
import type { Row } from '../binding/columns.ts';
import { bindExpression } from '../binding/expressions.ts';
import { readOptions, textOption } from '../binding/options.ts';
import { describeType } from '../binding/types.ts';
import { boolWords } from '../catalog/words.ts';
import { clauses, itemList } from '../format/rules.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { expression } from '../syntax/grammar/expressions.ts';
import { atAnyClause, needClause } from '../syntax/grammar/keywords.ts';
import { list } from '../syntax/grammar/lists.ts';
import { options } from '../syntax/grammar/properties.ts';
import type { Expression, Property } from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import type {
  BoundOperatorNode,
  OperatorCore,
  OperatorEditing,
  OperatorNode,
  Own,
} from './operator.ts';

export interface RedactOperator extends OperatorNode {
  readonly kind: 'RedactOperator';
  readonly properties: readonly Property[];
  readonly patterns: readonly Expression[];
  readonly on: readonly Expression[];
}

export interface BoundRedact extends BoundOperatorNode {
  readonly kind: 'redact';
  /** The replacement for a match. A single character replaces each of the match's characters. */
  readonly token: string;
  /** Whether to replace each match with its hash instead of with `token`. */
  readonly hash: boolean;
  /** Whether to redact only the capture groups of a match. */
  readonly groups: boolean;
  readonly patterns: readonly BoundExpression[];
  /** The fields to redact. An empty array means all string fields. */
  readonly on: readonly BoundExpression[];
}

export const core: OperatorCore<RedactOperator, BoundRedact> = {
  row: {
    options: [
      {
        name: 'replaceToken',
        summary: 'The replacement for a match.',
        type: 'string',
        defaultValue: '*',
      },
      {
        name: 'replaceHash',
        summary: 'Replace a match with its hash.',
        type: 'bool',
        values: boolWords,
        defaultValue: 'false',
      },
      {
        name: 'redactGroups',
        summary: 'Redact only the capture groups of a match.',
        type: 'bool',
        values: boolWords,
        defaultValue: 'false',
      },
    ],
  },
  facts: { rows: 'all', order: 'kept', columns: 'changed', fixedOperands: true },
  children: ['properties', 'patterns', 'on'],
  operands: ['patterns', 'on'],
  parse: redactOperator,
  bind: bindRedact,
};

const atOn = (c: Cursor): boolean => c.at('on') || atAnyClause(c);

function redactOperator(c: Cursor, keyword: Span): Own<RedactOperator> {
  const properties = options(c);
  c.eat(',');
  const patterns = list(c, expression, { stop: atOn });
  const fields = atOn(c) && needClause(c, 'on', keyword);
  const on = fields ? list(c, expression) : [];
  return { kind: 'RedactOperator', properties, patterns, on };
}

/**
 * Binds a regular expression. Reports an expression that can't be a string. Also reports a column, because the pattern
 * can't vary by row.
 */
function bindPattern(node: Expression, scope: Scope): BoundExpression {
  const bound = bindExpression(node, scope);
  if (bound.kind === 'error' || bound.type === 'string' || bound.type === 'dynamic') {
    if (bound.kind !== 'column') return bound;
  } else if (bound.type === 'unknown' && bound.kind !== 'column') return bound;
  const actual = bound.kind === 'column' ? `the column ${bound.name}` : describeType(bound.type);
  report(scope.binder, 'redact-pattern', node, { actual });
  return bound;
}

function bindRedact(node: RedactOperator, row: Row, binder: Binder): Own<BoundRedact> {
  const scope: Scope = { binder, row, aggregates: 'refused' };
  const options = readOptions('redact', node.properties, binder);
  return {
    kind: 'redact',
    token: textOption(options, 'replaceToken') ?? '*',
    hash: options.get('replaceHash') === true,
    groups: options.get('redactGroups') === true,
    patterns: node.patterns.map((pattern) => bindPattern(pattern, scope)),
    on: node.on.map((field) => bindExpression(field, scope)),
  };
}

export const editing: OperatorEditing = {
  slots: { first: 'constant', clauses: { on: 'pattern' }, opensHelp: true },
  layout: {
    RedactOperator(sheet, node) {
      const first = sheet.at(node.start);
      const [on] = node.on;
      const word = on === undefined ? 0 : sheet.at(on.start) - 1;
      if (on !== undefined) clauses(sheet, first, sheet.at(node.end), [word]);
      itemList(sheet, first, node.patterns);
      itemList(sheet, word, node.on);
    },
  },
  prose: {
    syntax: 'redact replaceToken=text regex, … on field, …',
    summary: 'Replaces matches of regular expressions in string fields.',
    example: "logs | redact replaceToken='#' '[0-9]{16}' on message",
    note: 'A token of one character replaces each character of a match. A longer token replaces the entire match.',
    snippet: "redact '${1:regex}' on ${2:field}",
    clauses: { on: 'The fields to redact.' },
  },
};
