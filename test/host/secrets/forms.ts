// What a secret looks like in the places where it must not be: as it is, cut short at either end, escaped for JSON,
// HTML or an address, in base64 at any of its three alignments, in hex, and as UTF-16.

export interface Marked {
  /** How reports name the secret; they never have its text. */
  readonly label: string;
  readonly forms: readonly Form[];
}

interface Form {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Long enough to be found nowhere by chance. */
const PIECE_CHARACTERS = 16;

/** A secret by its random part, without the prefix that all tokens have. */
export function marked(label: string, secret: string): Marked {
  const random = secret.replace(/^xa[ap]t-/, '');
  if (random.length < PIECE_CHARACTERS) throw new Error(`The secret "${label}" is too short.`);
  const pieces = [random.slice(0, PIECE_CHARACTERS), random.slice(-PIECE_CHARACTERS)];
  const forms = new Map<string, Form>();
  for (const piece of pieces) {
    for (const [name, encode] of encodings) {
      for (const bytes of encode(piece)) {
        const key = bytes.toString('latin1');
        if (!forms.has(key)) forms.set(key, { name, bytes });
      }
    }
  }
  return { label, forms: [...forms.values()] };
}

const json = (text: string): string => JSON.stringify(text).slice(1, -1);

type Encode = (piece: string) => readonly Buffer[];

const texts =
  (...encodes: readonly ((piece: string) => string)[]): Encode =>
  (piece) =>
    encodes.map((encode) => Buffer.from(encode(piece)));

const base64 = (encoding: 'base64' | 'base64url'): Encode =>
  texts(...[0, 1, 2].map((offset) => (piece: string) => base64Core(piece, offset, encoding)));

const encodings: readonly (readonly [name: string, encode: Encode])[] = [
  ['text', texts((piece) => piece)],
  ['JSON', texts(json, (piece) => json(json(piece)))],
  ['URL', texts(encodeURIComponent, encodeURI)],
  ['URL in a URL', texts((piece) => encodeURIComponent(encodeURIComponent(piece)))],
  ['HTML', texts(htmlNamed, htmlNumbered)],
  ['hex', texts((piece) => Buffer.from(piece).toString('hex'))],
  ['base64', base64('base64')],
  ['base64url', base64('base64url')],
  ['UTF-16', (piece) => [Buffer.from(piece, 'utf16le')]],
];

/** The characters that depend on nothing but the piece, where `offset` bytes precede it in a group of three. */
function base64Core(piece: string, offset: number, encoding: 'base64' | 'base64url'): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(piece)]);
  const first = Math.ceil((offset * 8) / 6);
  const end = Math.floor((bytes.length * 8) / 6);
  return bytes.toString(encoding).slice(first, end);
}

const names: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function htmlNamed(text: string): string {
  return text.replace(/[&<>"']/g, (character) => names[character] ?? character);
}

function htmlNumbered(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
