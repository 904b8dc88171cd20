// Who Am I for a service that sends invalid limit headers.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fetchIdentity } from '../../../client/src/account/identity.ts';
import { accountPage } from '../../../client/src/account/page.ts';
import { localProfile } from '../../../client/src/deployments/profiles.ts';
import { LoopbackServer } from '../loopback.ts';

it('the Who Am I page shows limits without a reset time if the header with the time is invalid', async () => {
  for (const reset of ['1e30', '9'.repeat(400), '-1', 'soon', '']) {
    await using server = await LoopbackServer.start((response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'x-ratelimit-limit': '100',
        'x-ratelimit-remaining': '1e400',
        'x-ratelimit-reset': reset,
        'x-querylimit-limit': '100',
        'x-querylimit-remaining': '7',
        'x-querylimit-reset': reset,
      });
      response.end('[]');
    });
    const { signal } = new AbortController();
    const identity = await fetchIdentity(server.service(), 'xaat-secret', signal);
    assert.ok(identity);
    const page = accountPage({ profile: localProfile, identity, readAt: 0, nonce: 'n' });
    assert.match(page, /93 of 100/);
    assert.doesNotMatch(page, /NaN|Infinity|until/);
  }
});
