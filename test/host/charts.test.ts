// Charts and notebooks, in a real VS Code.
import { it } from 'node:test';
import { runSuites, suitesTimeout } from './inVscode.ts';

it('the suites of charts pass in a real VS Code', { timeout: suitesTimeout }, (context) =>
  runSuites('charts', context),
);
