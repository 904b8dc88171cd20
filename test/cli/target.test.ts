/** Where the command line finds a deployment by its options. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connect } from '../../cli/src/ingest/target.ts';
import { targetOf } from '../../cli/src/ingest/targetOptions.ts';
import { UsageError } from '../../cli/src/usage.ts';

async function connected(url: string, edge?: string) {
  const target = targetOf({ url, ...(edge !== undefined && { 'edge-url': edge }) });
  const found = await connect(target, { APLOMB_TOKEN: 'xaat-secret' });
  await found.close();
  return found;
}

describe('a deployment at an address', () => {
  it('is on this machine only where resources are there as well, which are not at the edge', async () => {
    const split = await connected('https://api.example', 'http://127.0.0.1:8080');
    assert.equal(split.isLocal, false, 'A push would not be confirmed.');
    assert.equal(split.label, 'http://127.0.0.1:8080');
    assert.equal(split.resourceLabel, 'https://api.example');
    assert.equal((await connected('http://localhost:1', 'https://edge.example')).isLocal, false);
    assert.equal((await connected('http://[::1]:1')).isLocal, true);
  });

  it('is an error of the command line where it has a query or a fragment, which would be left out', () => {
    for (const url of [
      'http://127.0.0.1:1?x',
      'https://api.example/?x=1',
      'https://api.example#x',
    ]) {
      assert.throws(() => targetOf({ url }), UsageError, url);
      assert.throws(() => targetOf({ url: 'https://api.example', 'edge-url': url }), UsageError);
    }
  });
});
