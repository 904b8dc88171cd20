// Dashboards and monitors as pages, in a real VS Code.
import { it } from 'node:test';
import { runSuites, suitesTimeout } from './inVscode.ts';

it(
  'the suites of dashboards and monitors pass in a real VS Code',
  { timeout: suitesTimeout },
  (context) => runSuites('boards', context),
);
