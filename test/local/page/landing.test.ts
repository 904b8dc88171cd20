/** Uses the landing page in a real browser, on a deployment as shipped. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { pageBrowser } from '../../../scripts/host/shared.ts';
import { buildLandingPage, call, Processes, type Running } from '../processes.ts';
import {
  becomes,
  cells,
  enterToken,
  newCode,
  openConnected,
  openPage,
  run,
  stateOf,
} from './landingPage.ts';

declare global {
  interface Window {
    longest: number;
  }
}

let processes: Processes;
let browser: Browser;
let local: Running;

/** Markup, a script end tag, and characters that change the text direction. */
const HOSTILE = `<img src=x onerror="window.harmed=1"></script><script>window.harmed=1</script>&amp;\u202e\u0000`;
const HOSTILE_SHOWN = HOSTILE.replace('\u202e', '[U+202E]');

before(async () => {
  processes = await Processes.create();
  await buildLandingPage(processes.folder);
  browser = await pageBrowser();
  local = await processes.start('data');
  await create('exact', 'One event of every kind');
  await store('exact', [
    `{"_time":"2026-01-02T03:04:05.123456789Z","long":9223372036854775807,"low":-9223372036854775808,
      "real":0.1,"empty":"","nothing":null,"yes":true,"list":[1,{"a":9007199254740993}],"text":"a\\nb"}`,
  ]);
  await create('hostile', HOSTILE.replace('\u0000', ''));
  await store('hostile', [JSON.stringify({ [HOSTILE.replace('\u0000', '')]: 1, text: HOSTILE })]);
  await create('many');
  for (let part = 0; part < 5; part += 1) {
    const events = Array.from({ length: 10_000 }, (_, i) =>
      JSON.stringify({
        n: part * 10_000 + i,
        text: 'some words of an event '.repeat(5),
        level: 'info',
      }),
    );
    await store('many', events);
  }
});
after(async () => {
  await browser?.close();
  await processes?.dispose();
});

async function create(name: string, description = ''): Promise<void> {
  const { status } = await call(
    local,
    'POST',
    '/v2/datasets',
    JSON.stringify({ name, description }),
  );
  assert.equal(status, 200);
}

async function store(dataset: string, events: readonly string[]): Promise<void> {
  const { body } = await call(local, 'POST', `/v1/ingest/${dataset}`, `[${events.join(',')}]`);
  assert.equal(body.ingested, events.length, JSON.stringify(body));
}

describe('the start of a deployment', () => {
  it("prints the page's URL, without a code if the output isn't a terminal", async () => {
    const child = processes.launch('--data', `${processes.folder}/said`);
    let said = '';
    child.stderr!.on('data', (chunk) => {
      said += chunk;
    });
    await once(child.stdout!, 'data');
    while (!said.includes('Landing page') || !said.endsWith('\n'))
      await once(child.stderr!, 'data');
    assert.match(said, /^\S+ Landing page: http:\/\/127\.0\.0\.1:\d+\/$/m);
    child.kill('SIGKILL');
  });
});

