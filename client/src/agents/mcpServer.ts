// Offers `aplomb mcp` of this extension to VS Code's clients of the Model Context Protocol.
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { LocalDeployment } from '../deployments/localDeployment.ts';
import { offersMcpServer, onSettingChanged } from '../host/settings.ts';

/** The provider's identifier in the manifest. */
const PROVIDER = 'aplomb.mcp';

export function offerMcpServer(
  extension: vscode.ExtensionContext,
  local: LocalDeployment,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const { version } = extension.extension.packageJSON as { version: string };
  return vscode.Disposable.from(
    changed,
    onSettingChanged(['agents.mcpServer', 'local.dataDirectory'], () => changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions() {
        if (!offersMcpServer()) return [];
        const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
        return [
          new vscode.McpStdioServerDefinition(
            'Aplomb',
            process.execPath,
            [
              extension.asAbsolutePath(join('dist', 'cli.cjs')),
              'mcp',
              // Without a folder, search a folder without queries instead of the current one.
              folder?.uri.fsPath ?? local.dataDirectory,
              '--data',
              local.dataDirectory,
            ],
            // Makes VS Code's runtime run as Node. Other runtimes ignore the variable.
            { ELECTRON_RUN_AS_NODE: '1' },
            version,
          ),
        ];
      },
      async resolveMcpServerDefinition(server) {
        // The server also starts without the deployment, and its first call tries again.
        await local.address().catch(() => undefined);
        return server;
      },
    }),
  );
}
