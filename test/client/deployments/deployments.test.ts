// Deployments in settings, and tokens, which are stored by origin so that no setting can send them elsewhere.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Credentials } from '../../../client/src/deployments/credentials.ts';
import {
  agentRefusal,
  edgeAddress,
  type HostedProfile,
  knownEdgeOrigins,
  localProfile,
  originsOf,
  readProfile,
  readProfiles,
  soundsLikeProduction,
} from '../../../client/src/deployments/profiles.ts';

/** Creates credentials on a secret storage in memory, with the interface of VS Code. */
function secretStore(): { store: Map<string, string>; credentials: Credentials } {
  const store = new Map<string, string>();
  const credentials = new Credentials({
    get: async (key) => store.get(key),
    store: async (key, value) => void store.set(key, value),
    delete: async (key) => void store.delete(key),
  });
  return { store, credentials };
}

function profile(entry: object, from: 'user' | 'workspace' = 'user'): HostedProfile {
  const read = readProfile(entry, from);
  assert.equal(typeof read, 'object', String(read));
  return read as HostedProfile;
}

describe('a deployment in settings', () => {
  it('gets its general and edge addresses from its region', () => {
    const read = profile({ name: 'Prod', region: 'eu-central-1' });
    assert.equal(read.general, 'https://api.axiom.co');
    assert.equal(read.edge, 'https://eu-central-1.aws.edge.axiom.co');
    assert.equal(read.production, false);
  });

  it('can have a custom address with a port and a path, whose trailing slash is removed', () => {
    const read = profile({
      name: 'Own',
      url: 'https://Data.Example.com:8443/api/',
      production: true,
    });
    assert.equal(read.general, 'https://data.example.com:8443/api');
    assert.equal(read.edge, read.general);
    assert.equal(read.production, true);
  });

  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [null, /must be an object/],
    ['https://x', /must be an object/],
    [{}, /The name is missing/],
    [{ name: 7 }, /The name is missing/],
    [{ name: 'Local', url: 'https://x.example' }, /built-in/],
    [{ name: 'A' }, /url of 'A' is missing/],
    [{ name: 'A', region: 'toString' }, /must be one of us-east-1/],
    [{ name: 'A', region: 7, url: 'https://x.example' }, /must be one of/],
    [{ name: 'A', url: 'x.example' }, /must look like https:/],
    [{ name: 'A', url: 'http://x.example' }, /must start with https/],
    [{ name: 'A', url: 'file:///etc/passwd' }, /must start with https/],
    [{ name: 'A', url: 'https://user:pass@x.example' }, /name or a password/],
    [{ name: 'A', url: 'https://x.example/?a=1' }, /must not contain/],
    [
      { name: 'A', url: 'https://x.example', edgeUrl: 'http://127.0.0.1.evil.example' },
      /edgeUrl of 'A' must start/,
    ],
  ];
  for (const [entry, message] of wrong) {
    it(`is rejected if it is ${JSON.stringify(entry)}`, () => {
      assert.match(String(readProfile(entry, 'user')), message);
    });
  }

  it('can use http if it is on this machine', () => {
    for (const host of ['127.0.0.1:8080', 'localhost:8080', '[::1]:8080', '127.5.5.5']) {
      profile({ name: 'Here', url: `http://${host}` });
    }
  });

  it('of the workspace replaces one of the same name in user settings, and invalid entries are reported', () => {
    const { profiles, problems } = readProfiles({
      user: [
        { name: 'A', url: 'https://a.example' },
        { name: 'B', url: 'https://b.example' },
        { name: 'C' },
      ],
      workspace: [{ name: 'A', url: 'https://other.example' }, 'nonsense'],
    });
    assert.deepEqual(
      profiles.map(({ name, general, from }) => [name, general, from]),
      [
        ['A', 'https://other.example', 'workspace'],
        ['B', 'https://b.example', 'user'],
      ],
    );
    assert.equal(problems.length, 2);
    assert.match(problems[0] ?? '', /entry 3 \(user settings\)/);
    assert.deepEqual(readProfiles({ user: { a: 1 }, workspace: null }).profiles, []);
  });
});

