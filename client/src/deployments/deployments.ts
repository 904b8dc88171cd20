// Which deployments there are, which one is active, and how to reach it. To the rest of the client the
// local deployment and a hosted one are the same thing: a Service.

import type { Dispatcher } from 'undici';
import * as vscode from 'vscode';
import type { LocalAddress } from '../../../loopback/src/lock.ts';
import { type Failure, failed, type Outcome } from '../api/failure.ts';
import { Places } from '../api/places.ts';
import { Service } from '../api/service.ts';
import type { Log } from '../host/log.ts';
import { deploymentLayers, networkSettings, onSettingChanged } from '../host/settings.ts';
import { showWarningMessage } from '../ui/messages.ts';
import { errorMessage } from '../words/errors.ts';
import { Credentials } from './credentials.ts';
import { EdgeAccess } from './edgeAccess.ts';
import type { LocalDeployment } from './localDeployment.ts';
import {
  type HostedProfile,
  isProduction,
  KEEP_UNCHANGED,
  LOCAL_NAME,
  localProfile,
  originsOf,
  type Profile,
  readProfiles,
} from './profiles.ts';
import { WriteGuard } from './writeGuard.ts';

const ACTIVE_KEY = 'activeDeployment';

export class Deployments implements vscode.Disposable {
  readonly local: LocalDeployment;
  readonly credentials: Credentials;
  /** What writes to a production deployment is confirmed. */
  readonly writes = new WriteGuard(async ({ message, detail, action }) => {
    // Enter presses the first button, and VS Code puts its own Cancel last.
    const options = { modal: true, detail };
    const chosen = await showWarningMessage(message, options, KEEP_UNCHANGED, action);
    return chosen === action;
  });
  readonly #edges: EdgeAccess;
  /** Where the datasets of each deployment are stored, by its general address, organisation and name. */
  readonly #places = new Map<string, Places>();
  readonly #extension: vscode.ExtensionContext;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<readonly string[] | undefined>();
  /**
   * What was listed of the active deployment may be out of date: another one is active, it has another
   * address, token or data folder, its data was deleted, or it can no longer be reached. With the names of
   * the deployments of which this is so: none where another one is active, undefined for all.
   */
  readonly onDidChange = this.#changed.event;
  /** Made with the first service, since what they are made of takes as long to load as all else. */
  #direct: { readonly to: LocalAddress; readonly dispatcher: Promise<Dispatcher> } | undefined;
  #network: Promise<Dispatcher> | undefined;
  /** False after a call to the active deployment failed, until it is asked again. */
  #reachable = true;
  readonly #subscriptions: vscode.Disposable;

