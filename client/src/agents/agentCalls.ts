// Answers calls of tools in VS Code. A hosted deployment is used only if the user allowed it, and production only after
// a confirmation of each call.
import * as vscode from 'vscode';
import {
  AgentSession,
  callTool,
  offeredTools,
  type Tool,
  type ToolAnswer,
  tools,
} from '../../../agents/src/index.ts';
import type { Context } from '../context.ts';
import { agentRefusal, isProduction, type Profile } from '../deployments/profiles.ts';
import { onSettingChanged } from '../host/settings.ts';
import { confirm } from '../ui/notifications.ts';
import { callDetails, callTitle } from './callText.ts';
import { editorContext } from './editorContext.ts';

const DO_NOT_RUN = 'Do Not Run';

/** Tools that answer without the deployment. */
const offline: ReadonlySet<string> = new Set(['explain']);

export class AgentCalls implements vscode.Disposable {
  readonly #context: Pick<Context, 'extension' | 'deployments'>;
  /** One session for each deployment, so that tools share the schema, kept answers and the limit of runs. */
  readonly #sessions = new Map<string, AgentSession>();
  readonly #subscription: vscode.Disposable;

  constructor(context: Pick<Context, 'extension' | 'deployments'>) {
    this.#context = context;
    this.#subscription = vscode.Disposable.from(
      context.deployments.onDidChange(() => {
        for (const session of this.#sessions.values()) session.forgetSchema();
      }),
      onSettingChanged(['agents.allowIngest'], () => this.#sessions.clear()),
    );
  }

  /** Returns the tools that may be called. */
  tools(profile: Profile): readonly Tool[] {
    return offeredTools(this.session(profile).context);
  }

  session(profile: Profile): AgentSession {
    // An entry of the settings may change its addresses but keep its name.
    const { name } = profile;
    const key = JSON.stringify(
      profile.kind === 'local' ? name : [name, profile.general, profile.edge, profile.organization],
    );
    const session =
      this.#sessions.get(key) ?? new AgentSession(editorContext(this.#context, profile));
    this.#sessions.set(key, session);
    return session;
  }

  /**
   * Returns the question that VS Code asks before a call: for a hosted deployment, and before events are stored. The
   * question about production is asked by `call`, because VS Code's can be answered for all later calls.
   */
  confirmation(profile: Profile, name: string, input: unknown): CallQuestion | undefined {
    const called = tools.find((tool) => tool.name === name);
    if (called === undefined || offline.has(name) || agentRefusal(profile)) return undefined;
    if (isProduction(profile) || (profile.kind === 'local' && !called.writes)) return undefined;
    return { title: callTitle(called, profile), details: callDetails(profile, input) };
  }

  /** Answers a call, after a confirmation if the deployment is production. Rejects only if the signal aborts. */
  async call(
    profile: Profile,
    name: string,
    input: unknown,
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    const called = tools.find((tool) => tool.name === name);
    if (called !== undefined && !offline.has(name)) {
      const refused = agentRefusal(profile);
      if (refused !== undefined) return { text: refused, isError: true };
      if (isProduction(profile)) {
        const { lines, query } = callDetails(profile, input);
        const detail = [...lines, ...(query === undefined ? [] : ['', query])].join('\n');
        const isConfirmed = await confirm(
          callTitle(called, profile),
          detail,
          `${called.title} on ${profile.name}`,
          DO_NOT_RUN,
        );
        signal.throwIfAborted();
        if (!isConfirmed)
          return {
            text: 'The person did not allow this call. Do not repeat it unless the person asks for it.',
            isError: true,
          };
      }
    }
    return callTool(this.session(profile), name, input, signal);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

export interface CallQuestion {
  readonly title: string;
  readonly details: ReturnType<typeof callDetails>;
}
