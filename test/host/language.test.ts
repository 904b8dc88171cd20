// The language in a real VS Code.
import { testSuites } from './inVscode.ts';

testSuites({ language: 'language' });
