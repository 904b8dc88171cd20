/**
 * A foreign folder with links to private files of this machine: the ingest page lists them unticked, with their target,
 * and neither it nor `aplomb ingest` reads a file outside the folder.
 */
import assert from 'node:assert/strict';
import {
  mkdirSync,
  realpathSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { IngestInput } from '../../client/src/ingest/host/engine.ts';
import { reopened } from '../../client/src/ingest/host/reading.ts';
import { fileState } from '../../client/src/ingest/host/sessionState.ts';
import { itemOf } from '../../client/src/ingest/host/sessionViews.ts';
import { resolveLink } from '../../ingest/src/read/links.ts';
import { diskSource, sourceInFolder } from '../../ingest/src/read/sources.ts';
import { Folder } from '../cli/run.ts';
import { needs } from '../platform.ts';

const secret = 'BEGIN OPENSSH PRIVATE KEY';

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
  folder.files({
    'home/id_ed25519': `-----${secret}-----\nb3BlbnNzaC1rZXk\n`,
    'repo/logs/a.ndjson': '{"n":1}\n',
    'repo/other.ndjson': '{"n":2}\n',
  });
  symlinkSync(join('..', '..', 'home', 'id_ed25519'), path('repo/logs/key.log'));
  symlinkSync('a.ndjson', path('repo/logs/link.ndjson'));
});
afterEach(() => folder.remove());

const path = (name: string) => join(folder.path, name);
const real = (name: string) => realpathSync(path(name));

describe('a file below a chosen folder', { skip: needs.links }, () => {
  it('that is a link is listed with its target', async () => {
    assert.equal(await resolveLink(path('repo/logs'), path('repo/logs/a.ndjson')), undefined);
    assert.deepEqual(await resolveLink(path('repo/logs'), path('repo/logs/link.ndjson')), {
      target: 'a.ndjson',
      isOutside: false,
    });
    assert.deepEqual(await resolveLink(path('repo/logs'), path('repo/logs/key.log')), {
      target: real('home/id_ed25519'),
      isOutside: true,
    });
  });

  it('is refused if a link leads from it out of the folder', async () => {
    const reading = sourceInFolder(path('repo/logs'), path('repo/logs/key.log'));
    await assert.rejects(reading, {
      message: `key.log is a link to ${real('home/id_ed25519')}, outside the folder. Choose that file itself to ingest it.`,
    });
    const link = await sourceInFolder(path('repo/logs'), path('repo/logs/link.ndjson'));
    assert.equal(link.size, 8);
  });

  it('is refused if one of its folders has become a link', async () => {
    mkdirSync(path('repo/logs/deep'));
    writeFileSync(path('repo/logs/deep/id_ed25519'), '{"n":3}');
    await sourceInFolder(path('repo/logs'), path('repo/logs/deep/id_ed25519'));
    renameSync(path('repo/logs/deep'), path('repo/logs/former'));
    symlinkSync(path('home'), path('repo/logs/deep'));
    const reading = sourceInFolder(path('repo/logs'), path('repo/logs/deep/id_ed25519'));
    await assert.rejects(reading, /outside the folder/);
  });

  it('is refused on the page if it becomes a link after it was listed', async () => {
    const [root, file] = [path('repo/logs'), path('repo/logs/a.ndjson')];
    const input: IngestInput = {
      source: await sourceInFolder(root, file),
      reopen: () => sourceInFolder(root, file),
      included: true,
    };
    const listed = fileState(input);
    unlinkSync(file);
    symlinkSync(path('home/id_ed25519'), file);
    await assert.rejects(reopened(listed), /outside the folder/);
  });

  it('is sent to the page with the target of the link', async () => {
    const input = { source: await diskSource(path('repo/logs/a.ndjson')), included: false };
    const link = { target: '/home/\u202ekey', isOutside: true };
    assert.deepEqual(itemOf(fileState({ ...input, link })).link, link);
  });
});

describe('aplomb ingest', { skip: needs.links }, () => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push(body);
    response.setHeader('content-type', 'application/json');
    const ingested = body.split('\n').filter(Boolean).length;
    response.end(JSON.stringify({ ingested, failed: 0, failures: [], processedBytes: 1 }));
  });
  before(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)));
  after(() => server.close());

  const ingest = (...files: string[]) => {
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const env = {
      APLOMB_TOKEN: 'xaat-test',
      XDG_STATE_HOME: path('state'),
      LOCALAPPDATA: path('state'),
    };
    return folder.run(['ingest', ...files, '--dataset', 'logs', '--url', url], '', env);
  };

  it('sends no file outside the folder that a pattern of the shell names', async () => {
    received.length = 0;
    const files = ['a.ndjson', 'key.log', 'link.ndjson'].map((name) => join('repo', 'logs', name));
    const { status, err } = await ingest(...files);
    assert.equal(status, 2);
    const target = real('home/id_ed25519');
    assert.ok(
      err.includes(`This is a link that leads out of its folder, to ${target}. Specify that file`),
      err,
    );
    const sent = received.join('');
    assert.ok(!sent.includes(secret) && sent.includes('"n":1'), sent);
  });

  it('sends no file that a pattern reaches through a linked folder', async () => {
    received.length = 0;
    symlinkSync(path('home'), path('repo/linked'));
    const { status, err } = await ingest(join('repo', 'linked', 'id_ed25519'));
    assert.equal(status, 2);
    assert.match(err, /linked is a link that leads out of its folder/);
    assert.ok(!received.join('').includes(secret));
  });
});
