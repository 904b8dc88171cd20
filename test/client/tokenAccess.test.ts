// What a token may do, found out at a real server that refuses some of it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accessInWords, fetchTokenAccess } from '../../client/src/api/tokenAccess.ts';
import { json, LoopbackServer, type Received } from './loopback.ts';

interface Statuses {
  readonly list: number;
  readonly query: number;
  readonly ingest: number;
}

/** Words for the access that a server's statuses amount to, and what was sent for it. */
async function access(
  statuses: Statuses,
  token = 'xaat-1',
): Promise<{ words: string; received: readonly Received[] }> {
  await using server = await LoopbackServer.start((response, { url }) => {
    const [status, value] = url.startsWith('/v2/datasets')
      ? [statuses.list, []]
      : url.startsWith('/v1/ingest')
        ? [statuses.ingest, { message: 'no' }]
        : [statuses.query, { message: 'no' }];
    return json(response, status, status === 200 ? value : { message: 'refused' });
  });
  const answer = await fetchTokenAccess(server.service(token), token);
  const words = answer.ok ? accessInWords(answer.value) : answer.failure.message;
  return { words, received: server.received };
}

describe('the access of a token', () => {
  for (const [statuses, words] of [
    [{ list: 200, query: 404, ingest: 404 }, 'The API token can list datasets, query and ingest.'],
    [
      { list: 403, query: 404, ingest: 403 },
      'The API token can query. It cannot list datasets or ingest.',
    ],
    [
      { list: 401, query: 403, ingest: 400 },
      'The API token can ingest. It cannot list datasets or query.',
    ],
  ] as const) {
    it(words, async () => {
      assert.equal((await access(statuses)).words, words);
    });
  }

  it('of a personal token does not include ingest at the edge', async () => {
    const { words, received } = await access({ list: 200, query: 404, ingest: 404 }, 'xapt-1');
    assert.equal(words, 'The personal token can list datasets and query. It cannot ingest.');
    assert.ok(!received.some(({ url }) => url.startsWith('/v1/ingest')));
  });

  it('is a failure where the token is refused everything, or the service fails', async () => {
    assert.match((await access({ list: 401, query: 401, ingest: 401 })).words, /refused/);
    assert.match((await access({ list: 200, query: 500, ingest: 200 })).words, /refused|500/);
  });

  it('is found out without sending an event', async () => {
    const { received } = await access({ list: 200, query: 404, ingest: 404 });
    const sent = received.find(({ url }) => url.startsWith('/v1/ingest'));
    assert.equal(sent?.body.toString(), '[]');
  });
});
