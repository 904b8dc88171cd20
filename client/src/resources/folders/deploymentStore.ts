// Reads and writes a deployment's resources, for comparisons with folders. Independent of VS Code.

import type { ResourceStore, StoreResult } from '../../../../resources/src/folder/store.ts';
import { type KindName, kinds } from '../../../../resources/src/kinds.ts';
import type { Failure, FailureKind, Outcome } from '../../service/failure.ts';
import type { Service } from '../../service/service.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '../calls.ts';

/** Kinds of failure that end the work, because the next request would fail as well. */
const ENDING: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'unreachable',
  'certificate',
  'timeout',
  'cancelled',
  'redirected',
  'token',
]);
const ENDING_STATUSES: ReadonlySet<number> = new Set([401, 429, 430, 503]);

export function deploymentStore(service: Service, signal?: AbortSignal): ResourceStore {
  return {
    async datasets() {
      const answer = await service.call('listDatasets', signal && { signal });
      if (!answer.ok) return refused(answer.failure);
      return { ok: true, value: answer.value.typed.map(({ name }) => name) };
    },
    async createDataset(name) {
      return written(await service.call('createDataset', { body: { name } }));
    },
    list: async (kind, dataset) =>
      read(kind, await listRecords(service, kind, { dataset, signal, all: true })),
    get: async (kind, id) => read(kind, await getRecord(service, kind, id)),
    create: async (kind, body) => written(await createRecord(service, kind, body), kind),
    update: async (kind, id, body) => written(await updateRecord(service, kind, id, body), kind),
    delete: async (kind, id) => written(await deleteRecord(service, kind, id)),
    async problems(kind, action, body) {
      const key = kinds[kind].endpoints[action];
      const { bodyProblems } = await import('../../service/endpoint.ts');
      return key === undefined ? [] : bodyProblems(key, body);
    },
  };
}

function read<T>(kind: KindName, answer: Outcome<T>): StoreResult<T> {
  return answer.ok ? answer : refused(answer.failure, kinds[kind].requiredAccess);
}

function written<T>(answer: Outcome<T>, kind?: KindName): StoreResult<T> {
  if (answer.ok) return answer;
  const { failure } = answer;
  const needs = kind === undefined ? undefined : `write access to ${kinds[kind].plural}`;
  const refusal = refused(failure, needs);
  if (failure.sent !== true) return refusal;
  return { ...refusal, reason: `${refusal.reason} The deployment may have applied it anyway.` };
}

function refused(failure: Failure, needs?: string): Extract<StoreResult<never>, { ok: false }> {
  const { kind, status = 0, message } = failure;
  const advice = status === 403 && needs !== undefined ? ` Use a token with ${needs}.` : '';
  return {
    ok: false,
    reason: `${message}${advice}`,
    isFatal: ENDING.has(kind) || ENDING_STATUSES.has(status),
  };
}
