/**
 * Defines the SQL function `apl_together(count, most, message)`, which limits the sum of `count` in a chunk of up to
 * 2,048 rows. It returns true, or throws `message` with `{count}`, `{rows}` and `{most}` filled in.
 */
import {
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBScalarFunction,
  VARCHAR,
} from '@duckdb/node-api';
import { type Interrupted, interruptible } from './interruptible.ts';

export const chunkLimitName = 'apl_together';

export function registerChunkLimit(connection: DuckDBConnection, interrupted: Interrupted): void {
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: chunkLimitName,
      parameterTypes: [DOUBLE, DOUBLE, VARCHAR],
      returnType: BOOLEAN,
      ...interruptible((_info, input, output) => {
        const counts = input.getColumnVector(0);
        let total = 0;
        for (let i = 0; i < input.rowCount; i++) {
          const count = counts.getItem(i) as number | null;
          if (count !== null && count > 0) total += count;
          output.setItem(i, true);
        }
        output.flush();
        const maxCount = input.getColumnVector(1).getItem(0) as number;
        if (total <= maxCount) return;
        const values: Readonly<Record<string, number>> = {
          count: total,
          rows: input.rowCount,
          most: maxCount,
        };
        const message = input.getColumnVector(2).getItem(0) as string;
        throw new Error(
          message.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!.toLocaleString('en-US')),
        );
      }, interrupted),
    }),
  );
}
