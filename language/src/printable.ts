/**
 * Text that a terminal shows as it is. Queries, files, names and messages of services can contain control characters
 * and direction marks, which would control the terminal or hide what follows.
 */
const controls = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Escapes control characters, line breaks included, and direction marks. */
export function printable(text: string): string {
  return text.replace(controls, escaped);
}

/** Does the same for text that keeps its lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** Does the same for source text, which also keeps its tabs and its carriage returns at the ends of lines. */
export function printableSource(text: string): string {
  return text.replace(controls, (character, offset: number) => {
    const isLayout = /[\t\n]/.test(character) || (character === '\r' && text[offset + 1] === '\n');
    return isLayout ? character : escaped(character);
  });
}

/** Does the same for JSON that keeps its lines. The values in it stay the same. */
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
