/** Provides what the tools need, from a deployment and the files of a folder. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { AgentContext } from '../../../agents/src/index.ts';
import { serviceContext } from '../../../client/src/agents/serviceContext.ts';
import type { Io } from '../io.ts';
import type { McpArguments } from './arguments.ts';
import type { Deployment } from './deployment.ts';
import { workspaceQueries } from './workspaceQueries.ts';

export function cliContext(args: McpArguments, deployment: Deployment, io: Io): AgentContext {
  const isLocal = args.target.kind === 'local';
  const hidden = [homedir(), resolve(args.folder), process.cwd(), dataOf(args)].filter(isLongPath);
  const { ingest, ...calls } = serviceContext({
    service: async () => ({ ok: true, value: await deployment.service() }),
    reconnect: (unreachable) => deployment.drop(unreachable),
  });
  return {
    ...calls,
    deployment: isLocal ? 'the local deployment' : 'the hosted deployment',
    applyAdvice:
      'A person can apply it in VS Code, or with aplomb push from a folder that aplomb pull wrote.',
    workspaceQueries: (signal) => workspaceQueries(args.folder, signal),
    page: io.page,
    redact(text, isError) {
      const secrets = [...deployment.secrets, ...(isError ? hidden : [])];
      return secrets.reduce((clean, secret) => clean.replaceAll(secret, '…'), text);
    },
    ...(args.allowsIngest && { ingest }),
  };
}

function dataOf({ target }: McpArguments): string {
  return target.kind === 'local' && target.data !== undefined ? resolve(target.data) : '';
}

/** A path that is only a root or empty occurs in ordinary text. */
const isLongPath = (path: string) => path.length > 3;
