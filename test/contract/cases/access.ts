// Users, organizations, roles, groups and tokens that are only read or have their own rules.
import assert from 'node:assert/strict';
import type { EndpointKey, Method } from '../../../api/src/index.ts';
import { faultsOf } from '../breaks.ts';
import { type Check, endpointAt, granted, refused, type World } from '../check.ts';
import * as spec from '../specification.ts';

interface Rule {
  readonly method: Method;
  readonly path: string;
  readonly name: string;
  readonly personal?: boolean;
  readonly run: (world: World, endpoint: EndpointKey) => Promise<void>;
}

const lists: readonly (readonly [path: string, members: spec.Members])[] = [
  ['/v2/orgs', spec.organization],
  ['/v2/rbac/roles', spec.role],
  ['/v2/rbac/groups', spec.group],
  ['/v2/tokens', spec.token],
  ['/v2/users', spec.user],
];

const rules: readonly Rule[] = [
  ...lists.map(
    ([path, members]): Rule => ({
      method: 'GET',
      path,
      name: 'returns a list whose items match the specification',
      run: async ({ requests }, endpoint) => {
        const listed: unknown[] = await granted(requests, endpoint);
        assert.deepEqual(
          listed.flatMap((one) => faultsOf(members, one)),
          [],
        );
      },
    }),
  ),
  {
    method: 'GET',
    path: '/v2/orgs/{id}',
    name: 'returns an organization and its license as specified',
    run: async ({ requests }, endpoint) => {
      const [{ id }] = await granted(requests, 'listOrganizations');
      const organization = await granted(requests, endpoint, { params: { id } });
      assert.deepEqual(faultsOf(spec.organization, organization), []);
      assert.deepEqual(faultsOf(spec.license, organization.license, 'license'), []);
    },
  },
  {
    method: 'GET',
    path: '/v2/user',
    name: 'returns the user that a personal token acts as',
    personal: true,
    run: async ({ requests }, endpoint) => {
      const user = await granted(requests, endpoint);
      assert.deepEqual(faultsOf(spec.user, user), []);
      assert.deepEqual(faultsOf(spec.roleOfUser, user.role, 'role'), []);
    },
  },
  ...(['/v2/rbac/roles', '/v2/rbac/groups'] as const).map(
    (path): Rule => ({
      method: 'POST',
      path,
      name: 'rejects a taken name and unknown members',
      run: async ({ requests }, endpoint) => {
        const remove = endpointAt('DELETE', `${path}/{id}`)!;
        const name = requests.name();
        const { id } = await granted(requests, endpoint, { body: { name } });
        try {
          await refused(requests, endpoint, { body: { name } }, [400, 409]);
          const body = { name: requests.name(), members: ['nobody'] };
          await refused(requests, endpoint, { body }, [400, 404, 422]);
        } finally {
          await granted(requests, remove, { params: { id } });
        }
      },
    }),
  ),
  {
    method: 'POST',
    path: '/v2/rbac/groups',
    name: 'rejects unknown roles and ignores isManaged',
    run: async ({ requests }, endpoint) => {
      const body = { name: requests.name(), roles: ['no role'] };
      await refused(requests, endpoint, { body }, [400, 404, 422]);
      const [{ id: role }] = await granted(requests, 'listRoles');
      const asked = { name: requests.name(), roles: [role], isManaged: true };
      const { id, roles, isManaged } = await granted(requests, endpoint, { body: asked });
      await granted(requests, endpointAt('DELETE', '/v2/rbac/groups/{id}')!, { params: { id } });
      assert.deepEqual([roles, isManaged], [[role], false]);
    },
  },
  {
    method: 'GET',
    path: '/v2/monitors',
    name: 'lists only monitors on datasets that the token may query',
    run: async ({ requests, dataset, scratch }, endpoint) => {
      const body = { name: requests.name(), type: 'Threshold', aplQuery: `['${dataset}'] | count` };
      const monitor = await granted(requests, 'createMonitor', { body });
      const tokens: string[] = [];
      const listedBy = async (name: string, actions: object) => {
        const made = await granted(requests, endpointAt('POST', '/v2/tokens')!, {
          body: {
            name: requests.name(),
            orgCapabilities: { monitors: ['read'] },
            datasetCapabilities: { [name]: actions },
          },
        });
        tokens.push(made.id);
        const listed: { id: string }[] = await granted(requests, endpoint, { token: made.token });
        return listed.map(({ id }) => id);
      };
      try {
        assert.deepEqual(await listedBy(scratch, { query: ['read'] }), []);
        assert.deepEqual(await listedBy(dataset, { ingest: ['create'] }), []);
        assert.ok((await listedBy(dataset, { query: ['read'] })).includes(monitor.id));
      } finally {
        const params = { id: monitor.id };
        await granted(requests, 'deleteMonitor', { params });
        for (const id of tokens) await requests.call('deleteToken', { params: { id } });
      }
    },
  },
  {
    method: 'POST',
    path: '/v2/users',
    name: 'creates a user whose role can be changed and who can be deleted',
    run: async ({ requests }, endpoint) => {
      const [role, other] = await granted(requests, 'listRoles');
      const email = `${requests.name()}@example.com`;
      const body = { name: requests.name(), email, role: role.id };
      const user = await granted(requests, endpoint, { body });
      assert.deepEqual(faultsOf(spec.user, user), []);
      const params = { id: user.id };
      const get = endpointAt('GET', '/v2/users/{id}')!;
      assert.deepEqual(await granted(requests, get, { params }), user);
      const give = endpointAt('PUT', '/v2/users/{id}/role')!;
      const changed = await granted(requests, give, { params, body: { role: other.id } });
      assert.equal(changed.role.id, other.id);
      await refused(requests, give, { params, body: { role: 'none such' } }, [400, 404, 422]);
      for (const unfit of [
        { ...body, email: 5 },
        { ...body, email: 'no address' },
        { name: 'x' },
      ]) {
        await refused(requests, endpoint, { body: unfit });
      }
      await granted(requests, endpointAt('DELETE', '/v2/users/{id}')!, { params });
      await refused(requests, get, { params }, [404]);
    },
  },
  {
    method: 'PUT',
    path: '/v2/user',
    name: 'changes the name of the current user',
    personal: true,
    run: async ({ requests }, endpoint) => {
      const { name } = await granted(requests, 'getCurrentUser');
      const body = { name: requests.name() };
      assert.equal((await granted(requests, endpoint, { body })).name, body.name);
      await refused(requests, endpoint, { body: { name: 5 } });
      await granted(requests, endpoint, { body: { name } });
    },
  },
  {
    method: 'PUT',
    path: '/v2/orgs/{id}',
    name: 'changes the name of an organization',
    run: async ({ requests }, endpoint) => {
      const [{ id, name }] = await granted(requests, 'listOrganizations');
      const body = { name: requests.name() };
      const changed = await granted(requests, endpoint, { params: { id }, body });
      assert.deepEqual(faultsOf(spec.organization, changed), []);
      assert.equal(changed.name, body.name);
      await refused(requests, endpoint, { params: { id }, body: { name: 5 } });
      await granted(requests, endpoint, { params: { id }, body: { name } });
    },
  },
  {
    method: 'POST',
    path: '/v2/tokens',
    name: "returns a token's secret once, and the secret works until the token is deleted",
    run: async ({ requests, dataset, scratch }, endpoint) => {
      const body = {
        name: requests.name(),
        orgCapabilities: {},
        datasetCapabilities: { [scratch]: { ingest: ['create'] } },
      };
      const { id, token } = await granted(requests, endpoint, { body });
      assert.match(token, /^xaat-/);
      const events = [{ a: 1 }];
      const send = (name: string) => ({ params: { dataset_name: name }, body: events, token });
      await granted(requests, 'ingest', send(scratch));
      await refused(requests, 'ingest', send(dataset), [403]);
      const query = { query: '?format=tabular', body: { apl: `['${scratch}'] | count` }, token };
      await refused(requests, 'queryEdge', query, [403]);
      assert.equal((await granted(requests, 'getToken', { params: { id } })).token, undefined);
      await granted(requests, endpointAt('DELETE', '/v2/tokens/{id}')!, { params: { id } });
      await refused(requests, 'ingest', send(scratch), [401, 403]);
    },
  },
  {
    method: 'POST',
    path: '/v2/tokens/{id}/regenerate',
    name: 'returns a new secret and expires the old one',
    run: async ({ requests, scratch }, endpoint) => {
      const body = {
        name: requests.name(),
        orgCapabilities: {},
        datasetCapabilities: { [scratch]: { ingest: ['create'] } },
      };
      const made = await granted(requests, endpointAt('POST', '/v2/tokens')!, { body });
      const { id, token } = await granted(requests, endpoint, {
        params: { id: made.id },
        body: { existingTokenExpiresAt: new Date(Date.now() - 1_000).toISOString() },
      });
      assert.notEqual(token, made.token);
      const send = (sent: string) => ({
        params: { dataset_name: scratch },
        body: [{ a: 1 }],
        token: sent,
      });
      await granted(requests, 'ingest', send(token));
      await refused(requests, 'ingest', send(made.token), [401, 403]);
      await granted(requests, endpointAt('DELETE', '/v2/tokens/{id}')!, { params: { id } });
    },
  },
];

export const accessChecks: readonly Check[] = rules.flatMap(
  ({ method, path, name, personal = false, run }): Check[] => {
    const endpoint = endpointAt(method, path);
    if (endpoint === undefined) return [];
    return [{ endpoint, name, personal, run: (world) => run(world, endpoint) }];
  },
);
