/** The state of a page of several parts, which the page writes and its host reads when VS Code shows it again. */

/** What a part has kept in the state of its page, as VS Code hands it back. */
export function stateOfPart(state: unknown, part: string): unknown {
  return ((state ?? {}) as Readonly<Record<string, unknown>>)[part];
}
