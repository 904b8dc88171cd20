/**
 * Answers on the deployment's port while the process restarts, so that no connection is refused meanwhile, and
 * no other start takes the deployment for ended: a small process of its own takes over the listening socket,
 * answers 503, and closes it when the process is about to listen again.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from './errors.ts';
import { HEALTH_PATH, healthOf, proofOf } from './gateway.ts';

/** The argument that has the program run as the doorkeeper. */
export const DOORKEEPER_ARGUMENT = '--doorkeeper';

const LEAVE_PATH = '/_local/leave';

/** Shows that the request comes from the deployment, without the token: another server may have the port. */
const PROOF_HEADER = 'x-aplomb-proof';

/**
 * Hands the listening socket to a doorkeeper. One that is not ready in time, as the machine is busy, takes over late:
 * connections wait in the socket meanwhile. Without one, they are refused until the restart is done.
 */
export async function postDoorkeeper(server: Server, token: string): Promise<void> {
  try {
    const keeper = fork(process.argv[1]!, [DOORKEEPER_ARGUMENT], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    keeper.send(token, server);
    await Promise.race([ready(keeper), pause(READY_MS)]);
    keeper.unref();
  } catch {
    // The restart is what matters.
  }
}

async function ready(keeper: ChildProcess): Promise<void> {
  await once(keeper, 'message');
}

/**
 * Has the doorkeeper at a port close it. Asks until it is answered or `signal` aborts, since a doorkeeper that is late
 * answers later than a request waits.
 */
export async function dismissDoorkeeper(
  port: number,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const left = await fetch(`http://127.0.0.1:${port}${LEAVE_PATH}`, {
      method: 'POST',
      headers: { [PROOF_HEADER]: proofOf(token, LEAVE_PATH) },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(READY_MS)]),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (left) return;
    await pause(ASK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** The process that restarts, which keeps its id. */
const deployment = process.ppid;

/** Runs this process as a doorkeeper. */
export function keepDoor(): void {
  process.once('message', (token: string, socket: Server) => {
    const server = createServer((request, response) => {
      answer(server, token, request, response);
    });
    server.listen(socket, () => {
      // Whoever handed the socket over may have been replaced by now.
      process.send?.('ready', undefined, undefined, () => undefined);
    });
    // A process that does not come back leaves its port to others.
    setTimeout(() => process.exit(), KEEP_MS_MAX);
  });
}

function answer(
  server: Server,
  token: string,
  { method, url, headers }: IncomingMessage,
  response: ServerResponse,
): void {
  if (method === 'POST' && url === LEAVE_PATH && headers[PROOF_HEADER] === proofOf(token, url)) {
    server.close();
    response
      .writeHead(200, { connection: 'close' })
      .end(() => setTimeout(() => process.exit(), LEAVE_MS));
    return;
  }
  const asked = new URL(`http://127.0.0.1${url?.startsWith('/') ? url : '/'}`);
  if (method === 'GET' && asked.pathname === HEALTH_PATH) {
    const health = healthOf(token, asked, deployment, 'restarting');
    response
      .writeHead(200, { 'content-type': 'application/json', connection: 'close' })
      .end(JSON.stringify(health));
    return;
  }
  const error = new ApiError('restarting');
  response
    .writeHead(error.status, {
      'content-type': 'application/json',
      'retry-after': String(error.retryAfter),
      connection: 'close',
    })
    .end(JSON.stringify(error));
}

/** How long the doorkeeper is waited for as it starts, and as it leaves before it is asked again. */
const READY_MS = 1_000;

const ASK_AGAIN_MS = 20;

/** How long what it has answered may take to go out. */
const LEAVE_MS = 100;

export const KEEP_MS_MAX = 30_000;
