// What a notebook and its cells carry besides their text, as the editor holds it: plain data under names.
// Anything may be in it, since other extensions may write there too.
import { parseJson, stringifyJson } from '../../../api/src/plain.ts';
import type { KeptOutput, OtherMembers, QuerySettings } from './file.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** The names under which things are held. */
export const metadataKeys = {
  range: 'range',
  deployment: 'deployment',
  keepOutputs: 'keepOutputs',
  /** Saved rows of a cell. */
  kept: 'kept',
  /** Members of the file that are not known, as JSON text: the editor would round long integers. */
  others: 'others',
} as const;

export function querySettings({ range, deployment }: Metadata): QuerySettings {
  return {
    ...(typeof range === 'string' && { range }),
    ...(typeof deployment === 'string' && { deployment }),
  };
}

export function keepsOutputs({ keepOutputs }: Metadata): boolean {
  return keepOutputs === true;
}

/** The rows that are saved with a cell; only this extension writes them. */
export function keptOutputs({ kept }: Metadata): readonly KeptOutput[] {
  return Array.isArray(kept) ? (kept as readonly KeptOutput[]) : [];
}

export function othersText(others: OtherMembers): Metadata {
  return Object.keys(others).length === 0 ? {} : { others: stringifyJson(others) };
}

export function othersOf({ others }: Metadata): OtherMembers {
  return typeof others === 'string' ? (parseJson(others) as OtherMembers) : {};
}
