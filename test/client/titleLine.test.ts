/** The title of a chart or saved query as the first line of its query file. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  deploymentLine,
  rangeLine,
  titleLine,
  withoutTitle,
} from '../../client/src/deployments/fileLines.ts';

it('a title that looks like a deployment or range comment is not read as one', () => {
  for (const title of [
    'deployment: Production',
    '  deployment:Production',
    'Errors\n// deployment: Production',
    'Errors\u2028// range: 10y',
    'range: 10y',
    '\tRange\nrange: 10y',
  ]) {
    const text = `${titleLine(title)}\n// range: 1h\n// deployment: Staging\n['logs']\n`;
    assert.equal(rangeLine(text)?.text, '1h', title);
    assert.equal(deploymentLine(text)?.text, 'Staging', title);
  }
  assert.equal(titleLine('Errors  per\nhost '), '// Errors per host');
});

it('the title, description, deployment and time range in leading comments are separated from the query', () => {
  const text = [
    '// deployment: Staging',
    '// Pages the person on call.',
    '// Errors per minute',
    '//range: 7d',
    '// aplomb-disable-next-line APL100',
    '',
    "['logs']",
    '// Client errors only',
    '| where status >= 400 // and above',
  ];
  assert.deepEqual(withoutTitle(text.join('\r\n')), {
    title: 'Errors per minute',
    about: 'Pages the person on call.',
    apl: [text[4], ...text.slice(6)].join('\n'),
  });
  assert.deepEqual(withoutTitle("['logs'] | count\n"), { apl: "['logs'] | count" });
  assert.deepEqual(withoutTitle('// only a comment'), { apl: '// only a comment' });
});
