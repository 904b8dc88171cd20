/** Reads the time range and the deployment from the metadata of a notebook or a cell. */

/** A notebook's or a cell's settings. A missing setting is inherited from the level above. */
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
