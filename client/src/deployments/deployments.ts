// Which deployments there are, which one is active, and how to reach it. To the rest of the client the
// local deployment and a hosted one are the same thing: a Service.
import type { Dispatcher } from 'undici';
import * as vscode from 'vscode';
import { type Failure, failed, type Outcome } from '../api/failure.ts';
import { Service } from '../api/service.ts';
import type { Log } from '../log.ts';
import { deploymentLayers, networkSettings, onSettingChanged } from '../settings.ts';
import { Credentials } from './credentials.ts';
import type { LocalDeployment } from './localDeployment.ts';
import { directDispatcher, networkDispatcher } from './network.ts';
import {
  type HostedProfile,
  LOCAL_NAME,
  localProfile,
  originsOf,
  type Profile,
  readProfiles,
} from './profiles.ts';

const ACTIVE_KEY = 'activeDeployment';

export class Deployments implements vscode.Disposable {
  readonly local: LocalDeployment;
  readonly credentials: Credentials;
  readonly #extension: vscode.ExtensionContext;
  readonly #log: Log;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Another deployment is active, or the active one has another address or token. */
  readonly onDidChange = this.#changed.event;
  readonly #direct = directDispatcher();
  #network: Dispatcher | undefined;
  readonly #subscriptions: vscode.Disposable;

  constructor(extension: vscode.ExtensionContext, local: LocalDeployment, log: Log) {
    this.#extension = extension;
    this.local = local;
    this.#log = log;
    this.credentials = new Credentials(extension.secrets);
    this.#subscriptions = vscode.Disposable.from(
      onSettingChanged(['deployments'], () => this.#changed.fire()),
      extension.secrets.onDidChange(({ key }) => {
        if (Credentials.owns(key)) this.#changed.fire();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('http')) this.#forgetNetwork();
      }),
    );
  }

  /** All deployments: the local one first, then the hosted ones of the settings. */
  get profiles(): readonly Profile[] {
    return [localProfile, ...readProfiles(deploymentLayers()).profiles];
  }

  /** What is wrong with the settings, as sentences. */
  get problems(): readonly string[] {
    return readProfiles(deploymentLayers()).problems;
  }

  /** The one in use in this window; Local where the chosen one is gone from the settings. */
  get active(): Profile {
    const name = this.#extension.workspaceState.get<string>(ACTIVE_KEY, LOCAL_NAME);
    return this.find(name) ?? localProfile;
  }

  find(name: string): Profile | undefined {
    return this.profiles.find((profile) => profile.name === name);
  }

  async select(name: string): Promise<void> {
    await this.#extension.workspaceState.update(ACTIVE_KEY, name);
    this.#changed.fire();
  }

  /**
   * The service of a deployment, by default the active one. The local one is started if need be. A
   * hosted one without a token is still a service: its calls fail with the kind `token`.
   */
  async service(profile: Profile = this.active): Promise<Outcome<Service>> {
    if (profile.kind === 'hosted') return { ok: true, value: this.#hosted(profile) };
    try {
      const { url, token } = await this.local.address();
      const connection = { general: url, edge: url, dispatcher: this.#direct };
      return {
        ok: true,
        value: new Service({ ...connection, token: async () => token }),
      };
    } catch (error) {
      return failed(notStarted(error));
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
    this.#forgetNetwork();
    void this.#direct.close();
  }

  #hosted(profile: HostedProfile): Service {
    const allowed = new Set(originsOf(profile));
    this.#network ??= networkDispatcher(networkSettings());
    return new Service({
      general: profile.general,
      edge: profile.edge,
      ...(profile.organization !== undefined && { organization: profile.organization }),
      dispatcher: this.#network,
      token: async (origin) => {
        if (!allowed.has(origin)) return undefined;
        const token = await this.credentials.token(origin, profile.name);
        if (token !== undefined) this.#log.keepSecret(token);
        return token;
      },
    });
  }

  #forgetNetwork(): void {
    // Requests under way finish on the old connections.
    void this.#network?.close();
    this.#network = undefined;
  }
}

function notStarted(error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  return {
    kind: 'unreachable',
    host: LOCAL_NAME,
    message: `The local deployment did not start. ${why.replace(/\.?$/, '.')}`,
  };
}
