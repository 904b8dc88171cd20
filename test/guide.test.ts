// The README and the user guide against the project: links lead somewhere, commands have the names of the manifest, and
// the table of settings is complete.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { filesBelow, read, root } from './house/sources.ts';

const pages = [
  { path: 'README.md', text: read('README.md') },
  ...filesBelow('docs/guide', ['.md']),
  { path: 'docs/cli.md', text: read('docs/cli.md') },
  { path: 'docs/agents.md', text: read('docs/agents.md') },
  { path: 'docs/many-machines.md', text: read('docs/many-machines.md') },
];
const { contributes } = JSON.parse(read('package.json')) as {
  contributes: {
    commands: { title: string }[];
    configuration: { properties: Record<string, unknown> }[];
  };
};

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

function anchorsOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)));
}

describe('the README and the guide', () => {
  it('link to files and headings that exist', () => {
    const wrong: string[] = [];
    for (const { path, text } of pages) {
      for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) continue;
        const [file = '', anchor] = target.split('#');
        const found = file === '' ? path : join(dirname(path), file);
        const isThere = existsSync(join(root, found));
        const hasAnchor = anchor === undefined || (isThere && anchorsOf(read(found)).has(anchor));
        if (!isThere || !hasAnchor) wrong.push(`${path}: ${target}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('name commands by their titles', () => {
    const titles = new Set(contributes.commands.map(({ title }) => title));
    const wrong = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\*APL: ([^*]+)\*/g)]
        .map(([, title = '']) => title)
        .filter((title) => !titles.has(title))
        .map((title) => `${path}: ${title}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('list every setting of the manifest, and no other', () => {
    const declared = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
    const listed = [...read('docs/guide/settings.md').matchAll(/^\| `([\w.]+)`/gm)].map(
      ([, name]) => name,
    );
    assert.deepEqual(listed.toSorted(), declared.toSorted());
    const named = pages.flatMap(({ text }) => [...text.matchAll(/`(aplomb\.[a-z]\w*\.\w+)`/g)]);
    const unknown = named
      .map(([, name = '']) => name)
      .filter((name) => !declared.includes(name) && !name.endsWith('.json'));
    assert.deepEqual(unknown, []);
  });

  it('are short at first: the README has at most 7 KB', () => {
    assert.ok(Buffer.byteLength(read('README.md')) <= 7 * 1024);
  });
});
