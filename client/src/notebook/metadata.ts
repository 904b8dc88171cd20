// Reads and writes editor metadata of notebooks and cells. Other extensions may change it, so values are unchecked.
import { parseJson, stringifyJson } from '../../../api/src/plain.ts';
import type { KeptOutput, OtherMembers } from './file.ts';

type Metadata = Readonly<Record<string, unknown>>;

export function keepsOutputs({ keepOutputs }: Metadata): boolean {
  return keepOutputs === true;
}

/** Returns the rows saved with a cell. Doesn't validate them, because only this extension writes them. */
export function keptOutputs({ kept }: Metadata): readonly KeptOutput[] {
  return Array.isArray(kept) ? (kept as readonly KeptOutput[]) : [];
}

/** Returns a file's unknown members as JSON text, because the editor would round long integers. */
export function othersText(others: OtherMembers): Metadata {
  return Object.keys(others).length === 0 ? {} : { others: stringifyJson(others) };
}

export function othersOf({ others }: Metadata): OtherMembers {
  return typeof others === 'string' ? (parseJson(others) as OtherMembers) : {};
}
