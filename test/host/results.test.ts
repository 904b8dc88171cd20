// Results of queries in a real VS Code.
import { testSuites } from './inVscode.ts';

testSuites({ results: 'results' });
