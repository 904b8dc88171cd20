/** Formatting never changes meaning: valid queries, broken queries and random text. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type FormatOptions,
  format,
  formatQuery,
  formatRange,
  formatTyped,
} from '../../language/src/editing.ts';
import { parseQuery } from '../../language/src/index.ts';
import { checkEdits, checkFormat } from './formatGuarantees.ts';
import { queries } from './queries.data.ts';
import { mutate, type Random, randomText, seeded } from './random.ts';

/**
 * Queries with every kind of line: comments, subqueries, dynamic values, rows, suppressed lines.
 */
const rich: readonly string[] = [
  '// a\nlet t = logs | where a==1 // b\n | project b,c // c\n ;\nt\n// d\n| where a in (1,2, // e\n 3)\n// f',
  'union (a | where x==1 | take 5), (b // g\n), c* | extend z=case(a>1,"x",b<2,"y","z"), w=-(1+2)*-x%3',
  "print dynamic({'a':[1,2,{'b':null}],c:-5,'d':['one','two','three','four']})\n| extend v=a[0].b['c'][1:2]",
  "datatable(a:string,b:long)['x',1,'y',2,] | sort by a asc nulls first,b desc | lookup kind=inner (t) on a,b",
  '// aplomb-disable-next-line dropped-column\nlogs|project a|where b\n // aplomb-disable-next-line\n| extend c=1,\nd=2',
];

const layouts: readonly Partial<FormatOptions>[] = [
  {},
  { width: 40, tabSize: 2 },
  { width: 20, insertSpaces: false },
  { width: 6, finalNewline: false },
];

function document(random: Random): string {
  const from = [...queries, ...rich, ...rich];
  let text = random.below(8) === 0 ? randomText(random, 1 + random.below(30)) : random.pick(from);
  if (random.below(4) > 0) text = mutate(random, text);
  if (random.below(4) === 0) text += `\n\n${random.pick(from)}`;
  return random.below(6) === 0 ? text.replaceAll('\n', '\r\n') : text;
}

describe('formatting', () => {
  it('keeps the meaning of valid queries and removes redundant spaces', () => {
    for (const text of [...queries, ...rich]) {
      for (const layout of layouts) checkFormat(text, layout);
      const wide = text.replaceAll(/([|,=]) ?/g, '$1   ');
      if (parseQuery(wide).problems.length === 0) assert.notDeepEqual(format(wide), []);
    }
  });

  it('keeps the tokens and problems of broken text', () => {
    const random = seeded(3);
    for (let round = 0; round < 2_000; round++) {
      checkFormat(document(random), random.pick(layouts));
    }
  });

  it('keeps the tokens and problems of broken text within a selection or while typing', () => {
    const random = seeded(4);
    for (let round = 0; round < 1_000; round++) {
      const text = document(random);
      const [start, end] = [random.below(text.length + 1), random.below(text.length + 1)].sort(
        (a, b) => a - b,
      ) as [number, number];
      checkEdits(text, formatRange(text, { start, end }));
      const typed = `${text.slice(0, start)}${random.pick(['|', '\n'])}`;
      const edits = formatTyped(typed + text.slice(start), typed.length);
      checkEdits(typed + text.slice(start), edits);
      assert.ok(edits.every((edit) => edit.end <= typed.length));
    }
  });

  it('still changes at least 85% of badly formatted queries after a random edit', () => {
    const random = seeded(5);
    let untouched = 0;
    for (let round = 0; round < 500; round++) {
      const text = mutate(random, random.pick(queries)).replaceAll(/\s*\|\s*/g, '\n  |   ');
      if (formatQuery(text.trim()).length === 0) untouched++;
    }
    // Some queries have a single stage, which is the broken one.
    assert.ok(untouched < 75, `${untouched} of 500`);
  });
});
