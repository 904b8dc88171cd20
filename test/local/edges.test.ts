// The simulated edge deployments: the datasets that each serves, and the errors for requests to the
// wrong one.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Deployment } from './deployment.ts';

const US = '/edge/us-east-1';
const EU = '/edge/eu-central-1';

let local: Deployment;
before(async () => {
  local = await Deployment.open();
  await local.dataset('us');
  await local.call('POST', '/v2/datasets', {
    name: 'eu',
    edgeDeployment: 'cloud.eu-central-1.aws',
  });
  for (const name of ['us', 'eu']) await local.stored(name, [{ n: 1, from: name }]);
});
after(() => local.close());

const query = (base: string, apl: string) =>
  local.call('POST', `${base}/v1/query/_apl?format=tabular`, { apl });
const general = (apl: string) => local.call('POST', '/v1/datasets/_apl?format=tabular', { apl });

describe('a dataset', () => {
  it("includes its edge deployment and that deployment's URL on the host used by the client", async () => {
    const headers = { host: 'localhost:4321' };
    const { body } = await local.call('GET', '/v2/datasets/eu', undefined, { headers });
    assert.equal(body.edgeDeployment, 'cloud.eu-central-1.aws');
    assert.equal(body.edgeDeploymentUrl, `http://localhost:4321${EU}`);
    const listed = (await local.call('GET', '/v2/datasets')).body;
    assert.deepEqual(
      listed.map(({ edgeDeployment }: { edgeDeployment: string }) => edgeDeployment),
      ['cloud.eu-central-1.aws', 'cloud.us-east-1.aws'],
    );
  });

  it('has a URL on the host of a proxy, which must be a host name', async () => {
    const urlWith = async (more: Readonly<Record<string, string>>) => {
      const headers = { host: '127.0.0.1:4321', ...more };
      const { body } = await local.call('GET', '/v2/datasets/eu', undefined, { headers });
      return body.edgeDeploymentUrl;
    };
    const proxy = { 'x-forwarded-host': 'aplomb.example.com' };
    const secure = { ...proxy, 'x-forwarded-proto': 'https' };
    assert.equal(await urlWith(proxy), `http://aplomb.example.com${EU}`);
    assert.equal(await urlWith(secure), `https://aplomb.example.com${EU}`);
    const odd = { 'x-forwarded-host': 'me@example.com/path', 'x-forwarded-proto': 'https' };
    assert.equal(await urlWith(odd), `http://127.0.0.1:4321${EU}`);
  });

  it('keeps its edge deployment after a restart and an update', async () => {
    await local.reopen();
    const { body } = await local.call('PUT', '/v2/datasets/eu', { description: 'd' });
    assert.equal(body.edgeDeployment, 'cloud.eu-central-1.aws');
  });

  it('cannot be created in a nonexistent edge deployment', async () => {
    const body = { name: 'moon', edgeDeployment: 'cloud.moon-1' };
    const answer = await local.call('POST', '/v2/datasets', body);
    assert.equal(answer.status, 400);
    assert.match(answer.body.message, /cloud\.us-east-1\.aws, cloud\.eu-central-1\.aws/);
  });
});

describe('an edge deployment', () => {
  it("rejects ingest and queries for another deployment's datasets with that deployment's URL", async () => {
    const ingest = await local.call('POST', `${US}/v1/ingest/eu`, [{ n: 1 }]);
    for (const { status, body } of [
      ingest,
      await query(US, 'eu | count'),
      await query(US, "['us'] | join kind=inner (eu) on n"),
      await query(US, `eu ${'| where n > 0 '.repeat(300)}`),
    ]) {
      assert.equal(status, 404);
      assert.equal(body.reason, 'other-deployment');
      assert.match(
        body.message,
        /"eu" is stored in EU Central 1, not in US East 1\. .*127\.0\.0\.1\/edge\/eu-central-1/,
      );
    }
    assert.equal((await query(EU, 'eu | count')).body.tables[0].columns[0][0], 1);
  });

  it('matches patterns only against its own datasets', async () => {
    const { body } = await query(US, 'union * | project from');
    assert.deepEqual(body.tables[0].columns, [['us']]);
    assert.deepEqual(body.datasetNames, ['us']);
  });

  it('reports errors in queries on its own datasets', async () => {
    const { status, body } = await query(US, 'us | where');
    assert.deepEqual([status, body.reason], [400, 'query-malformed']);
    assert.equal((await query(US, 'nothing | count')).status, 400);
  });

  it("runs a view of its own datasets but not a view of another deployment's datasets", async () => {
    await local.call('POST', '/v2/views', { name: 'there', aplQuery: 'eu | count' });
    assert.equal((await query(EU, 'there')).status, 200);
    const { status, body } = await query(US, 'there');
    assert.deepEqual([status, body.reason], [404, 'other-deployment']);
  });

  it('runs only the queries on its own datasets in a batch', async () => {
    const items = ['us', 'eu'].map((name) => ({
      queryId: name,
      aplRequest: { apl: `${name} | count` },
    }));
    const { text } = await local.call('POST', `${EU}/v1/query/batch`, items);
    assert.match(text, /"queryId":"eu","kind":"apl","result"/);
    assert.match(text, /"queryId":"us","kind":"apl","error":.*other-deployment/);
  });

  it("returns 404 for general endpoints, and for every endpoint if the deployment doesn't exist", async () => {
    for (const path of [`${US}/v2/datasets`, `${EU}/v1/datasets/_apl`]) {
      const method = path.endsWith('_apl') ? 'POST' : 'GET';
      const answer = await local.call(method, path, method === 'POST' ? {} : undefined);
      assert.deepEqual([answer.status, answer.body.reason], [404, 'not-on-edge'], path);
    }
    assert.equal((await local.call('GET', '/edge/moon-1/v2/datasets')).status, 404);
    assert.equal((await local.call('POST', '/edge/us-east-1')).status, 404);
  });
});

describe('the general URL', () => {
  it("returns a warning with the dataset's name if a result left the dataset's region", async () => {
    const { body } = await general('union us, eu | count');
    assert.deepEqual(body.tables[0].columns, [[2]]);
    const [message, ...others] = body.status.messages;
    assert.deepEqual(others, []);
    assert.equal(message.code, 'result_left_region');
    assert.match(message.msg, /left EU Central 1, which stores "eu": .* through US East 1/);
    assert.deepEqual((await general('us | count')).body.status.messages, []);
  });

  it('serves edge endpoints for the datasets of all edge deployments', async () => {
    for (const name of ['us', 'eu']) {
      assert.equal((await query('', `${name} | count`)).status, 200);
      assert.equal((await local.ingest(name, [{ n: 2, from: name }])).status, 200);
    }
    assert.deepEqual((await query('', 'eu | count')).body.status.messages, []);
  });
});
