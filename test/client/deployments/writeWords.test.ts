// The question before a write to production, by endpoint.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endpointKeys, endpointRow } from '../../../api/src/index.ts';
import { writeKind, writeQuestion } from '../../../client/src/deployments/writeWords.ts';

describe('the kind of a write to production', () => {
  for (const [endpoint, kind] of [
    ['ingest', 'Send events'],
    ['ingestV1', 'Send events'],
    ['createDataset', 'Create datasets'],
    ['updateDashboard', 'Change dashboards'],
    ['deleteSavedQuery', 'Delete saved queries'],
    ['replaceMapFields', 'Change map fields'],
    ['regenerateToken', 'Regenerate tokens'],
    ['trimDatasetV1', 'Trim datasets'],
  ] as const) {
    it(`is "${kind}" for the endpoint ${endpoint}`, () => assert.equal(writeKind(endpoint), kind));
  }

  it('exists for every endpoint that is not a GET', () => {
    for (const key of endpointKeys) {
      if (endpointRow(key).method === 'GET') continue;
      assert.match(writeKind(key), /^[A-Z][a-z]+ [a-z ]+$/, key);
    }
  });
});

describe('the confirmation of a write to production', () => {
  it('names the kind of change and the deployment', () => {
    assert.deepEqual(writeQuestion('Live', 'updateMonitor'), {
      message: 'Change monitors on Live?',
      detail:
        'Live is marked as production. If you continue, this window does not ask again for this kind of change on Live.',
      action: 'Change monitors',
    });
  });

  it("uses the caller's message and action, and includes its details", () => {
    const given = { message: 'Ingest into logs?', detail: '2 files are sent.', action: 'Ingest' };
    const { message, detail, action } = writeQuestion('Live', 'ingest', given);
    assert.deepEqual([message, action], ['Ingest into logs?', 'Ingest']);
    assert.match(detail, /^Live is marked as production\. 2 files are sent\. If you continue/);
  });
});
