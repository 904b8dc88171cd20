/** The operator `search`, which searches all fields for a string, or one field for `field:text`. */
import type { Binder, Scope } from '../binding/binder.ts';
import type { BoundExpression, BoundPipeline, BoundSearch } from '../binding/bound.ts';
import { anyColumns, ColumnList, Row } from '../binding/columns.ts';
import { bindExpression } from '../binding/expressions.ts';
import { checkWord, wordsOf } from '../binding/options.ts';
import { requireBool } from '../binding/scalarOperators.ts';
import { bindTables, mergeColumns, pipelinesMatching } from '../binding/tables.ts';
import { words } from '../catalog/words.ts';
import { defined } from '../defined.ts';
import { bracketList, tightOption } from '../format/rules.ts';
import type { Cursor } from '../syntax/cursor.ts';
import { expression } from '../syntax/grammar/expressions.ts';
import { list } from '../syntax/grammar/lists.ts';
import { datasetPattern } from '../syntax/grammar/names.ts';
import { optWordOption } from '../syntax/grammar/properties.ts';
import type { Binary, DatasetPattern, Expression, Name } from '../syntax/tree.ts';
import type { Span } from '../text.ts';
import type {
  BoundOperatorNode,
  OperatorEditing,
  OperatorNode,
  Own,
  SourceOperatorCore,
} from './operator.ts';

export interface SearchOperator extends OperatorNode {
  readonly kind: 'SearchOperator';
  readonly searchKind?: Name;
  readonly tables: readonly DatasetPattern[];
  readonly predicate: Expression;
}

export interface BoundSearchOperator extends BoundOperatorNode, BoundSearch {
  readonly kind: 'search';
}

export const core: SourceOperatorCore<SearchOperator, BoundSearchOperator> = {
  row: {
    role: 'both',
    options: [
      {
        name: 'kind',
        summary: 'Whether to match case.',
        type: 'word',
        values: words({
          default: 'Ignore case.',
          case_insensitive: 'Ignore case.',
          case_sensitive: 'Match case.',
        }),
        defaultValue: 'default',
      },
    ],
  },
  facts: { rows: 'filtered', order: 'kept', columns: 'kept', fixedOperands: true },
  children: ['searchKind', 'tables', 'predicate'],
  operands: ['inputs', 'predicate'],
  parse: searchOperator,
  bind: (node, row, binder) => ({ kind: 'search', ...bindSearch(node, row, binder) }),
  bindSource(node, binder) {
    const inputs = bindTables(node.tables, binder);
    const { start, end } = node;
    const columns = searchedColumns(node, inputs, binder);
    const search = bindSearch(node, new Row(columns), binder, inputs);
    return { kind: 'search', ...search, columns, start, end };
  },
};

function searchOperator(c: Cursor): Own<SearchOperator> {
  const searchKind = optWordOption(c, 'kind');
  let tables: readonly DatasetPattern[] = [];
  if (c.at('in') && c.at('(', 1)) {
    c.advance();
    const found = c.bracket((c) => list(c, datasetPattern)) ?? [];
    tables = found.filter((table) => table !== undefined);
  }
  const searching = c.searching;
  c.searching = true;
  const predicate = expression(c);
  c.searching = searching;
  return { kind: 'SearchOperator', ...defined({ searchKind }), tables, predicate };
}

function bindSearch(
  node: SearchOperator,
  row: Row,
  binder: Binder,
  inputs = bindTables(node.tables, binder),
): BoundSearch {
  const predicate = bindPredicate(node.predicate, { binder, row, aggregates: 'refused' });
  const word = node.searchKind?.name ?? 'default';
  if (node.searchKind !== undefined) {
    checkWord('kind', wordsOf('search', 'kind'), word, node.searchKind, binder);
  }
  return { inputs, caseSensitive: word === 'case_sensitive', predicate };
}

/** Returns an open list with the columns of the listed tables, or of all datasets. */
function searchedColumns(
  { tables, keyword }: SearchOperator,
  inputs: readonly BoundPipeline[],
  binder: Binder,
): ColumnList {
  const all = tables.length === 0 && binder.datasets.complete;
  const searched = all ? pipelinesMatching({ ...keyword, name: '*' }, binder) : inputs;
  const lists = searched.map(({ columns }) => ColumnList.from(columns));
  return lists.length === 0 ? anyColumns : mergeColumns(lists, true);
}

