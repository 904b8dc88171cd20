/**
 * The form of fields in a real browser without VS Code around it: the real page, policy, script and styles,
 * answered by the real host over a real local deployment.
 */
import type { Browser, Page } from 'playwright-core';
import type { FieldChanges } from '../../../client/src/fields/fieldsContract.ts';
import { FieldsHost } from '../../../client/src/fields/fieldsHost.ts';
import type { Service } from '../../../client/src/service/service.ts';
import { bundlePage } from '../../../scripts/host/bundles.ts';
import { whenClosed } from '../lentPages.ts';
import type { Theme } from '../results/themes.ts';
import { openWebview } from '../webviewPage.ts';

export interface FieldsPageOptions {
  readonly service: () => Service;
  readonly dataset: string;
  readonly draft?: FieldChanges;
  readonly focus?: string;
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
}

export interface FieldsPage {
  readonly page: Page;
  readonly host: FieldsHost;
  /** Messages of the browser console, and problems of the host. */
  readonly complaints: string[];
  /** Returns the number of saves. */
  readonly saves: () => number;
}

export async function openFields(
  browser: Browser,
  options: FieldsPageOptions,
): Promise<FieldsPage> {
  const { service, dataset, draft, focus, theme = 'dark', width = 1000, height = 560 } = options;
  const { page, pipe, complaints, load } = await openWebview(browser, {
    width,
    height,
    ...(await bundlePage('client/src/fields/view/main.ts')),
    title: `Fields of ${dataset}`,
    theme,
  });
  let saves = 0;
  const host = new FieldsHost(
    {
      dataset,
      deployment: 'Local',
      local: true,
      service: async () => ({ ok: true, value: service() }),
      onSaved: () => {
        saves += 1;
      },
      onDraft: () => undefined,
      onProblem: (problem) => complaints.push(problem),
    },
    draft,
  );
  if (focus !== undefined) host.focus(focus);
  const attached = host.attach(pipe);
  whenClosed(page, () => attached.dispose());
  await load();
  await page.waitForSelector('.form, .message');
  return { page, host, complaints, saves: () => saves };
}
