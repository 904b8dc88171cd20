/**
 * Wraps a connection so that requests don't fail, because an editor shows a failure over the query being typed. If a
 * feature throws, the response is empty and the error is logged once.
 */
import type { Connection } from 'vscode-languageserver';
import {
  addFilterRequest,
  cellQueriesRequest,
  type FollowPlan,
  followPlanRequest,
  type QueryFacts,
  type QuoteNameParams,
  type QuotePathParams,
  queryAtRequest,
  queryFactsRequest,
  quoteNameRequest,
  quotePathRequest,
  type SyntaxErrorsParams,
  stageCountsRequest,
  syntaxErrorsRequest,
} from './protocol.ts';

type Handler = (...args: unknown[]) => unknown;

/** The empty responses that aren't `null`, by registration function or custom method. */
const empty: Readonly<Record<string, (params: unknown) => unknown>> = {
  'languages.diagnostics.on': () => ({ kind: 'full', items: [] }),
  'languages.semanticTokens.on': () => ({ data: [] }),
  'languages.semanticTokens.onDelta': () => ({ data: [] }),
  'languages.semanticTokens.onRange': () => ({ data: [] }),
  onCompletionResolve: (item) => item,
  [queryAtRequest]: () => [],
  [cellQueriesRequest]: () => [],
  [stageCountsRequest]: () => [],
  [syntaxErrorsRequest]: (params) => (params as SyntaxErrorsParams).texts.map(() => null),
  [queryFactsRequest]: (): QueryFacts => ({
    statesColumnOrder: false,
    parameters: [],
    datasets: [],
    drawnAs: 'table',
  }),
  [followPlanRequest]: (): FollowPlan => ({
    kind: 'rows',
    reason: 'the language server could not read the query',
  }),
  [quoteNameRequest]: (params) => (params as QuoteNameParams).name,
  [quotePathRequest]: (params) => (params as QuotePathParams).column,
  [addFilterRequest]: () => ({ refusal: 'The language server could not add the filter.' }),
};

/** The maximum number of distinct errors logged. More errors wouldn't help to find a bug. */
const maxErrors = 200;

/** Wraps a connection so that a handler that throws returns an empty response. Returned errors are still sent. */
export function guarded(connection: Connection): Connection {
  const logged = new Set<string>();
  const log = (name: string, error: unknown): void => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const key = `${name} ${text}`;
    if (logged.has(key) || logged.size === maxErrors) return;
    logged.add(key);
    connection.console.error(`${name}: ${text}`);
  };
  return proxied(connection, '', log);
}

function proxied<T extends object>(
  target: T,
  path: string,
  log: (name: string, error: unknown) => void,
): T {
  return new Proxy(target, {
    get(_, key) {
      const member: unknown = Reflect.get(target, key);
      const name = `${path}${String(key)}`;
      if (name.startsWith('languages') && typeof member === 'object' && member !== null)
        return proxied(member, `${name}.`, log);
      if (typeof member !== 'function') return member;
      if (!/^on(?:[A-Z]|$)/.test(String(key))) return member.bind(target);
      return (...args: unknown[]) => {
        const method = typeof args[0] === 'string' ? args[0] : name;
        return member.apply(
          target,
          args.map((arg) => (typeof arg === 'function' ? safe(arg as Handler, method, log) : arg)),
        );
      };
    },
  });
}

function safe(
  handler: Handler,
  name: string,
  log: (name: string, error: unknown) => void,
): Handler {
  return (...args) => {
    const nothing = (error: unknown) => {
      log(name, error);
      return Object.hasOwn(empty, name) ? empty[name]?.(args[0]) : null;
    };
    try {
      const answer = handler(...args);
      return answer instanceof Promise ? answer.catch(nothing) : answer;
    } catch (error) {
      return nothing(error);
    }
  };
}
