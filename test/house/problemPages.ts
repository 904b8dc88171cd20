/**
 * The pages of problems as data: what each says in which place, the datasets that their examples read, and
 * the table over all of them that `docs/diagnostics.md` holds.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '../../language/src/index.ts';
import { type ProblemCode, problemRows } from '../../language/src/problems.ts';
import { read, root } from './sources.ts';

/** The datasets of the examples; `docs/diagnostics.md` describes them above its table. */
export const schema: Schema = {
  complete: true,
  datasets: [
    {
      name: 'logs',
      complete: true,
      fields: [
        { name: '_time', type: 'datetime' },
        { name: 'status', type: 'integer' },
        { name: 'method', type: 'string' },
        { name: 'uri', type: 'string' },
        { name: 'message', type: 'string' },
        { name: 'service', type: 'string' },
        { name: 'user', type: 'string' },
        { name: 'duration', type: 'float', unit: 'ms' },
        { name: 'bytes', type: 'integer' },
        { name: 'ok', type: 'boolean' },
        { name: 'took', type: 'timespan' },
        { name: 'created', type: 'datetime' },
        { name: 'attributes', type: 'map' },
        { name: 'attributes.region', type: 'string' },
        { name: 'geo.city', type: 'string' },
      ],
    },
    {
      name: 'users',
      kind: 'view',
      complete: true,
      fields: [
        { name: 'id', type: 'integer' },
        { name: 'user', type: 'string' },
        { name: 'name', type: 'string' },
        { name: 'team', type: 'string' },
      ],
    },
    {
      name: 'events',
      complete: false,
      fields: [
        { name: '_time', type: 'datetime' },
        { name: 'geo.city', type: 'string' },
      ],
    },
    {
      name: 'http-logs',
      complete: true,
      fields: [
        { name: '_time', type: 'datetime' },
        { name: 'status', type: 'integer' },
      ],
    },
  ],
};

export interface ProblemPage {
  readonly code: string;
  readonly text: string;
  readonly bad: string;
  readonly good: string;
  /** The headings in order, without their marks. */
  readonly headings: readonly string[];
}

/** The codes that have a page. */
export function pageCodes(): string[] {
  return readdirSync(join(root, 'docs', 'diagnostics'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length));
}

export function readPage(code: string): ProblemPage {
  const text = read(`docs/diagnostics/${code}.md`);
  const example = (heading: string) =>
    new RegExp(`^## ${heading}\\n\\n\`\`\`apl\\n([\\s\\S]*?)\\n\`\`\`$`, 'm').exec(text)?.[1] ?? '';
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading as string);
  return { code, text, bad: example('Bad'), good: example('Good'), headings };
}

/** A row's message with the values that it names in italics; what is guessed stands behind it at times. */
export function shownMessage(code: ProblemCode): string {
  return problemRows[code].message.replace('{hint}', '').replace(/\{(\w+)\}/g, '*$1*');
}

const introduction = `# Diagnostics

Every problem that the language server reports, by its code. Words in italics stand for what the query holds. An *error* is something the service refuses; a *warning* is something that runs and hardly does what was meant; an *info* is a better way to the same answer; a *hint* is told so quietly that only the text shows it.

Nothing is reported that is not known: while the list of datasets or of a dataset's fields is not complete, unknown names are left alone.

A click on a problem's code opens its page, and so does the command *APL: Explain Problem*. A problem is silenced by \`// aplomb-disable-next-line CODE\` on the line above it, by \`// aplomb-disable-file CODE\` above the first query of a file, and everywhere by the setting \`aplomb.diagnostics.disabled\`.

`;

const aboutExamples = `The examples read these datasets. No other dataset exists, and all their fields are known, save those of \`events\`, which may have others:

`;

/** The whole of docs/diagnostics.md. */
export function diagnosticsTable(): string {
  const datasets = schema.datasets.map(({ name, fields }) => {
    const list = fields.map((field) => {
      return `\`${field.name}\` ${field.type}${field.unit === undefined ? '' : ` in ${field.unit}`}`;
    });
    return `- \`${name}\`: ${list.join(', ')}`;
  });
  const rows = (Object.keys(problemRows) as ProblemCode[]).map((code) => {
    const { bad, good } = readPage(code);
    const cells = [
      `[\`${code}\`](diagnostics/${code}.md)`,
      problemRows[code].severity,
      escaped(shownMessage(code)),
      inCell(bad),
      inCell(good),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = '| Code | Severity | Message | Bad | Good |\n| --- | --- | --- | --- | --- |\n';
  return `${introduction}${aboutExamples}${datasets.join('\n')}\n\n${head}${rows.join('\n')}\n`;
}

const longestExample = 120;

/** An example in one line, cut off where only its beginning tells. */
function inCell(example: string): string {
  const line = example.replace(/\n/g, ' ⏎ ');
  const short = line.length > longestExample ? `${line.slice(0, longestExample)}…` : line;
  return `\`${escaped(short)}\``;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
