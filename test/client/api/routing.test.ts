// Where queries and events go: every combination of token, addresses, edge deployments and operation, as a table,
// and the same with real requests to a general address and two edge deployments.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EDGE_DEPLOYMENTS, HOSTED_GENERAL_URL } from '../../../api/src/index.ts';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { askForValue } from '../../../client/src/service/ask.ts';
import { Places, placeOf, type Stored } from '../../../client/src/service/places.ts';
import {
  type Addresses,
  type AddressKind,
  type Operation,
  routeFor,
  routeRows,
  type Whereabouts,
} from '../../../client/src/service/routing.ts';
import { sendEvents } from '../../../client/src/service/sendEvents.ts';
import { type Connection, Service } from '../../../client/src/service/service.ts';
import { json, LoopbackServer, type Received } from '../loopback.ts';

const [us, eu] = EDGE_DEPLOYMENTS;

const addresses: Readonly<Record<AddressKind, Addresses>> = {
  one: { general: 'https://one.example', edge: 'https://one.example' },
  hosted: { general: HOSTED_GENERAL_URL, edge: us.url },
  pair: { general: 'https://general.example', edge: 'https://us.example' },
};

/** Returns the records of datasets: `a` is at the deployment's edge address, `b` in the other region. */
function stored(kind: AddressKind, whereabouts: Whereabouts): readonly Stored[] {
  const named = kind !== 'hosted';
  const a = { dataset: 'a', place: placeOf(us.id, named ? 'https://us.example' : us.url) };
  const b = { dataset: 'b', place: placeOf(eu.id, named ? 'https://eu.example' : eu.url) };
  const c = { dataset: 'c', place: placeOf('cloud.moon-1') };
  return { here: [a], elsewhere: [b], unknown: [c], several: [a, b] }[whereabouts];
}

const left = 'left EU Central 1';

/** The expected route of a query and of events. Events always go to a single dataset. */
const table: readonly (readonly [
  token: 'api' | 'personal' | 'other',
  AddressKind,
  Whereabouts,
  query: string,
  ingest?: string,
])[] = [
  ['api', 'hosted', 'here', us.url, us.url],
  ['api', 'hosted', 'elsewhere', eu.url, eu.url],
  ['api', 'hosted', 'unknown', 'refused: address is not known', 'refused: address is not known'],
  ['api', 'hosted', 'several', 'refused: Split the query'],
  ['api', 'pair', 'here', 'https://us.example', 'https://us.example'],
  ['api', 'pair', 'elsewhere', 'https://eu.example', 'https://eu.example'],
  // The records have no addresses, so the address in settings is used.
  ['api', 'pair', 'unknown', 'https://us.example', 'https://us.example'],
  ['api', 'pair', 'several', `general, ${left}`],
  ['api', 'one', 'here', 'https://one.example', 'https://one.example'],
  ['api', 'one', 'elsewhere', 'https://one.example', 'https://one.example'],
  ['api', 'one', 'unknown', 'https://one.example', 'https://one.example'],
  ['api', 'one', 'several', 'https://one.example'],
  ['personal', 'hosted', 'here', 'general', 'general'],
  ['personal', 'hosted', 'elsewhere', `general, ${left}`, 'general, EU Central 1, through another'],
  [
    'personal',
    'hosted',
    'unknown',
    'general, left cloud.moon-1',
    'general, stored in cloud.moon-1',
  ],
  ['personal', 'hosted', 'several', 'refused: Split the query'],
  ['personal', 'pair', 'here', 'general', 'general'],
  ['personal', 'pair', 'elsewhere', `general, ${left}`, 'general, EU Central 1, through another'],
  ['personal', 'pair', 'unknown', 'general, left cloud.moon-1', 'general, stored in cloud.moon-1'],
  ['personal', 'pair', 'several', `general, ${left}`],
  ['personal', 'one', 'here', 'general', 'general'],
  ['personal', 'one', 'elsewhere', `general, ${left}`, 'general, EU Central 1, through another'],
  ['personal', 'one', 'unknown', 'general, left cloud.moon-1', 'general, stored in cloud.moon-1'],
  ['personal', 'one', 'several', `general, ${left}`],
  // A token of unknown form may belong to a proxy. It is not treated as personal.
  ['other', 'hosted', 'elsewhere', eu.url, eu.url],
  ['other', 'one', 'here', 'https://one.example', 'https://one.example'],
];

const words = {
  operation: { query: 'a query', ingest: 'events' },
  token: { api: 'an API token', personal: 'a personal token', other: 'a token of unknown form' },
  addresses: {
    one: 'a single address',
    hosted: 'the hosted service',
    pair: 'separate general and edge addresses',
  },
  whereabouts: {
    here: 'a dataset in the configured region',
    elsewhere: 'a dataset in another region',
    unknown: 'a dataset in an unknown region',
    several: 'datasets in two regions',
  },
} as const;

