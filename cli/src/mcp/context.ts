/** Provides what the tools need, from a deployment and the files of a folder. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type {
  AgentContext,
  AnswerTable,
  FieldInfo,
  QueryAnswer,
  Result,
} from '../../../agents/src/index.ts';
import { stringifyJson } from '../../../api/src/plain.ts';
import { deploymentStore } from '../../../client/src/resources/folders/deploymentStore.ts';
import { askForValue } from '../../../client/src/service/ask.ts';
import type { Failure, Outcome } from '../../../client/src/service/failure.ts';
import { fetchDatasets, fetchFields, type KnownField } from '../../../client/src/service/schema.ts';
import { sendEvents } from '../../../client/src/service/sendEvents.ts';
import type { Service } from '../../../client/src/service/service.ts';
import type { Io } from '../io.ts';
import type { McpArguments } from './arguments.ts';
import type { Deployment } from './deployment.ts';
import { workspaceQueries } from './workspaceQueries.ts';

/** Maximum size of a query's answer in bytes. It is parsed at once, so a larger one would take much memory. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;

type Answer = Extract<Awaited<ReturnType<typeof askForValue>>, { ok: true }>['value'];

export function cliContext(args: McpArguments, deployment: Deployment, io: Io): AgentContext {
  const isLocal = args.target.kind === 'local';
  const hidden = [homedir(), resolve(args.folder), process.cwd(), dataOf(args)].filter(isLongPath);
  const listed = new Map<string, readonly KnownField[]>();

  /** Calls the deployment. If it was restarted at another address since, connects again. */
  async function call<T, U>(
    work: (service: Service) => Promise<Outcome<T>>,
    convert: (value: T) => U,
  ): Promise<Result<U>> {
    try {
      let outcome = await work(await deployment.service());
      if (!outcome.ok && isGone(outcome.failure)) {
        await deployment.close();
        outcome = await work(await deployment.service());
      }
      if (outcome.ok) return { ok: true, value: convert(outcome.value) };
      return { ok: false, message: messageOf(outcome.failure) };
    } catch (error) {
      return { ok: false, message: errorMessage(error) };
    }
  }

  return {
    deployment: isLocal ? 'the local deployment' : 'the hosted deployment',
    applyAdvice:
      'A person can apply it in VS Code, or with aplomb push from a folder that aplomb pull wrote.',
    ask: ({ apl, startTime, endTime, defaultLimit, datasets, timeoutMs }, signal) =>
      call(
        (service) =>
          askForValue(
            { apl, startTime, endTime, defaultLimit },
            { service, datasets, timeoutMs, signal, maxBytes: ANSWER_BYTES_MAX },
          ),
        answerOf,
      ),
    datasets: () =>
      call(fetchDatasets, ({ datasets, complete, fields }) => {
        listed.clear();
        for (const [name, own] of fields) listed.set(name, own);
        return { datasets, complete };
      }),
    fields: ({ name, kind }) =>
      call(
        (service) => fetchFields(service, name, { kind, listed: listed.get(name) }),
        ({ sources, complete }) => {
          const all = new Map<string, FieldInfo>();
          for (const field of Object.values(sources).flat()) {
            if (field !== undefined) all.set(field.name, field);
          }
          return { fields: [...all.values()], complete };
        },
      ),
    async resources(kind, dataset, signal) {
      try {
        const store = deploymentStore(await deployment.service(), signal);
        const found = await store.list(kind, dataset);
        if (found.ok) return found;
        if (found.isFatal) await deployment.close();
        return { ok: false, message: found.reason };
      } catch (error) {
        return { ok: false, message: errorMessage(error) };
      }
    },
    async documentProblems(kind, action, body) {
      const store = deploymentStore(await deployment.service());
      return store.problems(kind, action, body);
    },
    workspaceQueries: (signal) => workspaceQueries(args.folder, signal),
    page: io.page,
    redact(text, isError) {
      const secrets = [...deployment.secrets, ...(isError ? hidden : [])];
      return secrets.reduce((clean, secret) => clean.replaceAll(secret, '…'), text);
    },
    ...(args.allowsIngest && {
      ingest: (dataset, events, signal) =>
        call(
          (service) =>
            sendEvents(service, dataset, {
              body: new TextEncoder().encode(stringifyJson(events)),
              contentType: 'application/json',
              signal,
            }),
          ({ typed }) => ({
            stored: typed.ingested,
            failed: typed.failed,
            messages: (typed.failures ?? []).flatMap(({ error }) => error ?? []),
          }),
        ),
    }),
  };
}

/** Returns whether a request certainly did not arrive, so that it can be sent to another address. */
function isGone({ kind, sent }: Failure): boolean {
  return kind === 'unreachable' && sent === false;
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function dataOf({ target }: McpArguments): string {
  return target.kind === 'local' && target.data !== undefined ? resolve(target.data) : '';
}

/** A path that is only a root or empty occurs in ordinary text. */
const isLongPath = (path: string) => path.length > 3;

/** Describes a failure, with its positions in the query. */
function messageOf({ message, places = [] }: Failure): string {
  const positions = places
    .slice(0, 5)
    .map(({ line, column, message: at }) => `\n${line}:${column ?? 1} ${at}`);
  return `${message}${positions.join('')}`;
}

function answerOf({ status, tables }: Answer): QueryAnswer {
  return {
    tables: (tables ?? []).map(
      ({ name, fields, columns }): AnswerTable => ({
        name: name ?? '',
        fields,
        columns: columns ?? [],
      }),
    ),
    rowsExamined: status.rowsExamined ?? 0,
    rowsMatched: status.rowsMatched ?? 0,
    elapsedMilliseconds: (status.elapsedTime ?? 0) / 1_000,
    isPartial: status.isPartial ?? false,
    messages: (status.messages ?? []).flatMap(({ msg }) => msg ?? []),
  };
}
