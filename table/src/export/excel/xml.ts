/** Escapes text for the XML of a workbook. */

/** Characters that XML forbids or normalizes: most control characters, lone surrogates, U+FFFE and U+FFFF. */
const illegal = '[\\x00-\\x08\\x0B-\\x1F\\uFFFE\\uFFFF\\p{Cs}]';

/**
 * Characters to escape: markup as entities, illegal characters as `_xHHHH_`, which Excel decodes. An underscore that
 * would start such an escape is escaped too.
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

/** Whether an XML reader might drop some of the text's whitespace. */
export function needsSpace(text: string): boolean {
  return /^\s|\s$|[\n\t]| {2}/.test(text);
}
