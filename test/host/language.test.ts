// Writing queries: the language server, the trees and deployments, in a real VS Code.
import { it } from 'node:test';
import { runSuites, suitesTimeout } from './inVscode.ts';

it('the suites of language pass in a real VS Code', { timeout: suitesTimeout }, (context) =>
  runSuites('language', context),
);
