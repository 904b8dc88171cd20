// Pictures of the window under test in three themes, for whoever changes what it shows. Taken where APLOMB_PICTURES
// names a folder.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { withWindow } from './window.ts';

const themes = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  contrast: 'Default High Contrast',
};

/** Time for the theme to reach all of the window. */
const SETTLE_MS = 700;

export async function takePictures(name: string): Promise<void> {
  const folder = process.env.APLOMB_PICTURES;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  const settings = vscode.workspace.getConfiguration('workbench');
  for (const [theme, label] of Object.entries(themes)) {
    await settings.update('colorTheme', label, vscode.ConfigurationTarget.Global);
    await new Promise((done) => setTimeout(done, SETTLE_MS));
    const path = join(folder, `${name}-${theme}.png`);
    await withWindow((page) => page.screenshot({ path }));
  }
  await settings.update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
}
