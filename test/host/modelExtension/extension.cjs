// An extension of the tests that provides a language model. A suite scripts its replies, and reads the requests. In a
// window without suites, they come from the file model.json of the workspace: a list of replies, each a list of parts.
// The command calls the tool that tool.json names, and writes its answer to answer.txt.
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const vscode = require('vscode');

const information = {
  id: 'scripted',
  name: 'Scripted Model',
  family: 'scripted',
  version: '1',
  maxInputTokens: 100_000,
  maxOutputTokens: 10_000,
  capabilities: { toolCalling: true },
};

const partOf = ({ text, tool, input }) =>
  tool === undefined
    ? new vscode.LanguageModelTextPart(text)
    : new vscode.LanguageModelToolCallPart(`call-${tool}`, tool, input);

const replyOf =
  (parts) =>
  ({ progress }) =>
    parts.forEach((part) => void progress.report(partOf(part)));

async function callTool(folder) {
  const { tool, input } = JSON.parse(readFileSync(join(folder, 'tool.json'), 'utf8'));
  const answer = await vscode.lm
    .invokeTool(tool, { input, toolInvocationToken: undefined })
    .then(({ content }) => content.map(({ value }) => value).join(''), String);
  writeFileSync(join(folder, 'answer.txt'), answer);
}

function activate({ subscriptions }) {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const script = join(folder, 'model.json');
  const isScripted = existsSync(script);
  const changed = new vscode.EventEmitter();
  const model = {
    isAvailable: isScripted,
    /** Functions that write one reply each. */
    replies: isScripted ? JSON.parse(readFileSync(script, 'utf8')).map(replyOf) : [],
    requests: [],
    offer(isAvailable) {
      model.isAvailable = isAvailable;
      changed.fire();
    },
  };
  subscriptions.push(
    changed,
    vscode.commands.registerCommand('scripted-model.callTool', () => callTool(folder)),
    vscode.lm.registerLanguageModelChatProvider('scripted', {
      onDidChangeLanguageModelChatInformation: changed.event,
      provideLanguageModelChatInformation: () => (model.isAvailable ? [information] : []),
      async provideLanguageModelChatResponse(_model, messages, options, progress, token) {
        model.requests.push({ messages, tools: options.tools ?? [] });
        const reply = model.replies.shift();
        if (reply === undefined) throw new Error('The script has no further reply.');
        await reply({ progress, token, messages });
      },
      provideTokenCount: async (_model, text) => JSON.stringify(text).length / 4,
    }),
  );
  return model;
}

module.exports = { activate };
