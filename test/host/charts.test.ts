// Charts and notebooks in a real VS Code.
import { testSuites } from './inVscode.ts';

testSuites({ charts: 'charts' });
