// Reads a notebook file. Rejects a file that saving would damage, so that the file stays unchanged. Optional members of
// a wrong type count as absent.
import { parseJson } from '../../../api/src/plain.ts';
import { isMembers, type Members } from '../../../resources/src/value.ts';
import { querySettings } from '../deployments/querySettings.ts';
import { errorMessage } from '../words/errors.ts';
import {
  type CellFile,
  fileVersion,
  type KeptOutput,
  type KeptRunFacts,
  type NotebookFile,
  NotebookFileError,
  type OtherMembers,
} from './file.ts';

const BYTES_MAX = 32 * 1024 * 1024;
const DEPTH_MAX = 100;

const openAsText = 'Open the file as text to repair it.';

/** Reads a notebook. An empty file is a notebook without cells. Throws `NotebookFileError`. */
export function readNotebook(bytes: Uint8Array): NotebookFile {
  if (bytes.length > BYTES_MAX) {
    const size = Math.ceil(bytes.length / 1024 / 1024);
    throw new NotebookFileError(`The notebook has ${size} MB. The limit is 32 MB.`);
  }
  const text = decoded(bytes);
  if (text.trim() === '') return { keepOutputs: false, others: {}, cells: [] };
  const root = parsed(text);
  if (!isMembers(root)) throw malformed('it is not a JSON object');
  if (isTooDeep(root, DEPTH_MAX))
    throw malformed(`it is nested more than ${DEPTH_MAX} levels deep`);
  const { version } = root;
  if (version !== fileVersion) throw otherVersion(version);
  const { cells } = root;
  if (!Array.isArray(cells)) throw malformed('"cells" is not a list');
  const settings = querySettings(root);
  return {
    ...settings,
    keepOutputs: root['keepOutputs'] === true,
    others: othersOf(root, [...Object.keys(settings), 'version', 'keepOutputs', 'cells']),
    cells: cells.map(cellOf),
  };
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('it is not UTF-8 text');
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof RangeError) throw malformed('it is nested too deeply');
    throw malformed(`it is not JSON: ${errorMessage(error)}`);
  }
}

function cellOf(cell: unknown, index: number): CellFile {
  const which = `cell ${index + 1}`;
  if (!isMembers(cell)) throw malformed(`${which} is not an object`);
  const { kind, language, outputs } = cell;
  const named = typeof language === 'string' && language !== '' ? { language } : {};
  if (kind !== 'apl' && kind !== 'markdown' && !(kind === 'code' && named.language))
    throw malformed(`${which} has neither the kind "apl" nor "markdown"`);
  const settings = querySettings(cell);
  const known = [...Object.keys(settings), 'kind', 'source', 'outputs'];
  return {
    kind,
    ...(kind === 'code' && named),
    ...settings,
    source: sourceOf(cell['source'], which),
    outputs: Array.isArray(outputs) ? outputs.flatMap((one) => outputOf(one) ?? []) : [],
    others: othersOf(cell, kind === 'code' ? [...known, 'language'] : known),
  };
}

/** Reads a list of lines, or a single string in a handwritten file. */
function sourceOf(source: unknown, which: string): string {
  if (typeof source === 'string') return source;
  if (Array.isArray(source) && source.every((line) => typeof line === 'string'))
    return source.join('\n');
  throw malformed(`the source of ${which} is not a list of lines`);
}

/** Reads saved rows. Ignores malformed ones, because the next run saves them again. */
function outputOf(output: unknown): KeptOutput | undefined {
  if (!isMembers(output)) return undefined;
  const { run, columns, rows, rowCount } = output;
  if (!Array.isArray(columns) || !Array.isArray(rows)) return undefined;
  const named = columns.flatMap((column) => {
    if (!isMembers(column)) return [];
    const { name, type } = column;
    return typeof name === 'string' && typeof type === 'string' ? [{ name, type }] : [];
  });
  const cells = rows.filter(
    (row): row is (string | null)[] =>
      Array.isArray(row) &&
      row.length === named.length &&
      row.every((cell) => cell === null || typeof cell === 'string'),
  );
  if (named.length !== columns.length || cells.length !== rows.length) return undefined;
  const counted = typeof rowCount === 'number' && Number.isSafeInteger(rowCount) ? rowCount : 0;
  const facts = runOf(run);
  return {
    columns: named,
    rows: cells,
    rowCount: Math.max(counted, cells.length),
    ...(facts && { run: facts }),
  };
}

function runOf(run: unknown): KeptRunFacts | undefined {
  if (!isMembers(run)) return undefined;
  const { time, range, deployment, parameters } = run;
  if (typeof time !== 'string' || Number.isNaN(Date.parse(time))) return undefined;
  if (typeof range !== 'string' || typeof deployment !== 'string') return undefined;
  return { time, range, deployment, ...(typeof parameters === 'string' && { parameters }) };
}

function othersOf(object: Members, known: readonly string[]): OtherMembers {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !known.includes(key)));
}

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1));
}

function malformed(why: string): NotebookFileError {
  return new NotebookFileError(`The file is not an APL notebook: ${why}. ${openAsText}`);
}

function otherVersion(version: unknown): NotebookFileError {
  if (typeof version !== 'number' && typeof version !== 'bigint')
    return malformed('"version" is missing');
  return new NotebookFileError(
    `The notebook has version ${version}, and this extension opens version ${fileVersion}. Update the extension, or open the file as text.`,
  );
}
