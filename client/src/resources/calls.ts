// Calls for resources of all kinds. Records are returned unchanged, so that saving a record loses no members. Only
// secrets are masked, so that trees, documents, folders and logs never contain them.
import type { EndpointKey } from '../../../api/src/index.ts';
import { documentOf, updateBody } from '../../../resources/src/documents.ts';
import { idOf, type KindName, kinds, recordOf } from '../../../resources/src/kinds.ts';
import {
  formatPaths,
  maskedPaths,
  maskSecrets,
  restoreSecrets,
  withoutSecrets,
} from '../../../resources/src/secrets.ts';
import { isMembers, type Members } from '../../../resources/src/value.ts';
import { failed, type Outcome } from '../service/failure.ts';
import type { CallArguments, Reply, Service } from '../service/service.ts';
import { changeTo, createsOn, isLost, isMadeOf, type ListKind } from './lostCreates.ts';

/** The maximum number of pages, because a faulty service may repeat pages forever. */
const PAGES_MAX = 1_000;

export interface ListOptions {
  /** The dataset whose resources to list, for kinds that belong to a dataset. */
  readonly dataset?: string | undefined;
  /** Whether to include other users' resources, which some lists omit by default. */
  readonly all?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Returns all visible records of a kind, in the service's order and without duplicates. */
export async function listRecords(
  service: Service,
  kind: KindName,
  { dataset, all, signal }: ListOptions = {},
): Promise<Outcome<readonly Members[]>> {
  const { list, page } = kinds[kind].endpoints;
  if (list === undefined) {
    const answer = await getRecord(service, kind, dataset ?? '', signal);
    return answer.ok ? { ok: true, value: [answer.value] } : answer;
  }
  const about = {
    ...(kinds[kind].scope === 'dataset' && { dataset }),
    ...(all && kinds[kind].listAll),
  };
  const found = new Map<string, Members>();
  for (let index = 0; index < (page === undefined ? 1 : PAGES_MAX); index += 1) {
    const paging = page === undefined ? {} : { limit: page, offset: index * page };
    const answer = await call(service, list, { query: { ...about, ...paging }, signal });
    if (!answer.ok) return answer;
    const items = Array.isArray(answer.value.raw) ? answer.value.raw : [];
    const before = found.size;
    for (const item of items) {
      const id = isMembers(item) ? idOf(kind, item) : undefined;
      if (id !== undefined) found.set(id, maskSecrets(kind, item));
    }
    if (page === undefined || items.length < page || found.size === before) break;
  }
  return { ok: true, value: [...found.values()] };
}

export async function getRecord(
  service: Service,
  kind: KindName,
  id: string,
  signal?: AbortSignal,
): Promise<Outcome<Members>> {
  const answer = await getWhole(service, kind, id, signal);
  return answer.ok ? { ok: true, value: maskSecrets(kind, answer.value) } : answer;
}

/** Returns a record with its secrets, which must not be shown or stored. */
export async function getWhole(
  service: Service,
  kind: KindName,
  id: string,
  signal?: AbortSignal,
): Promise<Outcome<Members>> {
  const { get } = kinds[kind].endpoints;
  return record(kind, await call(service, get, { params: parameters(kind, id), signal }));
}

/**
 * Creates a resource and returns its record. If the response to this or an earlier request is lost, finds the created
 * resource and updates it to match the body.
 */
export async function createRecord(
  service: Service,
  kind: KindName,
  body: unknown,
): Promise<Outcome<Members>> {
  const { create } = kinds[kind].endpoints;
  if (create === undefined) throw new Error(`A ${kinds[kind].noun} cannot be created.`);
  const masks = maskedPaths(kind, body);
  if (masks.length > 0) return noValue(kind, formatPaths(masks));
  const creates = createsOn(service);
  if (creates.isInDoubt(kind, body)) {
    const found = await creates.find(kind, body, listOf(service, kind));
    // Continue if the read is refused: a token may be allowed to create resources but not to read them.
    if (!found.ok && found.failure.status !== 403) return found;
    if (found.ok && found.value !== undefined) return taken(service, kind, found.value, body);
  }
  const startedAt = Date.now();
  const answer = written(kind, body, await call(service, create, { body }));
  if (answer.ok) creates.made(kind, body, answer.value);
  if (answer.ok || !isLost(answer.failure)) return answer;
  creates.lose(kind, body, startedAt);
  const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS);
  const found = await creates.find(kind, body, listOf(service, kind, signal));
  return found.ok && found.value !== undefined ? taken(service, kind, found.value, body) : answer;
}

/** The time limit for looking up a lost create, because the user is waiting. */
const LOOK_TIMEOUT_MS = 10_000;

