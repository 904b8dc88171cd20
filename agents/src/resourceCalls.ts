// Finds a resource by its identifier or name.
import { stringifyJson } from '../../api/src/plain.ts';
import { oneOf, optional, text } from '../../api/src/schema.ts';
import { idOf, type KindName, kindNames, kinds } from '../../resources/src/kinds.ts';
import { type Members, textAt } from '../../resources/src/value.ts';
import type { Result } from './context.ts';
import type { AgentSession } from './session.ts';

export const resourceInput = {
  kind: oneOf(kindNames as [KindName, ...KindName[]]),
  dataset: optional(text('For virtualFields and mapFields.')),
};

export interface ResourceQuery {
  readonly kind: KindName;
  readonly dataset?: string | undefined;
}

/** Lists the resources of a kind. Fails if the kind belongs to a dataset, and none is given. */
export async function listResources(
  session: AgentSession,
  { kind, dataset }: ResourceQuery,
  signal: AbortSignal,
): Promise<Result<readonly Members[]>> {
  const needsDataset = kinds[kind].scope === 'dataset' || kinds[kind].endpoints.list === undefined;
  if (needsDataset && dataset === undefined) {
    return { ok: false, message: `Set 'dataset': ${kinds[kind].plural} belong to a dataset.` };
  }
  return session.context.resources(kind, dataset, signal);
}

/** Finds the resource with an identifier or, if only one has it, a name. */
export async function findResource(
  session: AgentSession,
  query: ResourceQuery,
  id: string,
  signal: AbortSignal,
): Promise<Result<Members>> {
  const { kind } = query;
  const list = await listResources(session, query, signal);
  if (!list.ok) return list;
  const byId = list.value.find((record) => idOf(kind, record) === id);
  if (byId !== undefined) return { ok: true, value: byId };
  const named = list.value.filter((record) => textAt(record, kinds[kind].name) === id);
  const [only] = named;
  if (only !== undefined && named.length === 1) return { ok: true, value: only };
  const message =
    named.length > 1
      ? `${named.length} ${kinds[kind].plural} have this name. Use the id: call get_resource without id.`
      : `There is no ${kinds[kind].noun} with this id or name. Call get_resource without id.`;
  return { ok: false, message };
}

/** Describes a resource in a list: its identifier and name as JSON. */
export function resourceLine(kind: KindName, record: Members): string {
  const name = textAt(record, kinds[kind].name);
  return stringifyJson([idOf(kind, record) ?? '', ...(name === undefined ? [] : [name])]);
}
