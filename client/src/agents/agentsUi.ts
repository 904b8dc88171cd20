// Tools for agents and the commands that use a language model. Loaded with the first call, because this part contains
// the language.
import type * as vscode from 'vscode';
import type { Context } from '../context.ts';
import { AgentCalls } from './agentCalls.ts';
import { Assistant } from './assistant.ts';
import { EditorTools } from './editorTools.ts';
import { selectModel } from './models.ts';

export class AgentsUi implements vscode.Disposable {
  readonly tools: EditorTools;
  readonly assistant: Assistant;
  readonly #calls: AgentCalls;
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
    this.#calls = new AgentCalls(context);
    this.tools = new EditorTools(context.deployments, this.#calls);
    this.assistant = new Assistant(context, this.#calls);
  }

  selectModel(): Promise<void> {
    return selectModel(this.#context.extension.globalState);
  }

  dispose(): void {
    this.assistant.dispose();
    this.#calls.dispose();
  }
}
