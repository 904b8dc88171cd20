// The language, and its queries' results, in a real VS Code.
import { testSuites } from './inVscode.ts';

testSuites({ language: 'language', results: 'results' });
