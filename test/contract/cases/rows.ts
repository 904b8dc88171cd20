// Checks of every endpoint from its row: tokens, methods, bodies, and missing resources.
import assert from 'node:assert/strict';
import { type EndpointKey, endpointKeys, endpointRow } from '../../../api/src/index.ts';
import { type Check, isRefusal, refused } from '../check.ts';

/** Endpoints that create a missing resource, or refuse it with a status other than 404. */
const makes: ReadonlySet<string> = new Set(['updateDashboard']);

/** The query strings that endpoints require before they look up a resource. */
const needed: { readonly [K in EndpointKey]?: string } = {
  getMonitorHistory: '?startTime=2026-01-01T00:00:00Z&endTime=2026-01-02T00:00:00Z',
};

export const rowChecks: readonly Check[] = endpointKeys.flatMap((endpoint): Check[] => {
  const row = endpointRow(endpoint);
  const check = (name: string, run: Check['run'], personal = false): Check => ({
    endpoint,
    name,
    run,
    personal,
  });
  const needsPersonal = !row.tokens.includes('api');
  const body = row.content === 'none' ? {} : { body: '{}' };
  const missing = row.content === 'none' && row.path.includes('{') && !makes.has(endpoint);
  return [
    check('rejects a request without a token', async ({ requests }) => {
      await refused(requests, endpoint, { ...body, token: null }, [401]);
    }),
    check('rejects an unknown token', async ({ requests }) => {
      const token = `xaat-${'0'.repeat(43)}`;
      await refused(requests, endpoint, { ...body, token }, [401, 403]);
    }),
    ...(row.tokens.includes('personal')
      ? []
      : [
          check(
            'rejects a personal token',
            async ({ requests }) => {
              const token = requests.target.personalToken!;
              await refused(requests, endpoint, { ...body, token }, [401, 403]);
            },
            true,
          ),
        ]),
    ...(row.tokens.includes('api')
      ? []
      : [
          check('rejects an API token', async ({ requests }) => {
            const { token } = requests.target;
            await refused(requests, endpoint, { ...body, token }, [401, 403]);
          }),
        ]),
    check('rejects an unsupported method', async ({ requests }) => {
      const path = row.path.replace(/\{[^}]+\}/g, 'nothing');
      const base = row.host === 'edge' ? requests.target.edge : requests.target.url;
      const answer = await requests.send('PROPFIND', `${base}${path}`, {});
      isRefusal(answer, endpoint, [404, 405, 501]);
    }),
    ...(row.content === 'json'
      ? ['{', '"x"', '5', 'null', ''].map((text) =>
          check(
            `rejects the body ${text || '(empty)'}`,
            async ({ requests }) => {
              await refused(requests, endpoint, { query: '?format=tabular', body: text });
            },
            needsPersonal,
          ),
        )
      : []),
    ...(missing
      ? [
          check(
            'responds with 404 for a missing resource',
            async ({ requests }) => {
              const { message } = await refused(
                requests,
                endpoint,
                { query: needed[endpoint] ?? '' },
                [404],
              );
              assert.match(message, /\w/);
            },
            needsPersonal,
          ),
        ]
      : []),
  ];
});
