/**
 * Lists the current users, roles and groups: the stored ones, the base roles, and the user of every deployment.
 * References to deleted users and roles are ignored.
 */
import type { Group, Role, User } from '../../../api/src/index.ts';
import type { Resources } from '../store/resources.ts';
import { baseRoles, OWNER_ROLE_ID } from './baseRoles.ts';
import { Capabilities, type Grants } from './capabilities.ts';

/** The user of the printed tokens. This user exists even if it isn't stored. */
export const LOCAL_USER_ID = 'local-user';

const localUser: User = {
  id: LOCAL_USER_ID,
  name: 'Local user',
  email: 'local-user@localhost',
  role: { id: OWNER_ROLE_ID, name: 'Owner' },
};

export class Directory {
  readonly #users: ReadonlyMap<string, User>;
  readonly #roles: ReadonlyMap<string, Role>;
  readonly #groups: ReadonlyMap<string, Group>;
  readonly #capabilities = new Map<string, Capabilities>();

  constructor(resources: Resources) {
    const stored = resources.list<User>('user');
    const isStored = stored.some(({ id }) => id === LOCAL_USER_ID);
    const users = isStored ? stored : [localUser, ...stored];
    const custom = resources.list<Role>('role').map((role) => [role.id, role] as const);
    const roles = new Map([...baseRoles, ...custom]);
    const isUser = (id: string) => users.some((user) => user.id === id);
    this.#users = new Map(
      users.map((user) => {
        // A user stored by another version may lack a role, so use `none`.
        const id = (user.role as Partial<User['role']> | undefined)?.id ?? 'none';
        return [user.id, { ...user, role: { id, name: roles.get(id)?.name ?? id } }];
      }),
    );
    const all = [...this.#users.values()];
    this.#roles = new Map(
      [...roles].map(([id, role]) => {
        const having = all.filter((user) => user.role.id === id).map((user) => user.id);
        const members = [...new Set([...(role.members ?? []).filter(isUser), ...having])];
        return [id, { ...role, members }];
      }),
    );
    this.#groups = new Map(
      resources.list<Group>('group').map((group) => [
        group.id,
        {
          ...group,
          members: (group.members ?? []).filter(isUser),
          roles: (group.roles ?? []).filter((id) => roles.has(id)),
        },
      ]),
    );
  }

  users(): User[] {
    return [...this.#users.values()];
  }

  user(id: string): User | undefined {
    return this.#users.get(id);
  }

  roles(): Role[] {
    return [...this.#roles.values()];
  }

  role(id: string): Role | undefined {
    return this.#roles.get(id);
  }

  /** Returns a role by its identifier or name. */
  roleNamed(text: string): Role | undefined {
    return this.#roles.get(text) ?? this.roles().find(({ name }) => name === text);
  }

  groups(): Group[] {
    return [...this.#groups.values()];
  }

  group(id: string): Group | undefined {
    return this.#groups.get(id);
  }

  /** Returns a user's capabilities: from the user's role, roles that list the user, and roles of the user's groups. */
  capabilitiesOf(userId: string): Capabilities {
    let capabilities = this.#capabilities.get(userId);
    if (capabilities === undefined) {
      capabilities = Capabilities.of(this.#rolesOf(userId));
      this.#capabilities.set(userId, capabilities);
    }
    return capabilities;
  }

  #rolesOf(userId: string): Grants[] {
    if (!this.#users.has(userId)) return [];
    const byGroup = this.groups()
      .filter(({ members }) => members?.includes(userId))
      .flatMap(({ roles }) => roles ?? []);
    return this.roles().filter(
      ({ id, members }) => members?.includes(userId) || byGroup.includes(id),
    );
  }
}

interface CachedDirectory {
  readonly version: number;
  readonly directory: Directory;
}

const cachedDirectories = new WeakMap<Resources, CachedDirectory>();

/** Returns the directory: the same value until a user, role or group changes. */
export function directoryOf(resources: Resources): Directory {
  const last = cachedDirectories.get(resources);
  const version = resources.versionOf('user', 'role', 'group');
  if (last?.version === version) return last.directory;
  const directory = new Directory(resources);
  cachedDirectories.set(resources, { version, directory });
  return directory;
}
