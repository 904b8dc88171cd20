/** The form of a dataset's fields: its list, search, keyboard, saving, failures and unsaved changes. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { directDispatcher } from '../../../client/src/deployments/network.ts';
import { unitGroups } from '../../../client/src/fields/view/unitChoices.ts';
import { Service } from '../../../client/src/service/service.ts';
import { withUnit } from '../../../client/src/webview/page/units.ts';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { Processes, type Running } from '../../local/processes.ts';
import { assertHarmless } from '../foreignText.ts';
import { LoopbackServer } from '../loopback.ts';
import { overflowOf, picture, violationsOf } from '../pageAudit.ts';
import { type Theme, themes } from '../results/themes.ts';
import { type FieldsPageOptions, openFields } from './fieldsPage.ts';

const dispatcher = directDispatcher();

let browser: Browser;
let processes: Processes;
let running: Running;
let service: Service;
let dataset = '';
let datasets = 0;

before(async () => {
  processes = await Processes.create();
  [browser, running] = await Promise.all([pageBrowser(), processes.start('data')]);
  service = serviceOf(running);
});
after(async () => {
  await browser?.close();
  await dispatcher.destroy();
  await processes?.dispose();
});

function serviceOf({ url, token }: Running): Service {
  return new Service({ general: url, edge: url, dispatcher, token: async () => token });
}

/** Calls the deployment directly, without the form. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
async function ask(method: string, path: string, body?: unknown, at = running): Promise<any> {
  const answer = await fetch(`${at.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${at.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

const ingest = (event: object) => ask('POST', `/v1/ingest/${dataset}`, [event]);

interface StoredField {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  readonly description: string;
  readonly hidden: boolean;
}

const storedFields = (): Promise<StoredField[]> => ask('GET', `/v2/datasets/${dataset}/fields`);

async function stored(name: string): Promise<StoredField> {
  const found = (await storedFields()).find((field) => field.name === name);
  assert.ok(found, name);
  return found;
}

beforeEach(async () => {
  datasets += 1;
  dataset = `logs-${datasets}`;
  await ask('POST', '/v2/datasets', { name: dataset });
  await ingest({
    status: 500,
    duration: 12.5,
    message: 'charge failed',
    ok: false,
    geo: { city: 'Lisbon', country: 'PT' },
    attributes: { http: { method: 'GET' } },
  });
});

/** Starts a proxy of the deployment that rejects changes of one field. */
function refusingField(name: string): Promise<LoopbackServer> {
  return LoopbackServer.start(async (response, { method, url, headers, body }) => {
    if (method === 'PUT' && url.endsWith(`/fields/${name}`)) {
      response.writeHead(403, { 'content-type': 'application/json' });
      return response.end('{"code":403,"message":"The token may not change fields."}');
    }
    const { authorization = '', 'content-type': type = '' } = headers;
    const answer = await fetch(`${running.url}${url}`, {
      method,
      headers: { authorization, ...(type !== '' && { 'content-type': type }) },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    return response.end(await answer.text());
  });
}

const open = (options: Partial<FieldsPageOptions> = {}) =>
  openFields(browser, { service: () => service, dataset, ...options });

const row = (page: Page, name: string): Locator =>
  page.locator('.body .row', { has: page.getByRole('rowheader', { name, exact: true }) });
const description = (page: Page, name: string) =>
  page.getByLabel(`Description of ${name}`, { exact: true });
const unit = (page: Page, name: string) => page.getByLabel(`Unit of ${name}`, { exact: true });
const hidden = (page: Page, name: string) => page.getByLabel(`Hidden: ${name}`, { exact: true });
const map = (page: Page, name: string) => page.getByLabel(`Map field: ${name}`, { exact: true });
const save = (page: Page) => page.getByRole('button', { name: /^Save/ });
const search = (page: Page) => page.getByPlaceholder('Search fields');
const shown = (page: Page) => page.locator('.body .row:visible .name').allTextContents();
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

function says(page: Page, text: RegExp): Promise<void> {
  return page.locator('.status').filter({ hasText: text }).waitFor({ timeout: 10_000 });
}

describe('the fields form', () => {
  it('lists fields and the objects that contain them, sorted by name', async () => {
    const { page, complaints } = await open();
    assert.deepEqual(await shown(page), [
      '_sysTime',
      '_time',
      'attributes',
      'attributes.http',
      'attributes.http.method',
      'duration',
      'geo',
      'geo.city',
      'geo.country',
      'message',
      'ok',
      'status',
    ]);
    assert.match((await row(page, 'geo').textContent()) ?? '', /object, 2 fields/);
    assert.match((await row(page, 'status').textContent()) ?? '', /long/);
    assert.equal(await unit(page, 'message').count(), 0, 'text has no unit');
    assert.equal(await map(page, 'status').count(), 0, 'a number is no object');
    assert.equal(await description(page, 'geo').count(), 0, 'an object is not a field');
    assert.equal(await save(page).isDisabled(), true);
    await says(page, /^9 fields$/);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('saves units, descriptions, hidden fields and map fields to the deployment', async () => {
    const { page, complaints, saves } = await open();
    await unit(page, 'duration').focus();
    await unit(page, 'duration').selectOption('ms');
    await description(page, 'duration').fill('Time to the last byte.');
    await hidden(page, 'message').check();
    await map(page, 'attributes').check();
    assert.equal(await save(page).innerText(), 'Save 3 changes');
    await save(page).click();
    await says(page, /^Saved 3 changes\.$/);
    assert.equal(saves(), 1);
    const { unit: ms, description: text } = await stored('duration');
    assert.deepEqual([ms, text], ['ms', 'Time to the last byte.']);
    assert.equal((await stored('message')).hidden, true);
    assert.equal((await stored('status')).hidden, false);
    assert.deepEqual(await ask('GET', `/v2/datasets/${dataset}/mapfields`), ['attributes']);
    assert.equal(await save(page).innerText(), 'Save');
    const { fieldsMetaMap } = await ask('POST', '/v1/datasets/_apl?format=tabular', {
      apl: `['${dataset}'] | take 1`,
    });
    assert.deepEqual(
      fieldsMetaMap[dataset].map((field: StoredField) => [field.name, field.unit, field.hidden]),
      [
        ['duration', 'ms', false],
        ['message', '', true],
      ],
    );
    // New events store the object in a single column.
    await ingest({ attributes: { anything: { deep: 1 } } });
    assert.equal((await stored('attributes')).type, 'map');
    const names = (await storedFields()).map(({ name }) => name);
    assert.ok(!names.some((name) => name.startsWith('attributes.anything')));
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('has nothing to save after a change is undone by hand or with Discard', async () => {
    const { page } = await open();
    await description(page, 'status').fill('x');
    assert.equal(await save(page).innerText(), 'Save 1 change');
    await description(page, 'status').fill('');
    assert.equal(await save(page).isDisabled(), true);
    await hidden(page, 'ok').check();
    await map(page, 'geo').check();
    await page.getByRole('button', { name: 'Discard' }).click();
    assert.equal(await hidden(page, 'ok').isChecked(), false);
    assert.equal(await map(page, 'geo').isChecked(), false);
    assert.equal(await save(page).isDisabled(), true);
    await page.close();
  });

  it('filters fields by words of their names and descriptions, regardless of case', async () => {
    const { page } = await open();
    await description(page, 'status').fill('The code of the reply');
    await search(page).fill('GEO');
    assert.deepEqual(await shown(page), ['geo', 'geo.city', 'geo.country']);
    await says(page, /^2 of 9 fields$/);
    await search(page).fill('code reply');
    assert.deepEqual(await shown(page), ['status']);
    await search(page).fill('nothing');
    await page.getByText("No field matches 'nothing'.").waitFor();
    await page.keyboard.press('Escape');
    assert.equal((await shown(page)).length, 12);
    await page.close();
  });

  it('can be used with the keyboard alone', async () => {
    const { page } = await open();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+f');
    await page.keyboard.type('geo.');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('Where the client is');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('ISO 3166');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('ControlOrMeta+s');
    await says(page, /^Saved 2 changes\.$/);
    assert.equal((await stored('geo.city')).description, 'Where the client is');
    const { description: text, hidden: isHidden } = await stored('geo.country');
    assert.deepEqual([text, isHidden], ['ISO 3166', true]);
    assert.equal(await focused(page), 'Hidden: geo.country', 'the focus stays after saving');
    await page.close();
  });

  it('adds a map field without events, and explains an invalid one', async () => {
    const { page } = await open();
    const name = page.getByLabel('Name of a new map field');
    await name.fill('status');
    await name.press('Enter');
    await says(page, /^status has values that are not objects/);
    await name.fill('labels');
    await name.press('Enter');
    assert.equal(await map(page, 'labels').isChecked(), true);
    await page.keyboard.press('ControlOrMeta+s');
    await says(page, /^Saved 1 change\.$/);
    assert.deepEqual(await ask('GET', `/v2/datasets/${dataset}/mapfields`), ['labels']);
    await map(page, 'labels').uncheck();
    await page.keyboard.press('ControlOrMeta+s');
    await says(page, /^Saved 1 change\.$/);
    assert.deepEqual(await ask('GET', `/v2/datasets/${dataset}/mapfields`), []);
    await page.close();
  });

  it('marks a field whose change failed with the reason, and saves the other changes', async () => {
    await using refusing = await refusingField('ok');
    const { page, host } = await open({ service: () => refusing.service(running.token) });
    await description(page, 'status').fill('Kept');
    await description(page, 'ok').fill('Refused');
    await map(page, 'geo').check();
    // Another client has made the same change meanwhile.
    await ask('POST', `/v2/datasets/${dataset}/mapfields`, { name: 'geo' });
    await save(page).click();
    await says(page, /^Saved 2 changes\. ok was not saved: The token may not change fields\./);
    assert.equal((await stored('status')).description, 'Kept');
    assert.equal((await stored('ok')).description, '');
    // Don't read `innerText`, which is empty for a row that the browser hasn't rendered yet.
    assert.match(
      (await row(page, 'ok').textContent()) ?? '',
      /Use a token with access to change datasets/,
    );
    assert.match((await row(page, 'ok').getAttribute('class')) ?? '', /failed/);
    for (const name of ['status', 'geo']) {
      assert.equal(await row(page, name).getAttribute('class'), 'row', name);
    }
    assert.equal(await description(page, 'ok').inputValue(), 'Refused');
    assert.deepEqual(host.draft.fields, [{ name: 'ok', description: 'Refused' }]);
    await page.close();
  });

  it('keeps unsaved changes if the deployment is unreachable', async () => {
    const stopped = await processes.start('stopped');
    await ask('POST', '/v2/datasets', { name: dataset }, stopped);
    const { page } = await open({ service: () => serviceOf(stopped) });
    await description(page, '_time').fill('When it happened');
    stopped.child.kill('SIGKILL');
    await save(page).click();
    await says(page, /^Nothing was saved\. The local deployment stopped or restarted/);
    assert.equal(await description(page, '_time').inputValue(), 'When it happened');
    assert.equal(await save(page).innerText(), 'Save 1 change');
    await page.close();
  });

  it('shows that the fields cannot be listed, and Try Again lists them', async () => {
    const missing = `missing-${datasets}`;
    const { page } = await open({ dataset: missing });
    await page.getByText('The fields cannot be listed.').waitFor();
    await ask('POST', '/v2/datasets', { name: missing });
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.locator('.form').waitFor();
    await page.close();
  });

  it('restores unsaved changes, and focuses the requested field', async () => {
    const first = await open();
    await description(first.page, 'ok').fill('Whether it went well');
    const draft = { fields: [{ name: 'ok', description: 'Whether it went well' }] };
    for (let tries = 0; tries < 50 && first.host.draft.fields.length === 0; tries += 1) {
      await first.page.waitForTimeout(50);
    }
    assert.deepEqual(first.host.draft, { ...draft, addedMaps: [], removedMaps: [] });
    await first.page.close();
    const { page } = await open({ draft: first.host.draft, focus: 'ok' });
    assert.equal(await description(page, 'ok').inputValue(), 'Whether it went well');
    assert.equal(await focused(page), 'Description of ok');
    await page.keyboard.press('ControlOrMeta+s');
    await says(page, /^Saved 1 change\.$/);
    await page.close();
  });

  it('shows markup in names, descriptions and units as plain text', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const text = '"><script>alert(1)</script>';
    await ingest({ [name]: 1 });
    await ask('PUT', `/v2/datasets/${dataset}/fields/${encodeURIComponent(name)}`, {
      description: text,
      unit: 'parsecs"',
    });
    const { page, complaints } = await open();
    assert.equal(await description(page, name).inputValue(), text);
    assert.equal(await unit(page, name).inputValue(), 'parsecs"', 'an unknown unit is kept');
    await unit(page, name).focus();
    assert.equal(await unit(page, name).inputValue(), 'parsecs"');
    assert.equal(await page.locator('img').count(), 0);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it('shows invisible characters of a name, and saves under the original name', async () => {
    await ingest({ 'pay\u202Elap\u200B': 1, constructor: 2 });
    const { page } = await open();
    const shown = 'pay[U+202E]lap[U+200B]';
    await description(page, shown).waitFor();
    await description(page, 'constructor').waitFor();
    const names = await page.getByRole('rowheader').allInnerTexts();
    assert.deepEqual([names.includes(shown), /[\u202E\u200B]/.test(names.join())], [true, false]);
    assert.equal(await page.locator(`.row .name [title="${shown}"]`).count(), 1);
    await assertHarmless(page);
    await description(page, shown).fill('Kept under its own name');
    await page.getByRole('button', { name: 'Save' }).click();
    await says(page, /^Saved 1 change\.$/);
    const fields = (await ask('GET', `/v2/datasets/${dataset}/fields`)) as StoredField[];
    const kept = fields.find((field) => field.description === 'Kept under its own name');
    assert.equal(kept?.name, 'pay\u202Elap\u200B');
    await page.close();
  });

  it('filters 900 fields within half a second', async () => {
    await ingest(Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`field_${n}`, n])));
    const { page } = await open();
    const milliseconds = await page.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>('.search-box input');
      if (input === null) throw new Error('There is no search.');
      const started = performance.now();
      input.value = 'field_89';
      input.dispatchEvent(new Event('input', { bubbles: true }));
      document.body.getBoundingClientRect();
      return performance.now() - started;
    });
    assert.equal((await shown(page)).length, 11);
    assert.ok(milliseconds < 500, `${milliseconds} ms`);
    await page.close();
  });

  it('offers units that the grid and charts can show', () => {
    for (const name of Object.values(unitGroups).flatMap(Object.keys)) {
      assert.notEqual(withUnit('5', name), undefined, name);
    }
  });
});

describe('the accessibility of the fields form', () => {
  for (const theme of Object.keys(themes) as Theme[]) {
    for (const width of [1000, 420]) {
      it(`has no axe violations in the ${theme} theme at ${width} pixels`, async () => {
        await ask('PUT', `/v2/datasets/${dataset}/fields/duration`, {
          unit: 'ms',
          description: 'Time from the first byte of the request to the last byte of the response.',
        });
        await ask('PUT', `/v2/datasets/${dataset}/fields/message`, { hidden: true });
        await using refusing = await refusingField('status');
        const service = () => refusing.service(running.token);
        const { page } = await open({ theme, width, service });
        await inspect(page, `loaded-${theme}-${width}`);
        await description(page, 'status').fill('The status of the response');
        await map(page, 'geo').check();
        await page.keyboard.press('ControlOrMeta+s');
        await says(page, /not saved/);
        await hidden(page, 'ok').check();
        await inspect(page, `changed-${theme}-${width}`);
        await page.close();
      });
    }
  }
});

async function inspect(page: Page, state: string): Promise<void> {
  await picture(page, `fields-${state}`);
  assert.deepEqual(await violationsOf(page), []);
  assert.equal(await overflowOf(page), 0, 'nothing is wider than the page');
}
