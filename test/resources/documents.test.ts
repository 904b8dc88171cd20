// Resources as documents: lossless conversion of every kind, and the positions of their APL.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endpointRow, endpoints, parseJson } from '../../api/src/index.ts';
import { aplLiterals, aplLocation, aplLocations } from '../../resources/src/aplLocations.ts';
import {
  creationBody,
  documentOf,
  documentText,
  readDocument,
  updateBody,
} from '../../resources/src/documents.ts';
import { decode, encode } from '../../resources/src/jsonText.ts';
import {
  idOf,
  type KindName,
  kindNames,
  kinds,
  recordOf,
  withAlert,
  withoutAlert,
} from '../../resources/src/kinds.ts';
import { equal, type Members, withValueAt } from '../../resources/src/value.ts';

const apl = '[\'logs\']\n| where message == "a\\tb" // \u00fc \ud83d\ude00';

/** A record of each kind as a service may send it, with members unknown to this project. */
const records: Readonly<Record<KindName, string>> = {
  monitors: `{"id":"m1","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-02T00:00:00Z","createdBy":"u1",
    "name":"Errors","type":"Threshold","aplQuery":${JSON.stringify(apl)},"threshold":9007199254740993,
    "unknown":{"b":[1,9223372036854775807,null],"a":-9223372036854775808},"disabledUntil":null}`,
  notifiers: `{"id":"n1","createdAt":"2026-01-01T00:00:00Z","name":"On call","disabledUntil":null,
    "properties":{"pigeon":{"loft":"north","number":9007199254740993,"isFast":true}}}`,
  dashboards: `{"id":"1","uid":"board","version":9007199254740995,"createdAt":"a","createdBy":"b","updatedAt":"c",
    "updatedBy":"d","folder":"team","dashboard":{"name":"Board","charts":[
      {"id":"c1","type":"TimeSeries","name":"One","query":{"apl":${JSON.stringify(apl)},"extra":1}},
      {"id":"c2","type":"Note","text":"\\u00e4","big":12345678901234567890},
      {"id":"c3","query":{"apl":"['logs'] | count"}}],"layout":[{"i":"c1","w":3}]}}`,
  views: `{"id":"v1","name":"paid","aplQuery":${JSON.stringify(apl)},"datasets":["logs"],"later":18446744073709551615}`,
  annotations: `{"id":"a1","type":"deploy","title":"v2","datasets":["logs"],"time":"2026-01-01T00:00:00Z",
    "endTime":null,"commit":{"number":9007199254740993}}`,
  savedQueries: `{"id":"s1","name":"Errors","kind":"apl","who":"u1","query":{"apl":${JSON.stringify(apl)},
    "queryOptions":{"quickRange":"30d"}},"metadata":{"n":9007199254740993}}`,
  virtualFields: `{"id":"f1","dataset":"logs","name":"slow","expression":"duration > 1s","seen":9007199254740993}`,
  mapFields: `["labels","attributes.custom"]`,
};

const recordFor = (kind: KindName): Members => recordOf(kind, parseJson(records[kind]));

