/** The parts, fractions and literals of Go time layouts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { layoutTokens } from '../../formats/src/goLayout.ts';

/** Returns the tokens' texts, with parts in brackets and fractions in braces. */
function marked(layout: string): string {
  return layoutTokens(layout)
    .map(({ kind, text }) => {
      if (kind === 'part') return `[${text}]`;
      return kind === 'fraction' ? `{${text}}` : text;
    })
    .join('');
}

const cases = {
  '2006-01-02T15:04:05Z07:00': '[2006]-[01]-[02]T[15]:[04]:[05][Z07:00]',
  'Mon, 02 Jan 06 03:04:05.000 PM MST': '[Mon], [02] [Jan] [06] [03]:[04]:[05]{.000} [PM] [MST]',
  'Monday January _2 3:4:5,999 -0700': '[Monday] [January] [_2] [3]:[4]:[5]{,999} [-0700]',
  '2006 002 Z07 -07': '[2006] [002] [Z07] [-07]',
  'Month Janet %': 'Month Janet %',
  '05.0008': '[05].0008',
};

describe('layoutTokens', () => {
  for (const [layout, expected] of Object.entries(cases)) {
    it(`splits ${layout}`, () => assert.equal(marked(layout), expected));
  }
});
