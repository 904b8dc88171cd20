// Reads answers of language models. Independent of VS Code.

const block = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w-]*)[^\n]*\n([\s\S]*?)^[ \t]*\1[ \t]*$/gm;

const queryLanguages: ReadonlySet<string> = new Set(['apl', 'axiom-apl', 'kusto', 'kql', '']);

/** Returns the last query in a fenced block; undefined if there is none. */
export function queryIn(answer: string): string | undefined {
  const queries = [...`${answer}\n`.matchAll(block)]
    .filter(([, , language = '']) => queryLanguages.has(language.toLowerCase()))
    .map(([, , , text = '']) => text.replace(/\s+$/, ''))
    .filter((text) => text.trim() !== '');
  return queries.at(-1);
}

/** Maximum number of characters of a summary. */
const SUMMARY_CHARACTERS_MAX = 200;

/** Returns the first line of the text around the blocks; empty if there is none. */
export function summaryIn(answer: string): string {
  const text = `${answer}\n`.replace(block, '').trim();
  const [line = ''] = text.split(/\n/, 1);
  return line.length > SUMMARY_CHARACTERS_MAX ? `${line.slice(0, SUMMARY_CHARACTERS_MAX)}…` : line;
}

/**
 * Makes links, addresses, images and HTML in Markdown literal. The preview would load an image's address, which can
 * contain events, and models can repeat an instruction to write one from an event. Blanks are inserted regardless of code
 * blocks, so no difference in parsing can hide an image.
 */
export function inertMarkdown(markdown: string): string {
  return markdown
    .replace(/!(?=\[)/g, '! ')
    .replace(/\](?=[([:])/g, '] ')
    .replace(/<(?=[a-z/!?])/gi, '< ')
    .replace(/\/(?=\/\S)/g, '/ ');
}
