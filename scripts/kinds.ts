// What the manifest says about kinds of resource, and their JSON Schemas, made of the rows of `resources`. Also writes
// what the manifest says about the tools for agents:
//   npm run kinds
// A test compares what is there with what this makes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EndpointRow, endpointRow, stringifyJson } from '../api/src/index.ts';
import {
  filterCommand,
  newCommand,
  refreshCommand,
  titleOf,
  viewOf,
} from '../client/src/resources/commands.ts';
import { type KindName, kindNames, kinds } from '../resources/src/kinds.ts';
import { isMembers, type Members } from '../resources/src/value.ts';
import { withAgentTools } from './agentTools.ts';

type Row = Record<string, string>;

interface Contributes {
  readonly views: Record<string, Row[]>;
  readonly viewsWelcome: Row[];
  readonly commands: Row[];
  readonly menus: Record<string, Row[]>;
  readonly jsonValidation?: object[];
}

export interface Manifest {
  readonly contributes: Contributes;
}

const schemaFolder = 'media/schemas';

const own = kindNames.filter((kind) => kinds[kind].tree === 'view');
const creatable = kindNames.filter((kind) => kinds[kind].draft !== undefined);
const withQuery = kindNames.filter((kind) =>
  kinds[kind].apl.some(({ path }) => !path.includes('*')),
);

/** The items of trees that are one of these kinds. */
function items(names: readonly KindName[], rest = ''): string {
  return `viewItem =~ /^(${names.map((kind) => kinds[kind].noun).join('|')})${rest}/`;
}

const deletable = kindNames.filter((kind) => kinds[kind].endpoints.delete !== undefined);

/** Commands on one resource of a tree. */
const itemCommands: readonly {
  readonly command: string;
  readonly title: string;
  readonly icon: string;
  readonly kinds: readonly KindName[];
  readonly rest?: string;
  readonly groups: readonly string[];
}[] = [
  {
    command: 'aplomb.openResource',
    title: 'Open as JSON',
    icon: '$(go-to-file)',
    kinds: kindNames,
    rest: '\\b',
    groups: ['1_open@1'],
  },
  {
    command: 'aplomb.openResourceQuery',
    title: 'Open Query',
    icon: '$(code)',
    kinds: withQuery,
    rest: ' query\\b',
    groups: ['inline@1', '1_open@2'],
  },
  {
    command: 'aplomb.duplicateResource',
    title: 'Duplicate',
    icon: '$(copy)',
    kinds: creatable,
    rest: '\\b',
    groups: ['3_change@1'],
  },
  {
    command: 'aplomb.deleteResource',
    title: 'Delete…',
    icon: '$(trash)',
    kinds: deletable,
    rest: '\\b',
    groups: ['3_change@2'],
  },
];

/** Commands on a document that somebody else changed meanwhile; the first shows what the others decide. */
const conflictCommands: readonly Row[] = [
  { command: 'aplomb.compareConflict', title: 'Compare with Deployment', icon: '$(diff)' },
  { command: 'aplomb.mergeConflict', title: 'Merge Changes', icon: '$(git-merge)' },
  {
    command: 'aplomb.overwriteConflict',
    title: 'Overwrite on Deployment',
    icon: '$(cloud-upload)',
  },
  { command: 'aplomb.reloadConflict', title: 'Reload and Discard Changes', icon: '$(discard)' },
].map((row) => ({ ...row, category: 'APL' }));