  constructor(extension: vscode.ExtensionContext, local: LocalDeployment, log: Log) {
    this.#extension = extension;
    this.local = local;
    this.#log = log;
    this.credentials = new Credentials(extension.secrets);
    this.#edges = new EdgeAccess(extension.globalState);
    let startedBefore = false;
    this.#subscriptions = vscode.Disposable.from(
      onSettingChanged(['deployments'], () => this.refresh()),
      extension.secrets.onDidChange(({ key }) => {
        if (Credentials.owns(key)) this.refresh();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.refresh()),
      local.onDidChange((state) => {
        if (state !== 'running') return;
        // A process that starts again may have another folder.
        if (startedBefore && this.active.kind === 'local') this.refresh();
        else this.retry();
        startedBefore = true;
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('http')) this.#forgetNetwork();
      }),
    );
  }

  /** All deployments: the local one first, then the hosted ones of the settings. */
  get profiles(): readonly Profile[] {
    return [localProfile, ...readProfiles(deploymentLayers()).profiles];
  }

  /** Sentences about invalid settings. */
  get problems(): readonly string[] {
    return readProfiles(deploymentLayers()).problems;
  }

  /** The deployment in use in this window: Local if the settings no longer have the chosen one. */
  get active(): Profile {
    const name = this.#extension.workspaceState.get<string>(ACTIVE_KEY, LOCAL_NAME);
    return this.find(name) ?? localProfile;
  }

  isProduction(name: string): boolean {
    const profile = this.find(name);
    return profile !== undefined && isProduction(profile);
  }

  find(name: string): Profile | undefined {
    return this.profiles.find((profile) => profile.name === name);
  }

  async select(name: string): Promise<void> {
    const isSame = name === this.active.name;
    await this.#extension.workspaceState.update(ACTIVE_KEY, name);
    if (isSame) return this.refresh();
    this.#reachable = true;
    this.#changed.fire([]);
  }

  /** Fetches every list again. */
  refresh(): void {
    this.#places.clear();
    this.#reachable = true;
    this.#changed.fire(undefined);
  }

  /** Does the same if the active deployment could not be reached before; otherwise returns false. */
  retry(): boolean {
    if (this.#reachable) return false;
    this.refresh();
    return true;
  }

  /**
   * Returns a deployment's service and starts the local one if needed. Without a token, calls fail with the kind
   * `token`.
   */
  async service(profile: Profile = this.active): Promise<Outcome<Service>> {
    if (profile.kind === 'hosted') return { ok: true, value: await this.#hosted(profile) };
    try {
      const address = await this.local.address();
      const { url, token } = address;
      this.#log.keepSecret(token);
      const connection = { general: url, edge: url, dispatcher: await this.#directTo(address) };
      return {
        ok: true,
        value: new Service({
          ...connection,
          token: async () => token,
          onUnreachable: () => this.#lost(profile),
        }),
      };
    } catch (error) {
      this.#lost(profile);
      return failed(notStarted(error));
    }
  }

  /** The service of a deployment that need not be in the settings, with a token that is not stored. */
  async probe(profile: HostedProfile, token: string): Promise<Service> {
    this.#log.keepSecret(token);
    return this.#hosted(profile, token);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
    this.#forgetNetwork();
    this.#forgetDirect();
  }

  #directTo(to: LocalAddress): Promise<Dispatcher> {
    if (this.#direct?.to !== to) {
      this.#forgetDirect();
      const dispatcher = import('./network.ts').then(({ localDispatcher }) => localDispatcher(to));
      this.#direct = { to, dispatcher };
    }
    return this.#direct!.dispatcher;
  }

  #forgetDirect(): void {
    // Requests under way finish on the old connections.
    void this.#direct?.dispatcher.then((dispatcher) => dispatcher.close());
    this.#direct = undefined;
  }

  async #hosted(profile: HostedProfile, given?: string): Promise<Service> {
    const own = originsOf(profile);
    const [home] = own as [string];
    this.#network ??= import('./network.ts').then(({ networkDispatcher }) =>
      networkDispatcher(networkSettings()),
    );
    const dispatcher = await this.#network;
    return new Service({
      general: profile.general,
      edge: profile.edge,
      ...(profile.organization !== undefined && { organization: profile.organization }),
      dispatcher,
      onUnreachable: () => this.#lost(profile),
      places: this.#placesOf(profile),
      admits: (address, place, ask) => this.#edges.admits(profile, address, place, ask),
      ...(profile.production && { confirms: (key) => this.writes.confirm(profile, key) }),
      token: async (origin) => {
        // The token for another edge deployment is that of the general address, which named it.
        const enteredFor = own.includes(origin)
          ? origin
          : this.#edges.isAllowed(profile, origin)
            ? home
            : undefined;
        if (enteredFor === undefined) return undefined;
        const token = given ?? (await this.credentials.token(enteredFor, profile.name));
        if (token !== undefined) this.#log.keepSecret(token);
        return token;
      },
    });
  }

  #placesOf({ name, general, edge, organization }: HostedProfile): Places {
    const key = JSON.stringify([name, general, edge, organization]);
    const known = this.#places.get(key) ?? new Places();
    this.#places.set(key, known);
    return known;
  }

  /**
   * Fires once until something is asked for again on purpose: a deployment of which only a part answers
   * would otherwise have its lists asked for without end.
   */
  #lost({ name }: Profile): void {
    if (!this.#reachable || name !== this.active.name) return;
    this.#reachable = false;
    this.#changed.fire([name]);
  }

  #forgetNetwork(): void {
    // Requests under way finish on the old connections.
    void this.#network?.then((dispatcher) => dispatcher.close());
    this.#network = undefined;
  }
}

function notStarted(error: unknown): Failure {
  return {
    kind: 'unreachable',
    host: LOCAL_NAME,
    message: `The local deployment did not start. ${errorMessage(error).replace(/\.?$/, '.')}`,
  };
}
