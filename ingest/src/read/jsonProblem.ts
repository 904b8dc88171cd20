// Says where text is not JSON and what is expected there: the engine's messages rarely have the place.

const WORD = /true|false|null|NaN|-?Infinity|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type Expected = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'commaOrEnd' | 'end';

const WORDS: Readonly<Record<Expected, string>> = {
  value: 'a value',
  valueOrEnd: 'a value or ]',
  name: 'a name in quotes',
  nameOrEnd: 'a name in quotes or }',
  colon: 'a colon',
  commaOrEnd: 'a comma or a closing bracket',
  end: 'the end of the event',
};

/** A sentence with the first place at which text is not JSON; characters are counted from 1. */
export function jsonProblem(text: string): string {
  const open: string[] = [];
  let expected: Expected = 'value';
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'commaOrEnd');
  for (let at = 0; ; ) {
    while (' \t\n\r'.includes(text[at] ?? 'x')) at += 1;
    const sign = text[at];
    if (sign === undefined) return 'It ends inside its JSON.';
    const wants: boolean = expected === 'value' || expected === 'valueOrEnd';
    const wantsName: boolean = expected === 'name' || expected === 'nameOrEnd';
    if (sign === '"' && (wants || wantsName)) {
      const end = stringEnd(text, at);
      if (typeof end === 'string') return end;
      at = end;
      expected = wantsName ? 'colon' : afterValue();
    } else if (sign === '{' && wants) {
      open.push(sign);
      expected = 'nameOrEnd';
      at += 1;
    } else if (sign === '[' && wants) {
      open.push(sign);
      expected = 'valueOrEnd';
      at += 1;
    } else if (sign === ':' && expected === 'colon') {
      expected = 'value';
      at += 1;
    } else if (sign === ',' && expected === 'commaOrEnd') {
      expected = open.at(-1) === '{' ? 'name' : 'value';
      at += 1;
    } else if (closes(sign, open.at(-1), expected)) {
      open.pop();
      expected = afterValue();
      at += 1;
    } else {
      WORD.lastIndex = at;
      const word: RegExpExecArray | null = wants ? WORD.exec(text) : null;
      if (word === null) return `Expected ${WORDS[expected]} at ${place(at)}.`;
      at += word[0].length;
      expected = afterValue();
    }
  }
}

function closes(sign: string, opening: string | undefined, expected: Expected): boolean {
  const ends = expected === 'commaOrEnd' || expected === 'nameOrEnd' || expected === 'valueOrEnd';
  return ends && ((sign === '}' && opening === '{') || (sign === ']' && opening === '['));
}

/** Where the string that starts at `start` ends, or what is wrong in it. */
function stringEnd(text: string, start: number): number | string {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20)
      return `A string has a control character at ${place(at)}. Write it as an escape.`;
    if (code === 0x5c) {
      ESCAPE.lastIndex = at;
      const found = ESCAPE.exec(text);
      if (found === null) return `A string has an unknown escape at ${place(at)}.`;
      at += found[0].length - 1;
    }
  }
  return `The string from ${place(start)} on is not closed.`;
}

const place = (at: number): string => `character ${(at + 1).toLocaleString('en-US')}`;
