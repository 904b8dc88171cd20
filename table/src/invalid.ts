/** Thrown for an invalid parameter, with a message for the user. */
export class Invalid extends Error {
  override readonly name = 'Invalid';
}
