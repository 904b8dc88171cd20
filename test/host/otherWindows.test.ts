// Deployments and what they hold, in windows of one VS Code: their dialogs, open resources, and the schema that is kept.
import './windows/deployments.ts';
import './windows/resourceReload.ts';
import './windows/schemaKept.ts';
