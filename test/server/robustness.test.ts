/**
 * The server's features on any text: mutated and cut queries, random pieces, every end of line. Nothing
 * throws, every range lies in the document, every completion edits the line of the cursor around it.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Range } from 'vscode-languageserver';
import { codeLenses } from '../../server/src/features/codeLens.ts';
import { completion, withEdits } from '../../server/src/features/completion.ts';
import { resolveCompletion } from '../../server/src/features/completionResolve.ts';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import { hover } from '../../server/src/features/hover.ts';
import { queryAt } from '../../server/src/features/queryAt.ts';
import { semanticTokens } from '../../server/src/features/semanticTokens.ts';
import { queries } from '../language/queries.data.ts';
import { mutate, type Random, randomText, seeded } from '../language/random.ts';
import { schema, snapshotOf } from './marked.ts';

const rounds = process.env.APLOMB_LONG === '1' ? 20_000 : 2_000;

function hostileText(random: Random): string {
  let text =
    random.below(5) === 0
      ? randomText(random, 1 + random.below(20))
      : mutate(random, `${random.pick(queries)}\n\n${random.pick(queries)}`);
  if (random.below(3) === 0) text = text.slice(0, random.below(text.length + 1));
  return random.below(3) === 0 ? text.replace(/\n/g, '\r\n') : text;
}

/** Runs `check` with a document; a failure names the text. */
function tried(seed: number, check: (snapshot: ReturnType<typeof snapshotOf>, at: number) => void) {
  const random = seeded(seed);
  for (let i = 0; i < rounds; i++) {
    const text = hostileText(random);
    const at = random.below(text.length + 1);
    try {
      check(snapshotOf(text, schema), at);
    } catch (error) {
      throw new Error(`at ${at} of ${JSON.stringify(text)}`, { cause: error });
    }
  }
}

type Snapshot = ReturnType<typeof snapshotOf>;

function assertRange({ lines, text }: Snapshot, range: Range): void {
  const start = lines.offsetAt(range.start);
  const end = lines.offsetAt(range.end);
  assert.ok(start >= 0 && start <= end && end <= text.length);
  assert.deepEqual(lines.positionAt(start), range.start);
}

describe('on any text', () => {
  it('diagnostics have a message and a range in the document', () => {
    tried(1, (snapshot) => {
      for (const { range, message } of diagnostics(snapshot)) {
        assertRange(snapshot, range);
        assert.doesNotMatch(String(message), /undefined|\[object/);
      }
    });
  });

  it('a completion edits the line of the cursor around it and offers nothing twice', () => {
    tried(2, (snapshot, at) => {
      const { items } = withEdits(completion(snapshot, at));
      const seen = new Set<string>();
      for (const item of items) {
        const edit = item.textEdit;
        assert.ok(edit !== undefined && 'range' in edit);
        assertRange(snapshot, edit.range);
        assert.equal(edit.range.start.line, edit.range.end.line);
        assert.ok(snapshot.lines.offsetAt(edit.range.start) <= at, item.label);
        assert.ok(snapshot.lines.offsetAt(edit.range.end) >= at, item.label);
        const key = `${item.label}, ${item.kind}`;
        assert.ok(!seen.has(key), key);
        seen.add(key);
      }
      const [first] = items;
      if (first !== undefined) assert.equal(resolveCompletion(first).label, first.label);
    });
  });

  it('a hover is around the cursor', () => {
    tried(3, (snapshot, at) => {
      const found = hover(snapshot, at);
      if (found?.range === undefined) return;
      assertRange(snapshot, found.range);
      assert.ok(snapshot.lines.offsetAt(found.range.start) <= at);
      assert.ok(snapshot.lines.offsetAt(found.range.end) >= at);
    });
  });

  it('semantic tokens are in order, apart, and each on one line', () => {
    tried(4, (snapshot) => {
      const { data } = semanticTokens(snapshot);
      const lineLengths = snapshot.text.split(/\r\n|\r|\n/).map((line) => line.length);
      let line = 0;
      let end = 0;
      let character = 0;
      for (let i = 0; i < data.length; i += 5) {
        const [down, right, length] = data.slice(i, i + 3) as [number, number, number];
        line += down;
        character = down === 0 ? character + right : right;
        assert.ok(down > 0 || character >= end, `token ${i / 5} starts inside another`);
        end = character + length;
        assert.ok(length > 0 && end <= (lineLengths[line] ?? -1), `token ${i / 5} of line ${line}`);
      }
    });
  });

  it('the query at the cursor is one of all of them, each with its lens', () => {
    tried(5, (snapshot, at) => {
      const all = queryAt(snapshot, { uri: snapshot.uri });
      const position = snapshot.lines.positionAt(at);
      const [one] = queryAt(snapshot, { uri: snapshot.uri, position });
      if (one !== undefined) assert.ok(all.some(({ text }) => text === one.text));
      assert.equal(codeLenses(snapshot, { runLens: true, stageLens: false }).length, all.length);
      for (const { range } of all) assertRange(snapshot, range);
    });
  });
});