function listOf(service: Service, kind: KindName, signal?: AbortSignal): ListKind {
  return (dataset) => listRecords(service, kind, { all: true, dataset, signal });
}

/** Returns the record that a lost create created. If the body was edited since, updates the resource first. */
async function taken(
  service: Service,
  kind: KindName,
  record: Members,
  body: unknown,
): Promise<Outcome<Members>> {
  const id = idOf(kind, record) ?? '';
  const answer: Outcome<Members> = isMadeOf(kind, record, body)
    ? { ok: true, value: record }
    : await updateRecord(service, kind, id, changeTo(kind, record, body));
  if (answer.ok) createsOn(service).made(kind, body, answer.value);
  return answer;
}

/** Updates a resource. Masked secrets keep their stored content. */
export async function updateRecord(
  service: Service,
  kind: KindName,
  id: string,
  body: unknown,
): Promise<Outcome<Members>> {
  const { update } = kinds[kind].endpoints;
  let whole = body;
  if (maskedPaths(kind, body).length > 0) {
    const stored = await getWhole(service, kind, id);
    if (!stored.ok) return stored;
    const { document, missing } = restoreSecrets(kind, body as Members, stored.value);
    if (missing.length > 0) return noValue(kind, formatPaths(missing));
    whole = document;
  }
  const answer = await call(service, update, { params: parameters(kind, id), body: whole });
  return written(kind, whole, answer);
}

/** Updates a resource to the document that `change` returns for its current document. */
export async function changeRecord(
  service: Service,
  kind: KindName,
  id: string,
  change: (document: Members) => Members,
): Promise<Outcome<Members>> {
  const now = await getRecord(service, kind, id);
  if (!now.ok) return now;
  const document = change(documentOf(kind, now.value));
  return updateRecord(service, kind, id, updateBody(kind, now.value, document));
}

/** Returns the record in a write's response, without secrets. */
function written(
  kind: KindName,
  body: unknown,
  reply: Outcome<Reply<EndpointKey>>,
): Outcome<Members> {
  const answer = record(kind, reply);
  if (answer.ok) return { ok: true, value: maskSecrets(kind, answer.value) };
  const { failure } = answer;
  const { message, code, places } = failure;
  const clean = (text: string) => withoutSecrets(kind, text, body);
  return failed({
    ...failure,
    message: clean(message),
    ...(code !== undefined && { code: clean(code) }),
    ...(places && { places: places.map((place) => ({ ...place, message: clean(place.message) })) }),
  });
}

function noValue(kind: KindName, members: string): Outcome<never> {
  const message = `The deployment has no stored value for ${members} of this ${kinds[kind].noun}. Replace the dots with the value.`;
  return failed({ kind: 'refused', host: '', message });
}

/** Deletes a resource. If the response is lost, a missing resource counts as success. */
export async function deleteRecord(
  service: Service,
  kind: KindName,
  id: string,
): Promise<Outcome<undefined>> {
  const { delete: gone } = kinds[kind].endpoints;
  if (gone === undefined) throw new Error(`A ${kinds[kind].noun} cannot be deleted.`);
  const answer = await call(service, gone, { params: parameters(kind, id) });
  if (answer.ok) return { ok: true, value: undefined };
  const { sent, status = 0 } = answer.failure;
  if (sent !== true && status < 500) return answer;
  const left = await getRecord(service, kind, id);
  return !left.ok && left.failure.status === 404 ? { ok: true, value: undefined } : answer;
}

function parameters(kind: KindName, id: string): Record<string, string> {
  return { [kinds[kind].endpoints.parameter]: id };
}

/** Calls an endpoint without its specific types, because the endpoint depends on the kind of resource. */
function call(
  service: Service,
  key: EndpointKey,
  { signal, ...given }: { readonly signal?: AbortSignal | undefined } & Record<string, unknown>,
): Promise<Outcome<Reply<EndpointKey>>> {
  const about = { ...given, ...(signal && { signal }) };
  return service.call(key, about as unknown as CallArguments<EndpointKey>);
}

/** Returns a response's record. After a dashboard is written, the record is nested in another object. */
function record(kind: KindName, answer: Outcome<Reply<EndpointKey>>): Outcome<Members> {
  if (!answer.ok) return answer;
  const { raw } = answer.value;
  const { responseMember } = kinds[kind];
  const written = isMembers(raw) && responseMember !== undefined ? raw[responseMember] : undefined;
  // Unwrap only the response to a write: it has a nested record with an identifier.
  const inner = isMembers(written) && idOf(kind, written) !== undefined ? written : raw;
  return { ok: true, value: recordOf(kind, inner) };
}
