// The language, and the tools for agents, in a real VS Code.
import { testSuites } from './inVscode.ts';
import { installScriptedModel } from './scriptedModel.ts';

testSuites(
  { language: 'language', agents: 'agents' },
  {
    async prepare(profile) {
      await installScriptedModel(profile);
      return {};
    },
  },
);
