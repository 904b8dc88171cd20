/**
 * The pages of diagnostics as data: their parts, the datasets that their examples use, and the index in
 * `docs/diagnostics.md`.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '../../language/src/index.ts';
import { type ProblemCode, problemRows } from '../../language/src/problems.ts';
import { read, root } from './sources.ts';

/** The datasets of the examples, which `docs/diagnostics.md` describes. */
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
  /** The headings in order, without `##`. */
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

/** The message of a row with its placeholders in italics and without its hint. */
export function shownMessage(code: ProblemCode): string {
  return problemRows[code].message.replace('{hint}', '').replace(/\{(\w+)\}/g, '*$1*');
}

const introduction = `# Diagnostics

This page lists all problems that the language server reports, by code. Words in italics are placeholders for parts of the query. The severities are:

- *error*: the service rejects the query.
- *warning*: the query runs, but probably does not do what you intended.
- *info*: there is a better way to get the same result.
- *hint*: a minor suggestion, which the editor marks subtly and does not list in the *Problems* view.

Unknown names are reported only if all names are known. If the list of datasets, or of the fields of a dataset, is incomplete, names that are not in it are not reported.

To open the page of a problem, click its code or run *APL: Explain Problem*. To suppress a problem, add the comment \`// aplomb-disable-next-line CODE\` on the line above it, or \`// aplomb-disable-file CODE\` above the first query of a file. To suppress it everywhere, add its code to the setting \`aplomb.diagnostics.disabled\`.

`;

const aboutExamples = `The examples use the following datasets. No other datasets exist, and all fields are known except those of \`events\`:

`;

/** The content of docs/diagnostics.md. */
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

/** An example on one line, truncated if it is long. */
function inCell(example: string): string {
  const line = example.replace(/\n/g, ' ⏎ ');
  const short = line.length > longestExample ? `${line.slice(0, longestExample)}…` : line;
  return `\`${escaped(short)}\``;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
