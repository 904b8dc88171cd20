/** Lists stored and built-in users, roles and groups. Omits references to deleted users, roles and groups. */
import type { Group, Role, User } from '../../../api/src/index.ts';
import type { Resources } from '../store/resources.ts';
import { baseRoles, OWNER_ROLE_ID } from './baseRoles.ts';
import { Capabilities, type Grants } from './capabilities.ts';

/** The user of the two tokens in the data folder. This user exists even if no record of it is stored. */
export const LOCAL_USER_ID = 'local-user';

const localUser: User = {
  id: LOCAL_USER_ID,
  name: 'Local user',
  email: 'local-user@localhost',
  role: { id: OWNER_ROLE_ID, name: 'Owner' },
};

export interface DirectoryRecords {
  readonly user: User;
  readonly role: Role;
  readonly group: Group;
}

type Kind = keyof DirectoryRecords;

export class Directory {
  readonly #records: {
    readonly [Each in Kind]: ReadonlyMap<string, DirectoryRecords[Each]>;
  };
  readonly #capabilities = new Map<string, Capabilities>();

  constructor(resources: Resources) {
    const stored = resources.list<User>('user');
    const isStored = stored.some(({ id }) => id === LOCAL_USER_ID);
    const all = isStored ? stored : [localUser, ...stored];
    const custom = resources.list<Role>('role').map((role) => [role.id, role] as const);
    const roles = new Map([...baseRoles, ...custom]);
    const users = all.map((user): User => {
      // A user stored by another version may have no role.
      const id = (user.role as Partial<User['role']> | undefined)?.id ?? 'none';
      return { ...user, role: { id, name: roles.get(id)?.name ?? id } };
    });
    const isUser = (id: string) => users.some((user) => user.id === id);
    const withMembers = [...roles.values()].map((role): Role => {
      const having = users.filter((user) => user.role.id === role.id).map(({ id }) => id);
      const members = [...new Set([...(role.members ?? []).filter(isUser), ...having])];
      return { ...role, members };
    });
    const groups = resources.list<Group>('group').map((group) => ({
      ...group,
      members: (group.members ?? []).filter(isUser),
      roles: (group.roles ?? []).filter((id) => roles.has(id)),
    }));
    this.#records = { user: byId(users), role: byId(withMembers), group: byId(groups) };
  }

  list<K extends Kind>(kind: K): DirectoryRecords[K][] {
    return [...this.#records[kind].values()];
  }

  get<K extends Kind>(kind: K, id: string): DirectoryRecords[K] | undefined {
    return this.#records[kind].get(id);
  }

  roleNamed(text: string): Role | undefined {
    return this.get('role', text) ?? this.list('role').find(({ name }) => name === text);
  }

  /** Returns the capabilities of the user's roles: roles that list the user, and roles of the user's groups. */
  capabilitiesOf(userId: string): Capabilities {
    let capabilities = this.#capabilities.get(userId);
    if (capabilities === undefined) {
      capabilities = Capabilities.of(this.#rolesOf(userId));
      this.#capabilities.set(userId, capabilities);
    }
    return capabilities;
  }

  #rolesOf(userId: string): Grants[] {
    if (this.get('user', userId) === undefined) return [];
    const byGroup = this.list('group')
      .filter(({ members }) => members?.includes(userId))
      .flatMap(({ roles }) => roles ?? []);
    return this.list('role').filter(
      ({ id, members }) => members?.includes(userId) || byGroup.includes(id),
    );
  }
}

const byId = <T extends { readonly id: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new Map(records.map((record) => [record.id, record]));

const cachedDirectories = new WeakMap<
  Resources,
  { readonly version: number; readonly directory: Directory }
>();

/** Returns the store's directory, which is the same object until a user, role or group changes. */
export function directoryOf(resources: Resources): Directory {
  const last = cachedDirectories.get(resources);
  const version = resources.versionOf('user', 'role', 'group');
  if (last?.version === version) return last.directory;
  const directory = new Directory(resources);
  cachedDirectories.set(resources, { version, directory });
  return directory;
}
