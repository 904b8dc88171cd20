/**
 * The server's features on random text: mutated and truncated queries, random tokens, every line ending. Nothing
 * throws, every range is within the document, and every completion edits the cursor's line around the cursor.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DocumentSymbol, Range } from 'vscode-languageserver';
import { applyEdits } from '../../language/src/index.ts';
import { codeActions } from '../../server/src/features/codeActions.ts';
import { codeLenses } from '../../server/src/features/codeLens.ts';
import { completion, withEdits } from '../../server/src/features/completion.ts';
import { resolveCompletion } from '../../server/src/features/completionResolve.ts';
import { definition } from '../../server/src/features/definition.ts';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import { documentLinks } from '../../server/src/features/documentLinks.ts';
import { documentSymbols } from '../../server/src/features/documentSymbols.ts';
import { foldingRanges } from '../../server/src/features/folding.ts';
import { highlights } from '../../server/src/features/highlights.ts';
import { hover } from '../../server/src/features/hover.ts';
import { inlayHints } from '../../server/src/features/inlayHints.ts';
import { queryAt } from '../../server/src/features/queryAt.ts';
import { references } from '../../server/src/features/references.ts';
import { preparedRename, rename } from '../../server/src/features/rename.ts';
import { selectionRange } from '../../server/src/features/selectionRanges.ts';
import { semanticTokens } from '../../server/src/features/semanticTokens.ts';
import { signatureHelp } from '../../server/src/features/signatureHelp.ts';
import { defaultSettings } from '../../server/src/settings.ts';
import { ValuesSeen } from '../../server/src/valuesSeen.ts';
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

/** Runs `check` with random documents and offsets. A failure reports the text. */
function tried(seed: number, check: (snapshot: ReturnType<typeof snapshotOf>, at: number) => void) {
  const random = seeded(seed);
  for (let i = 0; i < rounds; i++) {
    const text = hostileText(random);
    const snapshot = snapshotOf(text, schema);
    // A client's position is never inside a line ending.
    const { lines } = snapshot;
    const at = lines.offsetAt(lines.positionAt(random.below(text.length + 1)));
    try {
      check(snapshot, at);
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

describe('on random text', () => {
  it('diagnostics have a message and a range within the document', () => {
    tried(1, (snapshot) => {
      for (const { range, message } of diagnostics(snapshot)) {
        assertRange(snapshot, range);
        assert.doesNotMatch(String(message), /undefined|\[object/);
      }
    });
  });

  const shown = new ValuesSeen();
  const values = ["it's", 'a"b\\', 'GET', 200, true];
  const columns = ['method', 'status', 'geo.city', 'code'].map((name) => ({ name, values }));
  shown.add({ query: "['http-logs'] | take 1", columns }, schema);

  it('completion edits only text around the cursor and offers no duplicate items', () => {
    tried(2, (snapshot, at) => {
      const { items } = withEdits(completion(snapshot, at, { seen: shown }));
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

  it('a hover range contains the cursor', () => {
    tried(3, (snapshot, at) => {
      const found = hover(snapshot, at);
      if (found?.range === undefined) return;
      assertRange(snapshot, found.range);
      assert.ok(snapshot.lines.offsetAt(found.range.start) <= at);
      assert.ok(snapshot.lines.offsetAt(found.range.end) >= at);
    });
  });

  it('signature help has valid label ranges and an active parameter within bounds', () => {
    tried(13, (snapshot, at) => {
      const help = signatureHelp(snapshot, at);
      if (help === undefined) return;
      const signature = help.signatures[help.activeSignature ?? 0];
      assert.ok(signature !== undefined);
      const { label, parameters = [] } = signature;
      const activeParameter = signature.activeParameter ?? -1;
      assert.doesNotMatch(label, /undefined|\[object/);
      assert.ok(activeParameter >= 0 && activeParameter <= parameters.length, label);
      for (const parameter of parameters) {
        const [start, end] = parameter.label as [number, number];
        assert.ok(start < end && end <= label.length, label);
      }
    });
  });

  it('inlay hints are in order and within the requested range', () => {
    const all = { columnTypeHints: true, resultColumnHints: true };
    tried(14, (snapshot, at) => {
      const range = { start: Math.min(at, 20), end: at };
      let last = range.start;
      for (const { position, label } of inlayHints(snapshot, range, all)) {
        const offset = snapshot.lines.offsetAt(position);
        assert.ok(last <= offset && offset <= range.end, String(label));
        assert.doesNotMatch(String(label), /undefined|\[object|unknown/);
        last = offset;
      }
    });
  });

  it('semantic tokens are in order, disjoint, and on one line each', () => {
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

  it('the query at the cursor belongs to the document, and each query has one lens', () => {
    tried(5, (snapshot, at) => {
      const all = queryAt(snapshot, { uri: snapshot.uri });
      const position = snapshot.lines.positionAt(at);
      const [one] = queryAt(snapshot, { uri: snapshot.uri, position });
      if (one !== undefined) assert.ok(all.some(({ text }) => text === one.text));
      assert.equal(codeLenses(snapshot, { runLens: true, stageLens: false }).length, all.length);
      for (const { range } of all) assertRange(snapshot, range);
    });
  });

  it('outline items contain their names and their children', () => {
    const check = (snapshot: Snapshot, symbols: readonly DocumentSymbol[], outer: Range) => {
      const offset = (position: Range['start']) => snapshot.lines.offsetAt(position);
      for (const { name, range, selectionRange, children } of symbols) {
        assert.notEqual(name.trim(), '');
        assertRange(snapshot, range);
        assert.ok(offset(outer.start) <= offset(range.start), name);
        assert.ok(offset(range.start) <= offset(selectionRange.start), name);
        assert.ok(offset(selectionRange.end) <= offset(range.end), name);
        assert.ok(offset(range.end) <= offset(outer.end), name);
        check(snapshot, children ?? [], range);
      }
    };
    tried(6, (snapshot) => {
      const all = { start: { line: 0, character: 0 }, end: snapshot.lines.positionAt(Infinity) };
      check(snapshot, documentSymbols(snapshot), all);
    });
  });

  it('folding ranges cover several lines and start on distinct lines', () => {
    tried(7, (snapshot) => {
      const last = snapshot.lines.positionAt(snapshot.text.length).line;
      let before = -1;
      for (const { startLine, endLine } of foldingRanges(snapshot)) {
        assert.ok(before < startLine && startLine < endLine && endLine <= last);
        before = startLine;
      }
    });
  });

  it('selection ranges grow strictly up to the entire document', () => {
    tried(8, (snapshot, at) => {
      const { lines } = snapshot;
      let range = selectionRange(snapshot, lines.positionAt(at));
      for (; range.parent !== undefined; range = range.parent) {
        assertRange(snapshot, range.range);
        const [start, end] = [range.range.start, range.range.end].map((one) => lines.offsetAt(one));
        const outer = range.parent.range;
        assert.ok(lines.offsetAt(outer.start) <= (start as number));
        assert.ok(lines.offsetAt(outer.end) >= (end as number));
        assert.notDeepEqual(outer, range.range);
      }
      assert.equal(lines.offsetAt(range.range.end), snapshot.text.length);
    });
  });

  it('ranges of occurrences, definitions and links are within the document', () => {
    tried(9, (snapshot, at) => {
      const found = [
        ...highlights(snapshot, at),
        ...definition(snapshot, at),
        ...references(snapshot, at, true),
        ...documentLinks(snapshot),
      ];
      for (const { range } of found) assertRange(snapshot, range);
    });
  });

  it('a rename is refused with a full sentence or has disjoint edits', () => {
    tried(10, (snapshot, at) => {
      const prepared = preparedRename(snapshot, at);
      const edit = rename(snapshot, at, 'a name');
      if ('refusal' in edit) return assert.match(edit.refusal, /^\S.*\.$/s);
      assert.ok('placeholder' in prepared);
      let end = -1;
      const edits = edit.changes?.[snapshot.uri] ?? [];
      const ranges = edits.map(({ range }) => range);
      const offset = (position: Range['start']) => snapshot.lines.offsetAt(position);
      ranges.sort((a, b) => offset(a.start) - offset(b.start) || offset(a.end) - offset(b.end));
      for (const range of ranges) {
        assertRange(snapshot, range);
        assert.ok(offset(range.start) >= end);
        end = offset(range.end);
      }
    });
  });

  it('quick fixes have disjoint edits within the document', () => {
    tried(11, (snapshot, at) => {
      const position = snapshot.lines.positionAt(at);
      const context = { diagnostics: diagnostics(snapshot), only: ['quickfix', 'source'] };
      const params = { range: { start: position, end: position }, context };
      for (const { title, edit } of codeActions(snapshot, params, defaultSettings)) {
        assert.ok(title.length > 0);
        const edits = edit?.changes?.[snapshot.uri] ?? [];
        for (const { range } of edits) assertRange(snapshot, range);
        // applyEdits throws if two edits overlap.
        const { lines } = snapshot;
        applyEdits(
          snapshot.text,
          edits.map(({ range, newText }) => ({
            start: lines.offsetAt(range.start),
            end: lines.offsetAt(range.end),
            text: newText,
          })),
        );
      }
    });
  });
});
