/**
 * The connection of `aplomb mcp`. It is opened with the first call that needs it, and again after the local deployment
 * was started or restarted, so the server can be started before the deployment.
 */
import { Service } from '../../../client/src/service/service.ts';
import { type Connection, connect } from '../ingest/target.ts';
import type { Target } from '../ingest/targetOptions.ts';

const NOT_RUNNING =
  'No local deployment is running. Start it in VS Code with the command APL: Start Local Deployment, or with aplomb serve, and name its data folder with --data.';

export class Deployment {
  readonly #target: Target;
  readonly #allowsIngest: boolean;
  #opening: Promise<Connection> | undefined;
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
    return new Service({
      ...settings,
      token: (origin) => settings.token(origin),
      confirms: async (key) => this.#allowsIngest && connection.isLocal && key === 'ingest',
    });
  }

  async #connection(): Promise<Connection> {
    this.#opening ??= connect(this.#target, process.env).catch((error: unknown) => {
      this.#opening = undefined;
      const isUsage = error instanceof Error && error.name === 'UsageError';
      if (!isUsage) throw error;
      throw new Error(this.#target.kind === 'local' ? NOT_RUNNING : error.message);
    });
    return this.#opening;
  }

  /** Closes the connection, so that the next call opens another. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    await (await opening?.catch(() => undefined))?.close();
  }
}
