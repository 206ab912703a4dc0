import type { Pulled } from './pull.ts';
import type { ToldLimit } from './rate-limit-fields.ts';
import { counted, inWords, momentInWords, sizeInWords } from './words.ts';

/** Problems told of one pull. A service that has many has one reason for most of them. */
const mostProblems = 20;

/** Where a pull took place, for its last words. */
export interface Place {
  /** `neet/2024` */
  readonly name: string;
  readonly folder: string;
  /** Milliseconds. */
  readonly took: number;
  /** Milliseconds since 1970, UTC. */
  readonly now: number;
}

/** The last words of a pull, in lines. */
export function summaryOf(pulled: Pulled, { name, folder, took, now }: Place): string {
  const { end, papers, diagrams, bytes } = pulled;
  const downloaded =
    papers + diagrams === 0
      ? 'nothing was downloaded'
      : `downloaded ${counted(papers, 'paper')} and ${counted(diagrams, 'diagram')}, ${sizeInWords(bytes)}`;
  const lines =
    end.kind === 'whole'
      ? [
          `${folder} has all of ${name}: ${counted(end.shifts, 'shift')}, ${counted(end.papers, 'paper')}, ${counted(end.diagrams, 'diagram')}, every checksum verified.`,
          `In ${inWords(took)} ${downloaded}${end.removed === 0 ? '' : `, removed ${counted(end.removed, 'file')}`}.`,
        ]
      : [
          ...end.problems.slice(0, mostProblems),
          ...(end.problems.length > mostProblems ? [`And ${end.problems.length - mostProblems} more.`] : []),
          `${folder} does not have all of ${name} yet. In ${inWords(took)} ${downloaded}; what is whole is kept, and not fetched again.`,
        ];
  return [...lines, ...quotaLine(pulled.limits, now)].map((line) => `${line}\n`).join('');
}

/** What is left of the limit that spans longest: the month's. */
function quotaLine(limits: readonly ToldLimit[], now: number): readonly string[] {
  const [longest] = [...limits].sort((a, b) => (b.span ?? 0) - (a.span ?? 0));
  if (longest?.quota === undefined || longest.remaining === undefined || longest.reset === undefined)
    return [];
  return [
    `${counted(longest.remaining, 'request')} of ${longest.quota.toLocaleString('en')} are left until ${momentInWords(now + longest.reset)}.`,
  ];
}