describe('connecting', () => {
  it('shows the URL and commands, but no data or token, before a token is entered', async () => {
    const { page, complaints } = await openPage(browser, local);
    const text = await page.innerText('body');
    assert.ok(text.includes(local.url));
    assert.match(text, /curl http:\/\/127\.0\.0\.1:\d+\/v2\/datasets/);
    assert.doesNotMatch(text, /exact|hostile|xaat-\w/);
    assert.equal(await page.getByLabel('APL query').isVisible(), false);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it('works once through a link, leaves no code in the URL, and survives a reload', async () => {
    const fragment = `#code=${await newCode(local)}`;
    const { page, complaints } = await openPage(browser, local, {}, fragment);
    await page.waitForSelector('#datasets tbody tr');
    assert.equal(page.url(), `${local.url}/`);
    await page.reload();
    await page.waitForSelector('#datasets tbody tr');
    assert.deepEqual(complaints, []);
    const other = await openPage(browser, local, {}, fragment);
    await other.page.getByText('The link was already used').waitFor();
    assert.equal(other.page.url(), `${local.url}/`);
    await other.page.context().close();
    await page.context().close();
  });

  it('keeps a token only in memory', async () => {
    const { page } = await openPage(browser, local);
    await enterToken(page, local.token);
    await page.waitForSelector('#datasets tbody tr');
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]),
    );
    assert.equal(kept, '[{},{},""]');
    assert.ok(!(await page.content()).includes(local.token));
    assert.equal(await page.locator('#token').inputValue(), '');
    await page.reload();
    await page.getByLabel('API token').waitFor();
    await page.context().close();
  });

  it('reports why a token is invalid', async () => {
    const { page } = await openPage(browser, local);
    await enterToken(page, ' ');
    await page.getByText('Enter a token.').waitFor();
    await enterToken(page, local.personalToken);
    await page.getByText('This is a personal token').waitFor();
    await enterToken(page, 'xaat-wrong');
    await page.getByText('The token is not valid for this deployment').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'token');
    await page.context().close();
  });

  it('is required again after the token is revoked, without losing the query text', async () => {
    const grants = { name: 'short', datasetCapabilities: { exact: { query: ['read'] } } };
    const made = await call(local, 'POST', '/v2/tokens', JSON.stringify(grants));
    const { page } = await openPage(browser, local);
    await enterToken(page, made.body.token);
    await page.waitForSelector('#datasets tbody tr');
    assert.equal(
      await page.locator('#datasets tbody th').allInnerTexts().then(String),
      'exact\nOne event of every kind',
    );
    await run(page, "['exact'] | project long", 'All times');
    await becomes(page, /^1 row /);
    await fetch(`${local.url}/v2/tokens/${made.body.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${local.token}` },
    });
    await run(page, "['exact'] | project low");
    await page.getByText('The token is not valid for this deployment').waitFor();
    assert.doesNotMatch(await page.content(), /9223372036854775807|One event/);
    await enterToken(page, local.token);
    await page.waitForSelector('#datasets tbody tr');
    assert.equal(await page.getByLabel('APL query').inputValue(), "['exact'] | project low");
    await page.getByLabel('APL query').press('Control+Enter');
    await becomes(page, /^1 row /);
    assert.deepEqual(await cells(page), [['-9223372036854775808']]);
    await page.context().close();
  });

  it('shows an error for a token that lacks a capability', async () => {
    const grants = { name: 'in', datasetCapabilities: { exact: { ingest: ['create'] } } };
    const made = await call(local, 'POST', '/v2/tokens', JSON.stringify(grants));
    const { page } = await openPage(browser, local);
    await enterToken(page, made.body.token);
    await page.getByText('There are no datasets that this token may query').waitFor();
    await run(page, "['exact']");
    await page.getByText('The token lacks the capability query:read').waitFor();
    await page.context().close();
  });
});