describe('a production deployment', () => {
  const one = (user: object, workspace: object) =>
    readProfiles({ user: [user], workspace: [workspace] }).profiles[0];

  it('in user settings stays marked as production, whatever a workspace sets', () => {
    const user = { name: 'Prod', url: 'https://api.example', production: true };
    for (const entry of [
      {},
      { production: false, keepResults: true },
      { edgeUrl: 'https://e.example' },
    ]) {
      const read = one(user, { name: 'Prod', url: 'https://api.example', ...entry });
      assert.equal(read?.production, true, JSON.stringify(entry));
      assert.equal(read?.keepResults, false);
      assert.equal(read?.from, 'workspace');
    }
  });

  it('can be declared by a workspace, and both user and workspace can turn off kept results', () => {
    const user = { name: 'Prod', url: 'https://api.example' };
    assert.equal(one(user, { ...user, production: true })?.production, true);
    assert.equal(one({ ...user, keepResults: false }, user)?.keepResults, false);
    assert.equal(one(user, { ...user, keepResults: false })?.keepResults, false);
  });
});

describe('agents', () => {
  const user = { name: 'Live', url: 'https://api.example' };
  const one = (own: object, workspace: object) =>
    readProfiles({ user: [own], workspace: [workspace] }).profiles.at(-1);

  it('may use the local deployment, and hosted ones that user settings allow', () => {
    assert.equal(agentRefusal(localProfile), undefined);
    assert.match(agentRefusal(one(user, user)!) ?? '', /'Live'.*Edit Deployment…/);
    const allowed = readProfiles({ user: [{ ...user, agents: true }], workspace: undefined });
    assert.equal(agentRefusal(allowed.profiles[0]!), undefined);
    const wrong = readProfiles({ user: [{ ...user, agents: 'yes' }], workspace: undefined });
    assert.notEqual(agentRefusal(wrong.profiles[0]!), undefined);
  });

  it('are not allowed by a workspace, which may repeat the entry of the user for the same addresses', () => {
    const allowed = { ...user, agents: true };
    assert.equal(one(user, allowed)?.agents, undefined);
    assert.equal(one({ ...allowed, name: 'Other' }, allowed)?.agents, undefined);
    assert.equal(one(allowed, { ...allowed, url: 'https://evil.example' })?.agents, undefined);
    assert.equal(one(allowed, { ...allowed, edgeUrl: 'https://evil.example' })?.agents, undefined);
    assert.equal(one(allowed, user)?.agents, true);
  });
});

