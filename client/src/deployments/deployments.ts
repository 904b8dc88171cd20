// All deployments, the active one, and connections to them. Other modules use each deployment as a `Service`.

import type { Dispatcher } from 'undici';
import * as vscode from 'vscode';
import type { LocalAddress } from '../../../loopback/src/lock.ts';
import type { Log } from '../host/log.ts';
import { onSettingChanged } from '../host/settings.ts';
import { failed, type Outcome } from '../service/failure.ts';
import { Places } from '../service/places.ts';
import { Service } from '../service/service.ts';
import { confirm } from '../ui/notifications.ts';
import { errorMessage } from '../words/errors.ts';
import { Credentials } from './credentials.ts';
import { deploymentLayers, networkSettings } from './deploymentSettings.ts';
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
  readonly writes = new WriteGuard(({ message, detail, action }) =>
    confirm(message, detail, action, KEEP_UNCHANGED),
  );
  readonly #edges: EdgeAccess;
  /** Finds the edge deployment of each dataset. The keys are a deployment's name, addresses and organization. */
  readonly #places = new Map<string, Places>();
  readonly #extension: vscode.ExtensionContext;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<readonly string[] | undefined>();
  /**
   * Fires when lists of the active deployment may be outdated, because the deployment changed, became unreachable or
   * was replaced. The event lists the affected deployments: none after a switch, undefined for all.
   */
  readonly onDidChange = this.#changed.event;
  /** The dispatchers, created with the first service because their modules load slowly. */
  #direct: { readonly to: LocalAddress; readonly dispatcher: Promise<Dispatcher> } | undefined;
  #network: Promise<Dispatcher> | undefined;
  /** Whether the active deployment is reachable. False from a failed call until the next attempt. */
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
        // Fire a change, because a restarted process may use another folder.
        if (startedBefore && this.active.kind === 'local') this.refresh();
        else this.retry();
        startedBefore = true;
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('http')) this.#forgetNetwork();
      }),
    );
  }

  /** The local deployment, followed by the hosted deployments in the settings. */
  get profiles(): readonly Profile[] {
    return [localProfile, ...readProfiles(deploymentLayers()).profiles];
  }

  get problems(): readonly string[] {
    return readProfiles(deploymentLayers()).problems;
  }

  /** The window's deployment, or Local if the settings don't contain the window's deployment. */
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

  refresh(): void {
    this.#places.clear();
    this.#reachable = true;
    this.#changed.fire(undefined);
  }

  /** Calls `refresh` if the active deployment was unreachable. Returns whether it was. */
  retry(): boolean {
    if (this.#reachable) return false;
    this.refresh();
    return true;
  }

  /** Returns a deployment's service. Starts the local one if needed. Calls without a token fail with kind `token`. */
  async service(profile: Profile = this.active): Promise<Outcome<Service>> {
    if (profile.kind === 'hosted') return { ok: true, value: await this.#hosted(profile) };
    try {
      const address = await this.local.address();
      const { url, token } = address;
      this.#log.keepSecret(token);
      const value = new Service({
        general: url,
        edge: url,
        dispatcher: await this.#directTo(address),
        token: async () => token,
        onUnreachable: () => this.#lost(profile),
      });
      return { ok: true, value };
    } catch (error) {
      this.#lost(profile);
      const reason = errorMessage(error).replace(/\.?$/, '.');
      const message = `The local deployment did not start. ${reason}`;
      return failed({ kind: 'unreachable', host: LOCAL_NAME, message });
    }
  }

  /** Calls a deployment's service. Returns the failure if there is no service. */
  async call<T>(
    work: (service: Service) => Promise<Outcome<T>>,
    profile: Profile = this.active,
  ): Promise<Outcome<T>> {
    const service = await this.service(profile);
    return service.ok ? work(service.value) : service;
  }

  /** Returns the service of a deployment that may not be in the settings, with a token that need not be stored. */
  async probe(profile: HostedProfile, token: string): Promise<Service> {
    this.#log.keepSecret(token);
    return this.#hosted(profile, token);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
    this.#forgetNetwork();
    close(this.#direct?.dispatcher);
    this.#direct = undefined;
  }

  #directTo(to: LocalAddress): Promise<Dispatcher> {
    if (this.#direct?.to !== to) {
      close(this.#direct?.dispatcher);
      const dispatcher = import('./network.ts').then(({ localDispatcher }) => localDispatcher(to));
      this.#direct = { to, dispatcher };
    }
    return this.#direct!.dispatcher;
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
        // For another edge deployment, use the token of the general address, whose records named that edge deployment.
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

  /** Fires once until the next deliberate attempt, because lists would otherwise be requested in an endless loop. */
  #lost({ name }: Profile): void {
    if (!this.#reachable || name !== this.active.name) return;
    this.#reachable = false;
    this.#changed.fire([name]);
  }

  #forgetNetwork(): void {
    close(this.#network);
    this.#network = undefined;
  }
}

function close(dispatcher: Promise<Dispatcher> | undefined): void {
  // Close without waiting, because running requests finish on the old connections.
  void dispatcher?.then((opened) => opened.close());
}
