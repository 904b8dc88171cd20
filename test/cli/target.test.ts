/** Tests how the command's options select a deployment. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connect } from '../../cli/src/ingest/target.ts';
import { targetOf } from '../../cli/src/ingest/targetOptions.ts';
import { UsageError } from '../../system/src/commandLine.ts';

async function connected(url: string, edge?: string) {
  const target = targetOf({ url, ...(edge !== undefined && { 'edge-url': edge }) });
  const found = await connect(target, { APLOMB_TOKEN: 'xaat-secret' });
  await found.close();
  return found;
}

describe('a deployment given by URL', () => {
  it('is treated as local only if both its resource URL and its edge URL are local', async () => {
    const split = await connected('https://api.example', 'http://127.0.0.1:8080');
    assert.equal(split.isLocal, false, 'A push would not be confirmed.');
    assert.equal(split.label, 'http://127.0.0.1:8080');
    assert.equal(split.resourceLabel, 'https://api.example');
    assert.equal((await connected('http://localhost:1', 'https://edge.example')).isLocal, false);
    assert.equal((await connected('http://[::1]:1')).isLocal, true);
  });

  it('is rejected if its URL has a query string or a fragment', () => {
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
