// What the window of VS Code keeps and shows: its databases and other storage in the browser, which have the states
// that a desktop keeps in state.vscdb, and the documents of all its frames.
import type { Page } from 'playwright-core';

export interface Content {
  readonly place: string;
  readonly text: string;
}

/**
 * Nothing is left out. Secret storage is encrypted on a desktop, and VS Code in a browser keeps it in memory, so a
 * token that can be read is in a place where it must not be.
 */
export async function windowContents(page: Page): Promise<Content[]> {
  return [...(await page.evaluate(readStorage)), ...(await shownIn(page))];
}

/** The document of each frame, as it is drawn now. */
export async function shownIn(page: Page): Promise<Content[]> {
  const documents = page.frames().map(async (frame, index) => {
    const text = await frame.evaluate(() => document.documentElement.outerHTML).catch(() => '');
    return { place: `frame ${index}`, text };
  });
  return Promise.all(documents);
}

/** Runs in the page. */
async function readStorage(): Promise<Content[]> {
  const found: Content[] = [{ place: 'cookies', text: document.cookie }];
  for (const [name, storage] of Object.entries({ localStorage, sessionStorage })) {
    for (const [key, text] of Object.entries(storage as unknown as Record<string, string>)) {
      found.push({ place: `${name} ${key}`, text: String(text) });
    }
  }
  const finished = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  // Values are strings, or bytes of files.
  const textOf = (value: unknown): string =>
    value instanceof Uint8Array ? new TextDecoder().decode(value) : JSON.stringify(value);
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await finished(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const objects = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([
        finished(objects.getAllKeys()),
        finished(objects.getAll()),
      ]);
      keys.forEach((key, at) => {
        found.push({ place: `${name} ${store} ${String(key)}`, text: textOf(values[at]) });
      });
    }
    database.close();
  }
  return found;
}
