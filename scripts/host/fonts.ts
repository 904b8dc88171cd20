// A fontconfig for the browser that has hardly any fonts, so that a screenshot shows a
// monospace editor and glyphs for null marks, sparklines and emoji.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** The family that a generic name means, best first. */
const families: readonly (readonly [generic: string, families: readonly string[]])[] = [
  ['monospace', ['DejaVu Sans Mono', 'Noto Color Emoji']],
  ['sans-serif', ['Open Sans', 'DejaVu Sans', 'Noto Color Emoji']],
  ['system-ui', ['Open Sans', 'DejaVu Sans', 'Noto Color Emoji']],
  ['serif', ['DejaVu Serif', 'Noto Color Emoji']],
];

/**
 * Writes a fonts.conf into `folder` that names the npm packages' fonts, the machine's own and those in
 * `extraFolders`; returns the file's path, for the environment variable FONTCONFIG_FILE.
 */
export async function writeFontConfig(
  folder: string,
  extraFolders: readonly string[],
): Promise<string> {
  const packages = ['dejavu-fonts-ttf', '@expo-google-fonts/noto-color-emoji'].map((name) =>
    dirname(require.resolve(`${name}/package.json`)),
  );
  const folders = [...packages, ...extraFolders, '/usr/share/fonts', '/usr/local/share/fonts'];
  const aliases = families.map(
    ([generic, names]) =>
      `<alias><family>${generic}</family><prefer>${names
        .map((name) => `<family>${name}</family>`)
        .join('')}</prefer></alias>`,
  );
  const cache = join(folder, 'cache');
  await mkdir(cache, { recursive: true });
  const file = join(folder, 'fonts.conf');
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
    '<fontconfig>',
    ...folders.map((path) => `<dir>${path}</dir>`),
    `<cachedir>${cache}</cachedir>`,
    ...aliases,
    '</fontconfig>',
  ];
  const text = `${lines.join('\n')}\n`;
  // Left alone when it is right already: another browser may be reading it at this moment.
  if ((await readFile(file, 'utf8').catch(() => '')) !== text) await writeFile(file, text);
  return file;
}
