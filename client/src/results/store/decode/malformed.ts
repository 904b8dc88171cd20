/** A body that is not an answer, and where it stops being one. */
export class MalformedBody extends Error {
  override readonly name = 'MalformedBody';
  /** `where` is a path such as `tables[0].columns[3][17]`, empty for the body itself. */
  constructor(what: string, where: string, offset: number) {
    const at = `byte ${offset.toLocaleString('en-US')}`;
    super(`The response is not valid: ${what} at ${where === '' ? at : `${where} (${at})`}.`);
  }
}