describe('a result', () => {
  it('contains exact values', async () => {
    const { page, complaints } = await openConnected(browser, local);
    await run(
      page,
      "['exact'] | project _time, long, low, real, empty, yes, list, text | extend s = 1s",
      'All times',
    );
    const state = await becomes(page, /examined/);
    assert.match(state, /^1 row · 1 row examined · [\d.]+ (?:µs|ms|s) · All times$/);
    assert.deepEqual(await cells(page), [
      [
        '2026-01-02T03:04:05.123456789Z',
        '9223372036854775807',
        '-9223372036854775808',
        '0.1',
        '""',
        'true',
        '[1,{"a":9007199254740993}]',
        'a⏎b',
        '1s',
      ],
    ]);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it('shows names and values with markup as text', async () => {
    const { page, complaints } = await openConnected(browser, local);
    await run(page, "['hostile'] | project-away _sysTime", 'All times');
    await becomes(page, /examined/);
    const [row] = await cells(page);
    assert.ok(row?.includes(HOSTILE_SHOWN.replace('\u0000', '[U+0000]')), String(row));
    assert.ok(
      (await page.innerText('.results thead')).includes(HOSTILE_SHOWN.replace('\u0000', '')),
    );
    assert.ok((await page.innerText('#datasets')).includes('<img src=x'));
    await page.getByLabel('Fields of hostile').click();
    await page.waitForSelector('.fields');
    assert.ok((await page.innerText('.fields')).includes('<img src=x'));
    await page.locator('#dataset-name').fill(`x'; $(rm -rf ~) <b>"`);
    assert.ok((await page.innerText('#send')).includes(`'{"name":"x'\\''; $(rm -rf ~) <b>\\""}'`));
    const made = await page.evaluate(() => document.querySelectorAll('img, main script, b').length);
    assert.equal(made, 0);
    assert.equal(await page.evaluate(() => 'harmed' in window), false);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("can't insert markup, because the content security policy forbids it", async () => {
    const { page } = await openConnected(browser, local);
    const thrown = await page.evaluate(() => {
      try {
        document.body.insertAdjacentHTML('beforeend', '<b>x</b>');
        return 'nothing';
      } catch (error) {
        return String(error);
      }
    });
    assert.match(thrown, /TrustedHTML/);
    await page.context().close();
  });

  it("shows only the first 500 of 50,000 rows, with a notice, and doesn't freeze the page", async (t) => {
    const { page } = await openConnected(browser, local);
    // The longest time between two ticks of a 10 ms timer.
    await page.evaluate(() => {
      let last = performance.now();
      Object.assign(window, { longest: 0 });
      setInterval(() => {
        const now = performance.now();
        Object.assign(window, { longest: Math.max(window.longest, now - last) });
        last = now;
      }, 10);
    });
    const began = performance.now();
    await run(page, "['many'] | limit 50000", 'All times');
    await becomes(page, /^50,000 rows · 50,000 rows examined/);
    const took = performance.now() - began;
    await page.getByText('The first 500 of 50,000 rows are shown.').waitFor();
    assert.equal((await cells(page)).length, 500);
    await page.waitForTimeout(100);
    const longest = await page.evaluate(() => window.longest);
    t.diagnostic(
      `shown after ${Math.round(took)} ms, the page held up for ${Math.round(longest)} ms at most`,
    );
    assert.ok(longest > 9 && longest < took / 2, `held up for ${longest} of ${took} ms`);
    await page.context().close();
  });

  it('shows totals and messages, or if it is empty, offers to run the query over all times', async () => {
    const { page } = await openConnected(browser, local);
    await run(page, "['many'] | summarize count() by bin(_time, 1d)", 'All times');
    await becomes(page, /^1 row /);
    await page.getByRole('heading', { name: 'Totals' }).waitFor();
    await run(page, "['many']");
    await becomes(page, /^1,000 rows/);
    await page.getByText('A default limit of 1000 was applied').waitFor();
    await run(page, "['exact'] | project long", 'Last hour');
    await becomes(page, /^0 rows/);
    await page.getByRole('button', { name: 'Run over all times' }).click();
    await becomes(page, /^1 row /);
    await run(page, "['exact'] | where long == 1");
    await page.getByText('No events match the query.').waitFor();
    await page.context().close();
  });

  it("shows an invalid query's error and its position", async () => {
    const { page } = await openConnected(browser, local);
    const apl = "['exact']\n| where lnog > 1";
    await run(page, apl);
    await page.getByText("Unknown column 'lnog'").waitFor();
    assert.equal(await page.locator('.wrong').innerText(), 'lnog');
    await page.getByRole('button', { name: 'Go to line 2, column 9' }).click();
    const selected = await page.evaluate(() => {
      const area = document.activeElement as HTMLTextAreaElement;
      return area.value.slice(area.selectionStart, area.selectionEnd);
    });
    assert.equal(selected, 'lnog');
    await page.keyboard.type('long');
    assert.equal(await page.locator('.wrong').count(), 0);
    await page.getByLabel('APL query').press('Control+Enter');
    await becomes(page, /examined/);
    assert.equal(await page.locator('.problem').count(), 0);
    await run(page, "['exact'] | where aaaaaaa > 1 and bbbbbbb < 2");
    await page.getByRole('button', { name: 'Go to line 1, column 35' }).waitFor();
    assert.deepEqual(await page.locator('.wrong').allInnerTexts(), ['aaaaaaa', 'bbbbbbb']);
    await run(page, ' ');
    await page.getByText('The query is empty.').waitFor();
    await page.getByLabel('Time range').selectOption({ label: 'From … to …' });
    await page.getByLabel('From').fill('yesterday');
    await run(page, "['exact']");
    await page.getByText('startTime').waitFor();
    await page.getByLabel('From').fill('2026-01-02T00:00:00Z');
    await run(page, "['exact'] | count");
    await becomes(page, /2026-01-02T00:00:00Z to now$/);
    await page.context().close();
  });
});

describe('sending events', () => {
  it("works with the page's curl commands", async () => {
    const { page } = await openConnected(browser, local);
    await page.locator('#dataset-name').fill('from-page');
    for (const title of ['Create the dataset', 'curl']) {
      await page.getByLabel(`Copy: ${title}`).click();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      // Parsed like a shell would do, because a machine may not have one.
      const [, url] = /^curl '?(\S+?)'? -H/.exec(command) ?? [];
      const [, body] = /-d '([^']*)'/.exec(command) ?? [];
      const answer = await fetch(url!, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${local.token}`,
          'content-type': 'application/json',
        },
        body: body!,
      });
      assert.equal(answer.status, 200, command);
    }
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('row', { name: /^from-page 1 / }).waitFor();
    await page.locator('#dataset-name').fill('from-page');
    assert.equal(await page.getByLabel('Copy: Create the dataset').count(), 0);
    await page.getByLabel('Query from-page').click();
    await page.keyboard.press('Control+Enter');
    await becomes(page, /^1 row /);
    await page.context().close();
  });
});

describe('the keyboard', () => {
  it('reaches all controls and can move focus out of the query editor', async () => {
    const { page } = await openConnected(browser, local);
    await page.locator('body').press('Tab');
    const reached: string[] = [];
    for (let i = 0; i < 60; i += 1) {
      const name = await page.evaluate(() => {
        const { activeElement: at } = document;
        return at === null || at === document.body
          ? ''
          : (at.getAttribute('aria-label') ?? at.textContent ?? at.id);
      });
      if (name !== '' && !reached.includes(name)) reached.push(name);
      await page.keyboard.press('Tab');
    }
    for (const name of [
      'Time range',
      'Run',
      'Refresh',
      'Query exact',
      'Fields of exact',
      'Copy: curl',
      'Disconnect',
      'Aplomb extension for VS Code',
      'APL query',
    ]) {
      assert.ok(reached.includes(name), `${name} among ${reached.join(', ')}`);
    }
    await page.context().close();
  });
});

describe('a page of another origin', () => {
  let server: Server;
  let address: string;
  before(async () => {
    server = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<body>hostile</body>'),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  it("can't frame the page, read it, or access its window", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(address);
    const read = await page.evaluate(
      async ([url, token]) => {
        const tried = async (path: string, init: RequestInit = {}) => {
          try {
            const response = await fetch(url + path, init);
            return `${response.type} ${(await response.text()).length}`;
          } catch (error) {
            return (error as Error).name;
          }
        };
        const authorization = `Bearer ${token}`;
        return {
          page: await tried('/'),
          opaque: await tried('/', { mode: 'no-cors' }),
          withToken: await tried('/_local/datasets', { headers: { authorization } }),
          session: await tried('/_local/page-session', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{"code":"x"}',
          }),
        };
      },
      [local.url, local.token] as const,
    );
    assert.deepEqual(read, {
      page: 'TypeError',
      opaque: 'TypeError',
      withToken: 'TypeError',
      session: 'TypeError',
    });

    const framed = await page.evaluate(async (url) => {
      const frame = document.createElement('iframe');
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      frame.src = url;
      document.body.append(frame);
      await loaded;
      return frame.contentDocument === null;
    }, local.url);
    assert.equal(framed, true);
    const inside = page.frames().find((frame) => frame.parentFrame() !== null);
    assert.ok(!inside?.url().startsWith(local.url), inside?.url());

    const opening = context.waitForEvent('page');
    await page.evaluate((url) => {
      Object.assign(window, { opened: window.open(`${url}/#code=guessed`) });
    }, local.url);
    const opened = await opening;
    await opened.getByText('The link was already used').waitFor();
    assert.equal(await opened.evaluate(() => window.opener === null), true);
    assert.equal(
      await page.evaluate(() => (window as unknown as { opened: Window }).opened.closed),
      true,
    );
    await context.close();
  });
});

describe('a deployment that stops', () => {
  it('is reported by the page during a query, and the page reconnects after a restart', async () => {
    const first = await processes.start('stopping');
    const { port } = new URL(first.url);
    await call(first, 'POST', '/v2/datasets', JSON.stringify({ name: 'few' }));
    const stored = JSON.stringify(Array.from({ length: 1_000 }, (_, i) => ({ i })));
    await call(first, 'POST', '/v1/ingest/few', stored);
    const { page } = await openConnected(browser, first);
    await run(page, SLOW.replaceAll('DATASET', 'few'));
    await becomes(page, /^Running/);
    await page.getByText(/^\d+ s$/).waitFor();
    const exited = once(first.child, 'exit');
    first.child.kill('SIGKILL');
    await exited;
    await page.getByText('The deployment does not answer.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Cancel' }).isDisabled(), true);
    await run(page, "['few'] | count");
    await page.getByText('The deployment does not answer.').waitFor();
    const second = await processes.start('stopping', '--port', port);
    // The session ended with the process that created it.
    await page.getByLabel('APL query').press('Control+Enter');
    await page.getByText('The session ended').waitFor();
    assert.equal(await page.evaluate(() => JSON.stringify({ ...sessionStorage })), '{}');
    await enterToken(page, second.token);
    await page.waitForSelector('#datasets tbody tr');
    await page.getByLabel('APL query').press('Control+Enter');
    await becomes(page, /^1 row /);
    assert.deepEqual(await cells(page), [['1000']]);
    await page.context().close();
  });
});

