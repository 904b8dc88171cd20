// Pictures of the window in the themes that people have, where a folder for them is named.
import type { Page } from 'playwright-core';
import * as vscode from 'vscode';

const pictures = process.env.APLOMB_PICTURES;

const shown = ['Default Dark Modern', 'Default Light Modern', 'Default High Contrast'];

export async function inThemes(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  const settings = vscode.workspace.getConfiguration('workbench');
  for (const theme of shown) {
    await settings.update('colorTheme', theme, vscode.ConfigurationTarget.Global);
    await page.waitForTimeout(700);
    const path = `${pictures}/${name}-${theme.replaceAll(' ', '-')}.png`;
    await page.screenshot({ path });
  }
  await settings.update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
}
