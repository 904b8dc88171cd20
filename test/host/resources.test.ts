// Resources of a deployment: their trees and documents, in a real VS Code.
import { it } from 'node:test';
import { runSuites, suitesTimeout } from './inVscode.ts';

it('the suites of resources pass in a real VS Code', { timeout: suitesTimeout }, (context) =>
  runSuites('resources', context),
);