/** A query that would run for hours. */
const SLOW = `['DATASET'] ${Array.from(
  { length: 3 },
  (_, i) => `| extend a${i} = range(1, 2000, 1) | mv-expand a${i} to typeof(long)`,
).join(' ')} | count`;

describe('a long-running query', () => {
  /**
   * Returns the deployment's processor time within one second in hundredths of a second, or
   * undefined if unavailable.
   */
  async function load(): Promise<number | undefined> {
    const spent = async () => {
      const stat = await readFile(`/proc/${local.child.pid}/stat`, 'utf8');
      const times = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(times[11]) + Number(times[12]);
    };
    if (!existsSync(`/proc/${local.child.pid}/stat`)) return undefined;
    const before = await spent();
    await sleep(1_000);
    return (await spent()) - before;
  }

  it('is canceled in the deployment too, by the button or by Escape', async () => {
    const { page } = await openConnected(browser, local);
    for (const cancel of ['button', 'Escape']) {
      await run(page, SLOW.replaceAll('DATASET', 'many'));
      await page.getByText(/^\d+ s$/).waitFor();
      assert.ok(((await load()) ?? 100) > 30, 'the query computes');
      if (cancel === 'button') await page.getByRole('button', { name: 'Cancel' }).click();
      else await page.keyboard.press('Escape');
      await becomes(page, /^Cancelled/);
      const end = Date.now() + 10_000;
      while (((await load()) ?? 0) > 20)
        assert.ok(Date.now() < end, `${cancel}: it still computes`);
    }
    assert.match((await stateOf(page).textContent()) ?? '', /^Cancelled/);
    await run(page, "['exact'] | count", 'All times');
    await becomes(page, /^1 row /);
    await page.context().close();
  });
});
