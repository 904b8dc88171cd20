// Sends a task to a language model and answers its calls of tools until it answers with text.
import * as vscode from 'vscode';
import { tokenOf } from './signals.ts';

/** Maximum number of requests for one task. */
const REQUESTS_MAX = 20;

const JUSTIFICATION = 'To explain, fix and write queries.';

/** A tool that the model may call. */
export interface ModelTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: object;
}

export interface Conversation {
  readonly model: vscode.LanguageModelChat;
  readonly tools: readonly ModelTool[];
  /** Answers a call with text for the model. */
  call(name: string, input: unknown): Promise<string>;
  /** Called with the text of the current answer whenever more arrives. */
  onText?(text: string): void;
  onCall?(tool: ModelTool): void;
  readonly signal: AbortSignal;
}

/**
 * Continues a conversation until the model answers without calling a tool, and returns that answer. `messages` gets all
 * messages in between. Rejects with the model's error, or the signal's reason.
 */
export async function converse(
  messages: vscode.LanguageModelChatMessage[],
  { model, tools, call, onText, onCall, signal }: Conversation,
): Promise<string> {
  const { token, dispose } = tokenOf(signal);
  const offered = tools.map(({ name, description, input }) => ({
    name,
    description,
    inputSchema: input,
  }));
  try {
    for (let request = 0; request < REQUESTS_MAX; request += 1) {
      const options = { tools: offered, justification: JUSTIFICATION };
      const response = await model.sendRequest(messages, options, token);
      let text = '';
      const calls: vscode.LanguageModelToolCallPart[] = [];
      for await (const part of response.stream) {
        signal.throwIfAborted();
        if (part instanceof vscode.LanguageModelToolCallPart) calls.push(part);
        else if (part instanceof vscode.LanguageModelTextPart) {
          text += part.value;
          onText?.(text);
        }
      }
      signal.throwIfAborted();
      const said = text === '' ? [] : [new vscode.LanguageModelTextPart(text)];
      messages.push(vscode.LanguageModelChatMessage.Assistant([...said, ...calls]));
      if (calls.length === 0) return text;
      const results: vscode.LanguageModelToolResultPart[] = [];
      for (const { callId, name, input } of calls) {
        const called = tools.find((tool) => tool.name === name);
        if (called !== undefined) onCall?.(called);
        const names = tools.map((tool) => tool.name).join(', ');
        const answer =
          called === undefined
            ? `There is no such tool. The tools are ${names}.`
            : await call(name, input);
        signal.throwIfAborted();
        const content = [new vscode.LanguageModelTextPart(answer)];
        results.push(new vscode.LanguageModelToolResultPart(callId, content));
      }
      messages.push(vscode.LanguageModelChatMessage.User(results));
    }
  } finally {
    dispose();
  }
  throw new Error(`It called tools ${REQUESTS_MAX} times without an answer.`);
}
