/** The error for a body that isn't a valid answer, with the position of the problem. */
import { grouped } from '../../../formats/src/counts.ts';
export class MalformedBody extends Error {
  override readonly name = 'MalformedBody';
  /** `where` is a path such as `tables[0].columns[3][17]`; empty for the entire body. `offset` is in bytes. */
  constructor(what: string, where = '', offset?: number) {
    const byte = offset === undefined ? '' : `byte ${grouped(offset)}`;
    const place = where === '' ? byte : byte === '' ? where : `${where} (${byte})`;
    super(`The response is not valid: ${what}${place === '' ? '' : ` at ${place}`}.`);
  }
}

/** Returns the path of the current value: the array index or member name at each depth from 1 on. */
export function pathOf(
  depthMax: number,
  isArray: Uint8Array,
  indexes: Float64Array,
  keys: readonly string[],
): string {
  let path = '';
  for (let depth = 1; depth <= depthMax; depth++) {
    const key = keys[depth] as string;
    if (isArray[depth] === 1) path += `[${indexes[depth]}]`;
    else if (key !== '') path += path === '' ? cut(key) : `.${cut(key)}`;
  }
  return path;
}

function cut(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}

export function values(count: number): string {
  return count === 1 ? '1 value' : `${count} values`;
}
