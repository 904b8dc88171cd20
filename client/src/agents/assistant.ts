// Explain Query, Fix with Language Model and Write a Query. A language model answers with the help of the tools. Queries
// of its answers are checked, and shown as differences.
import * as vscode from 'vscode';
import { checkText } from '../../../agents/src/index.ts';
import { analyzeQuery } from '../../../language/src/index.ts';
import type { Context } from '../context.ts';
import { deploymentNamed, deploymentOf } from '../deployments/fileDeployment.ts';
import { agentRefusal, type Profile } from '../deployments/profiles.ts';
import { languageId } from '../host/languageId.ts';
import { showFailure, showWithActions } from '../host/notify.ts';
import { offsetRange } from '../host/offsetRange.ts';
import { openApl } from '../host/openApl.ts';
import { resultsTimeZone } from '../host/settings.ts';
import { editorFor, noQueryHere, queriesToRun } from '../query/inEditor.ts';
import type { Query } from '../query/query.ts';
import { rangeParameters } from '../time/timeRange.ts';
import { showInputBox } from '../ui/inputs.ts';
import { confirm, showInformationMessage } from '../ui/notifications.ts';
import { showCancellable } from '../ui/progress.ts';
import type { AgentCalls } from './agentCalls.ts';
import { taskDetails } from './callText.ts';
import { type Conversation, converse } from './conversation.ts';
import { Explanations } from './explanations.ts';
import { insertionOf } from './insertion.ts';
import { queryIn, summaryIn } from './modelAnswer.ts';
import { modelToUse, showModelFailure } from './models.ts';
import { Proposals } from './proposals.ts';
import {
  correctionTask,
  explainTask,
  fixTask,
  missingQueryTask,
  taskIntroduction,
  writeTask,
} from './tasks.ts';

/** How often the model is asked again for a query without errors. */
const CORRECTIONS_MAX = 2;

interface Checked {
  readonly errors: number;
  readonly problems: number;
  /** The problems for the model. */
  readonly text: string;
}

interface Answered {
  readonly query: string;
  readonly summary: string;
  readonly errors: number;
}

/** A task in progress: the model, and the deployment that its calls of tools use. */
interface Task {
  readonly profile: Profile;
  readonly model: vscode.LanguageModelChat;
  readonly doing: string;
}

type Run<T> = (
  messages: vscode.LanguageModelChatMessage[],
  conversation: Conversation,
) => Promise<T>;

export class Assistant implements vscode.Disposable {
  readonly proposals = new Proposals();
  readonly #explanations = new Explanations();
  readonly #context: Context;
  readonly #calls: AgentCalls;

  constructor(context: Context, calls: AgentCalls) {
    this.#context = context;
    this.#calls = calls;
  }

