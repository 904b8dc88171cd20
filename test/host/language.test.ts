// The language, and the tools for agents, in a real VS Code.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testSuites } from './inVscode.ts';

const modelExtension = fileURLToPath(new URL('modelExtension', import.meta.url));

testSuites(
  { language: 'language', agents: 'agents' },
  {
    async prepare({ extensionsDirectory }) {
      const folder = join(extensionsDirectory, 'aplomb-tests.scripted-model-1.0.0');
      await cp(modelExtension, folder, { recursive: true });
      return {};
    },
  },
);
