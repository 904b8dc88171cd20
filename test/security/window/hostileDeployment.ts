/**
 * A deployment with hostile names: a real one, with resources of such names, whose answers about datasets and whose
 * errors are replaced on the way.
 */
import { distDirectory } from '../../../scripts/host/paths.ts';
import { json, LoopbackServer } from '../../client/loopback.ts';
import { startOther } from '../../host/otherDeployment.ts';
import { hostile } from './hostile.ts';

export interface HostileDeployment {
  readonly url: string;
  readonly token: string;
  /** Has ingest and requests for the account wait, so that progress stays in view. */
  slow: boolean;
  stop(): Promise<void>;
}

export const dataset = hostile('dataset');
export const field = hostile('field');

const fields = [
  {
    name: field,
    type: hostile('type'),
    unit: hostile('unit'),
    description: `${hostile('about')} www.evil.example`,
  },
  {
    name: 'n',
    type: 'integer',
    unit: hostile('unit'),
    description: `${hostile('about')} www.evil.example`,
  },
];

const record = { who: 'somebody', created: '2026-01-01T00:00:00Z' };

/** What is answered instead, by method and path. */
const answers: Readonly<Record<string, unknown>> = {
  'GET /v1/datasets/_fields': [{ datasetName: dataset, fields }],
  'GET /v2/datasets': [
    { ...record, id: dataset, name: dataset, description: hostile('description') },
  ],
};

const monitor = {
  type: 'Threshold',
  aplQuery: 'print n = 1',
  operator: 'Above',
  threshold: 10,
  intervalMinutes: 5,
  rangeMinutes: 5,
};

export async function startHostile(): Promise<HostileDeployment> {
  const real = await startOther(distDirectory);
  await real.ask('POST', '/v2/monitors', { ...monitor, name: hostile('monitor') });
  await real.ask('POST', '/v2/dashboards', {
    dashboard: {
      name: hostile('dashboard'),
      charts: [],
      layout: [],
      refreshTime: 15,
      schemaVersion: 2,
      timeWindowStart: 'qr-now-1h',
      timeWindowEnd: 'qr-now',
    },
  });
  await real.ask('POST', '/v2/notifiers', {
    name: hostile('notifier'),
    properties: { email: { emails: ['a@example.com'] } },
  });
  await real.ask('POST', '/v2/apl-starred-queries', {
    name: hostile('saved'),
    kind: 'apl',
    query: {
      apl: `declare query_parameters (p: string = ${JSON.stringify(hostile('default'))});\nprint p`,
    },
  });
  const server = await LoopbackServer.start(async (response, { method, url, headers, body }) => {
    const path = url.replace(/\?.*/, '');
    const fixed = answers[`${method} ${path}`];
    if (fixed !== undefined) return json(response, 200, fixed);
    if (method === 'POST' && path === '/v2/datasets')
      return json(response, 400, { message: hostile('refused') });
    if (body.toString().includes('boom'))
      return json(response, 400, { code: 400, message: `line: 1, col: 7: ${hostile('failed')}` });
    while (deployment.slow && (path === '/v2/orgs' || path.startsWith('/v1/ingest')))
      await new Promise((done) => setTimeout(done, 100));
    const answer = await fetch(`${real.url}${url}`, {
      method,
      headers: {
        authorization: headers.authorization ?? '',
        'content-type': headers['content-type'] ?? 'application/json',
      },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'application/json',
    });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const deployment: HostileDeployment = {
    url: server.url,
    token: real.token,
    slow: false,
    async stop() {
      deployment.slow = false;
      await server[Symbol.asyncDispose]();
      await real.stop();
    },
  };
  return deployment;
}
