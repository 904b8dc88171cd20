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
