// Files, samples and the form of fields in a real VS Code.
import { testSuites } from './inVscode.ts';

testSuites({ ingest: 'ingest' });