function routeName(
  operation: keyof typeof words.operation,
  token: keyof typeof words.token,
  kind: AddressKind,
  whereabouts: Whereabouts,
): string {
  const preposition = operation === 'query' ? 'of' : 'for';
  const subject = `of ${words.operation[operation]} ${preposition} ${words.whereabouts[whereabouts]}`;
  return `${subject} with ${words.token[token]} at ${words.addresses[kind]}`;
}

function outcomeName(expected: string): string {
  const [route = '', notice] = expected.split(/: |, (.*)/).filter(Boolean);
  if (!/^(general|refused)$/.test(route)) return `is ${expected}`;
  if (route === 'refused') return `is refused with "${notice}"`;
  return `is the general address${notice === undefined ? '' : ` with the notice "${notice}"`}`;
}

describe('the route', () => {
  for (const [token, kind, whereabouts, query, ingest] of table) {
    const found = (operation: Operation) =>
      routeFor({
        operation,
        token: token === 'other' ? undefined : token,
        addresses: addresses[kind],
        stored: stored(kind, whereabouts),
      });
    for (const [operation, expected] of [
      ['query', query],
      ['ingest', ingest],
    ] as const) {
      if (expected === undefined) continue;
      it(`${routeName(operation, token, kind, whereabouts)} ${outcomeName(expected)}`, () => {
        const route = found(operation);
        const [wanted, words] = expected.split(/: |, (.*)/).filter(Boolean);
        if (route.kind === 'edge') return assert.equal(route.address, expected);
        assert.equal(route.kind, wanted);
        const said =
          route.kind === 'refused' ? route.message : route.notices.map(({ msg }) => msg).join(' ');
        if (words === undefined) assert.equal(said, '');
        else assert.ok(said.includes(words), said);
      });
    }
  }

  it('has a test for every combination of token, addresses and regions', () => {
    for (const token of ['api', 'personal'])
      for (const kind of Object.keys(addresses))
        for (const whereabouts of ['here', 'elsewhere', 'unknown', 'several'])
          assert.ok(
            table.some((row) => row[0] === token && row[1] === kind && row[2] === whereabouts),
          );
  });

  it('comes from a table without unreachable rows', () => {
    for (const row of routeRows) {
      const earlier = routeRows.slice(0, routeRows.indexOf(row));
      const isReached = row.addresses.some((kind) =>
        row.whereabouts.some((whereabouts) =>
          (['api', 'personal'] as const)
            .filter((token) => row.token === 'any' || row.token === token)
            .some(
              (token) =>
                !earlier.some(
                  (one) =>
                    (one.token === 'any' || one.token === token) &&
                    one.addresses.includes(kind) &&
                    one.whereabouts.includes(whereabouts),
                ),
            ),
        ),
      );
      assert.ok(isReached, row.because);
    }
  });

  it('is the edge address if no record of the datasets is known', () => {
    for (const kind of ['one', 'hosted', 'pair'] as const) {
      const facts = { operation: 'query', token: 'api', addresses: addresses[kind] } as const;
      const route = routeFor({ ...facts, stored: [] });
      assert.deepEqual(route, { kind: 'edge', address: addresses[kind].edge });
    }
  });
});

/** Starts servers for a general address and two edge deployments, and a service that uses them. */
async function deployment(
  token: string,
  admits?: Connection['admits'],
): Promise<{
  service: Service;
  servers: Record<'general' | 'us' | 'eu', LoopbackServer>;
  tokensAt: Set<string>;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const answer = (response: Parameters<typeof json>[0], { url }: Received) =>
    json(response, 200, url.includes('ingest') ? { ingested: 1, failed: 0 } : tabular);
  const edges = { us: await LoopbackServer.start(answer), eu: await LoopbackServer.start(answer) };
  const general = await LoopbackServer.start((response, received) => {
    if (!received.url.startsWith('/v2/datasets')) return answer(response, received);
    const record = { created: '2026-01-01T00:00:00Z', who: 'a' };
    return json(response, 200, [
      { ...record, id: 'a', name: 'a', edgeDeployment: us.id, edgeDeploymentUrl: edges.us.url },
      {
        ...record,
        id: 'b',
        name: 'b',
        edgeDeployment: eu.id,
        edgeDeploymentUrl: `${edges.eu.url}/`,
      },
    ]);
  });
  const dispatcher = directDispatcher();
  const tokensAt = new Set<string>();
  const service = new Service({
    general: general.url,
    edge: edges.us.url,
    dispatcher,
    places: new Places(),
    ...(admits && { admits }),
    token: async (origin) => {
      tokensAt.add(origin);
      return token;
    },
  });
  return {
    service,
    servers: { general, ...edges },
    tokensAt,
    async [Symbol.asyncDispose]() {
      await dispatcher.destroy();
      for (const server of [general, edges.us, edges.eu]) await server[Symbol.asyncDispose]();
    },
  };
}

const tabular = {
  format: 'tabular',
  status: { elapsedTime: 1, rowsExamined: 0, rowsMatched: 0, isPartial: false },
  datasetNames: [],
  tables: [],
};

