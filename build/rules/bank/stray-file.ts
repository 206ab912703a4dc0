import type { Stray } from '../../content/find.ts';
import type { BankFacts } from '../facts.ts';
import type { Rule } from '../rule.ts';

export const strayFile: Rule<BankFacts> = {
  name: 'stray-file',
  description:
    'Everything in the content folder is a file at a place that the build knows; anything else would not be published.',
  severity: 'error',
  example: {
    wrong: 'content/neet/2024/physics.json',
    right: 'content/neet/2024/2024-05-05-s1/physics.json',
  },
  *check({ strays }) {
    for (const { path, kind } of strays) yield { path, pointer: '', message: messages[kind] };
  },
};

const messages: Readonly<Record<Stray['kind'], string>> = {
  file: 'This is not published. A bank holds <exam>/exam.json, <exam>/<year>/<shift>/<subject>.json and <exam>/<year>/<shift>/diagrams/<file>.',
  folder: 'This is a folder, and a file belongs here. Name the folder otherwise, or remove it.',
  link: 'This is a link, and links are not followed. Put the file itself here.',
  special: 'This is no plain file (a pipe, a socket, a device). Remove it.',
  name: 'The name holds a control character, such as a line break. Give it a plain name.',
};
