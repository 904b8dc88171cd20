/** Reads the file that declares tables of ClickHouse as datasets. */
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { checkStrict, DeclaredDataset } from '../../../../../api/src/index.ts';
import type { ClickHouseOptions } from '../../clickhouseOptions.ts';
import type { DeclaredDatasets } from '../../events.ts';

/** The file in the data folder that is read, if it exists, unless another one is named. */
const DATASETS_FILE = 'datasets.yaml';

const FILE_BYTES_MAX = 1_048_576;

/** Reads the file. Returns undefined if it isn't named and doesn't exist. Throws an Error if it is invalid. */
export async function readDatasetsFile(
  { datasetsFile }: ClickHouseOptions,
  folder: string,
): Promise<DeclaredDatasets | undefined> {
  const file = resolve(datasetsFile ?? join(folder, DATASETS_FILE));
  if (datasetsFile === undefined && !existsSync(file)) return undefined;
  return { file, datasets: await readFileAt(file) };
}

/** Reads the declarations. Throws an Error that says where the file is invalid. */
async function readFileAt(path: string): Promise<readonly DeclaredDataset[]> {
  const { size } = await stat(path).catch((error: Error) => {
    throw new Error(`The file ${path} cannot be read: ${error.message}.`);
  });
  if (size > FILE_BYTES_MAX)
    throw invalid(path, `it has ${size} bytes, and the limit is ${FILE_BYTES_MAX}`);
  const text = await readFile(path, 'utf8');
  const { parseYaml } = await import('../driver.ts');
  try {
    return checked(path, parseYaml(text));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'YAMLException') throw error;
    throw invalid(path, `it is not YAML: ${error.message.split('\n', 1)[0]}`);
  }
}

function checked(path: string, value: unknown): readonly DeclaredDataset[] {
  const { datasets, ...others } = Object(value) as { readonly datasets?: unknown };
  const [other] = Object.keys(others);
  if (!Array.isArray(datasets) || other !== undefined)
    throw invalid(path, 'it must have one member, datasets, with a list of datasets');
  const names = new Set<unknown>();
  for (const [i, dataset] of datasets.entries()) {
    const { name: label, ...members } = Object(dataset) as Record<string, unknown>;
    const at = typeof label === 'string' ? `dataset ${JSON.stringify(label)}` : `dataset ${i + 1}`;
    const [problem] = checkStrict(DeclaredDataset, dataset, at);
    // A misspelled member is why a required one is missing, so it is reported first.
    const unknown = Object.keys(members).find(
      (name) => !Object.hasOwn(DeclaredDataset.properties, name),
    );
    if (unknown !== undefined && problem?.path !== '') {
      const known = Object.keys(DeclaredDataset.properties).join(', ');
      throw invalid(
        path,
        `${at} has the unknown member ${JSON.stringify(unknown)}, not one of ${known}`,
      );
    }
    if (problem?.path === '') throw invalid(path, problem.message);
    if (problem !== undefined) throw invalid(path, `${at}: ${problem.message}`);
    const { name } = dataset as DeclaredDataset;
    if (names.has(name))
      throw invalid(path, `several datasets have the name ${JSON.stringify(name)}`);
    names.add(name);
  }
  return datasets;
}

function invalid(path: string, problem: string): Error {
  return new Error(`The file ${path} cannot be used: ${problem}. Correct it, and start again.`);
}
