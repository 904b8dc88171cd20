/** Embeds a structured query's APL expressions in the translated query. */
import { analyzeQuery, parseQuery } from '../../../language/src/index.ts';
import { ApiError } from '../errors.ts';

/** Puts an expression in parentheses. Throws an ApiError if `text` isn't exactly one expression. */
export function expressionOf(text: string, where: string): string {
  const written = `(${text}\n)`;
  const query = `print x = ${written}`;
  const { problems, statements } = parseQuery(query);
  if (problems.length > 0) {
    const [problem] = analyzeQuery(query, { datasets: [] }).problems;
    throw unfit(where, problem?.message ?? 'It cannot be read.');
  }
  const [statement, second] = statements;
  const isOne =
    second === undefined &&
    statement?.kind === 'QueryStatement' &&
    statement.pipeline.stages.length === 0 &&
    statement.pipeline.end === query.length;
  if (!isOne || !isClosed(text)) throw unfit(where, 'It must be a single expression.');
  return written;
}

/** Whether `text` is valid by itself. Unbalanced parentheses in it could close the added outer parenthesis. */
function isClosed(text: string): boolean {
  return parseQuery(`print x = ${text}\n`).problems.length === 0;
}

function unfit(where: string, problem: string): ApiError {
  return new ApiError('query-malformed', { problem: `${where}: ${problem}` });
}
