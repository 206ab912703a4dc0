import { createHash } from 'node:crypto';
import {
  type CatalogueExam,
  type CatalogueShift,
  sumOf,
} from '../../../build/site/catalogue/catalogue.ts';
import { titleOf } from '../../../build/site/text.ts';

const subjects = ['physics', 'chemistry', 'mathematics', 'biology'];

/** Names of topics that are long, in other scripts, or look like HTML. */
const nastyNames = [
  '</svg><b>bold',
  'WWWWWWWW'.repeat(12),
  'ELECTROMAGNETIC INDUCTION AND ALTERNATING CURRENTS IN CIRCUITS OF ALL KINDS',
  '電磁誘導と交流回路の基礎'.repeat(8),
  'ميكانيكا الكم والحركة الدورانية',
  '\u202efrom right to left',
  'संभावना और सांख्यिकी '.repeat(4),
  'i',
];

/** Two years of an exam of the large catalogue, with the names above. */
export function nastyExam(): CatalogueExam {
  const [exam] = largeCatalogue();
  if (!exam) throw new Error('The large catalogue is empty.');
  const subjects = exam.subjects.map((subject) => ({
    ...subject,
    topics: subject.topics.map((topic, index) => ({
      ...topic,
      name: nastyNames[index % nastyNames.length] ?? '',
    })),
  }));
  return {
    ...exam,
    years: exam.years.slice(0, 2),
    label: 'An exam whose label is as long as the schema lets it be, '.repeat(2).slice(0, 100),
    subjects,
  };
}

/** The catalogue of a bank of 30 exams, with 20 years of 20 shifts each, and 60 topics in every subject. */
export function largeCatalogue(): CatalogueExam[] {
  return Array.from({ length: 30 }, (_, number) => {
    const code = `exam${number}`;
    return {
      code,
      label: `National Entrance Examination ${number}`,
      years: Array.from({ length: 20 }, (_, age) => ({
        year: 2007 + age,
        shifts: Array.from({ length: 20 }, (_, index) => shiftOf(code, 2007 + age, index)),
      })),
      subjects: subjects.map((name) => {
        const topics = Array.from({ length: 60 }, (_, index) => ({
          name: `${name} topic with a name of some length, number ${index}`,
          tally: {
            easy: 900 - 7 * index,
            medium: 1200 - 11 * index,
            hard: 700 - 5 * index,
            unrated: 0,
          },
        }));
        return { code: name, name: titleOf(name), tally: sumOf(topics), topics };
      }),
    };
  });
}

function shiftOf(code: string, year: number, index: number): CatalogueShift {
  const day = String(1 + (index >> 1)).padStart(2, '0');
  const date = `${year}-${index % 4 < 2 ? '01' : '04'}-${day}`;
  const shift = `${date}-s${(index % 2) + 1}`;
  const counts = new Map(
    subjects.map((subject, place) => [subject, 25 + ((index * 7 + place * 3) % 21)]),
  );
  return {
    shift,
    subjects,
    counts,
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
    lastUpdated: `${year + 1}-02-${day}`,
    checksum: createHash('sha256').update(`${code}/${shift}`).digest('hex').slice(0, 12),
  };
}
