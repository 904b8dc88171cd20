// Derives kinds of write operations from endpoint names, and builds the question about changing production.

import { capitalized } from '../words/lists.ts';

/** Replacements for verbs in endpoint names. */
const verbs: Readonly<Record<string, string>> = {
  update: 'Change',
  replace: 'Change',
};

/** Returns an operation's kind, such as `Delete datasets`. One confirmation covers all operations of a kind. */
export function writeKind(endpoint: string): string {
  if (/ingest/i.test(endpoint)) return 'Send events';
  const [verb = '', ...noun] = endpoint.replace(/V\d+$/, '').split(/(?=[A-Z])/);
  const first = verbs[verb] ?? capitalized(verb);
  return `${first} ${plural(noun.join(' ').toLowerCase())}`;
}

function plural(noun: string): string {
  if (noun.endsWith('s')) return noun;
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

export interface WriteQuestion {
  readonly message: string;
  readonly detail: string;
  readonly action: string;
}

/** Returns the confirmation prompt for a write. `message` and `action` replace the defaults, and `detail` is added. */
export function writeQuestion(
  deployment: string,
  endpoint: string,
  { message, detail, action }: Partial<WriteQuestion> = {},
): WriteQuestion {
  const kind = writeKind(endpoint);
  const sentences = [
    `${deployment} is marked as production.`,
    ...(detail === undefined ? [] : [detail]),
    `If you continue, this window does not ask again for this kind of change on ${deployment}.`,
  ];
  return {
    message: message ?? `${kind} on ${deployment}?`,
    detail: sentences.join(' '),
    action: action ?? kind,
  };
}
