// Deployments: the guided form, routing, the comment in a file, production and Who Am I, in a real VS Code.
import { it } from 'node:test';
import { runSuites, suitesTimeout } from './inVscode.ts';

it('the suites of deployments pass in a real VS Code', { timeout: suitesTimeout }, (context) =>
  runSuites('account', context),
);
