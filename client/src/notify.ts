// Shows a failure with buttons that do what it advises.
import * as vscode from 'vscode';
import { type Attempt, adviceFor } from './advice.ts';
import type { Failure } from './api/failure.ts';

/** Tells the person of a failure. `doing` says what was tried, without a full stop. */
export async function showFailure(
  doing: string,
  failure: Failure,
  attempt: Attempt,
): Promise<void> {
  if (failure.kind === 'cancelled') return;
  const { message, actions } = adviceFor(failure, attempt);
  const labels = actions.map(({ label }) => label);
  const chosen = await vscode.window.showErrorMessage(`${doing}. ${message}`, ...labels);
  const action = actions.find(({ label }) => label === chosen);
  if (action) await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
}
