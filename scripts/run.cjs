// Runs a script of this folder by its name. npm uses the Node of `runtime/` if it is installed, and otherwise the one
// of the machine, which has to run TypeScript. In CommonJS, so that any Node can read this file.
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const [major, minor] = process.versions.node.split('.').map(Number);
const runsTypeScript = major >= 24 || (major === 22 && minor >= 19) || (major === 23 && minor >= 6);

if (!runsTypeScript) {
  console.error(
    `The scripts need Node 22.19 or later, and this is ${process.version}. Install a newer one.`,
  );
  process.exit(1);
}
if (major < 24) {
  // For every process that runs TypeScript below this one.
  const hooks = pathToFileURL(join(__dirname, 'tests', 'lowerUsing.mjs')).href;
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${hooks} --disable-warning=ExperimentalWarning`;
}
const [script] = process.argv.splice(2, 1);
const file = join(__dirname, script);
process.argv[1] = file;
import(pathToFileURL(file).href);
