/** `aplomb mcp`: serves tools for agents over standard input and output. This is a separate bundle. */
import { type Exit, exits } from '../../../system/src/commandLine.ts';
import type { Io } from '../io.ts';
import { mcpArguments } from './arguments.ts';
import { cliContext } from './context.ts';
import { Deployment } from './deployment.ts';
import { serveTools } from './server.ts';
import { LineTransport } from './transport.ts';

/** Time in milliseconds that the connection may take to close. */
const CLOSE_MS_MAX = 2_000;

/** Serves until standard input ends or a signal arrives. */
export async function mcp(args: readonly string[], io: Io): Promise<Exit> {
  const parsed = mcpArguments(args);
  const deployment = new Deployment(parsed.target, parsed.allowsIngest);
  const context = cliContext(parsed, deployment, io);
  const transport = new LineTransport(process.stdin, process.stdout);
  const stop = () => void transport.close();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  await serveTools(context, io.version(), transport);
  // Calls may still be reading, and a client that has gone needs no answers.
  setTimeout(() => process.exit(exits.clean), CLOSE_MS_MAX).unref();
  await deployment.close();
  process.stdin.destroy();
  return exits.clean;
}
