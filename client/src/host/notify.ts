// Shows failures with buttons for the advised actions.
import * as vscode from 'vscode';
import type { Failure } from '../service/failure.ts';
import { showErrorMessage } from '../ui/notifications.ts';
import { type Action, type Attempt, adviceFor } from './advice.ts';

/**
 * Shows a failure, and returns undefined in place of the failed operation's result. `doing` names the attempt, without
 * a full stop. The actions in `first` precede the advised ones.
 */
export function showFailure(
  doing: string,
  failure: Failure,
  attempt: Attempt,
  first: readonly Action[] = [],
): undefined {
  if (failure.kind === 'cancelled') return undefined;
  const { message, actions } = adviceFor(failure, attempt);
  showWithActions(`${doing}. ${message}`, [...first, ...actions]);
  return undefined;
}

/** Shows an error, or another notification, with buttons that run commands. */
export function showWithActions(
  message: string,
  actions: readonly Action[],
  show = showErrorMessage,
): void {
  const labels = actions.map(({ label }) => label);
  void show(message, ...labels).then((chosen) => {
    const action = actions.find(({ label }) => label === chosen);
    return action && vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
  });
}
