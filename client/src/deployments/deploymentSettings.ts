// Settings for deployments, and VS Code settings that apply to connections.
import * as vscode from 'vscode';
import type { NetworkSettings } from './network.ts';
import type { DeploymentLayers, DeploymentSetting } from './profiles.ts';

function configuration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('aplomb');
}

export function deploymentLayers(): DeploymentLayers {
  const found = configuration().inspect<unknown>('deployments');
  return {
    user: found?.globalValue,
    // In a multi-root workspace, read the folder's setting. In an untrusted workspace, read neither.
    workspace: vscode.workspace.isTrusted
      ? (found?.workspaceFolderValue ?? found?.workspaceValue)
      : undefined,
  };
}

export async function writeDeployments(
  level: 'user' | 'workspace',
  entries: readonly DeploymentSetting[],
): Promise<void> {
  const target =
    level === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  await configuration().update('deployments', entries, target);
}

export function networkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration('http');
  const noProxy = http.get<unknown>('noProxy');
  return {
    proxy: http.get<string>('proxy') ?? '',
    support: http.get<string>('proxySupport') ?? 'override',
    noProxy: Array.isArray(noProxy) ? noProxy.filter((host) => typeof host === 'string') : [],
    strict: http.get<boolean>('proxyStrictSSL') ?? true,
    systemCertificates: http.get<boolean>('systemCertificates') ?? true,
  };
}
