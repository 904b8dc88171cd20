/**
 * Tests the problems that `aplomb check --schema` finds and the errors for invalid schema files.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Folder } from './run.ts';

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

const query = "['logs'] | where stats == 200\n\n['lgos'] | count\n";
const fields = [
  { name: 'status', type: 'integer' },
  { name: '_time', type: 'datetime', unit: '', description: 'When it happened.' },
];

async function codes(schema: unknown, text = query): Promise<string[]> {
  folder.files({ 's.json': JSON.stringify(schema), 'q.apl': text });
  const { out, err } = await folder.run(['check', 'q.apl', '--schema', 's.json']);
  assert.equal(err, '');
  return [...out.matchAll(/\(([\w-]+)\)$/gm)].map((match) => match[1] as string);
}

describe('a schema file for aplomb check', () => {
  it('turns unknown columns and datasets into errors', async () => {
    folder.files({ 'q.apl': query });
    assert.equal((await folder.run(['check', 'q.apl'])).status, 0);
    const schema = { complete: true, datasets: [{ name: 'logs', fields }] };
    assert.deepEqual(await codes(schema), ['unknown-column', 'unknown-dataset']);
  });

  it('can be marked as incomplete for datasets or for fields', async () => {
    assert.deepEqual(await codes({ datasets: [{ name: 'logs', fields }] }), ['unknown-column']);
    const partly = { complete: true, datasets: [{ name: 'logs', fields, complete: false }] };
    assert.deepEqual(await codes(partly), ['unknown-dataset']);
  });

  it("can be the service's response to a request for all fields", async () => {
    const answer = [
      {
        datasetName: 'logs',
        fields: [
          { name: 'status', type: 'integer', unit: 'none', hidden: false, description: null },
          { name: 'new', type: 'a type of tomorrow' },
        ],
      },
    ];
    assert.deepEqual(await codes(answer), ['unknown-column', 'unknown-dataset']);
  });

  it('can start with a byte order mark', async () => {
    folder.files({ 's.json': '\ufeff{"datasets": []}', 'q.apl': query });
    assert.equal((await folder.run(['check', 'q.apl', '--schema=s.json'])).status, 0);
  });
});

describe('an invalid schema file', () => {
  const field = (more: object) => ({
    datasets: [{ name: 'a', fields: [{ name: 'x', type: 'string', ...more }] }],
  });
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['is no JSON', '{"datasets": [', /Invalid JSON in s\.json: .*/],
    ['is empty', '', /Invalid JSON in s\.json/],
    ['is a text', '"logs"', /the file must be an object with "datasets"/],
    ['is null', 'null', /the file must be an object with "datasets"/],
    ['has no datasets', '{}', /datasets must be an array/],
    ['has a dataset that is not an object', '{"datasets":["logs"]}', /datasets\[0\] must be an object/],
    ['has a dataset without a name', '{"datasets":[{"fields":[]}]}', /datasets\[0\]\.name must be a non-empty string/],
    ['has a dataset without fields', '{"datasets":[{"name":"a"}]}', /datasets\[0\]\.fields must be an array/],
    ['repeats a name', '{"datasets":[{"name":"a","fields":[]},{"name":"a","fields":[]}]}', /datasets\[1\]\.name must be unique, but "a" is used twice/],
    ['has a field without a type', JSON.stringify(field({ type: undefined })), /fields\[0\]\.type must be a string/],
    ['has a field with a misspelled type', JSON.stringify(field({ type: 'strng' })), /but is "strng"/],
    ['has a unit that is a number', JSON.stringify(field({ unit: 3 })), /datasets\[0\]\.fields\[0\]\.unit must be a string/],
    ['has a string as complete', '{"datasets":[],"complete":"yes"}', /complete must be true or false/],
    ['has a dataset of the service without a name', '[{"fields":[]}]', /\[0\]\.datasetName must be a non-empty string/],
  ]; // biome-ignore format: a table
  for (const [what, content, message] of cases) {
    it(`makes aplomb check exit with 2 when it ${what}`, async () => {
      folder.files({ 's.json': content, 'q.apl': query });
      const { status, out, err } = await folder.run(['check', 'q.apl', '--schema', 's.json']);
      assert.deepEqual([status, out], [2, '']);
      assert.match(err, message);
    });
  }

  it('makes aplomb check exit with 2 when it does not exist', async () => {
    folder.files({ 'q.apl': query });
    const { status, err } = await folder.run(['check', 'q.apl', '--schema', 'none.json']);
    assert.equal(status, 2);
    assert.equal(err, 'aplomb: Cannot read none.json: file not found.\n');
  });
});
