// Advice about failures: a sentence and commands for buttons. Independent of VS Code, so that tests can cover every
// kind of failure.
import type { Failure } from '../service/failure.ts';

export interface Action {
  readonly label: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

export interface Advice {
  readonly message: string;
  readonly actions: readonly Action[];
}

/** The attempted operation, which determines the remedy for some failures. */
export interface Attempt {
  readonly local: boolean;
  /** The deployment's name; absent for the active one. */
  readonly deployment?: string;
  /** The command that repeats the operation. */
  readonly again?: Omit<Action, 'label'>;
  /** The access that is required, such as `query access to http-logs`. */
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
  const { local, deployment } = attempt;
  const again: readonly Action[] = attempt.again ? [{ label: 'Try Again', ...attempt.again }] : [];
  const asked = deployment === undefined ? {} : { arguments: [deployment] };
  const changeToken = { label: 'Change Token', command: 'aplomb.changeToken', ...asked };
  const editDeployment = { label: 'Edit Deployment', command: 'aplomb.editDeployment', ...asked };
  const advice = (actions: readonly Action[], more = ''): Advice => ({
    message: `${failure.message}${more}`,
    actions,
  });
  const { status = 0, retryAfterSeconds: wait } = failure;
  switch (failure.kind) {
    case 'token':
      return advice([changeToken]);
    case 'timeout':
      return advice([...again, timeoutSetting], ' Narrow the time range, or increase the timeout.');
    case 'unreachable': {
      if (!local) return advice([...again, editDeployment]);
      const actions = [...again, restartLocal, showLog];
      return stopCodes.has(failure.code ?? '') ? { message: stopped, actions } : advice(actions);
    }
    case 'routing':
    case 'certificate':
    case 'redirected':
      return advice([editDeployment]);
    case 'unreadable':
      return advice([...again, showLog]);
    case 'tooLarge':
    case 'cancelled':
      return advice([]);
    case 'refused':
      if (status === 401) return advice([changeToken], rejectedToken);
      // No token allows it.
      if (failure.code === 'dataset-read-only') return advice([]);
      if (status === 403) {
        return advice([changeToken], attempt.needs && ` Use a token with ${attempt.needs}.`);
      }
      if (status === 429 || status === 503) {
        return advice(again, wait === undefined ? '' : ` Try again in ${duration(wait)}.`);
      }
      if (status === 432) return advice([], ' Narrow the time range, or filter earlier.');
      return advice(status >= 500 && status !== 501 ? [...again, showLog] : []);
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

export function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.ceil(seconds / 3_600)} h`;
}
