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