/** The same manifest with what follows from the rows. */
export function withKinds<T extends Manifest>(manifest: T): T {
  const { contributes } = manifest;
  const commands = generatedCommands();
  const ours = new Set([...commands.map(({ command }) => command), ...retired]);
  const isOurs = ({ command }: Row) => ours.has(command);
  const menus = generatedMenus();
  const views = new Set(own.map(viewOf));
  return {
    ...manifest,
    contributes: {
      ...contributes,
      views: {
        ...contributes.views,
        aplomb: replaced(
          contributes.views.aplomb ?? [],
          ({ id }) => views.has(id as string),
          own.map((kind) => ({
            id: viewOf(kind),
            name: kinds[kind].title,
            icon: './media/activity-bar.svg',
            visibility: 'collapsed',
          })),
        ),
      },
      viewsWelcome: replaced(
        contributes.viewsWelcome,
        ({ view }) => views.has(view as string),
        own.flatMap(welcome),
      ),
      commands: replaced(contributes.commands, isOurs, commands),
      menus: {
        ...contributes.menus,
        ...Object.fromEntries(
          Object.entries(menus).map(([menu, rows]) => [
            menu,
            replaced(contributes.menus[menu] ?? [], isOurs, rows),
          ]),
        ),
      },
      jsonValidation: kindNames.map((kind) => ({
        fileMatch: `aplomb:/${kind}/*.json`,
        url: `./${schemaFolder}/${kind}.json`,
      })),
    },
  };
}

/** Commands that rows have had and have no longer. */
const retired: readonly string[] = [];

/** The list with new rows where the old ones of this script begin. */
function replaced(
  list: readonly Row[],
  isOurs: (row: Row) => boolean,
  rows: readonly Row[],
): Row[] {
  const at = list.findIndex(isOurs);
  const others = list.filter((row) => !isOurs(row));
  const before = at < 0 ? others.length : at;
  return [...others.slice(0, before), ...rows, ...others.slice(before)];
}

function generatedCommands(): Row[] {
  return [
    ...own.map((kind) => ({
      command: refreshCommand(kind) as string,
      title: `Refresh ${kinds[kind].title}`,
      category: 'APL',
      icon: '$(refresh)',
    })),
    ...own.map((kind) => ({
      command: filterCommand(kind),
      title: `Filter ${kinds[kind].title}…`,
      category: 'APL',
      icon: '$(filter)',
    })),
    ...creatable.map((kind) => ({
      command: newCommand(kind),
      title: `New ${titleOf(kinds[kind].noun)}…`,
      category: 'APL',
      icon: '$(add)',
    })),
    ...itemCommands.map(({ command, title, icon }) => ({
      command,
      title,
      category: 'APL',
      icon,
    })),
    { command: 'aplomb.showMore', title: 'Show More', category: 'APL' },
    { command: 'aplomb.openPlace', title: 'Open Query of Resource', category: 'APL' },
    { command: 'aplomb.createFromQuery', title: 'Create from Query…', category: 'APL' },
    ...conflictCommands.map((row) => ({ ...row })),
  ];
}

function generatedMenus(): Record<string, Row[]> {
  const hidden = [
    ...own.map((kind) => refreshCommand(kind) as string),
    ...own.map(filterCommand),
    'aplomb.showMore',
    ...itemCommands.map(({ command }) => command),
    'aplomb.openPlace',
  ];
  return {
    commandPalette: [
      ...hidden.map((command) => ({ command, when: 'false' })),
      ...conflictCommands.map(({ command }) => ({
        command: command as string,
        when: 'resource in aplomb.conflicts',
      })),
      {
        command: 'aplomb.createFromQuery',
        when: 'editorLangId == axiom-apl && !notebookEditorFocused',
      },
    ],
    'editor/context': [
      {
        command: 'aplomb.createFromQuery',
        when: 'editorLangId == axiom-apl && !notebookEditorFocused',
        group: '3_keep@1',
      },
    ],
    'editor/title': conflictCommands.map(({ command }, index) => ({
      command: command as string,
      when: `resource in aplomb.conflicts && ${index === 0 ? '!' : ''}isInDiffEditor`,
      group: `navigation@${index + 1}`,
    })),
    'view/title': own.flatMap((kind) => {
      const when = `view == ${viewOf(kind)}`;
      return [
        { command: newCommand(kind), when, group: 'navigation@1' },
        { command: filterCommand(kind), when, group: 'navigation@2' },
        { command: refreshCommand(kind) as string, when, group: 'navigation@3' },
      ];
    }),
    'view/item/context': [
      ...itemCommands.flatMap(({ command, kinds: names, rest, groups }) =>
        groups.map((group) => ({ command, when: items(names, rest), group })),
      ),
      ...creatable
        .filter((kind) => kinds[kind].tree === 'history')
        .map((kind) => ({
          command: newCommand(kind),
          when: 'view == aplomb.history && viewItem == savedQueries',
          group: 'inline@1',
        })),
      ...creatable
        .filter((kind) => kinds[kind].tree === 'dataset')
        .map((kind) => ({
          command: newCommand(kind),
          when: 'view == aplomb.datasets && viewItem =~ /^(dataset|group virtualFields)$/',
          group: '1_use@5',
        })),
    ],
  };
}

