// Endpoints of users, organizations, roles, groups and API tokens.
import * as R from '../resources.ts';
import { list } from '../schema.ts';
import { del, get, open, personal, post, put, resource, spec } from './row.ts';

/** The capability that the service requires for every change of roles and groups. */
const change = { capability: 'rbac:create' } as const;

const roles = resource({
  path: '/v2/rbac/roles',
  capability: 'rbac',
  record: R.Role,
  create: R.RoleWrite,
  update: R.RoleWrite,
});

const groups = resource({
  path: '/v2/rbac/groups',
  capability: 'rbac',
  record: R.Group,
  create: R.GroupWrite,
  update: R.GroupWrite,
});

export const organizationEndpoints = {
  getCurrentUser: get('/v2/user', 'Get the user a personal token acts as.', R.User, {
    ...spec,
    ...personal,
    scope: open,
  }),
  updateCurrentUser: put(
    '/v2/user',
    'Change the user a personal token acts as.',
    R.UserUpdate,
    R.User,
    { ...personal, scope: open },
  ),
  getCurrentUserV1: get(
    '/v1/user',
    'Get the user a token acts as or belongs to, in the older shape.',
    R.UserV1,
    { scope: open },
  ),
  listUsers: get('/v2/users', 'List users.', list(R.User), {
    capability: 'users:read',
    scope: open,
  }),
  createUser: post('/v2/users', 'Make a user.', R.NewUser, R.User, {
    capability: 'users:create',
    scope: { grants: 'role', creates: 'maxUsers' },
  }),
  getUser: get('/v2/users/{id}', 'Get a user.', R.User, { capability: 'users:read', scope: open }),
  deleteUser: del('/v2/users/{id}', 'Delete a user.', {
    capability: 'users:delete',
    scope: open,
  }),
  updateUserRole: put(
    '/v2/users/{id}/role',
    'Give a user another role.',
    R.UserRoleUpdate,
    R.User,
    { capability: 'users:update', scope: { grants: 'change of role' } },
  ),

  listOrganizations: get(
    '/v2/orgs',
    'List the organisations the token reaches.',
    list(R.Organization),
    { scope: open },
  ),
  createOrganization: post(
    '/v2/orgs',
    'Make an organisation.',
    R.OrganizationUpdate,
    R.Organization,
    { ...change, scope: open },
  ),
  getOrganization: get('/v2/orgs/{id}', 'Get an organisation.', R.Organization, {
    ...spec,
    scope: open,
  }),
  updateOrganization: put(
    '/v2/orgs/{id}',
    'Change an organisation.',
    R.OrganizationUpdate,
    R.Organization,
    { ...change, scope: open },
  ),

  listRoles: roles.list('List roles.', spec),
  createRole: roles.create('Make a role.', { scope: { grants: 'body' } }),
  getRole: roles.get('Get a role.'),
  updateRole: roles.update('Change a role.', { ...change, scope: { grants: 'body' } }),
  deleteRole: roles.delete('Delete a role.', change),
  listGroups: groups.list('List groups.'),
  createGroup: groups.create('Make a group.', { scope: { grants: 'roles' } }),
  getGroup: groups.get('Get a group.', spec),
  updateGroup: groups.update('Change a group.', { ...change, scope: { grants: 'roles' } }),
  deleteGroup: groups.delete('Delete a group.', change),

  listTokens: get('/v2/tokens', 'List the records of API tokens.', list(R.Token), {
    capability: 'apiTokens:read',
    scope: open,
  }),
  createToken: post(
    '/v2/tokens',
    'Make an API token; the answer alone has its secret.',
    R.NewToken,
    R.TokenWithSecret,
    { capability: 'apiTokens:create', scope: { grants: 'body' } },
  ),
  getToken: get('/v2/tokens/{id}', 'Get the record of an API token.', R.Token, {
    ...spec,
    capability: 'apiTokens:read',
    scope: open,
  }),
  deleteToken: del('/v2/tokens/{id}', 'Delete an API token.', {
    capability: 'apiTokens:delete',
    scope: open,
  }),
  regenerateToken: post(
    '/v2/tokens/{id}/regenerate',
    'Replace an API token by one with another secret.',
    R.TokenRegeneration,
    R.TokenWithSecret,
    { capability: 'apiTokens:update', scope: { grants: 'token' } },
  ),
};
