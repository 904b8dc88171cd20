// VS Code in a browser for `npm start`: a server, and a window without a screen that loads the sample
// data and keeps the local deployment running while a person looks at the same from their own browser.
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser } from '../host/browser.ts';
import { stopLocalDeployment } from '../host/localDeployment.ts';
import { repository } from '../host/paths.ts';
import { createProfile, linkExtension } from '../host/profile.ts';
import { startVscodeServer } from '../host/server.ts';
import { openWorkbench, workbenchAddress } from '../host/workbench.ts';
import { type OpenWindow, type Part, welcomeFile } from './window.ts';

/** Opens it. What was started is added to `parts`, for the caller to stop. */
export async function openBrowser(parts: Part[]): Promise<OpenWindow> {
  const profile = await createProfile();
  parts.push({ stop: profile.remove });
  parts.push({ stop: () => stopLocalDeployment(profile) });
  const folder = join(profile.root, 'workspace');
  await mkdir(folder);
  const file = join(folder, welcomeFile);
  await copyFile(join(repository, 'media', 'samples', welcomeFile), file);
  await linkExtension(profile);
  const server = await startVscodeServer(profile);
  parts.push(server);
  const browser = await launchBrowser();
  parts.push({ stop: () => browser.close() });
  const { page } = await openWorkbench(browser, server, { folder });
  const address = workbenchAddress(server, { folder, file });
  return {
    page,
    profile,
    message: `VS Code with Aplomb and its sample data: ${address}`,
    closed: new Promise((resolve) => {
      page.once('close', () => resolve());
      page.once('crash', () => resolve());
    }),
  };
}
