// Shows a failure with buttons that do what it advises.
import * as vscode from 'vscode';
import type { Failure } from '../api/failure.ts';
import { showErrorMessage } from '../ui/messages.ts';
import { type Action, type Attempt, adviceFor } from './advice.ts';

/** Shows a failure without waiting for the person. `doing` names the attempt, without a full stop. */
export function showFailure(doing: string, failure: Failure, attempt: Attempt): void {
  if (failure.kind === 'cancelled') return;
  const { message, actions } = adviceFor(failure, attempt);
  showWithActions(`${doing}. ${message}`, actions);
}

/** Shows an error with buttons and runs the command of the one that is pressed. */
export function showWithActions(message: string, actions: readonly Action[]): void {
  const labels = actions.map(({ label }) => label);
  void showErrorMessage(message, ...labels).then((chosen) => {
    const action = actions.find(({ label }) => label === chosen);
    return action && vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
  });
}
