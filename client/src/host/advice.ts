// Advice about failures: a sentence and commands for buttons. Independent of VS Code, so that tests cover every kind
// of failure.
import type { Failure } from '../api/failure.ts';

export interface Action {
  readonly label: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

export interface Advice {
  readonly message: string;
  readonly actions: readonly Action[];
}

/** The attempted operation, for failures whose remedy depends on it. */
export interface Attempt {
  readonly local: boolean;
  /** The deployment's name; absent for the active one. */
  readonly deployment?: string;
  /** The command that repeats the operation. */
  readonly again?: Omit<Action, 'label'>;
  /** The required capability, such as `query access to http-logs`. */
  readonly needs?: string;
}

const restartLocal: Action = { label: 'Restart Local Deployment', command: 'aplomb.restartLocal' };
const showLog: Action = { label: 'Show Log', command: 'aplomb.showLog' };
const timeoutSetting: Action = {
  label: 'Change Timeout',
  command: 'workbench.action.openSettings',
  arguments: ['aplomb.query.timeout'],
};

export function adviceFor(failure: Failure, attempt: Attempt): Advice {
  const again: readonly Action[] = attempt.again ? [{ label: 'Try Again', ...attempt.again }] : [];
  const needs = attempt.needs ? ` Use a token with ${attempt.needs}.` : '';
  const { deployment } = attempt;
  const asked = deployment === undefined ? {} : { arguments: [deployment] };
  const changeToken = { label: 'Change Token', command: 'aplomb.changeToken', ...asked };
  const editDeployment = { label: 'Edit Deployment', command: 'aplomb.editDeployment', ...asked };
  switch (failure.kind) {
    case 'token':
      return { message: failure.message, actions: [changeToken] };
    case 'timeout':
      return {
        message: `${failure.message} Narrow the time range, or increase the timeout.`,
        actions: [...again, timeoutSetting],
      };
    case 'unreachable':
      if (!attempt.local) return { message: failure.message, actions: [...again, editDeployment] };
      return {
        message: stopCodes.has(failure.code ?? '') ? stopped : failure.message,
        actions: [...again, restartLocal, showLog],
      };
    case 'routing':
    case 'certificate':
    case 'redirected':
      return { message: failure.message, actions: [editDeployment] };
    case 'unreadable':
      return { message: failure.message, actions: [...again, showLog] };
    case 'tooLarge':
    case 'cancelled':
      return { message: failure.message, actions: [] };
    case 'refused':
      return refused(failure, { again, changeToken }, needs);
  }
}

/** Error codes of connections to a process that was stopped, restarted or killed. */
const stopCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'UND_ERR_SOCKET',
]);

const stopped =
  'The local deployment stopped or restarted before it responded. It starts with the next request.';

const rejectedToken = ' The token is invalid, expired or revoked. Enter another one.';

function refused(
  failure: Failure,
  { again, changeToken }: { readonly again: readonly Action[]; readonly changeToken: Action },
  needs: string,
): Advice {
  const { status = 0, message, retryAfterSeconds: wait } = failure;
  if (status === 401) return { message: `${message}${rejectedToken}`, actions: [changeToken] };
  if (status === 403) return { message: `${message}${needs}`, actions: [changeToken] };
  if (status === 429 || status === 503) {
    const when = wait === undefined ? '' : ` Try again in ${duration(wait)}.`;
    return { message: `${message}${when}`, actions: again };
  }
  if (status === 432) {
    return { message: `${message} Narrow the time range, or filter earlier.`, actions: [] };
  }
  if (status >= 500 && status !== 501) return { message, actions: [...again, showLog] };
  return { message, actions: [] };
}

export function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.ceil(seconds / 3_600)} h`;
}
