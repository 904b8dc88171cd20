// Tokens in VS Code's secret storage, by origin. A deployment's name only distinguishes several tokens for one origin.
// If a setting changes the address of a known name, no token is found and the user is asked.
import type * as vscode from 'vscode';
import { parsedJson } from '../../../api/src/plain.ts';

type SecretStore = Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;

const KEY_PREFIX = 'aplomb.token:';

export class Credentials {
  readonly #secrets: SecretStore;

  constructor(secrets: SecretStore) {
    this.#secrets = secrets;
  }

  /** Returns the token entered under `name` for exactly this origin. */
  async token(origin: string, name: string): Promise<string | undefined> {
    return (await this.#read(origin)).get(name);
  }

  /** Returns the origins, among the given ones, for which no token was entered under `name`. */
  async missing(origins: readonly string[], name: string): Promise<string[]> {
    const tokens = await Promise.all(origins.map((origin) => this.token(origin, name)));
    return origins.filter((_, index) => tokens[index] === undefined);
  }

  async store(origins: readonly string[], name: string, token: string): Promise<void> {
    for (const origin of origins) {
      const tokens = await this.#read(origin);
      await this.#write(origin, tokens.set(name, token));
    }
  }

  async forget(origins: readonly string[], name: string): Promise<void> {
    for (const origin of origins) {
      const tokens = await this.#read(origin);
      if (tokens.delete(name)) await this.#write(origin, tokens);
    }
  }

  static owns(key: string): boolean {
    return key.startsWith(KEY_PREFIX);
  }

  async #read(origin: string): Promise<Map<string, string>> {
    const text = (await this.#secrets.get(KEY_PREFIX + origin)) ?? '';
    // Treat unreadable tokens as missing, so that the user is asked again.
    const pairs = Object.entries((parsedJson(text) ?? {}) as Record<string, unknown>);
    return new Map(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
  }

  async #write(origin: string, tokens: ReadonlyMap<string, string>): Promise<void> {
    const key = KEY_PREFIX + origin;
    if (tokens.size === 0) await this.#secrets.delete(key);
    else await this.#secrets.store(key, JSON.stringify(Object.fromEntries(tokens)));
  }
}
