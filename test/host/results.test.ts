// Running queries: runs, their results, plans and following, in a real VS Code.
import { passesInVscode } from './inVscode.ts';

passesInVscode('results');
