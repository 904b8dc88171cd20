/**
 * Binds `search`, at the start or as a stage. A string on its own is a term searched in every field. `field:text` is
 * searched only in that field.
 */
import type * as syntax from '../../syntax/tree.ts';
import type { Binder, Scope } from '../binder.ts';
import type { BoundExpression, BoundOperator, BoundPipeline, BoundSearch } from '../bound.ts';
import { anyColumns, ColumnList, Row } from '../columns.ts';
import { bindExpression } from '../expressions.ts';
import { checkWord, wordsOf } from '../options.ts';
import { requireBool } from '../scalarOperators.ts';
import { bindTables, mergeColumns, pipelinesMatching } from './union.ts';

/** Binds a search. `first` is the input row of a search after a pipe. */
export function bindSearch(
  node: syntax.SearchOperator,
  first: Row | undefined,
  binder: Binder,
): { readonly search: BoundSearch; readonly columns: ColumnList } {
  const inputs = bindTables(node.tables, binder);
  const row = first ?? new Row(searchedColumns(node, inputs, binder));
  const predicate = bindPredicate(node.predicate, { binder, row, aggregates: 'refused' });
  const word = node.searchKind?.name ?? 'default';
  if (node.searchKind !== undefined) {
    checkWord('kind', wordsOf('search', 'kind'), word, node.searchKind, binder);
  }
  const search = { inputs, caseSensitive: word === 'case_sensitive', predicate };
  return { search, columns: row.columns };
}

/**
 * Returns the columns of all searched tables. Without a table list, all datasets are searched, and an unknown dataset
 * may have columns of any type.
 */
function searchedColumns(
  { tables, keyword }: syntax.SearchOperator,
  inputs: readonly BoundPipeline[],
  binder: Binder,
): ColumnList {
  const all = tables.length === 0 && binder.datasets.complete;
  const searched = all ? pipelinesMatching({ ...keyword, name: '*' }, binder) : inputs;
  const lists = searched.map(({ columns }) => ColumnList.from(columns));
  return lists.length === 0 ? anyColumns : mergeColumns(lists, true);
}

export function bindSearchStage(
  node: syntax.SearchOperator,
  row: Row,
  binder: Binder,
): BoundOperator {
  const { search } = bindSearch(node, row, binder);
  const { keyword, start, end } = node;
  return { kind: 'search', ...search, keyword, start, end };
}

/** Binds a search condition. A string in the place of a condition is a term. */
function bindPredicate(node: syntax.Expression, scope: Scope): BoundExpression {
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
      // A number is searched as it would be written in a string.
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

/** Binds `field:text` as a term and `field:200` as a comparison. */
function bindField(node: syntax.Binary, scope: Scope): BoundExpression {
  const { start, end } = node;
  const field = bindExpression(node.left, scope);
  if (node.right.kind === 'Literal' && typeof node.right.value === 'string') {
    return { ...termOf(node.right.value), field, type: 'bool', start, end };
  }
  const right = bindExpression(node.right, scope);
  return { kind: 'binary', operator: '==', left: field, right, type: 'bool', start, end };
}

type Term = Pick<BoundExpression & { kind: 'term' }, 'kind' | 'match' | 'text'>;

/** Converts a written term. Stars at its ends allow more text there. A star inside makes it a pattern. */
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
