// Whether the name of a member suggests a secret, and whether text that a person wrote seems to contain one. Errs on
// the side of hiding: a value that is hidden by mistake can be entered again.

const SECRET_WORDS: ReadonlySet<string> = new Set([
  ...['auth', 'authorization', 'bearer', 'cookie', 'credential', 'credentials', 'key', 'keys'],
  ...['jwt', 'pass', 'passphrase', 'passwd', 'password', 'passwords', 'pin', 'pw', 'pwd', 'secret'],
  ...['secrets', 'sig', 'signature', 'token', 'tokens', 'webhook', 'webhooks'],
]);

/** In names that are written as one word, such as `apikey`. */
const SECRET_PARTS = /apikey|authkey|password|passphrase|secret|token|webhook/;

/** Whether the name of a member is that of a secret: `routing_key`, `apiToken`, `webhookUrl`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return words.some((word) => SECRET_WORDS.has(word) || SECRET_PARTS.test(word));
}

/** Whether a text is an address: those of webhooks have tokens in their paths. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text);
}

/**
 * `"routing_key": "R0…"`, `token=abc`, `"keys": ["abc"]`: a name, and the start of a value that is written out. The value
 * is not consumed, since that of `"link": "https://…?token=abc"` has such a name itself.
 */
const ASSIGNED = /(?<![\w-])([\w-]{1,64})["']?\s*[:=]\s*(?:\[\s*)?(["']?)(?=([^\s"',;&}]{1,16}))/g;

/** What is not a secret without quotation marks, whatever its name. */
const PLAIN_VALUE = /^(?:\[|\]|\{|(?:true|false|null)(?![\w-]))/;

/** `<token>abc</token>`, and `"name": "Authorization", "value": "abc"` in a list of headers. */
const NAMED = [
  /<([\w:.-]{1,64})(?:\s[^<>]*)?>\s*[^<\s]/g,
  /"name"\s*:\s*"([\w-]{1,64})"\s*,\s*"value"\s*:\s*"[^\s"]/g,
];

const SCHEME_AND_SECRET = /\b(?:basic|bearer)\s+[\w+/=.-]{6,}/i;
const ADDRESS_WITH_PASSWORD = /:\/\/[^\s/?#@]+@/;
const GENERATED_LENGTH_MIN = 20;
const LONG_WORD = new RegExp(String.raw`[\w+/=-]{${GENERATED_LENGTH_MIN},}`, 'g');

/** Whether a text, such as the template of a message, seems to contain a secret. Placeholders (`{{…}}`) do not count. */
export function hasSecret(text: string): boolean {
  const written = unescaped(text.replace(/\{\{[^{}]*\}\}/g, ' '));
  if (SCHEME_AND_SECRET.test(written) || ADDRESS_WITH_PASSWORD.test(written)) return true;
  if (written.split(/[\s"']+/).some(isWebhook)) return true;
  for (const [, name = '', quote, value = ''] of written.matchAll(ASSIGNED)) {
    if (isSecretName(name) && (quote !== '' || !PLAIN_VALUE.test(value))) return true;
  }
  for (const [, name = ''] of NAMED.flatMap((pattern) => [...written.matchAll(pattern)])) {
    if (isSecretName(name)) return true;
  }
  return (written.match(LONG_WORD) ?? []).some(isGenerated);
}

/** Text with that of a JSON string in it as it is read: a body may have JSON in JSON. */
function unescaped(text: string): string {
  return text.replace(/\\+([nrt]|["'/])?/g, (_, escaped: string | undefined) =>
    escaped === undefined || /[nrt]/.test(escaped) ? ' ' : escaped,
  );
}

/** An address whose path is a credential: `https://hooks.example.com/services/…`. */
function isWebhook(word: string): boolean {
  const start = word.indexOf('://');
  if (start < 0) return false;
  const hook = word.slice(start).search(/hooks?(?![a-z])/i);
  return hook >= 0 && /\/[^/]/.test(word.slice(start + hook));
}

/** Whether letters and digits alternate, as in keys, unlike in the path of a page or a long number. */
function isGenerated(word: string): boolean {
  const changes = word.match(/[a-z]\d|\d[a-z]/gi) ?? [];
  return changes.length >= 3;
}
