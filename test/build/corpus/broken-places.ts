import { copyFile, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BrokenBank, edit, files } from './broken-bank.ts';

/** Mistakes in the places of files, in the names of folders, and in the list of exceptions. */
export const brokenPlaces: readonly BrokenBank[] = [
  {
    title: 'a file that is not published',
    rule: 'stray-file',
    make: (dir) => writeFile(join(dir, 'neet/2024/notes.txt'), 'To do'),
    file: 'neet/2024/notes.txt',
    pointer: '',
    message: 'This is not part of a bank.',
  },
  {
    title: 'a paper that is a symbolic link',
    rule: 'stray-file',
    make: (dir) => symlink('biology.json', join(dir, dirname(files.biology), 'chemistry.json')),
    file: 'neet/2024/2024-05-05-s1/chemistry.json',
    pointer: '',
    message: 'This is a symbolic link.',
  },
  {
    title: 'a diagram that is a symbolic link, which is not reported as missing too',
    rule: 'stray-file',
    make: async (dir) => {
      await rename(join(dir, files.line), join(dir, '.line.png'));
      await symlink(join(dir, '.line.png'), join(dir, files.line));
    },
    file: files.line,
    pointer: '',
    message: 'This is a symbolic link.',
  },
  {
    title: 'a folder named like a paper',
    rule: 'stray-file',
    make: async (dir) => void (await mkdir(join(dir, dirname(files.biology), 'chemistry.json'))),
    file: 'neet/2024/2024-05-05-s1/chemistry.json',
    pointer: '',
    message: 'This is a folder where a file is expected.',
  },
  {
    title: 'an exam code in upper case',
    rule: 'exam-code',
    make: async (dir) => {
      await mkdir(join(dir, 'CUET/2024/2024-05-15-s1'), { recursive: true });
      await writeFile(join(dir, 'CUET/exam.json'), '{ "label": "CUET", "subjects": ["physics"] }');
      await writeFile(join(dir, 'CUET/2024/2024-05-15-s1/physics.json'), paper('CUET'));
    },
    edits: [{ file: 'CUET/exam.json', right: '', wrong: '⟦{ "label": "CUET", "subjects": ["physics"] }⟧' }],
    pointer: '',
    message: '"CUET" is not an exam code.',
  },
  {
    title: 'an exam with a reserved name',
    rule: 'exam-code',
    make: async (dir) => {
      await mkdir(join(dir, 'docs/2024/2024-05-15-s1'), { recursive: true });
      await writeFile(join(dir, 'docs/2024/2024-05-15-s1/physics.json'), paper('docs'));
    },
    edits: [{ file: 'docs/exam.json', right: '', wrong: '⟦{ "label": "Docs", "subjects": ["physics"] }⟧' }],
    pointer: '',
    message: '"docs" is reserved.',
  },
  {
    title: 'an exam without exam.json',
    rule: 'exam-file',
    make: (dir) => rm(join(dir, files.jeemain)),
    edits: [
      edit('mathematics', '{\n  "$schema"', '⟦{\n  "$schema"'),
      edit('mathematics', '"dropped": true\n    }\n  ]\n}', '"dropped": true\n    }\n  ]\n}⟧'),
    ],
    pointer: '',
    message: 'The exam of this paper has no jeemain/exam.json',
  },
  {
    title: 'an exam without papers',
    rule: 'not-empty',
    edits: [{ file: 'gate/exam.json', right: '', wrong: '⟦{ "label": "GATE", "subjects": ["physics"] }⟧' }],
    pointer: '',
    message: 'The exam has no papers. Create gate/<year>/<shift>/<subject>.json.',
  },
  {
    title: 'a shift with a date that does not exist, whose ids are not reported too',
    rule: 'shift-name',
    make: (dir) => rename(join(dir, 'neet/2025/2025-05-04-s1'), join(dir, 'neet/2025/2025-05-34-s1')),
    edits: [
      edit('exceptions', 'neet/2025/2025-05-04-s1/biology.json', 'neet/2025/2025-05-34-s1/biology.json'),
      edit('laterBiology', '{\n  "$schema"', '⟦{\n  "$schema"'),
      edit('laterBiology', '"medium"\n    }\n  ]\n}', '"medium"\n    }\n  ]\n}⟧'),
    ],
    file: 'neet/2025/2025-05-34-s1/biology.json',
    pointer: '',
    message: '"2025-05-34-s1" names a date that does not exist.',
  },
  {
    title: 'a paper of an unknown subject, whose ids are not reported too',
    rule: 'subject-allowed',
    make: (dir) => rename(join(dir, files.mathematics), join(dir, dirname(files.mathematics), 'maths.json')),
    edits: [
      edit('jeemain', '["physics", "chemistry", "mathematics"]', '⟪["physics", "chemistry", "mathematics"]⟫'),
      edit('mathematics', '{\n  "$schema"', '⟦{\n  "$schema"'),
      edit('mathematics', '"dropped": true\n    }\n  ]\n}', '"dropped": true\n    }\n  ]\n}⟧'),
    ],
    file: 'jeemain/2025/2025-01-22-s1/maths.json',
    pointer: '',
    message: '"maths" is not a subject of JEE Main. Its subjects are physics, chemistry, mathematics.',
    related: 1,
  },
  {
    title: 'a topic that exam.json does not list',
    rule: 'unlisted-topic',
    edits: [
      edit(
        'neet',
        '"biology"]\n',
        '"biology"],\n  "topics": { "physics": ⟪["Work and Energy", "Current Electricity", "Temperature", "Atoms"]⟫ }\n',
      ),
      edit('physics', '"Temperature"', '⟦"Temprature"⟧'),
    ],
    file: files.physics,
    pointer: '/questions/2/topic',
    message: '"Temprature" is not a topic of physics in NEET.',
    suggestion: 'Temperature',
    related: 1,
  },
  {
    title: 'a topic in another case than exam.json lists it',
    rule: 'unlisted-topic',
    edits: [
      edit(
        'neet',
        '"biology"]\n',
        '"biology"],\n  "topics": { "physics": ⟪["Work and Energy", "Current Electricity", "Temperature", "Atoms"]⟫ }\n',
      ),
      edit('physics', '"Work and Energy"', '⟦"Work and  energy"⟧'),
    ],
    file: files.physics,
    pointer: '/questions/0/topic',
    message: '"Work and  energy" is not a topic of physics in NEET.',
    suggestion: 'Work and Energy',
    related: 1,
  },
  {
    title: 'topics of a subject that the exam does not have',
    rule: 'unlisted-topic',
    edits: [edit('neet', '"biology"]\n', '"biology"],\n  "topics": { ⟦"phisics"⟧: ["Work and Energy"] }\n')],
    pointer: '/topics/phisics',
    message: '"phisics" is not a subject of NEET.',
    suggestion: 'physics',
  },
  {
    title: 'a shift without a subject of the other shift of the day',
    rule: 'missing-paper',
    severity: 'warning',
    edits: [
      {
        file: 'neet/2024/2024-05-05-s2/biology.json',
        right: '',
        wrong: `⟦${paper('neet').replace(/neet-[^"]*/, 'q1')}⟧`,
      },
    ],
    file: 'neet/2024/2024-05-05-s2/biology.json',
    pointer: '',
    message: 'This shift has no physics.json, but the other shift of the day has.',
  },
  {
    title: 'a shift with diagrams and no papers, whose diagrams are not reported too',
    rule: 'missing-paper',
    severity: 'warning',
    make: async (dir) => {
      await mkdir(join(dir, 'neet/2024/2024-06-23-s1/diagrams'), { recursive: true });
      await copyFile(join(dir, files.circuit), join(dir, 'neet/2024/2024-06-23-s1/diagrams/circuit.svg'));
    },
    file: 'neet/2024/2024-06-23-s1',
    pointer: '',
    message: 'This shift has no papers.',
  },
  {
    title: 'an exception that no longer applies',
    rule: 'exception',
    edits: [
      edit('laterBiology', 'Which of these carries oxygen in human blood?', 'What carries oxygen in blood?'),
      edit('exceptions', '    {\n      "rule"', '    ⟦{\n      "rule"'),
      edit('exceptions', 'in both years."\n    }', 'in both years."\n    }⟧'),
    ],
    pointer: '/exceptions/0',
    message: 'This exception is no longer needed',
  },
  {
    title: 'an exception for a mistyped file',
    rule: 'exception',
    edits: [
      edit(
        'exceptions',
        '"exceptions": [\n',
        '"exceptions": [\n    { "rule": "option-texts", "file": ⟦"neet/2025/2025-05-04-s1/boilogy.json"⟧, "reason": "It has always been so." },\n',
      ),
    ],
    pointer: '/exceptions/0/file',
    message: 'The content folder has no "neet/2025/2025-05-04-s1/boilogy.json".',
    suggestion: 'neet/2025/2025-05-04-s1/biology.json',
  },
  {
    title: 'an exception for a question that does not exist',
    rule: 'exception',
    edits: [
      edit(
        'exceptions',
        '"exceptions": [\n',
        '"exceptions": [\n    { "rule": "option-texts", "question": ⟦"neet-01"⟧, "reason": "It has always been so." },\n',
      ),
    ],
    pointer: '/exceptions/0/question',
    message: 'No question has the id "neet-01".',
  },
  {
    title: 'an exception to a rule that allows none',
    rule: 'exception',
    edits: [
      edit(
        'exceptions',
        '"exceptions": [\n',
        '"exceptions": [\n    { "rule": ⟦"schema"⟧, "file": "neet/exam.json", "pointer": "", "reason": "It has always been so." },\n',
      ),
    ],
    pointer: '/exceptions/0/rule',
    message: 'The rule "schema" allows no exceptions',
  },
  {
    title: 'an exception with too short a reason',
    rule: 'schema',
    edits: [edit('exceptions', '"The exam body asked it in both years."', '⟦"Both."⟧')],
    pointer: '/exceptions/0/reason',
    message: 'The text is shorter than 10 characters.',
  },
];

/** A paper with one question that is in no other paper. */
function paper(exam: string): string {
  return JSON.stringify({
    lastUpdated: '2024-06-01T10:00:00Z',
    questions: [
      {
        id: `${exam}-2024-05-15-s1-physics-01`,
        type: 'numerical',
        question: 'How many metres are a kilometre?',
        options: [],
        answer: '1000',
        topic: 'Units',
        difficulty: 'easy',
      },
    ],
  });
}
