// Warnings about folders that other users can read.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accessWarning } from '../../system/src/accessWarning.ts';

const home = 'C:\\Users\\Ada';

it("accessWarning warns about a folder outside the user's profile, only on Windows", () => {
  for (const inside of [home, `${home}\\data`, 'c:\\users\\ADA\\..data', `${home}\\a\\..\\b`])
    assert.equal(accessWarning(inside, home, 'win32'), undefined, inside);
  for (const outside of [
    'D:\\data',
    'C:\\data',
    'C:\\Users\\Adam',
    'C:\\Users',
    '\\\\server\\data',
  ])
    assert.match(
      accessWarning(outside, home, 'win32') ?? '',
      /Other users of this machine/,
      outside,
    );
  for (const platform of ['linux', 'darwin'] as const)
    assert.equal(accessWarning('/data', '/home/ada', platform), undefined);
});
