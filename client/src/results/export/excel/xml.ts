/** Text inside the XML of a workbook. */

/**
 * What is written otherwise: markup, and what XML cannot hold or would normalize (controls, carriage
 * returns, half surrogate pairs), which Excel reads as `_xHHHH_`. Text that already looks like such an
 * escape has its underscore escaped.
 */
const special =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be escaped.
  /[&<>"]|[\x00-\x08\x0B-\x1F\uFFFE\uFFFF\p{Cs}]|_(?=x[\dA-Fa-f]{4}_)/gu;

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
