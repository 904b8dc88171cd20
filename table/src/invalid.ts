/** A parameter that is out of bounds or not understood, in words for the person. */
export class Invalid extends Error {
  override readonly name = 'Invalid';
}
