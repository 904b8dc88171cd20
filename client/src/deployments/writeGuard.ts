// Confirms what writes to a deployment that is marked as production: once in a window for each kind of operation.
import * as vscode from 'vscode';
import type { HostedProfile } from './profiles.ts';
import { writeKind } from './writeWords.ts';

export class WriteGuard {
  /** What was confirmed, or is being asked, by deployment and kind of operation. */
  readonly #confirmed = new Map<string, Promise<boolean>>();

  /** Whether an endpoint that writes may be called. Asks the first time in this window. */
  async confirm(profile: HostedProfile, endpoint: string): Promise<boolean> {
    const kind = writeKind(endpoint);
    const id = idOf(profile, kind);
    const asking = this.#confirmed.get(id) ?? ask(profile, kind);
    this.#confirmed.set(id, asking);
    const confirmed = await asking;
    if (!confirmed) this.#confirmed.delete(id);
    return confirmed;
  }

  /** The person has confirmed an operation of the same kind, in words of its own. */
  confirmed(profile: HostedProfile, endpoint: string): void {
    this.#confirmed.set(idOf(profile, writeKind(endpoint)), Promise.resolve(true));
  }
}

function idOf({ name, general }: HostedProfile, kind: string): string {
  return JSON.stringify([name, general, kind]);
}

async function ask({ name }: HostedProfile, kind: string): Promise<boolean> {
  const chosen = await vscode.window.showWarningMessage(
    `${kind} on ${name}?`,
    {
      modal: true,
      detail: `${name} is marked as production. If you continue, this window does not ask again for this kind of change on ${name}.`,
    },
    kind,
  );
  return chosen === kind;
}
