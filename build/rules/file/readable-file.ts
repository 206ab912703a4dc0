import type { JsonFile } from '../../content/file.ts';
import type { Rule } from '../rule.ts';

export const readableFile: Rule<JsonFile> = {
  name: 'readable-file',
  description: 'Every file of the bank can be read, and is no larger than a paper can be.',
  severity: 'error',
  strict: true,
  example: {
    wrong: '-rw------- root  physics.json   (and the build runs as another user)',
    right: '-rw-r--r-- root  physics.json',
  },
  *check(file) {
    if (file.state === 'unreadable') yield { path: file.path, pointer: '', message: file.fault };
  },
};