function welcome(kind: KindName): Row[] {
  const { noun, plural, about } = kinds[kind];
  const view = viewOf(kind);
  const select = '[Select another deployment](command:aplomb.selectDeployment).';
  const changeToken = `[Change Token](command:aplomb.changeToken)\n${select}`;
  const again = `[Try Again](command:${refreshCommand(kind)})\n[Show the log](command:aplomb.showLog), or ${select.replace('[S', '[s')}`;
  const contents = {
    empty: `This deployment has no ${plural}.\n[New ${titleOf(noun)}](command:${newCommand(kind)})\n${about}`,
    noToken: `No token is stored for the address of this deployment.\n${changeToken}`,
    rejected: `The token is invalid, expired or revoked.\n${changeToken}`,
    noAccess: `The token is valid, but lacks the capability to list ${plural}.\n${changeToken}`,
    unreachable: `The deployment cannot be reached.\n${again}`,
    gateway: `A proxy responded instead of the deployment, because it received no valid response from it.\n${again}`,
    failing: `The deployment responded with an error.\n${again}`,
  };
  return Object.entries(contents).map(([state, text]) => ({
    view,
    contents: text,
    when: `${view} == '${state}'`,
  }));
}

/** The JSON Schema of the documents of a kind, from that of the body that makes one. */
export function schemaOf(kind: KindName): Members {
  const { endpoints, noun, about, listMember, version } = kinds[kind];
  const row: EndpointRow = endpointRow(endpoints.create ?? endpoints.update);
  const body = plain(row.body) as Members;
  const head = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: titleOf(noun),
    description: about,
  };
  if (listMember !== undefined) {
    return { ...head, type: 'object', required: [listMember], properties: { [listMember]: body } };
  }
  if (version === undefined) return { ...head, ...body };
  // What concerns the request alone has no place in a document.
  const { message: _, overwrite: __, [version]: ___, ...properties } = body.properties as Members;
  return { ...head, ...body, properties };
}

/** A schema without what only this project reads, and without bounds that a number of JavaScript rounds. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isMembers(value)) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) =>
      !name.startsWith('x-') && !(typeof member === 'bigint') && !isRounded(name, member),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, plain(member)]));
}

function isRounded(name: string, member: unknown): boolean {
  return (
    (name === 'minimum' || name === 'maximum') &&
    typeof member === 'number' &&
    !Number.isSafeInteger(member) &&
    Number.isInteger(member)
  );
}

/** The JSON Schemas, by the paths of their files. */
export function schemaFiles(): Map<string, Members> {
  return new Map(kindNames.map((kind) => [`${schemaFolder}/${kind}.json`, schemaOf(kind)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(fileURLToPath(import.meta.url), '..', '..');
  const path = join(root, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  writeFileSync(path, `${JSON.stringify(withAgentTools(withKinds(manifest)), null, 2)}\n`);
  mkdirSync(join(root, schemaFolder), { recursive: true });
  for (const [file, schema] of schemaFiles()) {
    writeFileSync(join(root, file), `${stringifyJson(schema, 2)}\n`);
  }
}