/** Binds a search condition. A string, a number or `*` is a search term. */
function bindPredicate(node: Expression, scope: Scope): BoundExpression {
  const { start, end } = node;
  switch (node.kind) {
    case 'Parenthesized':
      return bindPredicate(node.expression, scope);
    case 'Star':
      return { kind: 'term', match: 'any', text: '', type: 'bool', start, end };
    case 'Unary': {
      if (node.operator !== 'not') break;
      const operand = bindPredicate(node.operand, scope);
      return { kind: 'unary', operator: 'not', operand, type: 'bool', start, end };
    }
    case 'Call': {
      const [operand] = node.arguments;
      if (node.name.name !== 'not' || node.arguments.length !== 1 || operand === undefined) break;
      const inner = bindPredicate(operand, scope);
      return { kind: 'unary', operator: 'not', operand: inner, type: 'bool', start, end };
    }
    case 'Literal':
      if (typeof node.value === 'string') {
        return { ...termOf(node.value), type: 'bool', start, end };
      }
      // Search for a number as decimal text.
      if (typeof node.value === 'bigint' || typeof node.value === 'number') {
        const text = String(node.value);
        return { kind: 'term', match: 'has', text, type: 'bool', start, end };
      }
      break;
    case 'Binary': {
      const { operator } = node;
      if (operator === ':') return bindField(node, scope);
      if (operator !== 'and' && operator !== 'or') break;
      const left = bindPredicate(node.left, scope);
      const right = bindPredicate(node.right, scope);
      return { kind: 'binary', operator, left, right, type: 'bool', start, end };
    }
  }
  const bound = bindExpression(node, scope);
  requireBool(bound, scope);
  return bound;
}

/** Binds `field:"text"` as a term and `field:200` as a comparison. */
function bindField(node: Binary, scope: Scope): BoundExpression {
  const { start, end } = node;
  const field = bindExpression(node.left, scope);
  if (node.right.kind === 'Literal' && typeof node.right.value === 'string') {
    return { ...termOf(node.right.value), field, type: 'bool', start, end };
  }
  const right = bindExpression(node.right, scope);
  return { kind: 'binary', operator: '==', left: field, right, type: 'bool', start, end };
}

type Term = Pick<BoundExpression & { kind: 'term' }, 'kind' | 'match' | 'text'>;

/** Converts a written term. A star at an end matches any text. Any other `*` or `?` requires a regular expression. */
function termOf(written: string): Term {
  if (/^\*+$/.test(written)) return { kind: 'term', match: 'any', text: '' };
  const open = written.startsWith('*');
  const free = written.length > 1 && written.endsWith('*');
  const text = written.slice(open ? 1 : 0, free ? -1 : undefined);
  if (!/[*?]/.test(text)) {
    const match = open ? (free ? 'contains' : 'hassuffix') : free ? 'hasprefix' : 'has';
    return { kind: 'term', match, text };
  }
  const pattern = text
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const regex = `${open ? '' : '\\b'}${pattern}${free ? '' : '\\b'}`;
  return { kind: 'term', match: 'regex', text: regex };
}

export const editing: OperatorEditing = {
  slots: { first: 'condition', clauses: { in: 'tables' } },
  layout: {
    SearchOperator(sheet, node) {
      tightOption(sheet, node.searchKind);
      const last = node.tables.at(-1);
      if (last === undefined) return;
      const open = sheet.at((node.tables[0] as Span).start) - 1;
      bracketList(sheet, open, sheet.at(last.end), node.tables);
    },
  },
  prose: {
    syntax: 'search kind=kind in (dataset, …) "term"',
    summary: 'Searches all fields of the input rows or of datasets for a term.',
    example: 'search in (logs) "timeout" and status == 500',
    note: 'A term matches entire words. To match parts of words, use "*term*".',
    snippet: 'search in (${1:dataset}) "${2:term}"',
    clauses: { in: 'The datasets to search.' },
  },
};
