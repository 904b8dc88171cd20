// What is done with the local deployment, in windows of one VS Code: results, keys, ingest, and a slow connection.
import './windows/keptResults.ts';
import './windows/keyboardOnly.ts';
import './windows/ingestResume.ts';
import './windows/slow.ts';
