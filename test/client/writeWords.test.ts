// The question before something is written to production, by endpoint.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endpointKeys, endpointRow } from '../../api/src/index.ts';
import { writeKind } from '../../client/src/deployments/writeWords.ts';

describe('the kind of an operation that writes', () => {
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
    it(`is ${kind} of ${endpoint}`, () => assert.equal(writeKind(endpoint), kind));
  }

  it('has words for every endpoint', () => {
    for (const key of endpointKeys) {
      if (endpointRow(key).method === 'GET') continue;
      assert.match(writeKind(key), /^[A-Z][a-z]+ [a-z ]+$/, key);
    }
  });
});
