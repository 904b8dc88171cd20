// Ingest: files, samples and the form of fields, in a real VS Code.
import { passesInVscode } from './inVscode.ts';

passesInVscode('ingest');
