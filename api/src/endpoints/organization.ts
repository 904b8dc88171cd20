// Endpoints for users, organizations, roles, groups and API tokens.
import * as R from '../resources.ts';
import { list } from '../schema.ts';
import { del, get, personal, post, put, resource, spec, unrestricted } from './row.ts';

const canChangeRoles = { capability: 'rbac:create' } as const;

const roles = resource('/v2/rbac/roles', 'rbac', R.Role, R.RoleWrite);

const groups = resource('/v2/rbac/groups', 'rbac', R.Group, R.GroupWrite);

export const organizationEndpoints = {
  getCurrentUser: get('/v2/user', 'Get the user of a personal token.', R.User, {
    ...spec,
    ...personal,
    scope: unrestricted,
  }),
  updateCurrentUser: put('/v2/user', 'Update the user of a personal token.', R.UserUpdate, R.User, {
    ...personal,
    scope: unrestricted,
  }),
  getCurrentUserV1: get('/v1/user', 'Get the user of a token, in the older format.', R.UserV1, {
    scope: unrestricted,
  }),
  listUsers: get('/v2/users', 'List users.', list(R.User), {
    capability: 'users:read',
    scope: unrestricted,
  }),
  createUser: post('/v2/users', 'Create a user.', R.NewUser, R.User, {
    capability: 'users:create',
    scope: { grants: 'role', creates: 'maxUsers' },
  }),
  getUser: get('/v2/users/{id}', 'Get a user.', R.User, {
    capability: 'users:read',
    scope: unrestricted,
  }),
  deleteUser: del('/v2/users/{id}', 'Delete a user.', {
    capability: 'users:delete',
    scope: unrestricted,
  }),
  updateUserRole: put(
    '/v2/users/{id}/role',
    'Change the role of a user.',
    R.UserRoleUpdate,
    R.User,
    { capability: 'users:update', scope: { grants: 'change of role' } },
  ),

  listOrganizations: get(
    '/v2/orgs',
    'List the organizations that the token has access to.',
    list(R.Organization),
    { scope: unrestricted },
  ),
  createOrganization: post(
    '/v2/orgs',
    'Create an organization.',
    R.OrganizationUpdate,
    R.Organization,
    { ...canChangeRoles, scope: unrestricted },
  ),
  getOrganization: get('/v2/orgs/{id}', 'Get an organization.', R.Organization, {
    ...spec,
    scope: unrestricted,
  }),
  updateOrganization: put(
    '/v2/orgs/{id}',
    'Update an organization.',
    R.OrganizationUpdate,
    R.Organization,
    { ...canChangeRoles, scope: unrestricted },
  ),

  listRoles: roles.list('List roles.', spec),
  createRole: roles.create('Create a role.', { scope: { grants: 'body' } }),
  getRole: roles.get('Get a role.'),
  updateRole: roles.update('Update a role.', { ...canChangeRoles, scope: { grants: 'body' } }),
  deleteRole: roles.delete('Delete a role.', canChangeRoles),
  listGroups: groups.list('List groups.'),
  createGroup: groups.create('Create a group.', { scope: { grants: 'roles' } }),
  getGroup: groups.get('Get a group.', spec),
  updateGroup: groups.update('Update a group.', { ...canChangeRoles, scope: { grants: 'roles' } }),
  deleteGroup: groups.delete('Delete a group.', canChangeRoles),

  listTokens: get('/v2/tokens', 'List API tokens, without their secrets.', list(R.Token), {
    capability: 'apiTokens:read',
    scope: unrestricted,
  }),
  createToken: post(
    '/v2/tokens',
    'Create an API token. Only this response contains its secret.',
    R.NewToken,
    R.TokenWithSecret,
    { capability: 'apiTokens:create', scope: { grants: 'body' } },
  ),
  getToken: get('/v2/tokens/{id}', 'Get an API token, without its secret.', R.Token, {
    ...spec,
    capability: 'apiTokens:read',
    scope: unrestricted,
  }),
  deleteToken: del('/v2/tokens/{id}', 'Delete an API token.', {
    capability: 'apiTokens:delete',
    scope: unrestricted,
  }),
  regenerateToken: post(
    '/v2/tokens/{id}/regenerate',
    'Replace an API token with a token that has a new secret.',
    R.TokenRegeneration,
    R.TokenWithSecret,
    { capability: 'apiTokens:update', scope: { grants: 'token' } },
  ),
};