describe('a resource document', () => {
  for (const kind of kindNames) {
    it(`of the ${kinds[kind].plural} survives a round trip with all its unknown members`, () => {
      const record = recordFor(kind);
      const document = documentOf(kind, record);
      const text = documentText(document);
      const read = readDocument(kind, text);
      assert.ok(read.ok);
      assert.ok(equal(read.document, document));
      assert.equal(documentText(read.document), text);
      assert.ok(text.endsWith('}\n'));
      for (const member of kinds[kind].setByService) {
        assert.ok(!Object.hasOwn(read.document, member), member);
      }
      const known = Object.keys(record).filter((name) => !kinds[kind].setByService.includes(name));
      assert.deepEqual(Object.keys(read.document).sort(), known.sort());
      const digits = /\d{16,}/g;
      const kept = records[kind].replace(/"version":\d+,/, '').match(digits) ?? [];
      assert.deepEqual(text.match(digits)?.toSorted() ?? [], kept.toSorted());
    });
  }

  it("orders its members independently of the service's order", () => {
    const text = documentText(
      parseJson('{"z":{"b":1,"name":2,"a":3},"name":"n","10":1}') as Members,
    );
    const other = documentText(
      parseJson('{"10":1,"name":"n","z":{"a":3,"name":2,"b":1}}') as Members,
    );
    assert.equal(text, other);
    assert.match(text, /"name": "n",\n {2}"z": \{\n {4}"name": 2,\n {4}"a": 3,\n {4}"b": 1/);
  });

  it('is rejected with a reason if the JSON is invalid or not an object', () => {
    const broken = readDocument('monitors', '{"name": }');
    assert.ok(!broken.ok);
    assert.match(broken.problem, /^The document is not valid JSON\. .*\.$/s);
    const list = readDocument('views', '[]');
    assert.ok(!list.ok);
    assert.equal(list.problem, 'A view must be a JSON object.');
    assert.ok(readDocument('views', '\uFEFF{}').ok);
  });

  it('keeps a member named __proto__', () => {
    const read = readDocument('monitors', '{"name":"n","__proto__":{"a":1}}');
    assert.ok(read.ok);
    assert.match(
      documentText(documentOf('monitors', read.document)),
      /"__proto__": \{\n {4}"a": 1/,
    );
  });
});

describe('the body of an update', () => {
  it('contains the stored version of a dashboard and every member', () => {
    const stored = recordFor('dashboards');
    const document = documentOf('dashboards', stored);
    const body = updateBody('dashboards', stored, document) as Members;
    assert.equal(body.version, 9007199254740995n);
    assert.equal(body.folder, 'team');
    assert.equal(body.id, undefined);
    assert.equal((creationBody('dashboards', document) as Members).version, undefined);
  });

  it("clears a member that the annotation's document no longer has", () => {
    const stored = recordFor('annotations');
    const { title: _, ...document } = documentOf('annotations', stored);
    assert.equal((updateBody('annotations', stored, document) as Members).title, '');
  });

  it('is a plain array for map fields', () => {
    const stored = recordFor('mapFields');
    assert.deepEqual(updateBody('mapFields', stored, { mapFields: ['a.b'] }), ['a.b']);
  });
});

describe('the table of resource kinds', () => {
  it('names endpoints with the right methods, paths and capabilities', () => {
    for (const kind of kindNames) {
      const { endpoints: keys, capability } = kinds[kind];
      const methods = { list: 'GET', get: 'GET', create: 'POST', update: 'PUT', delete: 'DELETE' };
      for (const [name, method] of Object.entries(methods)) {
        const key = keys[name as keyof typeof methods];
        if (key === undefined) continue;
        const row = endpointRow(key);
        assert.equal(row.method, method, `${kind} ${name}`);
        assert.ok(row.capability?.startsWith(`${capability}:`), `${kind} ${name}`);
        const own = name !== 'list' && name !== 'create';
        assert.equal(row.path.includes(`{${keys.parameter}}`), own, `${kind} ${name}`);
        if (name === 'list') {
          const { properties } = row.query as unknown as { properties: object };
          assert.equal('limit' in properties, keys.page !== undefined, `${kind} is paged`);
        }
      }
    }
    assert.ok(Object.keys(endpoints).length > 50);
  });

  it("finds a record's identifier, and uses a view's name if the view has no other", () => {
    assert.equal(idOf('dashboards', recordFor('dashboards')), 'board');
    assert.equal(idOf('views', { name: 'paid' }), 'paid');
    assert.equal(idOf('monitors', { name: 'no identifier' }), undefined);
  });

  it('shows any record without throwing, whatever its members are', () => {
    const odd: Members[] = [
      {},
      ...[null, 1, [], {}, 'x', 12345678901234567890n].map((value) => ({
        id: value,
        name: value,
        title: value,
        type: value,
        time: value,
        datasets: value,
        description: value,
        dashboard: value,
        disabledUntil: value,
        intervalMinutes: value,
      })),
    ];
    for (const kind of kindNames) {
      for (const record of odd) {
        assert.equal(typeof kinds[kind].show(record, 0).name, 'string');
        aplLocations(kind, record);
      }
    }
  });

  it('shows monitors with thresholds, ordered by state with firing monitors first', () => {
    const threshold = { type: 'Threshold', operator: 'AboveOrEqual', threshold: 10n };
    const shown = kinds.monitors.show({ name: 'm', ...threshold, intervalMinutes: 5 }, 0);
    assert.deepEqual([shown.note, shown.detail], ['\u2265 10', ['every 5 min']]);
    const since = '2026-01-02T08:30:00Z';
    const firing = withAlert(shown, { isOpen: true, since });
    assert.equal(firing.note, 'firing · \u2265 10');
    assert.deepEqual(firing.detail, ['firing since 2026-01-02 08:30:00 UTC', 'every 5 min']);
    const resolved = withAlert(shown, { isOpen: false, since });
    assert.equal(resolved.note, shown.note);
    assert.equal(resolved.detail?.at(-1), 'resolved 2026-01-02 08:30:00 UTC');
    const unknown = withoutAlert(shown, 'It broke.');
    assert.deepEqual([unknown.note, unknown.state], [shown.note, 'enabled']);
    assert.equal(unknown.detail?.at(-1), 'alert not known: It broke.');
    const disabled = kinds.monitors.show({ name: 'm', disabled: true, ...threshold }, 0);
    // The disabled monitor's alert may still be open, but no notification is sent.
    assert.deepEqual(withAlert(disabled, { isOpen: true, since }), disabled);
    const orders = [firing, resolved, disabled].map(({ order = '' }) => order);
    assert.deepEqual(orders, orders.toSorted());
    assert.equal(new Set(orders).size, 3);
    assert.equal(kinds.monitors.show({ name: 'm', type: 'MatchEvent' }, 0).note, 'match');
  });

  it('shows a monitor with disabledUntil in the future as disabled until then', () => {
    const monitor = { name: 'm', disabledUntil: '2026-01-02T00:00:00Z' };
    const before = kinds.monitors.show(monitor, Date.parse('2026-01-01T00:00:00Z'));
    assert.equal(before.note, 'disabled until Jan 2 00:00');
    assert.deepEqual(before.detail, ['disabled until 2026-01-02 00:00:00 UTC']);
    assert.equal(kinds.monitors.show(monitor, Date.parse('2026-01-03T00:00:00Z')).state, 'enabled');
  });
});

describe('the note next to a resource', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  const shown = (time: string, more: Members = {}) =>
    kinds.annotations.show({ title: 'v2', type: 'deploy', time, datasets: ['logs'], ...more }, now);

  it('shortens the time, and the details contain the longer form', () => {
    assert.equal(shown('2026-11-23T08:30:01.5Z').note, '08:30 UTC · logs');
    assert.equal(shown('2026-11-23T01:30:00+02:00').note, 'Nov 22 23:30 · logs');
    assert.equal(shown('2025-11-23T08:30:00Z').note, '2025-11-23 · logs');
    assert.equal(shown('soon').note, 'soon · logs');
    const span = shown('2026-11-22T08:30:00Z', { endTime: '2026-11-22T09:00:00Z' });
    assert.deepEqual(span.detail, ['2026-11-22 08:30:00 UTC to 2026-11-22 09:00:00 UTC', 'deploy']);
  });

  it('starts with the most important words, so a narrow sidebar shows them', () => {
    const until = '2026-12-01T08:30:00Z';
    const monitor = { name: 'm', type: 'Threshold', operator: 'Above', threshold: 1_000 };
    for (const { note, expected } of [
      { note: kinds.monitors.show(monitor, now).note, expected: '> 1000' },
      {
        note: withAlert(kinds.monitors.show(monitor, now), { isOpen: true, since: until }).note,
        expected: 'firing · > 1000',
      },
      {
        note: kinds.monitors.show({ ...monitor, disabledUntil: until }, now).note.slice(0, 21),
        expected: 'disabled until Dec 1 ',
      },
    ]) {
      assert.equal(note, expected);
    }
  });
});

describe('APL in a document', () => {
  it("is found by its chart's identifier and replaced in place", () => {
    const document = documentOf('dashboards', recordFor('dashboards'));
    assert.deepEqual(
      aplLocations('dashboards', document).map(({ key, owner }) => [key, owner]),
      [
        ['c1', 'One'],
        ['c3', 'c3'],
      ],
    );
    const place = aplLocation('dashboards', document, 'c3');
    assert.ok(place);
    const changed = withValueAt(document, place.path, 'other') as Members;
    assert.equal(aplLocation('dashboards', changed, 'c3')?.apl, 'other');
    assert.equal(aplLocation('dashboards', changed, 'c1')?.apl, apl);
    assert.equal(aplLocation('dashboards', document, 'c2'), undefined);
  });

  it('is found in the JSON, with the offset of each character', () => {
    for (const kind of [
      'monitors',
      'views',
      'savedQueries',
      'virtualFields',
      'dashboards',
    ] as const) {
      const document = documentOf(kind, recordFor(kind));
      const text = documentText(document);
      const literals = aplLiterals(kind, text);
      const places = aplLocations(kind, document);
      assert.deepEqual(
        literals.map(({ start, end }) => decode(text, start, end).value).toSorted(),
        places.map((place) => place.apl).toSorted(),
      );
      for (const { start, end } of literals) {
        const { value, offsets } = decode(text, start, end);
        assert.equal(offsets.length, value.length + 1);
        assert.equal(offsets[value.length], end);
        for (let at = 0; at < value.length; at += 1) {
          const written = text.slice(offsets[at], offsets[at + 1]);
          assert.equal(JSON.parse(`"${written}"`), value[at]);
        }
        assert.equal(decode(encode(value), 0, encode(value).length).value, value);
      }
    }
  });

  it('is found in incomplete JSON', () => {
    const text = '{\n  "name": "x,{[",\n  "aplQuery": "[\'logs\'] | wh';
    const [literal] = aplLiterals('monitors', text);
    assert.ok(literal);
    assert.equal(text.slice(literal.start, literal.end), "['logs'] | wh");
    const open = '{\n  "aplQuery": "logs | \n  "name": "y"\n}';
    const [unclosed] = aplLiterals('monitors', open);
    assert.equal(open.slice(unclosed?.start, unclosed?.end), 'logs | ');
    for (const broken of ['', '"', '{"a', ']]}}', '{"aplQuery":"\\', '{"aplQuery":"\\u12"']) {
      for (const { start, end } of aplLiterals('monitors', broken)) decode(broken, start, end);
    }
  });
});

describe('JSON that would lose data as a document', () => {
  const problem = (text: string) => {
    const read = readDocument('monitors', text);
    assert.ok(!read.ok, text.slice(0, 60));
    return read.problem;
  };

  it('is rejected with line and column if a member appears twice', () => {
    assert.match(
      problem('{\n  "threshold": 1,\n  "threshold": 2\n}'),
      /Line 3, column 3: .*"threshold" appears twice/,
    );
  });

  it('is rejected if a number is too large for any service', () => {
    assert.match(problem('{"threshold": 1e999}'), /too large/);
    assert.match(problem('{"threshold": -1e400}'), /too large/);
  });

  it("is rejected if mapFields, which would replace the stored list, isn't an array", () => {
    for (const text of ['{}', '{"mapFields": null}', '{"mapfields": ["a"]}']) {
      const read = readDocument('mapFields', text);
      assert.ok(!read.ok, text);
      assert.match(read.problem, /"mapFields"/);
    }
    assert.ok(readDocument('mapFields', '{"mapFields": []}').ok);
  });

  it('is rejected if it is nested too deeply, empty, or not an object', () => {
    assert.match(problem(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`), /nested/);
    for (const text of ['', '  ', '[]', 'null', '7', '{', '\uFEFF', 'not JSON']) problem(text);
    assert.ok(readDocument('monitors', '\uFEFF{}').ok);
  });
});
