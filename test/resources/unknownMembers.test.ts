// Finds members of documents that are not in their schema, with the names that were probably meant.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { documentOf, documentText } from '../../resources/src/documents.ts';
import { memberValue } from '../../resources/src/jsonText.ts';
import { kindNames, kinds } from '../../resources/src/kinds.ts';
import { unknownMembers } from '../../resources/src/unknownMembers.ts';
import type { Members } from '../../resources/src/value.ts';
import { schemaOf } from '../../scripts/kinds.ts';

/** Returns the unknown members of a monitor, as `name → meant`. */
function found(document: Members, base: Members, isNew = false): string[] {
  const text = documentText(document);
  const { setByService } = kinds.monitors;
  return unknownMembers(text, schemaOf('monitors'), { base, isNew, setByService }).map(
    ({ name, suggestion, start, end, hasSuggestion }) => {
      assert.equal(text.slice(start, end), name);
      return `${name} → ${suggestion ?? 'nothing'}${hasSuggestion ? ' again' : ''}`;
    },
  );
}

describe('an unknown member', () => {
  it('with a name close to a known one is reported in new and in existing documents', () => {
    const base = { name: 'a' };
    for (const isNew of [false, true]) {
      assert.deepEqual(found({ ...base, treshold: 1, descripton: '' }, base, isNew), [
        'descripton → description',
        'treshold → threshold',
      ]);
    }
    const both = { ...base, description: '', descripton: '' };
    assert.deepEqual(found(both, base), ['descripton → description again']);
    assert.deepEqual(found({ ...base, Threshold: 1 }, base), ['Threshold → threshold']);
  });

  it('without a similar known name is reported only in a new document', () => {
    const written = { name: 'a', somethingElse: 1 };
    assert.deepEqual(found(written, { name: 'a' }), []);
    assert.deepEqual(found(written, { name: 'a' }, true), ['somethingElse → nothing']);
  });

  it('from the service is never reported, nor are the members below it', () => {
    const record = { name: 'a', treshold: 1, odd: { treshold: [{ nmae: 1 }] }, createdAt: 'x' };
    assert.deepEqual(found(record, record, true), []);
    assert.deepEqual(found({ ...record, id: 'x', createdAt: 'y' }, { ...record }, true), []);
    assert.deepEqual(found({ ...record, odd: { other: 1 } }, record, true), []);
  });

  it('of an array item is not reported if another item from the service has it', () => {
    const chart = { id: 'a', colour: 'red', query: { apl: '' } };
    const base = { dashboard: { name: 'd', charts: [chart] } };
    const charts = [chart, { ...chart, id: 'b', nme: 'B', query: { alp: '' } }];
    const text = documentText({ dashboard: { name: 'd', charts } });
    const schema = schemaOf('dashboards');
    const options = { base, isNew: true, setByService: [] };
    assert.deepEqual(
      unknownMembers(text, schema, options).map(({ name, suggestion }) => [name, suggestion]),
      [
        ['nme', 'name'],
        ['alp', 'apl'],
      ],
    );
  });

  it('is not reported in an object with arbitrary names', () => {
    const properties = { customWebhook: { url: '', body: '', headers: { 'x-url': '' } } };
    const text = documentText({ name: 'n', properties });
    const options = { base: {}, isNew: true, setByService: [] };
    assert.deepEqual(unknownMembers(text, schemaOf('notifiers'), options), []);
  });

  it('never appears in a draft', () => {
    for (const kind of kindNames) {
      const document = kinds[kind].draft?.({ name: 'a', apl: 'b', dataset: 'c', now: 0 });
      if (document === undefined) continue;
      const options = { base: {}, isNew: true, setByService: kinds[kind].setByService };
      const text = documentText(documentOf(kind, document));
      assert.deepEqual(unknownMembers(text, schemaOf(kind), options), [], kind);
    }
  });
});

describe("the span of a member's value", () => {
  it('covers the characters that typing should replace', () => {
    const text = '{ "a": { "b" : 12.5 }, "c": "x\\"y", "d": [], "e": true}';
    const shown = (path: readonly string[]) => {
      const span = memberValue(text, path);
      return span && text.slice(span.start, span.end);
    };
    assert.equal(shown(['a', 'b']), '12.5');
    assert.equal(shown(['c']), 'x\\"y');
    assert.equal(shown(['d']), '');
    assert.equal(memberValue(text, ['d'])?.start, text.indexOf('[') + 1);
    assert.equal(shown(['e']), 'true');
    assert.equal(shown(['b']), undefined);
  });

  it('is found for every member that a draft leaves to be filled in', () => {
    for (const kind of kindNames) {
      const { draft, emptyMembers = [] } = kinds[kind];
      const document = draft?.({ name: 'a', now: 0 });
      if (document === undefined) continue;
      const text = documentText(document);
      for (const path of emptyMembers) assert.ok(memberValue(text, path), `${kind} ${path}`);
    }
  });
});
