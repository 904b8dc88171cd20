/**
 * The connection of `aplomb mcp`. It is opened with the first call that needs it, and again after the local deployment
 * has ended. A local deployment that isn't running is started.
 */
import { Service } from '../../../client/src/service/service.ts';
import { UsageError } from '../../../system/src/commandLine.ts';
import { type Connection, connect } from '../ingest/target.ts';
import type { Target } from '../ingest/targetOptions.ts';
import { startLocal } from './startLocal.ts';

const NO_DEPLOYMENT =
  'No local deployment is running, and there is no data to start one with. Start it in VS Code with the command APL: Start Local Deployment, or with aplomb serve, and name its data folder with --data.';

export class Deployment {
  readonly #target: Target;
  readonly #allowsIngest: boolean;
  #opening: Promise<Connection> | undefined;
  readonly #connections = new WeakMap<Service, Connection>();
  /** Tokens and addresses that no answer may contain. */
  readonly secrets = new Set<string>();

  constructor(target: Target, allowsIngest: boolean) {
    this.#target = target;
    this.#allowsIngest = allowsIngest;
    const token = process.env['APLOMB_TOKEN'];
    if (token) this.secrets.add(token);
  }

  /** Returns the service, whose calls can store events if that is allowed, and nothing else. */
  async service(): Promise<Service> {
    const connection = await this.#connection();
    const { connection: settings } = connection.service;
    const token = await settings.token(new URL(settings.general).origin);
    if (token !== undefined) this.secrets.add(token);
    const service = new Service({
      ...settings,
      token: (origin) => settings.token(origin),
      confirms: async (key) => this.#allowsIngest && connection.isLocal && key === 'ingest',
    });
    this.#connections.set(service, connection);
    return service;
  }

  /** Closes the connection of a service that is unreachable, so that the next call opens another. */
  async drop(service: Service): Promise<void> {
    const opening = this.#opening;
    const connection = await opening?.catch(() => undefined);
    // Another call may have opened a new connection since.
    if (connection === undefined || connection !== this.#connections.get(service)) return;
    if (this.#opening === opening) this.#opening = undefined;
    await connection.close();
  }

  async #connection(): Promise<Connection> {
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #connect(): Promise<Connection> {
    const target = this.#target;
    try {
      return await connect(target, process.env);
    } catch (error) {
      if (target.kind !== 'local' || !(error instanceof UsageError)) throw error;
      if (!(await startLocal(target.data))) throw new Error(NO_DEPLOYMENT);
      return connect(target, process.env);
    }
  }

  /** Closes the connection at the end. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    await (await opening?.catch(() => undefined))?.close();
  }
}
