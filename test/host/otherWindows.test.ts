// Language models, and deployments and what they hold, in windows of one VS Code: dialogs, open resources, and the schema
// that is kept. The first window installs the extension with the language model.
import './windows/languageModel.ts';
import './windows/deployments.ts';
import './windows/resourceReload.ts';
import './windows/schemaKept.ts';
