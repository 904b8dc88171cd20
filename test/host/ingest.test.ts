// Ingest: files, samples and the form of fields, in a real VS Code.
import { it } from 'node:test';
import { runSuites, suitesTimeout } from './inVscode.ts';

it('the suites of ingest pass in a real VS Code', { timeout: suitesTimeout }, (context) =>
  runSuites('ingest', context),
);
