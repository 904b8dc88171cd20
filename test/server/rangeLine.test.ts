// Completion in the comment with a file's time range: the client must be able to parse every item.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rangeLine } from '../../client/src/deployments/fileLines.ts';
import { parseTimeRange } from '../../client/src/time/parseTimeRange.ts';
import { completion, withEdits } from '../../server/src/features/completion.ts';
import { applied, cursor, snapshotOf } from './marked.ts';

function complete(marked: string) {
  const { text, offset } = cursor(marked);
  return { text, ...withEdits(completion(snapshotOf(text), offset)) };
}

describe("completion of a file's time range", () => {
  for (const marked of ['// range: $0\nlogs', '// range:$0', 'print 1\n\n  //range: la$0\r\nlogs'])
    it(`offers ranges that the client can parse: ${JSON.stringify(marked)}`, () => {
      const { text, items } = complete(marked);
      assert.ok(items.length > 5);
      for (const item of items) {
        const written = rangeLine(applied(text, item))?.text;
        assert.equal(written, item.label);
        assert.equal(typeof parseTimeRange(item.label, Date.now()), 'object', item.label);
      }
    });

  it('offers no ranges in unrelated comments or in code', () => {
    for (const marked of ['// ranges: $0', '// the range: $0\nlogs', 'logs | where range: $0'])
      assert.ok(complete(marked).items.every(({ label }) => label !== '7d'));
  });
});