describe('a token', () => {
  const known = profile({
    name: 'Prod',
    url: 'https://api.example',
    edgeUrl: 'https://edge.example',
  });

  it('is found by its profile and each origin it was entered for', async () => {
    const { credentials } = secretStore();
    await credentials.store(originsOf(known), known.name, 'xaat-1');
    assert.equal(await credentials.token('https://api.example', 'Prod'), 'xaat-1');
    assert.equal(await credentials.token('https://edge.example', 'Prod'), 'xaat-1');
    assert.deepEqual(await credentials.missing(originsOf(known), 'Prod'), []);
  });

  it('is not available at another address that a workspace gives to a known profile', async () => {
    const { credentials, store } = secretStore();
    await credentials.store(originsOf(known), known.name, 'xaat-1');
    const elsewhere = [
      { name: 'Prod', url: 'https://evil.example' },
      { name: 'Prod', url: 'https://api.example', edgeUrl: 'https://evil.example' },
      { name: 'Prod', url: 'https://api.example:8443' },
      { name: 'Prod', url: 'https://api.example.evil.example' },
      { name: 'Prod', url: 'http://localhost' },
    ];
    for (const entry of elsewhere) {
      const moved = profile(entry, 'workspace');
      const missing = await credentials.missing(originsOf(moved), moved.name);
      assert.ok(missing.length > 0);
      for (const origin of missing) {
        assert.equal(await credentials.token(origin, moved.name), undefined);
        assert.ok(!originsOf(known).includes(origin));
      }
    }
    assert.equal(store.size, 2);
  });

  it('is stored and deleted separately for each profile of the same origin', async () => {
    const { credentials, store } = secretStore();
    const other = profile({ name: 'Staging', url: 'https://api.example' });
    await credentials.store(originsOf(known), 'Prod', 'xaat-1');
    await credentials.store(originsOf(other), 'Staging', 'xaat-2');
    assert.equal(await credentials.token('https://api.example', 'Prod'), 'xaat-1');
    assert.equal(await credentials.token('https://api.example', 'Staging'), 'xaat-2');
    assert.equal(await credentials.token('https://edge.example', 'Staging'), undefined);
    await credentials.forget(originsOf(known), 'Prod');
    assert.equal(await credentials.token('https://api.example', 'Prod'), undefined);
    assert.equal(await credentials.token('https://api.example', 'Staging'), 'xaat-2');
    await credentials.forget(originsOf(other), 'Staging');
    assert.equal(store.size, 0);
  });

  it('is treated as missing if the stored value is invalid', async () => {
    const { credentials, store } = secretStore();
    for (const text of ['', 'x', '[]', 'null', '{"Prod":7}']) {
      store.set('aplomb.token:https://api.example', text);
      assert.equal(await credentials.token('https://api.example', 'Prod'), undefined);
    }
  });

  it('can belong to a profile named __proto__', async () => {
    const { credentials } = secretStore();
    await credentials.store(['https://api.example'], '__proto__', 'xaat-9');
    assert.equal(await credentials.token('https://api.example', '__proto__'), 'xaat-9');
    assert.equal(await credentials.token('https://api.example', 'toString'), undefined);
  });
});

describe('the address of an edge deployment that a record names', () => {
  const general = (url: string) => {
    const profile = readProfile({ name: 'a', url }, 'user');
    assert.ok(typeof profile === 'object');
    return profile;
  };

  it('is accepted only with https, or on this machine if the deployment is there too', () => {
    const hosted = general('https://api.axiom.co');
    const local = general('http://127.0.0.1:1234');
    assert.deepEqual(edgeAddress('https://eu.example/edge/', hosted), {
      address: 'https://eu.example/edge',
    });
    for (const named of ['http://eu.example', 'http://127.0.0.1:1', 'file:///etc', 'eu', '']) {
      assert.equal(typeof edgeAddress(named, hosted), 'string', named);
    }
    assert.equal(typeof edgeAddress('http://127.0.0.1:1', local), 'object');
    assert.equal(typeof edgeAddress('http://eu.example', local), 'string');
  });

  it('is known in advance only for the hosted service', () => {
    assert.deepEqual(knownEdgeOrigins(general('https://api.axiom.co')), [
      'https://us-east-1.aws.edge.axiom.co',
      'https://eu-central-1.aws.edge.axiom.co',
    ]);
    assert.deepEqual(knownEdgeOrigins(general('https://proxy.example')), []);
    // The general address of the hosted service does not accept queries.
    assert.equal(general('https://api.axiom.co').edge, 'https://us-east-1.aws.edge.axiom.co');
  });
});

describe('the name of a deployment', () => {
  it('suggests production if it contains a word such as prod or live, but not non-prod', () => {
    for (const name of ['prod', 'Production', 'prod-eu', 'acmeProd', 'Live', 'EU prd']) {
      assert.ok(soundsLikeProduction(name), name);
    }
    for (const name of ['Staging', 'product', 'non-prod', 'preProduction', 'delivery', '']) {
      assert.ok(!soundsLikeProduction(name), name);
    }
  });
});
