/** Inlay hints, shown inside the query text. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MarkupContent } from 'vscode-languageserver';
import { inlayHints } from '../../server/src/features/inlayHints.ts';
import { snapshotOf } from './marked.ts';

const types = { columnTypeHints: true, resultColumnHints: false };
const results = { columnTypeHints: false, resultColumnHints: true };

/** Returns the text with each hint in guillemets, and a space on each side that has padding. */
function hinted(text: string, settings = types, range = { start: 0, end: text.length }): string {
  const snapshot = snapshotOf(text);
  let shown = '';
  let end = 0;
  for (const hint of inlayHints(snapshot, range, settings)) {
    const at = snapshot.lines.offsetAt(hint.position);
    const label = `${hint.paddingLeft ? ' ' : ''}«${hint.label}»${hint.paddingRight ? ' ' : ''}`;
    shown += text.slice(end, at) + label;
    end = at;
  }
  return shown + text.slice(end);
}

describe('type hints', () => {
  it('appear after the names that a query defines', () => {
    assert.equal(
      hinted("['http-logs'] | extend x = strlen(method), y = duration > 1"),
      "['http-logs'] | extend x«: long» = strlen(method), y«: bool» = duration > 1",
    );
    assert.equal(
      hinted("let least = 5h; let t = ['traces']; print least"),
      "let least«: timespan» = 5h; let t«: table» = ['traces']; print least",
    );
    assert.equal(
      hinted("['http-logs'] | project method, took = duration"),
      "['http-logs'] | project method, took«: real» = duration",
    );
  });

  it('show the name of an unnamed column unless its name is unpredictable', () => {
    assert.equal(
      hinted("['http-logs'] | summarize count(), n = dcount(method) by bin(_time, 1h), status"),
      "['http-logs'] | summarize «count_: long =» count(), n«: long» = dcount(method) by bin(_time, 1h), status",
    );
    const guessed = "['http-logs'] | summarize make_set(method)";
    assert.equal(hinted(guessed), guessed);
  });

  it('show the column type that the operator outputs, such as dynamic in make-series', () => {
    assert.match(
      hinted("['http-logs'] | make-series n = count() on _time step 1h"),
      /n«: dynamic» = count\(\)/,
    );
  });

  it('are omitted for explicit types and unknown types', () => {
    for (const text of [
      "['http-logs'] | parse method with 'a' n:long",
      'datatable (a:long) [1]',
      "['nowhere'] | extend x = whatever",
      '',
      '| | |',
    ]) {
      assert.equal(hinted(text), text);
    }
  });
});

describe('column hints', () => {
  it('appear at the end of the line of a stage that changes the columns', () => {
    assert.equal(
      hinted("['traces']\n| where span == 'a'\n| extend n = 1 // one\n| take 5\n| count", results),
      "['traces']\n| where span == 'a'\n| extend n = 1 // one «→ span, n»\n| take 5\n| count «→ count»",
    );
  });

  it('appear once at the end of a line with several stages', () => {
    assert.equal(
      hinted("['traces'] | extend n = 1 | project n", results),
      "['traces'] | extend n = 1 | project n «→ n»",
    );
  });

  it('are truncated, with the number of omitted columns, and list all columns in the tooltip', () => {
    const text = "['http-logs'] | extend x = 1";
    assert.match(hinted(text, results), /«→ \w.*, \d more»$/);
    // Editors truncate longer labels at any position.
    const [, label] = /«(.*)»/.exec(hinted(text, results)) ?? assert.fail();
    assert.ok((label?.length ?? 99) <= 43);
    const [hint] = inlayHints(snapshotOf(text), { start: 0, end: text.length }, results);
    assert.match(
      (hint?.tooltip as MarkupContent | undefined)?.value ?? '',
      /^8 columns: .*`x` long/,
    );
  });

  it('appear for stages in parentheses', () => {
    const text = "['traces']\n| join (\n  ['traces'] | extend z = 1\n) on span";
    assert.match(hinted(text, results), /extend z = 1 «→ span, z»\n\) on span «→/);
  });
});

describe('inlay hints', () => {
  it('are empty if both settings are off', () => {
    const text = "['traces'] | extend n = 1";
    assert.equal(hinted(text, { columnTypeHints: false, resultColumnHints: false }), text);
  });

  it('are limited to the requested range', () => {
    const text = "['traces'] | extend a = 1\n| extend b = 2\n\nprint c = 3";
    const from = text.indexOf('| extend b');
    const range = { start: from, end: text.indexOf('\n\nprint') };
    assert.equal(hinted(text, types, range).match(/«/g)?.length, 1);
    assert.match(hinted(text, types, range), /b«: long»/);
  });
});
