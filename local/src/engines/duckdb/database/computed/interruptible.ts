/** Lets a JavaScript function stop an interrupted statement. DuckDB itself checks only after each chunk of rows. */
import type { DuckDBScalarBindFunction, DuckDBScalarMainFunction } from '@duckdb/node-api';

export type Interrupted = (connectionId: number) => boolean;

export function interruptible(
  mainFunction: DuckDBScalarMainFunction,
  interrupted: Interrupted,
): {
  readonly bindFunction: DuckDBScalarBindFunction;
  readonly mainFunction: DuckDBScalarMainFunction;
} {
  return {
    bindFunction: (bind) => {
      bind.setBindData({ connectionId: bind.clientContext.connectionId });
    },
    mainFunction: (info, input, output) => {
      const bound = info.bindData as { connectionId: number } | undefined;
      if (bound !== undefined && interrupted(bound.connectionId)) {
        throw new Error('The statement was interrupted.');
      }
      mainFunction(info, input, output);
    },
  };
}
