/** Makes text safe to print in a terminal by escaping control characters and direction marks. */
const controls = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Escapes control characters, including line breaks, and direction marks. */
export function printable(text: string): string {
  return text.replace(controls, escaped);
}

/** Escapes text like `printable`, but keeps line breaks. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** Escapes source text like `printable`, but keeps tabs and line breaks, including CRLF. */
export function printableSource(text: string): string {
  return text.replace(controls, (character, offset: number) => {
    const isLayout = /[\t\n]/.test(character) || (character === '\r' && text[offset + 1] === '\n');
    return isLayout ? character : escaped(character);
  });
}

/** Escapes JSON without changing its values, and keeps line breaks. */
export function printableJson(json: string): string {
  return json.replace(controls, (character) => {
    if (character === '\n') return character;
    return Array.from({ length: character.length }, (_, at) => unit(character.charCodeAt(at))).join(
      '',
    );
  });
}

function escaped(character: string): string {
  return unit(character.codePointAt(0) as number);
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
