// The tools for agents as VS Code's language model tools: what is shown and confirmed before a call, and the answer.
import * as vscode from 'vscode';
import { tools } from '../../../agents/src/index.ts';
import type { Deployments } from '../deployments/deployments.ts';
import { paragraphs } from '../ui/hovers.ts';
import { plainLine } from '../ui/plain.ts';
import type { AgentCalls } from './agentCalls.ts';
import { progressText } from './callText.ts';
import { DescribedCalls } from './describedCalls.ts';
import { signalOf } from './signals.ts';

export class EditorTools {
  readonly #deployments: Deployments;
  readonly #calls: AgentCalls;
  readonly #described = new DescribedCalls();

  constructor(deployments: Deployments, calls: AgentCalls) {
    this.#deployments = deployments;
    this.#calls = calls;
  }

  /** Describes a call on the window's deployment, with a question if the call must be confirmed. */
  prepare(name: string, input: unknown): vscode.PreparedToolInvocation {
    const profile = this.#deployments.active;
    this.#described.describe(name, input, profile.name);
    const called = tools.find((tool) => tool.name === name);
    const question = this.#calls.confirmation(profile, name, input);
    return {
      ...(called && { invocationMessage: plainLine(progressText(called, profile, input)) }),
      ...(question && {
        confirmationMessages: {
          title: plainLine(question.title),
          message: paragraphs(
            question.details.lines,
            question.details.query === undefined
              ? undefined
              : { language: 'axiom-apl', text: question.details.query },
          ),
        },
      }),
    };
  }

  async invoke(
    name: string,
    input: unknown,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const { active } = this.#deployments;
    const changed = this.#described.take(name, input, active.name);
    if (changed !== undefined) return resultOf(`Error: ${changed}`);
    const { signal, dispose } = signalOf(token);
    try {
      const answer = await this.#calls.call(active, name, input, signal);
      return resultOf(answer.isError ? `Error: ${answer.text}` : answer.text);
    } catch (error) {
      if (signal.aborted) throw new vscode.CancellationError();
      throw error;
    } finally {
      dispose();
    }
  }
}

function resultOf(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}
