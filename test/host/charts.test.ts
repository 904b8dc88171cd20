// Charts and notebooks, in a real VS Code.
import { passesInVscode } from './inVscode.ts';

passesInVscode('charts');
