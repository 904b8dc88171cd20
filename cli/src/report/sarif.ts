/**
 * Formats findings as SARIF 2.1.0, from which code hosts create annotations. Columns count UTF-16 units. Paths are
 * relative to `%SRCROOT%`, the working folder, so that they are the same on every machine.
 */
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type ProblemCode,
  problemCodes,
  problemRows,
  type Severity,
} from '../../../language/src/index.ts';
import { messagePattern } from '../codes.ts';
import type { CheckedFile, Finding, Fix, Range, Report } from './report.ts';

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
  hint: 'note',
};

export interface SarifContext {
  readonly version: string;
  readonly folder: string;
  /** Returns the Markdown page that explains a problem, if it exists. */
  readonly page: (code: ProblemCode) => string | undefined;
}

export function sarifReport({ files, errors }: Report, context: SarifContext): string {
  const locations = new Map(files.map(({ path }) => [path, location(path, context.folder)]));
  const locationOf = ({ path }: CheckedFile) => locations.get(path) as ArtifactLocation;
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Aplomb',
            version: context.version,
            rules: problemCodes.map((code) => ruleOf(code, context)),
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { '%SRCROOT%': { uri: `${pathToFileURL(context.folder).href}/` } },
        invocations: [
          {
            executionSuccessful: errors.length === 0,
            toolExecutionNotifications: errors.map((text) => ({
              level: 'error',
              message: { text },
            })),
          },
        ],
        artifacts: files.map((file) => ({ location: locationOf(file) })),
        results: files.flatMap((file, index) =>
          file.findings.map((finding) => resultOf(finding, { ...locationOf(file), index })),
        ),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

interface ArtifactLocation {
  readonly uri: string;
  readonly uriBaseId?: string;
  readonly index?: number;
}

function location(path: string, folder: string): ArtifactLocation {
  const full = resolve(folder, path);
  const below = relative(folder, full);
  if (below.startsWith('..') || isAbsolute(below)) return { uri: pathToFileURL(full).href };
  const uri = below.split(sep).map(encodeURIComponent).join('/');
  return { uri, uriBaseId: '%SRCROOT%' };
}

function ruleOf(code: ProblemCode, { page }: SarifContext) {
  const { severity } = problemRows[code];
  const text = messagePattern(code);
  const markdown = page(code);
  return {
    id: code,
    shortDescription: { text },
    help: { text: markdown ?? text, ...(markdown && { markdown }) },
    defaultConfiguration: { level: levels[severity] },
  };
}

function resultOf(finding: Finding, artifactLocation: ArtifactLocation) {
  const { code, severity, message, fix } = finding;
  return {
    ruleId: code,
    ruleIndex: problemCodes.indexOf(code),
    level: levels[severity],
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation, region: regionOf(finding) } }],
    ...(fix && { fixes: [fixOf(fix, artifactLocation)] }),
  };
}

function fixOf({ title, edits }: Fix, artifactLocation: ArtifactLocation) {
  const replacements = edits.map((edit) => ({
    deletedRegion: regionOf(edit),
    insertedContent: { text: edit.text },
  }));
  return { description: { text: title }, artifactChanges: [{ artifactLocation, replacements }] };
}

/** In SARIF, the end column is the column after the last character. */
function regionOf({ start, end }: Range) {
  return {
    startLine: start.line,
    startColumn: start.column,
    endLine: end.line,
    endColumn: end.column,
  };
}
