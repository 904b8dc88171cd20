// Tools for agents as VS Code's language model tools and as an MCP server, and the commands that use a language model.
// The commands are offered only while a model is available.
import * as vscode from 'vscode';
import { offerMcpServer } from '../agents/mcpServer.ts';
import { usableModels } from '../agents/models.ts';
import { ownToolName } from '../agents/toolNames.ts';
import type { Context } from '../context.ts';
import { languageId } from '../host/languageId.ts';
import { loadedLater } from '../host/loadedLater.ts';
import { codeOf } from '../languageServer/problemPages.ts';
import { registerCommands } from '../ui/commands.ts';
import { quickFix, registerQuickFixes } from '../ui/editorParts.ts';

/** The context key that offers the commands. */
const modelKey = 'aplomb.hasLanguageModel';

export function activate(context: Context): vscode.Disposable {
  const { extension, deployments, log } = context;
  const ui = loadedLater(async () => {
    const { AgentsUi } = await import('../agents/agentsUi.ts');
    return new AgentsUi(context);
  });
  const assistant = async () => (await ui.get()).assistant;
  const parts: vscode.Disposable[] = [
    ui,
    registerCommands({
      'aplomb.explainQuery': async (uri?: unknown) => (await assistant()).explain(uri),
      'aplomb.fixQuery': async (uri?: unknown, range?: unknown) =>
        (await assistant()).fix(uri, range instanceof vscode.Range ? range : undefined),
      'aplomb.writeQuery': async (question?: unknown) => (await assistant()).write(question),
      'aplomb.selectLanguageModel': async () => (await ui.get()).selectModel(),
      'aplomb.acceptProposal': async (uri?: unknown) => (await assistant()).proposals.accept(uri),
      'aplomb.discardProposal': async (uri?: unknown) => (await assistant()).proposals.discard(uri),
    }),
  ];
  // Editors based on VS Code may lack these functions.
  const { lm } = vscode as { lm?: Partial<typeof vscode.lm> };
  if (lm?.registerTool) parts.push(...registerTools(extension, async () => (await ui.get()).tools));
  if (lm?.registerMcpServerDefinitionProvider) {
    parts.push(offerMcpServer(extension, deployments.local));
  }
  if (lm?.selectChatModels && lm.onDidChangeChatModels) {
    let hasModel = false;
    let updates = 0;
    const update = async () => {
      updates += 1;
      const own = updates;
      try {
        const models = await usableModels();
        // A later list may have arrived first.
        if (own !== updates) return;
        hasModel = models.length > 0;
        await vscode.commands.executeCommand('setContext', modelKey, hasModel);
      } catch (error) {
        log.error('Listing the language models', error);
      }
    };
    void update();
    parts.push(
      vscode.lm.onDidChangeChatModels(() => void update()),
      registerQuickFixes({ language: languageId }, (document, range, { diagnostics }) =>
        hasModel ? fixesWithModel(document, range, diagnostics) : [],
      ),
    );
  }
  return vscode.Disposable.from(...parts);
}

type Tools = Pick<import('../agents/editorTools.ts').EditorTools, 'prepare' | 'invoke'>;

function registerTools(
  extension: vscode.ExtensionContext,
  tools: () => Promise<Tools>,
): vscode.Disposable[] {
  const { contributes } = extension.extension.packageJSON as {
    contributes: { languageModelTools: readonly { readonly name: string }[] };
  };
  return contributes.languageModelTools.map(({ name }) => {
    const own = ownToolName(name);
    return vscode.lm.registerTool<object>(name, {
      prepareInvocation: async ({ input }) => (await tools()).prepare(own, input),
      invoke: async ({ input }, token) => (await tools()).invoke(own, input, token),
    });
  });
}

function fixesWithModel(
  { uri }: vscode.TextDocument,
  range: vscode.Range,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const errors = diagnostics.filter(
    (each) => each.severity === vscode.DiagnosticSeverity.Error && codeOf(each) !== undefined,
  );
  if (errors.length === 0) return [];
  const action = quickFix('Fix with Language Model');
  action.diagnostics = errors;
  action.command = {
    command: 'aplomb.fixQuery',
    title: action.title,
    arguments: [uri, range],
  };
  return [action];
}
