// `npm start`: builds, opens VS Code with the extension from this repository and fresh settings, loads
// the sample data through the extension's own command, and stays until interrupted.
//   npm start                       a desktop VS Code when `code` is on the path, else one for the browser
//   npm start -- --browser          the one for the browser in any case
//   npm start -- --check [FILE.png] without a person: runs the first sample query, prints its first rows,
//                                   saves a screenshot where a file is named, and ends with 0, or with 1
//                                   and the reason
import { parseArgs } from 'node:util';
import { ensureBuilt } from './host/build.ts';
import { findInstalled } from './host/installed.ts';
import { landingPageLink, localDataDirectory } from './host/localDeployment.ts';
import { endWithNpm, stopOnSignal } from './host/processes.ts';
import { openBrowser } from './start/browser.ts';
import { check } from './start/check.ts';
import { openDesktop } from './start/desktop.ts';
import { loadSampleData } from './start/window.ts';

const { values, positionals } = parse();
if (positionals.length > (values.check ? 1 : 0)) refuse();

function parse() {
  try {
    return parseArgs({
      options: {
        browser: { type: 'boolean', default: false },
        check: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
  } catch {
    refuse();
  }
}

function refuse(): never {
  process.stderr.write('Usage: npm start -- [--browser | --check [FILE.png]]\n');
  process.exit(2);
}

const parts: { stop(): Promise<void> }[] = [];
const stop = async () => {
  for (const part of parts.splice(0).reverse()) await part.stop();
};
stopOnSignal(stop);
endWithNpm();
try {
  await ensureBuilt();
  const desktop = values.check || values.browser ? undefined : findInstalled('vscode');
  const opened = desktop ? await openDesktop(desktop, parts) : await openBrowser(parts);
  if (values.check) {
    await check(opened.page, positionals[0]);
  } else {
    await loadSampleData(opened.page);
    const link = await landingPageLink(opened.profile);
    const page =
      link === undefined
        ? ''
        : `Its local deployment, by a link that works once: ${link}\nFor an agent: npx aplomb mcp --data ${localDataDirectory(opened.profile)}\n`;
    process.stdout.write(
      `${opened.message}\n${page}Press Ctrl+C to end it, and everything it started.\n`,
    );
    await opened.closed;
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await stop();
}
