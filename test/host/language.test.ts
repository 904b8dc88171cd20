// Writing queries: the language server, the trees and deployments, in a real VS Code.
import { passesInVscode } from './inVscode.ts';

passesInVscode('language');
