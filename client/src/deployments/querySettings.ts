/** The time range and the deployment that a notebook or a cell states in its metadata. */

/** Settings of a notebook or of a cell. An absent one follows the level above. */
export interface QuerySettings {
  /** A time range in words, such as `last 1 hour`. */
  readonly range?: string;
  readonly deployment?: string;
}

export function querySettings({
  range,
  deployment,
}: Readonly<Record<string, unknown>>): QuerySettings {
  return {
    ...(typeof range === 'string' && { range }),
    ...(typeof deployment === 'string' && { deployment }),
  };
}
