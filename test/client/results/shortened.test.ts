// Truncated text: a surrogate pair at the limit is omitted as a whole.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ViewColumn } from '../../../client/src/results/pageContent.ts';
import { filterText } from '../../../client/src/results/view/filterText.ts';
import { shortened, visibleText } from '../../../table/src/visibleText.ts';

const column = { name: 'message' } as ViewColumn;
const half = /U\+D83D/;

it('truncated chart labels and filters do not end with half of a surrogate pair', () => {
  for (let letters = 55; letters < 65; letters += 1) {
    const text = `${'a'.repeat(letters)}${'😀'.repeat(30)}`;
    const filter = { kind: 'text', match: 'contains', negated: false, text } as const;
    assert.doesNotMatch(visibleText(shortened(text, 60)), half);
    const chip = filterText({ ...filter, column: 0 } as never, column);
    assert.match(chip, /…/);
    assert.doesNotMatch(visibleText(chip), half);
  }
});
