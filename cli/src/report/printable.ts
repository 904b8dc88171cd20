/** Escapes control characters, so that queries, files and their names cannot control the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    return `\\u${(character.codePointAt(0) as number).toString(16).padStart(4, '0')}`;
  });
}

/** The same for text that keeps its lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
