// The kinds of operations that write, by the names of the endpoints, in words for the question about production.

const verbs: Readonly<Record<string, string>> = {
  create: 'Create',
  update: 'Change',
  replace: 'Change',
  delete: 'Delete',
};

/** The kind of an operation, such as `Delete datasets`; operations of one kind are confirmed together. */
export function writeKind(endpoint: string): string {
  if (/ingest/i.test(endpoint)) return 'Send events';
  const [verb = '', ...noun] = endpoint.replace(/V\d+$/, '').split(/(?=[A-Z])/);
  const first = verbs[verb] ?? verb.charAt(0).toUpperCase() + verb.slice(1);
  return `${first} ${plural(noun.join(' ').toLowerCase())}`;
}

function plural(noun: string): string {
  if (noun.endsWith('s')) return noun;
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** The question before something is written to production, and the button that confirms it. */
export interface WriteQuestion {
  readonly message: string;
  readonly detail: string;
  readonly action: string;
}

/** The question about an endpoint; `given` replaces its words, and adds its detail to what is said of production. */
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
