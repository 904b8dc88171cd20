// Additional addresses that may get a deployment's token: the service's edge deployments, and addresses in dataset
// records that the user has allowed.
import type * as vscode from 'vscode';
import type { Place } from '../service/places.ts';
import { confirm } from '../ui/notifications.ts';
import { edgeAddress, type HostedProfile, knownEdgeOrigins, originsOf } from './profiles.ts';

const ALLOWED_KEY = 'allowedEdges';

type Allowed = Readonly<Record<string, readonly string[]>>;

export class EdgeAccess {
  readonly #memory: vscode.Memento;
  /** Open confirmation prompts by deployment and origin, so that concurrent requests prompt the user only once. */
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** Returns whether an origin other than the deployment's own origins may get its token. */
  isAllowed(profile: HostedProfile, origin: string): boolean {
    if (knownEdgeOrigins(profile).includes(origin)) return true;
    return this.#allowed[keyOf(profile)]?.includes(origin) === true;
  }

  /** Returns whether an address in a dataset's record may get the token. If `ask` is set, asks the user if needed. */
  async admits(
    profile: HostedProfile,
    address: string,
    place: Place,
    ask: boolean,
  ): Promise<boolean> {
    const read = edgeAddress(address, profile);
    if (typeof read === 'string') return false;
    const { origin } = new URL(read.address);
    if (originsOf(profile).includes(origin) || this.isAllowed(profile, origin)) return true;
    if (!ask) return false;
    const key = JSON.stringify([keyOf(profile), origin]);
    const asking = this.#asking.get(key) ?? this.#ask(profile, origin, place);
    this.#asking.set(key, asking);
    try {
      return await asking;
    } finally {
      this.#asking.delete(key);
    }
  }

  get #allowed(): Allowed {
    return this.#memory.get<Allowed>(ALLOWED_KEY, {});
  }

  async #ask(profile: HostedProfile, origin: string, { name }: Place): Promise<boolean> {
    const isAllowed = await confirm(
      `Send the token of ${profile.name} to ${origin}?`,
      `The dataset is stored in the edge deployment ${name}. ${new URL(profile.general).host} says that its address is ${origin}, which the token of ${profile.name} was not entered for. Allow it only if you trust this address. You are asked once.`,
      'Send Token',
    );
    if (!isAllowed) return false;
    const key = keyOf(profile);
    const allowed = this.#allowed;
    await this.#memory.update(ALLOWED_KEY, {
      ...allowed,
      [key]: [...new Set([...(allowed[key] ?? []), origin])],
    });
    return true;
  }
}

/** Returns a key that includes the address, because a setting may reuse the name for another deployment. */
function keyOf({ name, general }: HostedProfile): string {
  return JSON.stringify([name, general]);
}