/** Returns the received queries and events, as `us POST /v1/query/_apl`. */
function requests(servers: Readonly<Record<string, LoopbackServer>>): string[] {
  return Object.entries(servers).flatMap(([name, { received }]) =>
    received
      .filter(({ method }) => method === 'POST')
      .map(({ method, url }) => `${name} ${method} ${url.replace(/\?.*/, '')}`),
  );
}

function query(service: Service, datasets: readonly string[], askPerson = true) {
  const apl = datasets.map((name) => `['${name}']`).join(', ');
  return askForValue(
    { apl: `union ${apl}`, startTime: 'now-1h', endTime: 'now' },
    { service, datasets, askPerson, timeoutMs: 5_000 },
  );
}

const body = Buffer.from('[{"a":1}]');

describe('a request', () => {
  it('goes to the edge deployment that stores the dataset, after listing the datasets once', async () => {
    await using world = await deployment('xaat-1', async () => true);
    for (const dataset of ['a', 'b', 'a']) assert.ok((await query(world.service, [dataset])).ok);
    assert.deepEqual(requests(world.servers), [
      'us POST /v1/query/_apl',
      'us POST /v1/query/_apl',
      'eu POST /v1/query/_apl',
    ]);
    const lists = world.servers.general.received.filter(({ url }) => url === '/v2/datasets');
    assert.equal(lists.length, 1);
  });

  it('with events goes to the edge deployment that stores the dataset', async () => {
    await using world = await deployment('xaat-1', async () => true);
    const sent = await sendEvents(world.service, 'b', { contentType: 'application/json', body });
    assert.ok(sent.ok);
    assert.deepEqual(requests(world.servers), ['eu POST /v1/ingest/b']);
  });

  it('for datasets at two edge deployments goes to the general address', async () => {
    await using world = await deployment('xaat-1', async () => true);
    assert.ok((await query(world.service, ['a', 'b'])).ok);
    assert.deepEqual(requests(world.servers), ['general POST /v1/datasets/_apl']);
  });

  it('with a personal token goes to the general address, and reports events sent through another region', async () => {
    await using world = await deployment('xapt-1');
    assert.ok((await query(world.service, ['b'])).ok);
    const sent = await sendEvents(world.service, 'b', { contentType: 'application/json', body });
    assert.ok(sent.ok);
    assert.match(sent.value.routeNotices[0]?.msg ?? '', /through another region/);
    assert.deepEqual(requests(world.servers), [
      'general POST /v1/datasets/_apl',
      'general POST /v1/datasets/b/ingest',
    ]);
  });

  it('is not sent to an edge address that the user has not allowed', async () => {
    const asked: boolean[] = [];
    await using world = await deployment('xaat-1', async (_address, _place, ask) => {
      asked.push(ask);
      return false;
    });
    for (const askPerson of [true, false]) {
      const answer = await query(world.service, ['b'], askPerson);
      assert.ok(!answer.ok);
      assert.equal(answer.failure.kind, 'routing');
      assert.match(answer.failure.message, /'b' is stored in EU Central 1.*not sent there/);
    }
    const sent = await sendEvents(world.service, 'b', { contentType: 'application/json', body });
    assert.ok(!sent.ok);
    assert.deepEqual(asked, [true, false, false]);
    assert.deepEqual(requests(world.servers), []);
    assert.ok(!world.tokensAt.has(world.servers.eu.url));
  });

  it('is not sent to another edge address if the user cannot be asked', async () => {
    await using world = await deployment('xaat-1');
    assert.ok(!(await query(world.service, ['b'])).ok);
    assert.deepEqual(requests(world.servers), []);
  });

  it('goes to the configured edge address if listing is denied, without listing again', async () => {
    await using world = await deployment('xaat-1', async () => true);
    await using refusing = await LoopbackServer.start((response) => json(response, 403, {}));
    const { connection } = world.service;
    const narrow = new Service({ ...connection, general: refusing.url, places: new Places() });
    for (let at = 0; at < 3; at += 1) assert.ok((await query(narrow, ['b'])).ok);
    assert.equal(requests(world.servers).join(), Array(3).fill('us POST /v1/query/_apl').join());
    // The list is requested once, not with every query.
    assert.equal(refusing.received.length, 1);
  });

  it('lists the datasets again after an edge deployment did not find one', async () => {
    let place = us.id as string;
    await using edge = await LoopbackServer.start((response) => json(response, 404, {}));
    await using general = await LoopbackServer.start((response) =>
      json(response, 200, [
        {
          id: 'a',
          name: 'a',
          created: '',
          who: '',
          edgeDeployment: place,
          edgeDeploymentUrl: edge.url,
        },
      ]),
    );
    await using world = await deployment('xaat-1');
    const { dispatcher } = world.service.connection;
    const token = async () => 'xaat-1';
    const places = new Places();
    const service = new Service({
      general: general.url,
      edge: edge.url,
      dispatcher,
      token,
      places,
    });
    assert.ok(!(await query(service, ['a'])).ok);
    place = eu.id;
    assert.ok(!(await query(service, ['a'])).ok);
    assert.equal(general.received.length, 2);
  });
});
