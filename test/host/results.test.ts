// Running queries: runs, their results, plans and following, in a real VS Code.
import { it } from 'node:test';
import { runSuites, suitesTimeout } from './inVscode.ts';

it('the suites of results pass in a real VS Code', { timeout: suitesTimeout }, (context) =>
  runSuites('results', context),
);
