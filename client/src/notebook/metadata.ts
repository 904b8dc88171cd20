// The metadata of notebooks and cells in the editor: plain data by key. Other extensions may write to it as well, so
// nothing about it is certain.
import { parseJson, stringifyJson } from '../../../api/src/plain.ts';
import type { KeptOutput, OtherMembers } from './file.ts';

type Metadata = Readonly<Record<string, unknown>>;

export function keepsOutputs({ keepOutputs }: Metadata): boolean {
  return keepOutputs === true;
}

/** The rows that are saved with a cell. Only this extension writes them. */
export function keptOutputs({ kept }: Metadata): readonly KeptOutput[] {
  return Array.isArray(kept) ? (kept as readonly KeptOutput[]) : [];
}

/** Returns the unknown members of a file as JSON text, since the editor would round long integers. */
export function othersText(others: OtherMembers): Metadata {
  return Object.keys(others).length === 0 ? {} : { others: stringifyJson(others) };
}

export function othersOf({ others }: Metadata): OtherMembers {
  return typeof others === 'string' ? (parseJson(others) as OtherMembers) : {};
}
