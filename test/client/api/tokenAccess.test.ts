// Finds out what a token can do, from the statuses of a real server.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accessInWords, fetchTokenAccess } from '../../../client/src/service/tokenAccess.ts';
import { json, LoopbackServer, type Received } from '../loopback.ts';

/** A status, with the reason that the local deployment gives. */
type Refusal = number | readonly [status: number, reason: string];

interface Statuses {
  readonly list: number;
  readonly query: Refusal;
  readonly ingest: Refusal;
}

/** Describes the access that a server's statuses reveal. Also returns the requests. */
async function access(
  statuses: Statuses,
  token = 'xaat-1',
): Promise<{ words: string; received: readonly Received[] }> {
  await using server = await LoopbackServer.start((response, { url }) => {
    if (url.startsWith('/v2/datasets')) {
      return json(response, statuses.list, statuses.list === 200 ? [] : { message: 'refused' });
    }
    const refusal = url.startsWith('/v1/ingest') ? statuses.ingest : statuses.query;
    const [status, reason] = typeof refusal === 'number' ? [refusal] : refusal;
    return json(response, status, { message: 'refused', ...(reason && { reason }) });
  });
  const answer = await fetchTokenAccess(server.service(token), token);
  const words = answer.ok ? accessInWords(answer.value) : answer.failure.message;
  return { words, received: server.received };
}

describe('the access of a token', () => {
  for (const [statuses, words] of [
    [{ list: 200, query: 404, ingest: 404 }, 'The API token can list datasets, query and ingest.'],
    [
      { list: 403, query: 404, ingest: 401 },
      'The API token can query. It cannot list datasets or ingest.',
    ],
    // A 403 is inconclusive: the token may be for datasets other than the tested one.
    [
      { list: 401, query: 403, ingest: 400 },
      'The API token can ingest. It cannot list datasets. It may be able to query some datasets.',
    ],
    [
      { list: 200, query: 403, ingest: 403 },
      'The API token can list datasets. It may be able to query or ingest into some datasets.',
    ],
    [
      { list: 200, query: [403, 'capability-missing'], ingest: [403, 'dataset-forbidden'] },
      'The API token can list datasets and ingest into some datasets. It cannot query.',
    ],
    [
      { list: 403, query: [403, 'query-forbidden'], ingest: [403, 'capability-missing'] },
      'The API token can query some datasets. It cannot list datasets or ingest.',
    ],
  ] as const) {
    it(`is described as: ${words}`, async () => {
      assert.equal((await access(statuses)).words, words);
    });
  }

  it('is tested at the general address if the token is personal', async () => {
    const { words, received } = await access({ list: 200, query: 404, ingest: 404 }, 'xapt-1');
    assert.equal(words, 'The personal token can list datasets, query and ingest.');
    assert.ok(!received.some(({ url }) => url.startsWith('/v1/ingest')));
    assert.ok(received.some(({ url }) => url === '/v1/datasets/aplomb-token-test/ingest'));
  });

  it('is reported as a failure if the token is always rejected or the service fails', async () => {
    assert.match((await access({ list: 401, query: 401, ingest: 401 })).words, /refused/);
    assert.match((await access({ list: 200, query: 500, ingest: 200 })).words, /refused|500/);
  });

  it('is tested without sending an event', async () => {
    const { received } = await access({ list: 200, query: 404, ingest: 404 });
    const sent = received.find(({ url }) => url.startsWith('/v1/ingest'));
    assert.equal(sent?.body.toString(), '[]');
  });
});
