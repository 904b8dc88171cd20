/** Text inside the XML of a workbook. */

/** Characters that XML forbids or normalizes: controls, carriage returns, half surrogate pairs. */
const illegal = '[\\x00-\\x08\\x0B-\\x1F\\uFFFE\\uFFFF\\p{Cs}]';

/**
 * What is written otherwise: markup as entities, and what is illegal as `_xHHHH_`, which Excel reads so. An
 * underscore that would start such an escape, together with what is written after it, is escaped itself.
 */
const special = new RegExp(`[&<>"]|${illegal}|_(?=x[\\dA-Fa-f]{4}(?:_|${illegal}))`, 'gu');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export function xmlText(text: string): string {
  return text.replace(
    special,
    (character) =>
      entities[character] ??
      `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}

/** Whether a reader of XML might drop some of the white space. */
export function needsSpace(text: string): boolean {
  return /^\s|\s$|[\n\t]| {2}/.test(text);
}
