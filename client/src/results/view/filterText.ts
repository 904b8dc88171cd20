/** Describes filters in words, for the chips above the grid. */

import type { ColumnFilter, ValueKey } from '../../../../table/src/viewState.ts';
import { shortened } from '../../../../table/src/visibleText.ts';
import type { ViewColumn } from '../pageContent.ts';

const maxValues = 3;
const maxLength = 60;

const matches = {
  contains: ['contains', 'does not contain'],
  equals: ['is', 'is not'],
  startsWith: ['starts with', 'does not start with'],
  regex: ['matches', 'does not match'],
} as const;

export function filterText(filter: ColumnFilter, column: ViewColumn): string {
  return `${column.name} ${condition(filter)}`;
}

function condition(filter: ColumnFilter): string {
  switch (filter.kind) {
    case 'text':
      return `${matches[filter.match][filter.negated ? 1 : 0]} ${quoted(filter.text)}`;
    case 'number':
    case 'time':
      return range(filter.kind, filter.from, filter.to);
    case 'isNull':
      return filter.negated ? 'is not null' : 'is null';
    case 'values': {
      const shown = filter.values.slice(0, maxValues).map(valueText).join(', ');
      const more = filter.values.length - maxValues;
      const list = more > 0 ? `${shown} and ${more} more` : shown;
      return filter.negated ? `is not ${list}` : `is ${list}`;
    }
  }
}

function range(kind: 'number' | 'time', from?: string, to?: string): string {
  const [low, high] = [from, to].map((end) => (kind === 'time' ? end?.replace('T', ' ') : end));
  if (low === undefined) return `${kind === 'time' ? 'before' : '≤'} ${high ?? ''}`;
  if (high === undefined) return `${kind === 'time' ? 'from' : '≥'} ${low}`;
  return `${low} to ${high}`;
}

function valueText(value: ValueKey): string {
  if (value === null) return '∅';
  return value.kind === 'text' ? quoted(value.text) : shortened(value.text, maxLength);
}

function quoted(text: string): string {
  return `“${shortened(text, maxLength)}”`;
}
