// What the manifest says about kinds of resource follows from their rows.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { kindNames, kinds } from '../../resources/src/kinds.ts';
import { type Manifest, schemaFiles, schemaOf, withKinds } from '../../scripts/kinds.ts';
import { root } from '../house/sources.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const again = 'Run npm run kinds.';

describe('kinds of resource', () => {
  it('match the generated parts of the manifest', () => {
    const manifest = JSON.parse(read('package.json')) as Manifest;
    assert.deepEqual(withKinds(manifest), manifest, again);
  });

  it('match the generated JSON Schemas', () => {
    for (const [path, schema] of schemaFiles()) {
      assert.deepEqual(JSON.parse(read(path)), JSON.parse(JSON.stringify(schema)), again);
    }
  });

  it('are inserted at their previous position if a generated part is missing', () => {
    const manifest = JSON.parse(read('package.json')) as Manifest;
    const { commands } = manifest.contributes;
    const fewer = commands.filter(({ command }) => command !== 'aplomb.duplicateResource');
    const changed = { ...manifest, contributes: { ...manifest.contributes, commands: fewer } };
    assert.deepEqual(withKinds(changed), manifest);
  });

  it('have schemas with all members of a draft and none that the service sets', () => {
    for (const kind of kindNames) {
      const { properties } = schemaOf(kind) as { properties: Record<string, unknown> };
      const draft = kinds[kind].draft?.({ name: 'n', apl: 'a', dataset: 'd', now: 0 }) ?? {};
      for (const member of Object.keys(draft)) assert.ok(member in properties, `${kind} ${member}`);
      for (const member of kinds[kind].setByService) {
        assert.ok(!(member in properties), `${kind} ${member}`);
      }
    }
  });
});
