/**
 * The start of the extension in a real VS Code with 1,000 datasets of 100 fields on disk against none, and the first
 * completion, for which the disk is read. A window of its own for each, in turns.
 */
import { join } from 'node:path';
import type { FieldEvidence } from '../../../client/src/schema/mergeFields.ts';
import { SchemaFile } from '../../../client/src/schema/schemaFile.ts';
import { ensureBuilt } from '../../../scripts/host/build.ts';
import { createProfile } from '../../../scripts/host/profile.ts';
import { root } from '../../house/sources.ts';
import { type Measure, measure, middle } from '../measure.ts';
import { bundleForHost, packageExtension, runInWindow } from '../window.ts';
import type { StartFigures } from './host/suite.ts';

const datasetCount = 1_000;
const fieldCount = 100;
const rounds = 5;
const barOfRatio = 2;
/** How long the extension host may be blocked. */
const blockMs = 50;

const folder = join(root, '.bench', 'schema');
const suite = join(folder, 'suite.cjs');

export async function startMeasures(progress: (text: string) => void): Promise<Measure[]> {
  await ensureBuilt();
  const packaged = await packageExtension(folder);
  await bundleForHost(join(import.meta.dirname, 'host', 'suite.ts'), suite);
  const all: { readonly kept: StartFigures; readonly none: StartFigures }[] = [];
  for (let round = 0; round < rounds; round++) {
    progress(`windows of VS Code, round ${round + 1} of ${rounds}`);
    const keptFirst = round % 2 === 0;
    const first = await started(packaged, keptFirst);
    const second = await started(packaged, !keptFirst);
    all.push(keptFirst ? { kept: first, none: second } : { kept: second, none: first });
  }
  const of = (name: string, key: keyof StartFigures, bar?: number): Measure =>
    middle(all.map(({ kept, none }) => measure('schema', name, 'ms', kept[key], none[key], bar)));
  const against = '1,000 datasets on disk against none';
  return [
    of(`activation, ${against}`, 'activated', barOfRatio),
    of(`activation until the language server runs, ${against}`, 'running', barOfRatio),
    middle(
      all.map(({ kept }) =>
        measure('schema', 'reading 1,000 datasets from disk', 'ms', kept.listed, blockMs, 1),
      ),
    ),
  ];
}

async function started(packaged: string, isKept: boolean): Promise<StartFigures> {
  const profile = await createProfile();
  try {
    const storage = join(profile.userDataDirectory, 'User', 'globalStorage', 'aplomb.aplomb');
    if (isKept) await keepSchema(storage);
    const figures = join(profile.root, 'figures.json');
    const datasets = isKept ? datasetCount : 0;
    const options = { figures, datasets };
    return await runInWindow<StartFigures>({ profile, packaged, suite, options });
  } finally {
    await profile.remove();
  }
}

/** Writes the schema as the extension does, for the local deployment of that storage. */
async function keepSchema(storage: string): Promise<void> {
  const data = join(storage, 'local');
  const at = Date.now() - 60_000;
  const names = Array.from({ length: datasetCount }, (_, index) => `service-${index}-logs`);
  const fields = Array.from({ length: fieldCount }, (_, index) => ({
    name: `attributes.group${index % 7}.value${index}`,
    type: 'string',
    description: 'What the field holds.',
  }));
  const evidence = new Map<string, FieldEvidence>(
    names.map((name) => [name, { list: { at, fields }, virtual: { at, fields: [] } }]),
  );
  const datasets = names.map((name) => ({ name, kind: 'dataset' as const }));
  await new SchemaFile(join(storage, 'schema'), { name: 'Local', general: data, edge: data }).write(
    {
      list: { at, datasets },
      evidence,
      gone: new Set(),
    },
  );
}
