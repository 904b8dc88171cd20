/**
 * The process of `server.ts`: takes the path of the installed package, the folder of the database, and the users as
 * JSON, and sends its port when it listens. It ends when it is told to, or when the process that started it is gone.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Answer, type ServerFacts } from './answer.ts';
import { configFor } from './config.ts';
import { Engine } from './engine.ts';
import { ServerError, serverError } from './errors.ts';
import { NamedSessions } from './namedSessions.ts';
import { credentialsOf, readRequest } from './request.ts';
import { run } from './run.ts';

const KEEP_ALIVE_MS = 30_000;

const [installed = '', folder = '', usersText = '{}', portText = '0', grantsText = 'null'] =
  process.argv.slice(2);
const passwords = new Map(Object.entries(JSON.parse(usersText) as Record<string, string>));
const engine = new Engine(installed, folder, configFor(folder, JSON.parse(grantsText)));
const sessions = new NamedSessions(engine);
const running = new Set<string>();
const [facts] = (await engine.rows('SELECT version(), timezone()')) as [[string, string]];
const serverFacts: ServerFacts = { version: facts[0], timezone: facts[1] };

const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
  handle(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
});
server.listen(Number(portText), '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
server.once('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
process.once('message', end);
process.once('disconnect', end);

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname === '/ping' || url.pathname === '/replicas_status') {
    request.resume();
    response.end('Ok.\n');
  } else if (url.pathname !== '/') {
    request.resume();
    response.writeHead(404).end(`There is no handle ${url.pathname}\n`);
  } else {
    await handleQuery(request, response, url);
  }
}

async function handleQuery(request: IncomingMessage, response: ServerResponse, url: URL) {
  const answer = new Answer(response, serverFacts);
  let queryId = url.searchParams.get('query_id') ?? '';
  try {
    const { user, password } = credentialsOf(request, url);
    if (passwords.get(user) !== password) {
      const message = `${user}: Authentication failed: password is incorrect, or there is no user with such name.`;
      throw new ServerError(516, 'AUTHENTICATION_FAILED', message);
    }
    const query = await readRequest(request, url);
    queryId = query.queryId;
    await withId(queryId, async () => {
      const connection = query.session ? sessions.take(query.session) : engine.connect();
      let isOver = false;
      if (query.cancelsOnClose)
        answer.onClose(() => {
          if (!isOver) engine.kill(queryId).catch(console.error);
        });
      try {
        await run(engine, connection, query, answer);
      } finally {
        isOver = true;
        if (query.session) sessions.release(query.session);
        else connection.close();
      }
    });
    // Only now, because the client may use the session or the id again at once.
    answer.end();
  } catch (error) {
    // The rest of a body that nobody reads would keep the connection from being used again.
    request.resume();
    if (!answer.isClosed) await answer.fail(serverError(error), queryId);
  }
}

async function withId(queryId: string, work: () => Promise<void>): Promise<void> {
  if (running.has(queryId)) {
    const message = `Query with id = ${queryId} is already running.`;
    throw new ServerError(216, 'QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING', message);
  }
  running.add(queryId);
  try {
    await work();
  } finally {
    running.delete(queryId);
  }
}

/** Ends after the queries have been cancelled: chdb aborts when a connection is closed under one. */
async function end(): Promise<void> {
  server.close();
  server.closeAllConnections();
  while (running.size > 0) {
    await engine.killAll();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  sessions.closeAll();
  engine.close();
  process.exit();
}