  /** Explains the query at the cursor. Returns the explanation's URI. */
  async explain(target?: unknown): Promise<vscode.Uri | undefined> {
    const editor = await editorFor(target);
    const query = await this.#queryOf(editor, undefined);
    const task = query && (await this.#begin(query.deployment, 'explain the query'));
    if (!query || !task) return undefined;
    const uri = this.#explanations.placeOf(query.text);
    let opened: Promise<void> | undefined;
    const show = (text: string) => {
      this.#explanations.put(uri, text);
      opened ??= this.#explanations.open(uri);
    };
    const isDone = await this.#run(task, 'Explaining the query', async (messages, conversation) => {
      messages.push(vscode.LanguageModelChatMessage.User(explainTask(query.text)));
      const text = await converse(messages, { ...conversation, onText: show });
      if (text.trim() === '') throw new Error('it answered without text');
      show(text);
      return true;
    });
    await opened;
    return isDone ? uri : undefined;
  }

  /** Proposes a fixed query. Without problems, asks what to fix. Returns the proposal's URI. */
  async fix(target?: unknown, at?: vscode.Range): Promise<vscode.Uri | undefined> {
    const editor = await editorFor(target);
    const query = await this.#queryOf(editor, at);
    if (!editor || !query) return undefined;
    const task = await this.#begin(query.deployment, 'fix the query');
    if (task === undefined) return undefined;
    const signal = new AbortController().signal;
    const before = await this.#check(task.profile, query.text, signal);
    const wish = before.problems > 0 ? '' : await askWish();
    if (wish === undefined) return undefined;
    const answered = await this.#run(task, 'Fixing the query', async (messages, conversation) => {
      messages.push(vscode.LanguageModelChatMessage.User(fixTask(query.text, before.text, wish)));
      return this.#queryFor(messages, conversation, task.profile);
    });
    if (answered === undefined) return undefined;
    if (answered.query.trim() === query.text.trim()) {
      const said = [
        `${task.model.name} proposes no change.`,
        verdictOf(answered),
        answered.summary,
      ];
      void showInformationMessage(said.join(' ').trim());
      return undefined;
    }
    const { place } = query;
    // The text may have changed meanwhile. A query in a quote of Markdown has other text in its range.
    if (place === undefined || editor.document.getText(place.range) !== query.text) {
      const copy = await openApl(query.text);
      return this.#propose(task, answered, copy.document, wholeRange(copy.document), 'Fix');
    }
    return this.#propose(task, answered, editor.document, place.range, 'Fix');
  }

  /** Asks for a question, and proposes a query for it. Returns the proposal's URI. */
  async write(given?: unknown): Promise<vscode.Uri | undefined> {
    const active = vscode.window.activeTextEditor;
    const open = active?.document.languageId === languageId ? active : undefined;
    const document = open?.document;
    const profile = deploymentOf(this.#context.deployments, document);
    if (!profile.ok) return showFailure('Cannot write a query', profile.failure, { local: false });
    const question = typeof given === 'string' ? given : await askQuestion();
    if (question === undefined) return undefined;
    const task = await this.#begin(profile.value.name, 'write a query');
    if (task === undefined) return undefined;
    const answered = await this.#run(task, 'Writing a query', async (messages, conversation) => {
      messages.push(vscode.LanguageModelChatMessage.User(writeTask(question)));
      return this.#queryFor(messages, conversation, task.profile);
    });
    if (answered === undefined) return undefined;
    const target = document ?? (await openApl()).document;
    const queries = await this.#context.language.queriesAt(target, open?.selection.active);
    const [at] = open ? queries : [];
    const offset = target.offsetAt(
      at
        ? new vscode.Position(at.range.end.line, at.range.end.character)
        : target.lineAt(open?.selection.active.line ?? 0).range.end,
    );
    const { start, end, text } = insertionOf(target.getText(), offset, answered.query);
    const range = offsetRange(target, { start, end });
    return this.#propose(task, { ...answered, query: text }, target, range, 'Write');
  }

  dispose(): void {
    this.proposals.dispose();
    this.#explanations.dispose();
  }

  async #queryOf(
    editor: vscode.TextEditor | undefined,
    at: vscode.Range | undefined,
  ): Promise<Query | undefined> {
    const [query] = editor ? await queriesToRun(this.#context.language, editor, at) : [];
    if (query === undefined) void showInformationMessage(noQueryHere);
    return query;
  }

  /** Finds the deployment and the model. Shows a message if one is missing or not allowed. */
  async #begin(deployment: string | undefined, doing: string): Promise<Task | undefined> {
    const { deployments, extension } = this.#context;
    const found = deploymentNamed(deployments, deployment);
    const cannot = `Cannot ${doing}`;
    if (!found.ok) return showFailure(cannot, found.failure, { local: false });
    const profile = found.value;
    if (agentRefusal(profile) !== undefined) {
      showWithActions(
        `${cannot}. Language models may not use ${profile.name} until you allow agents to use it.`,
        [{ label: 'Edit Deployment', command: 'aplomb.editDeployment', arguments: [profile.name] }],
      );
      return undefined;
    }
    const model = await modelToUse(extension.globalState);
    if (model === undefined) return undefined;
    // On production, each call of a tool is confirmed too.
    if (profile.kind === 'hosted') {
      const isConfirmed = await confirm(
        `Let ${model.name} use ${profile.name}?`,
        taskDetails(profile),
        `Use ${profile.name}`,
      );
      if (!isConfirmed) return undefined;
    }
    return { profile, model, doing };
  }

  /** Runs a task with progress and Cancel. Undefined if it was cancelled or failed, which is shown. */
  async #run<T>(
    { profile, model, doing }: Task,
    title: string,
    run: Run<T>,
  ): Promise<T | undefined> {
    const { timeRange } = this.#context;
    const range = rangeParameters(timeRange.value, Date.now(), resultsTimeZone());
    const { deployment } = this.#calls.session(profile).context;
    const introduction = taskIntroduction({ deployment, ...range });
    const messages = [vscode.LanguageModelChatMessage.User(introduction)];
    return showCancellable(`${title} with ${model.name}`, async (signal, progress) => {
      try {
        return await run(messages, {
          model,
          tools: this.#calls.tools(profile).filter(({ writes }) => !writes),
          call: async (name, input) => (await this.#calls.call(profile, name, input, signal)).text,
          onCall: (tool) => progress.report({ message: tool.title }),
          signal,
        });
      } catch (error) {
        if (!signal.aborted) showModelFailure(`Cannot ${doing}`, model, error);
        return undefined;
      }
    });
  }

  /** Continues until the model answers with a query without errors, or gives up. */
  async #queryFor(
    messages: vscode.LanguageModelChatMessage[],
    conversation: Conversation,
    profile: Profile,
  ): Promise<Answered> {
    let last: Answered | undefined;
    for (let correction = 0; correction <= CORRECTIONS_MAX; correction += 1) {
      const answer = await converse(messages, conversation);
      const query = queryIn(answer);
      if (query === undefined) {
        messages.push(vscode.LanguageModelChatMessage.User(missingQueryTask));
        continue;
      }
      const { errors, text } = await this.#check(profile, query, conversation.signal);
      last = { query, summary: summaryIn(answer), errors };
      if (errors === 0) return last;
      messages.push(vscode.LanguageModelChatMessage.User(correctionTask(text)));
    }
    if (last === undefined) throw new Error('it answered without a query');
    return last;
  }

  async #check(profile: Profile, query: string, signal: AbortSignal): Promise<Checked> {
    const schema = await this.#calls.session(profile).schemaFor(query, signal);
    const analysis = analyzeQuery(query, schema);
    const { problems } = analysis;
    return {
      errors: problems.filter(({ severity }) => severity === 'error').length,
      problems: problems.length,
      text: checkText(analysis, schema),
    };
  }

  #propose(
    { model }: Task,
    answered: Answered,
    document: vscode.TextDocument,
    range: vscode.Range,
    verb: 'Fix' | 'Write',
  ): Promise<vscode.Uri> {
    const { query, summary, errors } = answered;
    const done = verb === 'Fix' ? 'fixed' : 'wrote';
    return this.proposals.show({
      document,
      range,
      text: query,
      title: `${verb === 'Fix' ? 'Fixed' : 'New'} Query (${model.name})`,
      message: `${model.name} ${done} the query. ${verdictOf(answered)} ${summary}`.trim(),
      hasProblems: errors > 0,
    });
  }
}

function verdictOf({ errors }: Answered): string {
  if (errors === 0) return 'The checker finds no errors.';
  return `The checker still finds ${errors === 1 ? 'an error' : `${errors} errors`} in it.`;
}

function askWish(): Thenable<string | undefined> {
  return showInputBox({
    title: 'Fix with Language Model',
    prompt: 'The checker finds no problem in this query. What should be fixed?',
    ignoreFocusOut: true,
    validateInput: notEmpty,
  });
}

function askQuestion(): Thenable<string | undefined> {
  return showInputBox({
    title: 'Write a Query',
    prompt: 'What do you want to know?',
    placeHolder: 'Which paths had the most server errors in the last day?',
    ignoreFocusOut: true,
    validateInput: notEmpty,
  });
}

const notEmpty = (text: string) => (text.trim() === '' ? 'Enter a sentence.' : undefined);

function wholeRange(document: vscode.TextDocument): vscode.Range {
  return offsetRange(document, { start: 0, end: document.getText().length });
}
