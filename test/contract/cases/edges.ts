// Edge deployments: the deployment that stores a dataset determines the address for its events and queries.
import assert from 'node:assert/strict';
import { EDGE_DEPLOYMENTS } from '../../../api/src/index.ts';
import { type Check, granted, isRefusal, type World } from '../check.ts';

interface Placed {
  readonly name: string;
  /** The address of the dataset's edge deployment, followed by the address of the other one. */
  readonly own: string;
  readonly other: string;
}

/** Creates a dataset in each edge deployment, and deletes the datasets after `use`. */
async function withDatasets(
  { requests }: World,
  use: (placed: readonly Placed[]) => Promise<void>,
): Promise<void> {
  const made: { name: string; edgeDeployment: string; edgeDeploymentUrl: string }[] = [];
  try {
    for (const { id } of EDGE_DEPLOYMENTS) {
      const body = { name: requests.name(), edgeDeployment: id };
      made.push(await granted(requests, 'createDataset', { body }));
      assert.equal(made.at(-1)!.edgeDeployment, id);
    }
    const urls = made.map(({ edgeDeploymentUrl }) => edgeDeploymentUrl);
    assert.ok(
      urls.every((url) => URL.canParse(url)),
      `addresses: ${urls.join(' ')}`,
    );
    await use(
      made.map(({ name }, i) => ({ name, own: urls[i]!, other: urls[(i + 1) % urls.length]! })),
    );
  } finally {
    for (const { name } of made) {
      await requests.call('deleteDataset', { params: { dataset_id: name } });
    }
  }
}

const REFUSALS = [400, 403, 404];

export const edgeChecks: readonly Check[] = [
  {
    endpoint: 'ingest',
    name: "stores events only at the dataset's edge deployment",
    run: (world) =>
      withDatasets(world, async (placed) => {
        for (const { name, own, other } of placed) {
          const path = `/v1/ingest/${name}`;
          const send = (base: string) =>
            world.requests.send('POST', base + path, { body: [{ n: 1 }] });
          const stored = await send(own);
          assert.equal(stored.status, 200, stored.text);
          isRefusal(await send(other), 'ingest', REFUSALS);
        }
      }),
  },
  {
    endpoint: 'queryEdge',
    name: 'reads only datasets of the requested edge deployment',
    run: (world) =>
      withDatasets(world, async (placed) => {
        for (const { name, own, other } of placed) {
          const path = '/v1/query/_apl?format=tabular';
          const body = { apl: `['${name}'] | count` };
          const answer = await world.requests.send('POST', own + path, { body });
          assert.equal(answer.status, 200, answer.text);
          isRefusal(
            await world.requests.send('POST', other + path, { body }),
            'queryEdge',
            REFUSALS,
          );
        }
      }),
  },
  {
    endpoint: 'queryGeneral',
    name: 'reads datasets of every edge deployment, but only at the general address',
    run: (world) =>
      withDatasets(world, async (placed) => {
        for (const { name, own } of placed) {
          const asking = { query: '?format=tabular', body: { apl: `['${name}'] | count` } };
          const { datasetNames } = await granted(world.requests, 'queryGeneral', asking);
          assert.deepEqual(datasetNames, [name]);
          const path = `/v1/datasets/_apl${asking.query}`;
          const answer = await world.requests.send('POST', own + path, { body: asking.body });
          isRefusal(answer, 'queryGeneral', [404]);
        }
      }),
  },
];
