/** The operator `parse-kv`, which extracts columns from a string of key-value pairs. */
import type { Binder } from '../binding/binder.ts';
import type { BoundExpression, TypedName } from '../binding/bound.ts';
import type { Row } from '../binding/columns.ts';
import { bindExpression } from '../binding/expressions.ts';
import { readOptions, textOption } from '../binding/options.ts';
import { declaredColumns } from '../binding/sources.ts';
import { defined } from '../defined.ts';
import { bracketList, clauses } from '../format/rules.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { expression } from '../syntax/grammar/expressions.ts';
import { needClause } from '../syntax/grammar/keywords.ts';
import { withProperties } from '../syntax/grammar/properties.ts';
import { columnDeclarations } from '../syntax/grammar/sources.ts';
import type { ColumnDeclaration, Expression, Property } from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import type {
  BoundOperatorNode,
  OperatorCore,
  OperatorEditing,
  OperatorNode,
  Own,
} from './operator.ts';

export interface ParseKvOperator extends OperatorNode {
  readonly kind: 'ParseKvOperator';
  readonly expression: Expression;
  readonly keys: readonly ColumnDeclaration[];
  readonly properties: readonly Property[];
}

export interface BoundParseKv extends BoundOperatorNode {
  readonly kind: 'parse-kv';
  readonly subject: BoundExpression;
  readonly keys: readonly TypedName[];
  readonly pairDelimiter?: string;
  readonly kvDelimiter?: string;
  /** The quote character, or the opening and closing quote characters. */
  readonly quote?: string;
  readonly escape?: string;
  readonly greedy: boolean;
  /** A regular expression with one capture group for the key and one for the value. It replaces the delimiters. */
  readonly regex?: string;
}

export const core: OperatorCore<ParseKvOperator, BoundParseKv> = {
  row: {
    options: [
      {
        name: 'pair_delimiter',
        summary: 'The separator between pairs.',
        type: 'string',
        place: 'with',
      },
      {
        name: 'kv_delimiter',
        summary: 'The separator between a key and its value.',
        type: 'string',
        place: 'with',
      },
    ],
  },
  facts: {
    rows: 'all',
    order: 'kept',
    columns: 'added',
    namesWhatItReads: true,
    fixedOperands: true,
  },
  children: ['expression', 'keys', 'properties'],
  operands: ['subject'],
  parse: parseKvOperator,
  bind: bindParseKv,
};

/** Returns whether the current word and the bracket after it are a call, because `as` follows the bracket. */
function isCallBeforeAs(c: Cursor): boolean {
  return c.at('as', c.closeOf(c.index + 1) - c.index);
}

function parseKvOperator(c: Cursor, keyword: Span): Own<ParseKvOperator> {
  // If `as` doesn't follow `name (…)`, the bracket contains the keys and `as` is missing before it.
  const lacksAs = c.kind === 'word' && c.at('(', 1) && !c.isAdjacent(1) && !isCallBeforeAs(c);
  const subject = lacksAs ? c.within(c.index + 1, expression) : expression(c);
  const keys = needClause(c, 'as', keyword) || c.at('(') ? columnDeclarations(c) : [];
  return { kind: 'ParseKvOperator', expression: subject, keys, properties: withProperties(c) };
}

function bindParseKv(node: ParseKvOperator, row: Row, binder: Binder): Own<BoundParseKv> {
  const subject = bindExpression(node.expression, { binder, row, aggregates: 'refused' });
  const columns = declaredColumns(node.keys, binder);
  row.extend(columns);
  const options = readOptions('parse-kv', node.properties, binder);
  const text = (name: string) => textOption(options, name);
  return {
    kind: 'parse-kv',
    subject,
    keys: columns.map(({ name, type }): TypedName => ({ name, type })),
    ...defined({
      pairDelimiter: text('pair_delimiter'),
      kvDelimiter: text('kv_delimiter'),
      quote: text('quote'),
      escape: text('escape'),
      regex: text('regex'),
    }),
    greedy: options.get('greedy') === true,
  };
}

export const editing: OperatorEditing = {
  slots: {
    first: 'expression',
    clauses: { as: 'names', with: 'options' },
    opensHelp: true,
  },
  layout: {
    ParseKvOperator(sheet, node) {
      const last = node.keys.at(-1);
      if (last === undefined) return;
      const first = sheet.at(node.start);
      let close = sheet.at(last.end);
      if (sheet.reads(close, ',')) close++;
      if (node.properties.length > 0) clauses(sheet, first, sheet.at(node.end), [close + 1]);
      bracketList(sheet, sheet.at((node.keys[0] as Span).start) - 1, close, node.keys);
    },
  },
  prose: {
    syntax: 'parse-kv expression as (key, …) with (pair_delimiter=…, kv_delimiter=…)',
    summary: 'Extracts columns from a string of key-value pairs.',
    example:
      'logs | parse-kv message as (user, action) with (pair_delimiter=" ", kv_delimiter="=")',
    snippet:
      'parse-kv ${1:field} as (${2:key}) with (pair_delimiter="${3: }", kv_delimiter="${4:=}")',
    clauses: {
      as: 'The keys to extract, each with an optional type.',
      with: 'The separators of pairs and keys.',
    },
  },
};
