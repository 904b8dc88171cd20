/** Random aggregates and groups: the stage `summarize`. */
import { quoteName } from '../../../language/src/index.ts';
import type { Random } from '../random.ts';
import type { Column, Expression, Item, Table } from './evaluator.ts';
import { type Aggregate, aggregateRows, greatest, summarize } from './evaluatorGroups.ts';
import type { Cell } from './evaluatorValues.ts';
import { column, expression, itemsText, some } from './randomExpressions.ts';
import type { Stage } from './randomStages.ts';
import { pick, type Source } from './randomTables.ts';

export function makeSummarize(
  table: Table,
  _: readonly Source[],
  random: Random,
): Stage | undefined {
  const groups = random(4) === 0 ? [] : randomGroups(table, random);
  const aggregates: Aggregate[] = [];
  const texts: string[] = [];
  for (let i = 1 + random(3); i > 0; i--) {
    const made = randomAggregate(`g${aggregates.length}`, table, random);
    if (made === undefined) continue;
    aggregates.push(...made.aggregates);
    texts.push(made.text);
  }
  if (texts.length === 0) return undefined;
  const by = groups.length === 0 ? '' : ` by ${itemsText(groups)}`;
  return {
    text: `summarize ${texts.join(', ')}${by}`,
    run: (input) => summarize(input, aggregates, groups),
  };
}

function randomGroups(table: Table, random: Random): Item[] {
  const groups = new Map<string, Item>();
  for (let i = 1 + random(2); i > 0; i--) {
    const of =
      random(2) === 0 ? column(pick(random, table.columns)) : some(table.columns, random, 1);
    const name = pick(random, ['k', 's', 'G', 'aggregate']);
    if (of !== undefined) groups.set(name, { name, expression: of });
  }
  return [...groups.values()];
}

function randomAggregate(
  name: string,
  { columns }: Table,
  random: Random,
): { text: string; aggregates: Aggregate[] } | undefined {
  const way = random(10);
  if (way === 0) {
    return { text: `${name} = count()`, aggregates: [counted(name, undefined)] };
  }
  if (way === 1) {
    const test = expression('bool', columns, random);
    return test && { text: `${name} = countif(${test.text})`, aggregates: [counted(name, test)] };
  }
  if (way < 4) return randomGreatest(name, columns, random);
  const row = pick(random, aggregateRows);
  const type = pick(random, row.takes);
  const of = expression(type, columns, random, 1);
  if (of === undefined) return undefined;
  const aggregate: Aggregate = {
    name,
    type: row.result(type),
    uses: [of],
    of: (rows, ordered) => {
      const cells = rows
        .map((each) => of.of(each))
        .filter((cell): cell is NonNullable<Cell> => cell !== null);
      return row.of(cells, type, ordered);
    },
  };
  return { text: `${name} = ${row.text(of.text)}`, aggregates: [aggregate] };
}

function counted(name: string, test: Expression | undefined): Aggregate {
  return {
    name,
    type: 'long',
    uses: test === undefined ? [] : [test],
    of: (rows) => BigInt(rows.filter((row) => test === undefined || test.of(row) === true).length),
  };
}

function randomGreatest(name: string, columns: readonly Column[], random: Random) {
  const key = expression(
    pick(random, ['long', 'real', 'string', 'datetime'] as const),
    columns,
    random,
    1,
  );
  const of = some(columns, random, 1);
  if (key === undefined || of === undefined) return undefined;
  const [most, best] = [`${name} most`, `${name} best`];
  const aggregates: Aggregate[] = [
    { name: most, type: key.type, uses: [key], of: (rows) => greatest(rows, key, key) },
    { name: best, type: of.type, uses: [key, of], of: (rows) => greatest(rows, key, of) },
  ];
  const text = `arg_max(${quoteName(most)} = ${key.text}, ${quoteName(best)} = ${of.text})`;
  return { text, aggregates };
}
