// Detects member names that suggest a secret, and user text that seems to contain one. Errs on the side of hiding,
// because a value hidden by mistake can be entered again.

const SECRET_WORDS: ReadonlySet<string> = new Set([
  ...['auth', 'authorization', 'bearer', 'cookie', 'credential', 'credentials', 'key', 'keys'],
  ...['jwt', 'pass', 'passphrase', 'passwd', 'password', 'passwords', 'pin', 'pw', 'pwd', 'secret'],
  ...['secrets', 'sig', 'signature', 'token', 'tokens', 'webhook', 'webhooks'],
]);

/** Matches secrets in names written as one word, such as `apikey`. */
const SECRET_PARTS = /apikey|authkey|password|passphrase|secret|token|webhook/;

/** Returns whether a member's name suggests a secret: `routing_key`, `apiToken`, `webhookUrl`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return words.some((word) => SECRET_WORDS.has(word) || SECRET_PARTS.test(word));
}

/** Returns whether a text is a URL. Webhook URLs have tokens in their paths. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text);
}

/**
 * Matches a name and the start of a literal value: `"routing_key": "R0…"`, `token=abc`, `"keys": ["abc"]`. The value
 * isn't consumed, because it may contain such a name itself, as in `"link": "https://…?token=abc"`.
 */
const ASSIGNED = /(?<![\w-])([\w-]{1,64})["']?\s*[:=]\s*(?:\[\s*)?(["']?)(?=([^\s"',;&}]{1,16}))/g;

/** Unquoted values that aren't secret, whatever their name. */
const PLAIN_VALUE = /^(?:\[|\]|\{|(?:true|false|null)(?![\w-]))/;

/** Matches `<token>abc</token>`, and `"name": "Authorization", "value": "abc"` in a list of headers. */
const NAME_VALUE_PATTERNS = [
  /<([\w:.-]{1,64})(?:\s[^<>]*)?>\s*[^<\s]/g,
  /"name"\s*:\s*"([\w-]{1,64})"\s*,\s*"value"\s*:\s*"[^\s"]/g,
];

const SCHEME_AND_SECRET = /\b(?:basic|bearer)\s+[\w+/=.-]{6,}/i;
const ADDRESS_WITH_PASSWORD = /:\/\/[^\s/?#@]+@/;
const GENERATED_LENGTH_MIN = 20;
const LONG_WORD = new RegExp(String.raw`[\w+/=-]{${GENERATED_LENGTH_MIN},}`, 'g');

/** Returns whether a text, such as a message template, seems to contain a secret. Ignores placeholders (`{{…}}`). */
export function hasSecret(text: string): boolean {
  const written = unescaped(text.replace(/\{\{[^{}]*\}\}/g, ' '));
  if (SCHEME_AND_SECRET.test(written) || ADDRESS_WITH_PASSWORD.test(written)) return true;
  if (written.split(/[\s"']+/).some(isWebhook)) return true;
  for (const [, name = '', quote, value = ''] of written.matchAll(ASSIGNED)) {
    if (isSecretName(name) && (quote !== '' || !PLAIN_VALUE.test(value))) return true;
  }
  for (const [, name = ''] of NAME_VALUE_PATTERNS.flatMap((pattern) => [
    ...written.matchAll(pattern),
  ])) {
    if (isSecretName(name)) return true;
  }
  return (written.match(LONG_WORD) ?? []).some(isGenerated);
}

/** Unescapes JSON strings in text, because a body may contain JSON within JSON. */
function unescaped(text: string): string {
  return text.replace(/\\+([nrt]|["'/])?/g, (_, escaped: string | undefined) =>
    escaped === undefined || /[nrt]/.test(escaped) ? ' ' : escaped,
  );
}

/** Returns whether a word is a URL whose path is a credential: `https://hooks.example.com/services/…`. */
function isWebhook(word: string): boolean {
  const start = word.indexOf('://');
  if (start < 0) return false;
  const hook = word.slice(start).search(/hooks?(?![a-z])/i);
  return hook >= 0 && /\/[^/]/.test(word.slice(start + hook));
}

/** Returns whether letters and digits alternate, as in keys, but not in page paths or long numbers. */
function isGenerated(word: string): boolean {
  const changes = word.match(/[a-z]\d|\d[a-z]/gi) ?? [];
  return changes.length >= 3;
}
