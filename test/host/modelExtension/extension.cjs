// An extension of the tests that provides a language model. A suite scripts its replies, and reads the requests.
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

function activate({ subscriptions }) {
  const changed = new vscode.EventEmitter();
  const model = {
    isAvailable: false,
    /** Functions that write one reply each. */
    replies: [],
    requests: [],
    offer(isAvailable) {
      model.isAvailable = isAvailable;
      changed.fire();
    },
  };
  subscriptions.push(
    changed,
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
