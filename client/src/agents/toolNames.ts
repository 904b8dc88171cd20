// Names of the tools in VS Code, where all extensions share one list. The manifest declares the tools.

const PREFIX = 'aplomb_';

/** Returns a tool's name in VS Code, such as `aplomb_run_query` for `run_query`. */
export function editorToolName(name: string): string {
  return `${PREFIX}${name}`;
}

/** Returns a tool's own name, which answers and the guide use. */
export function ownToolName(editorName: string): string {
  return editorName.startsWith(PREFIX) ? editorName.slice(PREFIX.length) : editorName;
}
